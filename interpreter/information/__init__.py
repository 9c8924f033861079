"""Who knows what of a state and of an event?"""
