"""The word list: reading, looking up, blocking."""
