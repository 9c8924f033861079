"""What goes into an engine and what does a state hold: events, zones, hidden pieces?"""
