"""Can a log be migrated to changed rules, and where does the change affect it?"""
