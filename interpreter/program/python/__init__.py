"""How does a program run as Python: the printer, and what its code calls?"""
