"""What does each command do? One module per command."""
