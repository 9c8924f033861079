"""Is a log legal, and by which edition?"""
