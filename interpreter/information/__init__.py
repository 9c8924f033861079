"""Which player may know what of a state, an event and a decision?"""
