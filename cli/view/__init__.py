"""Views of a state or a game for people."""
