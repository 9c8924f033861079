"""Explanations of refusals in words, with clauses, citations and the deciding values."""
