"""How are the lines of a text log read and written, when its game is known?"""
