"""The engine that users hold, and the examples of a spec."""
