"""The roles that people have on a server."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

Role = Literal["guest", "player", "helper", "moderator", "operator", "owner", "console"]
ROLES: tuple[Role, ...] = (
    "guest", "player", "helper", "moderator", "operator", "owner", "console"
)  # fmt: skip
"""From the least to the highest.  The console is who administers the machine."""
STAFF: tuple[Role, ...] = ("helper", "moderator", "operator", "owner")
GIVEN: tuple[Role, ...] = ("player", *STAFF)  # what an account can be
RANK: Mapping[Role, int] = MappingProxyType({role: rank for rank, role in enumerate(ROLES)})
