"""What is a program: its code, operations, numbers of moves, and how it is printed for people?"""
