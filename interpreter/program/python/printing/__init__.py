"""The printer of a program as Python, with the optimisations that only Python gains from."""
