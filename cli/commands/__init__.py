"""Subcommands of `ludex`, one module per command."""
