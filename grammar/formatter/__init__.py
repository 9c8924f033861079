"""What is the canonical layout of a syntax tree (`ludex fmt`)?"""
