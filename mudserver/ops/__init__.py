"""What operators see and use: metrics, the control socket, systemd, backups.

This package knows no account and no game; `app` passes in what it may call.
"""
