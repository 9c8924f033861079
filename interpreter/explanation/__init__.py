"""Why is a move refused, in words, with clauses and citations?"""
