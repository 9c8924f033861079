"""Printing of the intermediate forms of the pipeline."""
