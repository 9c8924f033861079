"""Tracking of what is known of a play at a line of its log, and the findings about it."""
