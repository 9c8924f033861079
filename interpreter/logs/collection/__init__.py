"""Collections of logs: finding them, and reading them one at a time."""
