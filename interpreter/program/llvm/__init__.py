"""Printer of programs as LLVM code."""
