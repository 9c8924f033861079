"""What a spec says: the typed model, layers and editions, components, citations and coverage; and the games as data."""
