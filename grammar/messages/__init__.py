"""Messages in several languages: what a report says, kept as an entry of a catalogue with its arguments."""
