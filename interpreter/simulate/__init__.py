"""What can be learned from random play: playouts, audits, perft?"""
