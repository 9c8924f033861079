"""Text to tree and back: the Lark grammar, syntax nodes with places, diagnostics, the formatter."""
