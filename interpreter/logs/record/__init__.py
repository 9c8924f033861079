"""How is a log read, written and described by a schema?"""
