"""Tournaments: who plays whom, what a result is worth, and the fold of their events.  Pure."""
