"""Where a play can stop: the stack of routines under way, as plain data, and as JSON."""
