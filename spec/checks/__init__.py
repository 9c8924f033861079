"""What is wrong with a game although every word of it makes sense?"""
