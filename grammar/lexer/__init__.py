"""Lexer and layout: tokens, indentation, comments."""
