"""How does a game become a program (lowering)?"""
