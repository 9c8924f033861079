"""What do the files of a game state, on which authority, and by which text?"""
