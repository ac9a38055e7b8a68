"""THE DOOR: bytes and terminals, SSH and telnet, limits per address, host keys.

Knows no person and no rule.  What passes the wall is in `link.py`, nothing else.
"""
