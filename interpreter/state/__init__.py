"""What does a state contain, and what does an engine take and return: cells, zones, unknown pieces, events?"""
