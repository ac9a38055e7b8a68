"""Loads the configuration: defaults, file, environment, command line.

Rule 1: later sources override earlier ones: default, file, environment
        (`MUDSERVER_DOOR__LOGIN_S=20`), option (`--set door.login_s=20`).
Rule 2: an invalid configuration is refused as a whole.  Every fault is named at once: key, value,
        and what it may be.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from mudserver.config.consistency import find_contradictions
from mudserver.config.schema import Config, split_address
from mudserver.config.setting_info import SETTINGS, to_toml, value_of, with_values
from mudserver.config.sources import (
    ConfigSources,
    Faults,
    SourcedValue,
    read_sources,
    read_toml,
)
from mudserver.errors import ConfigError

FAULTS_MAX = 100  # named at once; the others are counted


class LoadedConfig(NamedTuple):
    config: Config
    origins: dict[str, str]  # by path; keys at their default are missing


def load(sources: ConfigSources) -> LoadedConfig:
    """Read and merge all sources.  ConfigError names each key, what is wrong, what is right."""
    loaded, faults = examine(sources)
    if faults:
        raise ConfigError(*faults)
    return loaded


def examine(sources: ConfigSources) -> tuple[LoadedConfig, Faults]:
    """What *sources* say, as far as it is valid, and their faults."""
    faults: Faults = []
    loaded = _merge(read_sources(sources, faults), faults)
    return loaded, bounded(faults)


def bounded(faults: Faults) -> Faults:
    """At most FAULTS_MAX of them, and how many more there are."""
    more = len(faults) - FAULTS_MAX
    return faults if more <= 0 else [*faults[:FAULTS_MAX], f"and {more:,} more faults"]


def load_file(path: Path) -> Config:
    """Load a file, without environment and options."""
    return load(ConfigSources(path)).config


def parse_text(text: str, where: str = "configuration") -> Config:
    """Load a TOML text, likewise."""
    faults: Faults = []
    loaded = _merge(list(read_toml(text, where, faults)), faults)
    if faults:
        raise ConfigError(*faults)
    return loaded.config


def _merge(given: list[SourcedValue], faults: Faults) -> LoadedConfig:
    values: dict[str, Any] = {}
    wrong: set[str] = set()
    for one in given:
        try:
            values[one.path] = _validate(one.path, one.value)
        except ConfigError as exc:
            wrong.add(one.path)
            faults.append(f"{one.where}: {exc}")
    config = with_values(Config(), values)
    where = {one.path: one.where for one in given}
    for found in find_contradictions(config, wrong, where):
        places = [where[path] for path in found.paths if path in where]
        faults.append(f"{places[-1] if places else 'configuration'}: {found.sentence}")
    return LoadedConfig(config, {one.path: one.origin for one in given})


def _validate(path: str, value: Any) -> Any:
    """The value as the schema has it.  ConfigError: path, what is wrong, what it may be."""
    setting = SETTINGS[path]
    try:
        converted = msgspec.convert(value, setting.annotation)
    except msgspec.ValidationError:
        raise ConfigError(f"{path} = {_shown(value)}: must be {setting.expected}") from None
    if setting.is_address and converted:
        try:
            split_address(converted)
        except ConfigError as exc:
            raise ConfigError(f"{path}: {exc}") from None
    for network in converted if setting.requirement == "a list of networks" else ():
        try:
            ipaddress.ip_network(network)
        except ValueError as exc:
            why = f"{exc}; write an address or a network, for example 10.0.0.0/8"
            raise ConfigError(f"{path}: {why}") from None
    return converted


def _shown(value: Any) -> str:
    try:
        text = to_toml(value)
    except (TypeError, ValueError):  # a date, a table
        text = str(value)
    return text if len(text) <= 80 else text[:77] + "..."


# -- what changed --------------------------------------------------------------------------------


class Change(NamedTuple):
    path: str
    old: Any
    new: Any
    is_live: bool


def diff_config(old: Config, new: Config) -> list[Change]:
    """The changed keys, in the order of the file."""
    pairs = ((key, value_of(old, path), value_of(new, path)) for path, key in SETTINGS.items())
    # Removing a certificate applies at the next start, together with the TLS listener.
    certificate_keys = ("server.tls_cert", "server.tls_key") if old.server.tls else ()
    return [
        Change(key.path, a, b, key.is_live and bool(b or key.path not in certificate_keys))
        for key, a, b in pairs
        if a != b
    ]


def live_changes(old: Config, new: Config) -> Config:
    """*old* with those values of *new* that a reload applies."""
    return with_values(old, {c.path: c.new for c in diff_config(old, new) if c.is_live})


def describe_changes(changed: Sequence[Change]) -> list[str]:
    """One log line per change; the last line counts them."""
    lines = [
        f"setting changed key={path} old={to_toml(old)} new={to_toml(new)}"
        if is_live
        else f"setting needs a restart key={path} current={to_toml(old)} new={to_toml(new)}"
        for path, old, new, is_live in changed
    ]
    live = sum(change.is_live for change in changed)
    return [*lines, f"configuration reloaded changed={live} pending_restart={len(changed) - live}"]
