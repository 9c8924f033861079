"""What does each command do? One module a command."""
