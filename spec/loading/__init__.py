"""Loading of games: from a name or path to a checked game."""
