"""How do diagnostics and texts reach a terminal, a file or a pipe?"""
