"""How is a state of play written down and read, so that a play can begin there?"""
