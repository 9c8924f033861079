"""The intermediate representation: code, operations, move numbers, analyses, and a listing for people."""
