"""Judge of logs: whether a log is legal, and by which edition."""
