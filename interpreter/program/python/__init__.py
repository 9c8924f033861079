"""The run-time library of generated Python, and, in `printing/`, the printer."""
