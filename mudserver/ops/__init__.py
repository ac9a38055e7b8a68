"""What operators see and ask for: numbers, the control socket, systemd, backups.

Knows no person and no rule; `app` gives it what it may ask of the other rooms.
"""
