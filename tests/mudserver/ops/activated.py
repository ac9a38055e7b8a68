"""Starts a program as systemd's socket activation does: sockets at 3, 4, ..., named.

Usage: python activated.py NAME:NAME FD,FD PROGRAM ARGUMENT...
"""

from __future__ import annotations

import os
import sys

FIRST = 3


def main(names: str, numbers: str, *command: str) -> None:
    given = [int(number) for number in numbers.split(",")]  # all above the places they go to
    for place, descriptor in enumerate(given, FIRST):
        os.dup2(descriptor, place, inheritable=True)
    words = {"LISTEN_PID": os.getpid(), "LISTEN_FDS": len(given), "LISTEN_FDNAMES": names}
    os.environ.update({name: str(word) for name, word in words.items()})
    os.execv(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
