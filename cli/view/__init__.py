"""How does a person see a state, a game or a tree?"""
