"""What the servers that share a journal know of each other, and tell each other."""
