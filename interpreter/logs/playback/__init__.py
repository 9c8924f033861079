"""How is one log replayed, and what is wrong with it?"""
