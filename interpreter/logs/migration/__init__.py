"""Can a log be carried to changed rules, and where does the change matter?"""
