"""What a door and a game server read of the same configuration."""

from __future__ import annotations

import re
from pathlib import Path

from mudserver.config.schema import Config, split_address
from mudserver.config.setting_info import SECTIONS, to_toml, value_of
from mudserver.wall.tls import GameAddress, TlsAddress, context_of

SOCKET_NAME = "game.sock"
DOOR_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,23}")  # a file and a metric have it, too
WITHIN_S_MAX = 604_800.0  # a week: until a door that drains ends
SHARED_SECTIONS = ("door", "sources", "wall")
OF_ONE_MACHINE = ("wall.tls", "wall.ca", "wall.cert", "wall.key", "wall.games")
TLS_PREFIX, UNIX_PREFIX = "tls:", "unix:"


def socket_path(config: Config) -> Path:
    """Where the game server listens for doors."""
    return Path(config.wall.socket or Path(config.server.data) / SOCKET_NAME)


def game_addresses(config: Config) -> list[GameAddress]:
    """Where a door finds game servers.  StartError: a file for TLS cannot be used."""
    if not config.wall.games:
        return [socket_path(config)]
    context = None
    if any(it.startswith(TLS_PREFIX) for it in config.wall.games):
        context = context_of(config.wall, is_server=False)
    found = list[GameAddress]()
    for address in config.wall.games:
        if address.startswith(TLS_PREFIX):
            assert context is not None
            found.append(TlsAddress(*split_address(address.removeprefix(TLS_PREFIX)), context))
        else:
            found.append(Path(address.removeprefix(UNIX_PREFIX)))
    return found


def shared_settings(config: Config) -> dict[str, str]:
    """Settings that have to be the same on both sides, by name, as in the file."""
    names = [f"{section}.{name}" for section in SHARED_SECTIONS for name in SECTIONS[section]]
    left_out = (*OF_ONE_MACHINE, *(("wall.socket",) if config.wall.games else ()))
    return {name: to_toml(value_of(config, name)) for name in names if name not in left_out}
