"""The protocols by which people and programs are connected: the one list of them.

Rule 1: labels of metrics and logs, `mudserver status`, the command `terminal` and the names of the
        listeners come from here.  A further protocol is a row here, and code in `transport/`.
Rule 2: a listener has a setting of its name in [server], and inherits sockets of its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

ProtocolName = Literal["ssh", "json", "telnet", "tls"]


class Protocol(NamedTuple):
    title: str  # as people read it
    listener: str  # where its connections arrive


PROTOCOLS: Mapping[ProtocolName, Protocol] = {
    "ssh": Protocol("ssh", listener="ssh"),
    "json": Protocol("ssh", listener="ssh"),
    "telnet": Protocol("telnet", listener="telnet"),
    "tls": Protocol("telnet over TLS", listener="tls"),
}
LISTENERS: tuple[str, ...] = tuple(dict.fromkeys(row.listener for row in PROTOCOLS.values()))
"""In the order in which they open."""
