"""Is a log legal, and if not, where and why?"""
