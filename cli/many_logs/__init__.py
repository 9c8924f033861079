"""How are any number of logs judged, in one process or in several, and their results kept?"""
