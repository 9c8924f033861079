"""What do the header and the lines of a log say, and are they well formed?"""
