"""How is a value of a type written as JSON, in a schema, and in words?"""
