"""The Python printer, and the run-time library of the generated code."""
