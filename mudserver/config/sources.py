"""Reads the sources of a configuration: file, environment, command line.

Rule 1: a fault ends nothing: every one is a sentence, and the reading continues.
Rule 2: an unknown section or key is answered with the setting that was probably meant, in whatever
        section that is.
Rule 3: a variable that is nearly a setting is a fault, since it would be ignored silently.  Other
        variables that begin with MUDSERVER_ belong to others, as those of Kubernetes do.
Rule 4: paths in a configuration file are relative to that file.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from mudserver.config.setting_info import SECTIONS, SETTINGS, SettingInfo
from mudserver.plain_file import read_plain_file

ENV_PREFIX, ENV_SEPARATOR = "MUDSERVER_", "__"
FILE_BYTES_MAX = 1_048_576
NEAR_MISS = 0.9  # the least similarity of a variable that is nearly a setting, at most 1

Faults = list[str]


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


def read_sources(sources: ConfigSources, faults: Faults) -> list[SourcedValue]:
    """The values that are given, in the order in which they override each other."""
    return [
        *(_read_file(sources.file, faults) if sources.file else ()),
        *_read_environment(sources.environment, faults),
        *_read_command_line(sources.command_line, faults),
    ]


# -- the file ------------------------------------------------------------------------------------


def _read_file(file: Path, faults: Faults) -> Iterator[SourcedValue]:
    try:
        data = read_plain_file(file, FILE_BYTES_MAX)
        text = data.decode("utf-8-sig")  # some editors write a byte order mark
    except OSError as exc:
        faults.append(f"{file}: cannot be read: {exc.strerror}")
        return
    except UnicodeDecodeError:
        faults.append(f"{file}: cannot be read: it is no UTF-8 text")
        return
    for one in read_toml(text, str(file), faults):
        if SETTINGS[one.path].is_file and one.value and isinstance(one.value, str):
            yield one._replace(value=str(file.parent / one.value))
        else:
            yield one


def read_toml(text: str, where: str, faults: Faults) -> Iterator[SourcedValue]:
    try:
        raw = tomllib.loads(text)
    except (ValueError, RecursionError) as exc:  # or a number of thousands of digits
        faults.append(f"{where}: not valid TOML: {exc}")
        return
    for section, table in raw.items():
        if section not in SECTIONS:
            names = table if isinstance(table, dict) else [section]
            faults.append(f"{where}: {_unknown_section(section, names)}")
        elif not isinstance(table, dict):
            faults.append(f"{where}: {section}: is a section; write [{section}] and keys below it")
        else:
            for name, value in table.items():
                if setting := _find_setting(section, name, where, faults):
                    yield SourcedValue(setting.path, value, "file", where)


# -- the environment and the command line --------------------------------------------------------


def _read_environment(environment: Mapping[str, str], faults: Faults) -> Iterator[SourcedValue]:
    """`MUDSERVER_SECTION__KEY`."""
    for variable in sorted(environment):
        section, between, name = variable.removeprefix(ENV_PREFIX).lower().partition(ENV_SEPARATOR)
        if not (variable.startswith(ENV_PREFIX) and between):
            if meant := _nearly_meant(variable):
                faults.append(f"{variable}: is no setting; did you mean {meant}?")
        elif setting := _find_setting(section, name, variable, faults):
            value = _parse_value(setting, environment[variable], variable, faults)
            if value is not None:
                yield SourcedValue(setting.path, value, f"environment {variable}", variable)


def variable_of(setting: SettingInfo) -> str:
    """The environment variable that sets it."""
    return f"{ENV_PREFIX}{setting.section}{ENV_SEPARATOR}{setting.name}".upper()


def _letters(variable: str) -> str:
    return re.sub("[^a-z0-9]", "", variable.lower())


_BY_LETTERS = {_letters(variable_of(s).removeprefix(ENV_PREFIX)): s for s in SETTINGS.values()}


def _nearly_meant(variable: str) -> str:
    """The variable that was probably meant; "": this one belongs to others."""
    letters, prefix = _letters(variable), _letters(ENV_PREFIX)
    if not letters.startswith(prefix):
        return ""
    close = get_close_matches(letters.removeprefix(prefix), _BY_LETTERS, 1, NEAR_MISS)
    return variable_of(_BY_LETTERS[close[0]]) if close else ""


def _read_command_line(command_line: Sequence[str], faults: Faults) -> Iterator[SourcedValue]:
    where = "command line"
    for option in command_line:
        path, is_one, text = option.partition("=")
        section, is_path, name = path.strip().partition(".")
        if not (is_one and is_path):
            why = "write SECTION.KEY=VALUE, for example door.login_s=20"
            faults.append(f"{where}: --set {option}: {why}")
        elif setting := _find_setting(section, name, where, faults):
            value = _parse_value(setting, text, where, faults)
            if value is not None:
                yield SourcedValue(setting.path, value, "option", where)


def _parse_value(setting: SettingInfo, text: str, where: str, faults: Faults) -> Any:
    """Text is taken as it is; every other value is written as in TOML.  None: it is neither."""
    if setting.is_text:
        return text
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        faults.append(f"{where}: {setting.path} = {text}: must be {setting.expected}")
        return None


# -- what was meant ------------------------------------------------------------------------------


def _find_setting(section: str, name: str, where: str, faults: Faults) -> SettingInfo | None:
    setting = SETTINGS.get(f"{section}.{name}")
    if section not in SECTIONS:
        faults.append(f"{where}: {_unknown_section(section, [name])}")
    elif setting is None:
        faults.append(f"{where}: {section}.{name}: unknown key; {_suggest_key(section, name)}")
    return setting


def _unknown_section(section: str, names: Iterable[str]) -> str:
    """Args: names: the keys that are given in it."""
    close = get_close_matches(section, SECTIONS, 1)
    meant = [path for name in names for path in _paths_of(name)]
    suggestion = f"there are {', '.join(SECTIONS)}"
    if close or meant:
        suggestion = f"did you mean {close[0] if close else meant[0]}?"
    return f"{section}: unknown section; {suggestion}"


def _suggest_key(section: str, name: str) -> str:
    """The same name in another section, one like it here, or one like it elsewhere."""
    like = get_close_matches(name, SECTIONS[section], 1)
    elsewhere = get_close_matches(name, [setting.name for setting in SETTINGS.values()], 1)
    for meant in (_paths_of(name), like, [p for other in elsewhere for p in _paths_of(other)]):
        if meant:
            return f"did you mean {' or '.join(meant)}?"
    return f"there are {', '.join(SECTIONS[section])}"


def _paths_of(name: str) -> list[str]:
    return [path for path, setting in SETTINGS.items() if setting.name == name]
