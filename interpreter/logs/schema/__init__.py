"""JSON Schema of a game's logs, for other programs and editors."""
