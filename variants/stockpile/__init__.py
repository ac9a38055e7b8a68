"""Stockpile: gather supplies, indoors or outdoors, and do not get infected."""
