"""What a door with several game servers reports over MSSP: the town, and none of them.  Pure.

Rule 1: each game server counts people and tables of all.  One that has just started, or is cut off
        from the others, knows of fewer: the largest count is the one that is true.
Rule 2: the town is up since the first of its game servers is, whichever was restarted since.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mudserver.transport.telnet import mssp

COUNTED: dict[str, Callable[[list[int]], int]] = {"PLAYERS": max, "TABLES": max, "UPTIME": min}


def town_listing(listings: Sequence[mssp.Status]) -> mssp.Status:
    """Args: listings: Of the game servers that are there; an empty one says nothing."""
    told = [listing for listing in listings if listing]
    if not told:
        return {}
    counted = {name: of for name, of in COUNTED.items() if any(name in it for it in told)}
    return {**told[0], **{name: str(of(_numbers(told, name))) for name, of in counted.items()}}


def _numbers(told: Sequence[mssp.Status], name: str) -> list[int]:
    """What the game servers say; 0 where that is no number."""
    values = [str(listing.get(name, "")) for listing in told]
    return [int(it) if it.isascii() and it.isdigit() else 0 for it in values]
