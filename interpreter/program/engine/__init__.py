"""The compiled engine: queries of a compiled program, its states and its observations."""
