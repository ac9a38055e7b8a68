"""Sockets, encryption and terminals: SSH, telnet, limits per address, host keys.

This package knows no account and no game.  `link.py` is its whole interface to the rest.
"""
