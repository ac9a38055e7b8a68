"""What a door and a game server read of the same configuration."""

from __future__ import annotations

import re
from pathlib import Path

from mudserver.config.schema import Config
from mudserver.config.setting_info import SECTIONS, to_toml, value_of

SOCKET_NAME = "game.sock"
DOOR_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,23}")  # a file and a metric have it, too
WITHIN_S_MAX = 604_800.0  # a week: until a door that drains ends
SHARED_SECTIONS = ("door", "sources", "wall")
OF_ONE_SIDE = ("wall.games", "wall.socket")  # where a door has several game servers


def socket_path(config: Config) -> Path:
    """Where the game server listens for doors."""
    return Path(config.wall.socket or Path(config.server.data) / SOCKET_NAME)


def game_sockets(config: Config) -> list[Path]:
    """Where a door finds game servers."""
    return list(map(Path, config.wall.games)) or [socket_path(config)]


def shared_settings(config: Config) -> dict[str, str]:
    """Settings that have to be the same on both sides, by name, as in the file."""
    names = [f"{section}.{name}" for section in SHARED_SECTIONS for name in SECTIONS[section]]
    left_out = OF_ONE_SIDE if config.wall.games else ()
    return {name: to_toml(value_of(config, name)) for name in names if name not in left_out}
