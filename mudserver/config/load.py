"""What a host wrote, read and checked: the file, the environment, the command line.

Rule 1: the later says what counts: default, file, environment (`MUDSERVER_DOOR__LOGIN_S=20`),
        option (`--set door.login_s=20`).
Rule 2: a wrong configuration is refused whole: key, value, and what it may be.
Rule 3: what a file says of other files is said from where it lies itself.
"""

from __future__ import annotations

import ipaddress
import stat
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from mudserver.config.options import OPTIONS, SECTIONS, Option, to_toml, value_of, with_values
from mudserver.config.schema import Config, split_address
from mudserver.errors import ConfigError

ENV_PREFIX, ENV_SEPARATOR = "MUDSERVER_", "__"
FILE_BYTES_MAX = 1_048_576


@dataclass(frozen=True)
class ConfigSources:
    """Where a host says what it wants.  Read again, it may say something else."""

    file: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    options: Sequence[str] = ()  # "door.login_s=20"


class SourcedValue(NamedTuple):
    path: str
    value: Any
    origin: str  # "file", "environment NAME", "option"
    where: str  # for refusals


class LoadedConfig(NamedTuple):
    config: Config
    origins: dict[str, str]  # by path; what stands at its default is not in it


def load(wish: ConfigSources) -> LoadedConfig:
    """Everything that was said, put together.  ConfigError names the key, what is wrong and
    what would be right."""
    given: list[SourcedValue] = []
    if wish.file:
        given += _in_file(wish.file)
    given += _in_environment(wish.environment)
    given += _in_options(wish.options)
    return _together(given)


def load_file(path: Path) -> Config:
    """What a file says, and nothing else."""
    return load(ConfigSources(path)).config


def parse_text(text: str, where: str = "configuration") -> Config:
    """The same of a TOML text."""
    return _together(list(_in_toml(text, where))).config


def check_consistency(settings: Config) -> None:
    """What no key says alone.  ConfigError if it does not go together."""
    server, door = settings.server, settings.door
    if not (server.ssh or server.telnet or server.tls):
        raise ConfigError("server.ssh: nobody could come in: open one of ssh, telnet and tls")
    if server.tls and not (server.tls_cert and server.tls_key):
        raise ConfigError("server.tls: needs the files tls_cert and tls_key as well")
    if (address := settings.metrics.address) and not settings.metrics.anywhere:
        check_loopback(split_address(address)[0])
    if door.output_lag_bytes > door.output_bytes_max:
        raise ConfigError("door.output_lag_bytes: is more than door.output_bytes_max")


def check_loopback(host: str) -> None:
    """ConfigError: whoever reaches *host* would read the figures."""
    try:
        is_own = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_own = False
    if not is_own:
        raise ConfigError(
            f"metrics.address: {host} can be reached from elsewhere, and nobody has to log in "
            "there: choose 127.0.0.1, or set metrics.anywhere to true"
        )


def _together(given: list[SourcedValue]) -> LoadedConfig:
    values = {path: _checked(path, value, where) for path, value, _, where in given}
    settings = with_values(Config(), values)
    try:
        check_consistency(settings)
    except ConfigError as exc:
        where = given[0].where if given else "configuration"
        raise ConfigError(f"{where}: {exc}") from None
    return LoadedConfig(settings, {path: origin for path, _, origin, _ in given})


def _checked(path: str, value: Any, where: str) -> Any:
    key = OPTIONS[path]
    said = f"{where}: {path} = {_shown(value)}"
    try:
        good = msgspec.convert(value, key.annotation)
    except msgspec.ValidationError:
        raise ConfigError(f"{said}: must be {key.expected}") from None
    if key.is_address and good:
        try:
            split_address(good)
        except ConfigError as exc:
            raise ConfigError(f"{where}: {path}: {exc}") from None
    for network in good if key.requirement == "a list of networks" else ():
        try:
            ipaddress.ip_network(network)
        except ValueError as exc:
            why = f"{exc}; write an address or a network, for example 10.0.0.0/8"
            raise ConfigError(f"{where}: {path}: {why}") from None
    return good


def _shown(value: Any) -> str:
    try:
        text = to_toml(value)
    except (TypeError, ValueError):  # a date, a table
        text = str(value)
    return text if len(text) <= 80 else text[:77] + "..."


# -- the file ------------------------------------------------------------------------------------


