"""File access: reading, atomic writing, the on-disk cache."""
