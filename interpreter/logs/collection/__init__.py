"""How are any number of logs found and read, one at a time?"""
