"""Judging of many logs, in one process or in several, and storage of the results."""
