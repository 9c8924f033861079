"""Why is a move refused: in words, with clauses, citations and the values that decide?"""
