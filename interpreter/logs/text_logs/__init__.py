"""Reader and writer of the lines of a text log, given its game."""
