"""Views of a state, a game or a tree for people."""
