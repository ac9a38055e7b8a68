"""Listening sockets inherited from systemd (socket activation).

Rule 1: they are ours only if LISTEN_PID names this process; the variables are removed either way.
Rule 2: the name of each (`FileDescriptorName=`) says which listener it is for.  An unknown name, or
        a socket that does not listen, is refused: otherwise a listener would be missing silently.

Source: sd_listen_fds(3).
"""

from __future__ import annotations

import socket
from collections.abc import Collection, MutableMapping

from mudserver.errors import ConfigError, StartError

FIRST_FD = 3  # after the three standard descriptors
SOCKETS_MAX = 32
DIGITS_MAX = 9  # of LISTEN_FDS


def receive_sockets(
    environment: MutableMapping[str, str], pid: int, known_names: Collection[str]
) -> dict[str, list[socket.socket]]:
    """The sockets by name, in order.  StartError names one that cannot be used, and why."""
    owner = environment.pop("LISTEN_PID", "")
    number = environment.pop("LISTEN_FDS", "")
    names = environment.pop("LISTEN_FDNAMES", "").split(":")
    if owner != str(pid) or number in ("", "0"):
        return {}
    if not (number.isascii() and number.isdecimal() and len(number) <= DIGITS_MAX):
        raise ConfigError(
            f"LISTEN_FDS is no number from 0 to {SOCKETS_MAX}: leave it to systemd, which says by"
            " it how many sockets it hands over"
        )
    count = int(number)
    if count > SOCKETS_MAX:
        raise ConfigError(f"{count} sockets were handed over; at most {SOCKETS_MAX} can be")
    sockets: dict[str, list[socket.socket]] = {}
    for place in range(count):
        name = names[place] if place < len(names) else ""
        sockets.setdefault(name, []).append(_listening(FIRST_FD + place, name, known_names))
    return sockets


def _listening(descriptor: int, name: str, known: Collection[str]) -> socket.socket:
    if name not in known:
        raise StartError(
            f"a socket named {name or 'nothing'} was handed over: name it with "
            f"FileDescriptorName= as one of {', '.join(known)}"
        )
    try:
        found = socket.socket(fileno=descriptor)
        listens = found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
    except OSError as exc:
        why = (exc.strerror or str(exc)).lower()
        raise StartError(f"the descriptor handed over for {name} is no socket: {why}") from None
    if not listens or found.family not in (socket.AF_INET, socket.AF_INET6):
        found.detach()
        raise StartError(f"the socket handed over for {name} does not listen for connections")
    found.setblocking(False)
    found.set_inheritable(False)
    return found
