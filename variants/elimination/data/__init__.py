"""The cards and other fixed facts of the game."""
