"""Migration of logs to changed rules: whether it is possible, and where the change affects a log."""
