"""What a host wrote, read and checked: the file.

Rule 1: a wrong configuration is refused whole: key, what is wrong, what would be right.
"""

from __future__ import annotations

import ipaddress
import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import msgspec

from mudserver.config import Config, Section, split_address
from mudserver.errors import ConfigError


def parse(text: str, where: str = "configuration") -> Config:
    """Read a TOML text.  ConfigError names the key, what is wrong and what would be right."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as exc:
        raise ConfigError(f"{where}: not valid TOML: {exc}") from None
    _refuse_unknown_keys(raw, where)
    try:
        settings = msgspec.convert(raw, Config)
    except msgspec.ValidationError as exc:
        reason, _, path = str(exc).partition(" - at `$.")
        path = path.rstrip("`")
        raise ConfigError(f"{where}: {path or 'file'}: {reason}{_choices(path)}") from None
    for key in ("ssh", "telnet", "tls"):
        try:
            if (address := getattr(settings.server, key)) or key != "tls":
                split_address(address)
        except ConfigError as exc:
            raise ConfigError(f"{where}: server.{key}: {exc}") from None
    _check_doors(settings, where)
    return settings


def _check_doors(settings: Config, where: str) -> None:
    server = settings.server
    if server.tls and not (server.tls_cert and server.tls_key):
        raise ConfigError(f"{where}: server.tls: needs the files tls_cert and tls_key as well")
    for network in settings.door.proxy_from:
        try:
            ipaddress.ip_network(network)
        except ValueError as exc:
            why = f"{exc}; write an address or a network, for example 10.0.0.0/8"
            raise ConfigError(f"{where}: door.proxy_from: {why}") from None


def load(path: Path) -> Config:
    """The same from a file; what it says of other files is said from where it lies itself."""
    try:
        text = path.read_text("utf-8")
    except OSError as exc:
        raise ConfigError(f"{path}: cannot be read: {exc.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: cannot be read: it is no UTF-8 text") from None
    settings = parse(text, str(path))

    def from_here(section: Section, *keys: str) -> dict[str, str]:
        named = {key: getattr(section, key) for key in keys}
        return {key: str(path.parent / name) for key, name in named.items() if name}

    games, server = settings.games, settings.server
    return msgspec.structs.replace(
        settings,
        games=msgspec.structs.replace(games, **from_here(games, *games.__struct_fields__)),
        server=msgspec.structs.replace(server, **from_here(server, "tls_cert", "tls_key")),
    )


def _choices(path: str) -> str:
    """What `section.key` can be, if it is one of a few words."""
    section, _, key = path.partition(".")
    for field in msgspec.structs.fields(getattr(Config(), section, Config)):
        if field.name == key and get_origin(field.type) is Literal:
            return f"; it can be {' or '.join(get_args(field.type))}"
    return ""


def _refuse_unknown_keys(raw: dict[str, Any], where: str) -> None:
    sections = {field.name: field.type for field in msgspec.structs.fields(Config)}
    known = ", ".join(sections)
    for name, table in raw.items():
        if name not in sections:
            raise ConfigError(f"{where}: {name}: unknown section; there are {known}")
        if not isinstance(table, dict):
            raise ConfigError(f"{where}: {name}: is a section; write [{name}] and keys below it")
        keys = [field.name for field in msgspec.structs.fields(sections[name])]
        for key in table:
            if key not in keys:
                close = get_close_matches(key, keys, 1)
                hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(keys)}"
                raise ConfigError(f"{where}: {name}.{key}: unknown key; {hint}")
