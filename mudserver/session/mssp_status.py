"""The server's MSSP variables, which crawlers of game lists read before any login.

Rule 1: only facts that every guest can see, and the configuration; never a person's name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mudserver.service.game_service import GameService
from mudserver.version import version

STATIC_VARIABLES = {
    "FAMILY": "Custom",
    "LANGUAGE": "English",
    "GENRE": "None",
    "GAMEPLAY": ("Social", "Strategy"),
    "STATUS": "Live",
    "CRAWL DELAY": "-1",  # hours; -1: the crawler decides
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

PORT_VARIABLES = {"telnet": "PORT", "ssh": "SSH", "tls": "SSL"}  # by listener


def port_of(address: str) -> str:
    return address.rpartition(":")[2]


def mssp_status(
    service: GameService, name: str, started_ms: int, addresses: Mapping[str, str]
) -> dict[str, str | Sequence[str]]:
    """Args: addresses: of the open listeners, by name."""
    return {
        "NAME": name,
        "PLAYERS": str(service.online_count()),
        "UPTIME": str(started_ms // 1_000),
        **{
            variable: port_of(addresses[name])
            for name, variable in PORT_VARIABLES.items()
            if name in addresses
        },
        "TABLES": str(service.table_count()),
        "GAMES": tuple(service.catalogue),
        "CODEBASE": f"mudserver {version()}",
        **STATIC_VARIABLES,
    }