def _in_file(file: Path) -> Iterator[SourcedValue]:
    try:
        if not stat.S_ISREG(file.stat().st_mode):  # a pipe would be waited for
            raise ConfigError(f"{file}: cannot be read: it is no plain file")
        with file.open("rb") as opened:
            data = opened.read(FILE_BYTES_MAX + 1)
        text = data.decode("utf-8-sig")  # some editors begin with a byte order mark
    except OSError as exc:
        raise ConfigError(f"{file}: cannot be read: {exc.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{file}: cannot be read: it is no UTF-8 text") from None
    if len(data) > FILE_BYTES_MAX:
        raise ConfigError(f"{file}: is no configuration: it is larger than a MiB")
    for one in _in_toml(text, str(file)):
        if OPTIONS[one.path].is_file and one.value and isinstance(one.value, str):
            yield one._replace(value=str(file.parent / one.value))
        else:
            yield one


def _in_toml(text: str, where: str) -> Iterator[SourcedValue]:
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
            yield SourcedValue(_known(section, name, where).path, value, "file", where)


def _check_section(section: str, where: str) -> None:
    if section not in SECTIONS:
        raise ConfigError(f"{where}: {section}: unknown section; {_near(section, SECTIONS)}")


def _known(section: str, name: str, where: str) -> Option:
    _check_section(section, where)
    key = OPTIONS.get(f"{section}.{name}")
    if key is None:
        near = _near(name, SECTIONS[section])
        raise ConfigError(f"{where}: {section}.{name}: unknown key; {near}")
    return key


def _near(word: str, words: Sequence[str] | Mapping[str, Any]) -> str:
    close = get_close_matches(word, words, 1)
    return f"did you mean {close[0]}?" if close else f"there are {', '.join(words)}"


# -- the environment and the command line --------------------------------------------------------


def _in_environment(environment: Mapping[str, str]) -> Iterator[SourcedValue]:
    """`MUDSERVER_SECTION__KEY`.  Names without the double line are somebody else's."""
    for variable in sorted(environment):
        section, between, name = variable.removeprefix(ENV_PREFIX).lower().partition(ENV_SEPARATOR)
        if variable.startswith(ENV_PREFIX) and between:
            key = _known(section, name, variable)
            value = _typed(key, environment[variable], variable)
            yield SourcedValue(key.path, value, f"environment {variable}", variable)


def _in_options(options: Sequence[str]) -> Iterator[SourcedValue]:
    for option in options:
        path, is_one, text = option.partition("=")
        section, is_path, name = path.strip().partition(".")
        where = "command line"
        if not (is_one and is_path):
            why = "write SECTION.KEY=VALUE, for example door.login_s=20"
            raise ConfigError(f"{where}: --set {option}: {why}")
        key = _known(section, name, where)
        yield SourcedValue(key.path, _typed(key, text, where), "option", where)


def _typed(key: Option, text: str, where: str) -> Any:
    """A text stands for itself; everything else is written as in the file."""
    if key.is_text:
        return text
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        raise ConfigError(f"{where}: {key.path} = {text}: must be {key.expected}") from None


# -- what changed --------------------------------------------------------------------------------


class Change(NamedTuple):
    path: str
    was: Any
    now: Any
    is_live: bool


def diff_config(was: Config, now: Config) -> list[Change]:
    """Key by key, in the order of the file."""
    pairs = ((key, value_of(was, path), value_of(now, path)) for path, key in OPTIONS.items())
    # A certificate that is taken away goes at the next start, with the door that shows it.
    shown = ("server.tls_cert", "server.tls_key") if was.server.tls else ()
    return [
        Change(key.path, a, b, key.is_live and bool(b or key.path not in shown))
        for key, a, b in pairs
        if a != b
    ]


def live_changes(was: Config, now: Config) -> Config:
    """What a running house takes of *now*: the rest stays as it was."""
    return with_values(was, {c.path: c.now for c in diff_config(was, now) if c.is_live})


def describe_changes(changed: Sequence[Change]) -> list[str]:
    """A line for the log of each; the last one says how many there are."""
    lines = [
        f"setting changed key={path} was={to_toml(was)} now={to_toml(now)}"
        if is_live
        else f"setting waits for the next start key={path} is={to_toml(was)} wanted={to_toml(now)}"
        for path, was, now, is_live in changed
    ]
    live = sum(change.is_live for change in changed)
    return [*lines, f"settings read again changed={live} waiting={len(changed) - live}"]
