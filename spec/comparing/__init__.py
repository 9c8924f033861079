"""Where do texts of one game, or two specs, differ, and what did a team decide about it?"""
