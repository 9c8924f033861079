"""The stack of routines under way at a place where a play can stop, as plain data and as JSON."""
