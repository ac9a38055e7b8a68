"""What lists of games are told of the house by MSSP, before anybody logs in.

Rule 1: only what every guest can see, and what the configuration says; never a name of a person.
"""

from __future__ import annotations

from collections.abc import Sequence

from mudserver import __version__
from mudserver.service.service import GameService

STATIC_VARIABLES = {
    "CODEBASE": f"mudserver {__version__}",
    "FAMILY": "Custom",
    "LANGUAGE": "English",
    "GENRE": "None",
    "GAMEPLAY": ("Social", "Strategy"),
    "STATUS": "Live",
    "CRAWL DELAY": "-1",  # as often as the list thinks right
    "ANSI": "1",
    "UTF-8": "1",
    "VT100": "1",
    "XTERM 256 COLORS": "1",
    "XTERM TRUE COLORS": "1",
    "GMCP": "1",
    "MCCP": "0",
    "MSDP": "0",
    "MSP": "0",
    "MXP": "0",
    "PAY TO PLAY": "0",
    "PAY FOR PERKS": "0",
}


def port_of(address: str) -> str:
    return address.rpartition(":")[2]


def mssp_status(
    service: GameService, name: str, started_ms: int, *, telnet: str, ssh: str, tls: str
) -> dict[str, str | Sequence[str]]:
    """Args: telnet, ssh, tls: the addresses where the doors are; "" for none."""
    people = len(service.lobby.online_names())
    doors = {"PORT": telnet, "SSH": ssh, "SSL": tls}
    return {
        "NAME": name,
        "PLAYERS": str(people),
        "UPTIME": str(started_ms // 1_000),
        **{name: port_of(address) for name, address in doors.items() if address},
        "TABLES": str(service.table_manager.open_count()),
        "GAMES": tuple(service.catalogue),
        **STATIC_VARIABLES,
    }
