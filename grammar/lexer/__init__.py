"""lexer."""
