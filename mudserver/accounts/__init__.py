"""Accounts: who has a name here, how each proves it, and their preferences.  Pure."""
