"""The networks that are banned hard, as the game server has told the door.

Rule 1: the list stays while no game server is there, and the next one tells it anew.
Rule 2: the end of a ban is judged at each connection; nothing has to be told for it.
Rule 3: it has BANS_MAX networks at most.
"""

from __future__ import annotations

import ipaddress

from mudserver.clock import Clock
from mudserver.wall.bodies import BANS_MAX, Bans, NetworkBan
from mudserver.wall.frames import FrameError

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class ToldBans:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._bans: list[tuple[Network, NetworkBan]] = []

    def __len__(self) -> int:
        return len(self._bans)

    def forget(self) -> None:
        """Another game server is there; an older one tells none."""
        self._bans.clear()

    def note(self, told: Bans) -> None:
        """FrameError: a network that is none, or too many."""
        if told.is_first:
            self._bans.clear()
        if len(self._bans) + len(told.bans) > BANS_MAX:
            raise FrameError(f"BANS of more than {BANS_MAX} networks")
        for ban in told.bans:
            try:
                self._bans.append((ipaddress.ip_network(ban.network), ban))
            except ValueError:
                raise FrameError(f"BANS of {ban.network!r}, which is no network") from None

    def text_for(self, source: str) -> str:
        """What somebody reads who comes from there; "": the source is not banned."""
        if not self._bans:
            return ""
        try:
            here = ipaddress.ip_network(source)
        except ValueError:  # no address: a listener of another kind
            return ""
        now_ms = self._clock.now_ms()
        for network, ban in self._bans:
            is_over = ban.until_ms is not None and ban.until_ms <= now_ms
            if not is_over and network.version == here.version and network.supernet_of(here):  # type: ignore[arg-type]
                return ban.text
        return ""
