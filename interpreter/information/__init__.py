"""Visibility: what each player may know of a state, an event and a decision."""
