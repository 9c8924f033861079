"""LALR parser with error recovery: tokens to syntax nodes."""
