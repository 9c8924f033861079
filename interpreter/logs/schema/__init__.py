"""What do other programs, and editors, know of a game's logs?"""
