"""How is a program printed as LLVM?"""
