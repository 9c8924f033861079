"""How does a name or a path become a checked game?"""
