"""Loads the configuration: defaults, file, environment, command line.

Rule 1: later sources override earlier ones: default, file, environment
        (`MUDSERVER_DOOR__LOGIN_S=20`), option (`--set door.login_s=20`).
Rule 2: an invalid configuration is refused as a whole; the error names key, value and range.
Rule 3: paths in a configuration file are relative to that file.
"""

from __future__ import annotations

import ipaddress
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from mudserver.config.schema import Config, split_address
from mudserver.config.setting_info import (
    SECTIONS,
    SETTINGS,
    SettingInfo,
    to_toml,
    value_of,
    with_values,
)
from mudserver.errors import ConfigError
from mudserver.plain_file import read_plain_file
from mudserver.protocols import LISTENERS
from variants.kit.text import join_words

ENV_PREFIX, ENV_SEPARATOR = "MUDSERVER_", "__"
FILE_BYTES_MAX = 1_048_576


@dataclass(frozen=True)
class ConfigSources:
    """The sources of a configuration; a reload reads them again."""

    file: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    command_line: Sequence[str] = ()  # "door.login_s=20"


class SourcedValue(NamedTuple):
    path: str
    value: Any
    origin: str  # "file", "environment NAME", "option"
    where: str  # for errors


class LoadedConfig(NamedTuple):
    config: Config
    origins: dict[str, str]  # by path; keys at their default are missing


def load(sources: ConfigSources) -> LoadedConfig:
    """Read and merge all sources.  ConfigError names the key, what is wrong, what is right."""
    given: list[SourcedValue] = []
    if sources.file:
        given += _read_file(sources.file)
    given += _read_environment(sources.environment)
    given += _read_command_line(sources.command_line)
    return _merge(given)


def load_file(path: Path) -> Config:
    """Load a file, without environment and options."""
    return load(ConfigSources(path)).config


def parse_text(text: str, where: str = "configuration") -> Config:
    """Load a TOML text, likewise."""
    return _merge(list(_read_toml(text, where))).config


def check_consistency(config: Config) -> None:
    """Check rules that concern several keys.  ConfigError if one is broken."""
    server, door = config.server, config.door
    if not any(getattr(server, name) for name in LISTENERS):
        names = join_words(LISTENERS)
        raise ConfigError(f"server.ssh: there is no listener: set one of {names}")
    if server.tls and not (server.tls_cert and server.tls_key):
        raise ConfigError("server.tls: needs the files tls_cert and tls_key as well")
    if (address := config.metrics.address) and not config.metrics.allow_remote:
        check_loopback(split_address(address)[0])
    if door.output_lag_bytes > door.output_bytes_max:
        raise ConfigError("door.output_lag_bytes: is more than door.output_bytes_max")


def check_loopback(host: str) -> None:
    """ConfigError if *host* is not loopback: anybody who reaches it can read the metrics."""
    try:
        is_own = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_own = False
    if not is_own:
        raise ConfigError(
            f"metrics.address: {host} is not loopback, and metrics need no login: choose "
            "127.0.0.1, or set metrics.allow_remote to true"
        )


def _merge(given: list[SourcedValue]) -> LoadedConfig:
    values = {path: _validate(path, value, where) for path, value, _, where in given}
    config = with_values(Config(), values)
    try:
        check_consistency(config)
    except ConfigError as exc:
        where = given[0].where if given else "configuration"
        raise ConfigError(f"{where}: {exc}") from None
    return LoadedConfig(config, {path: origin for path, _, origin, _ in given})


def _validate(path: str, value: Any, where: str) -> Any:
    key = SETTINGS[path]
    prefix = f"{where}: {path} = {_shown(value)}"
    try:
        converted = msgspec.convert(value, key.annotation)
    except msgspec.ValidationError:
        raise ConfigError(f"{prefix}: must be {key.expected}") from None
    if key.is_address and converted:
        try:
            split_address(converted)
        except ConfigError as exc:
            raise ConfigError(f"{where}: {path}: {exc}") from None
    for network in converted if key.requirement == "a list of networks" else ():
        try:
            ipaddress.ip_network(network)
        except ValueError as exc:
            why = f"{exc}; write an address or a network, for example 10.0.0.0/8"
            raise ConfigError(f"{where}: {path}: {why}") from None
    return converted


