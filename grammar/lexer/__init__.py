"""Which words, indentation and comments does a text consist of?"""
