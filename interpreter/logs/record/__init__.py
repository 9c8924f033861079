"""How is a log's text parsed into records, with the place of every part, and how is it written?"""
