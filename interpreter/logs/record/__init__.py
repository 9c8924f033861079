"""How is a log read and written?"""