def _shown(value: Any) -> str:
    try:
        text = to_toml(value)
    except (TypeError, ValueError):  # a date, a table
        text = str(value)
    return text if len(text) <= 80 else text[:77] + "..."


# -- the file ------------------------------------------------------------------------------------


def _read_file(file: Path) -> Iterator[SourcedValue]:
    try:
        data = read_plain_file(file, FILE_BYTES_MAX)
        text = data.decode("utf-8-sig")  # some editors write a byte order mark
    except OSError as exc:
        raise ConfigError(f"{file}: cannot be read: {exc.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{file}: cannot be read: it is no UTF-8 text") from None
    for one in _read_toml(text, str(file)):
        if SETTINGS[one.path].is_file and one.value and isinstance(one.value, str):
            yield one._replace(value=str(file.parent / one.value))
        else:
            yield one


def _read_toml(text: str, where: str) -> Iterator[SourcedValue]:
    try:
        raw = tomllib.loads(text)
    except (ValueError, RecursionError) as exc:  # or a number of thousands of digits
        raise ConfigError(f"{where}: not valid TOML: {exc}") from None
    for section, table in raw.items():
        _check_section(section, where)
        if not isinstance(table, dict):
            why = f"is a section; write [{section}] and keys below it"
            raise ConfigError(f"{where}: {section}: {why}")
        for name, value in table.items():
            yield SourcedValue(_find_setting(section, name, where).path, value, "file", where)


def _check_section(section: str, where: str) -> None:
    if section not in SECTIONS:
        raise ConfigError(f"{where}: {section}: unknown section; {_suggestion(section, SECTIONS)}")


def _find_setting(section: str, name: str, where: str) -> SettingInfo:
    _check_section(section, where)
    key = SETTINGS.get(f"{section}.{name}")
    if key is None:
        suggestion = _suggestion(name, SECTIONS[section])
        raise ConfigError(f"{where}: {section}.{name}: unknown key; {suggestion}")
    return key


def _suggestion(word: str, words: Sequence[str] | Mapping[str, Any]) -> str:
    close = get_close_matches(word, words, 1)
    return f"did you mean {close[0]}?" if close else f"there are {', '.join(words)}"


# -- the environment and the command line --------------------------------------------------------


def _read_environment(environment: Mapping[str, str]) -> Iterator[SourcedValue]:
    """`MUDSERVER_SECTION__KEY`.  Variables without the double underscore are not settings."""
    for variable in sorted(environment):
        section, between, name = variable.removeprefix(ENV_PREFIX).lower().partition(ENV_SEPARATOR)
        if variable.startswith(ENV_PREFIX) and between:
            key = _find_setting(section, name, variable)
            value = _parse_value(key, environment[variable], variable)
            yield SourcedValue(key.path, value, f"environment {variable}", variable)


def _read_command_line(command_line: Sequence[str]) -> Iterator[SourcedValue]:
    for option in command_line:
        path, is_one, text = option.partition("=")
        section, is_path, name = path.strip().partition(".")
        where = "command line"
        if not (is_one and is_path):
            why = "write SECTION.KEY=VALUE, for example door.login_s=20"
            raise ConfigError(f"{where}: --set {option}: {why}")
        key = _find_setting(section, name, where)
        yield SourcedValue(key.path, _parse_value(key, text, where), "option", where)


def _parse_value(key: SettingInfo, text: str, where: str) -> Any:
    """Text is taken as it is; every other value is written as in TOML."""
    if key.is_text:
        return text
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        raise ConfigError(f"{where}: {key.path} = {text}: must be {key.expected}") from None


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
