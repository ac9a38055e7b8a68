"""A second game server that waits, loaded and up to date, for the first one to end."""
