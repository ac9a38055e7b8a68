"""What is known of every setting: its type and range in words, and whether a reload applies it.

Rule 1: all of it is derived from `schema.py`.  The wording is made here once, for the annotated
        file, for errors and for `show-config`.
Rule 2: the annotated file marks settings that need a restart with `at start`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_type_hints

import msgspec
from msgspec import inspect

from mudserver.config.schema import RESTART_ONLY, Config

UNIT_NAMES = {
    "bytes": "bytes",
    "chars": "characters",
    "lines": "lines",
    "records": "records",
    "kib": "KiB",
    "mib": "MiB",
    "ms": "milliseconds",
    "days": "days",
    "h": "hours",
}
RATE_UNITS = {"_per_s": "a second", "per_s": "a second", "_per_hour": "an hour", "_day": "a day"}


@dataclass(frozen=True)
class SettingInfo:
    section: str
    name: str
    default: Any
    annotation: Any  # as in `schema.py`, for `msgspec.convert`
    type: inspect.Type
    requirement: str  # what a text must be; "": any text

    @property
    def path(self) -> str:
        return f"{self.section}.{self.name}"

    @property
    def is_live(self) -> bool:
        """Whether a reload applies a new value."""
        return self.path not in RESTART_ONLY and self.section not in RESTART_ONLY

    @property
    def is_text(self) -> bool:
        return isinstance(self.type, inspect.StrType | inspect.LiteralType)

    @property
    def is_address(self) -> bool:
        return self.requirement.startswith("HOST:PORT")

    @property
    def is_file(self) -> bool:
        """A path relative to the configuration file."""
        return self.requirement.startswith("a file")

    @property
    def unit(self) -> str:
        """The unit, from the end of the name; "" for counts and texts."""
        words = self.name.split("_")
        noun = next((UNIT_NAMES[word] for word in words if word in UNIT_NAMES), "")
        per = next((text for end, text in RATE_UNITS.items() if self.name.endswith(end)), "")
        if not noun and not per and words[-1] == "s":
            return "seconds"
        return " ".join(filter(None, (noun, per)))

    @property
    def range(self) -> str:
        """The allowed values: "seconds, above 0 to 86_400", "info or debug"."""
        kind = self.type
        if isinstance(kind, inspect.LiteralType):
            return " or ".join(str(value) for value in reversed(kind.values))
        if isinstance(kind, inspect.StrType) and kind.max_length:
            return f"text, {kind.min_length or 0} to {kind.max_length} characters"
        if isinstance(kind, inspect.BoolType):
            return "true or false"
        if isinstance(kind, inspect.IntType | inspect.FloatType):
            least = f"above {_figure(kind.gt)}" if kind.gt is not None else _figure(kind.ge)
            return f"{self.unit}, {least} to {_figure(kind.le)}".removeprefix(", ")
        return self.requirement

    @property
    def expected(self) -> str:
        """What to write, for an error."""
        if isinstance(self.type, inspect.IntType):
            return f"a whole number: {self.range}"
        if isinstance(self.type, inspect.FloatType):
            return f"a number: {self.range}"
        return self.range

    @property
    def comment(self) -> str:
        """How the comment of the key begins in the annotated file."""
        return self.range if self.is_live else f"{self.range}; at start"


def _figure(value: float | None) -> str:
    assert value is not None, "a range has two ends"
    return f"{value:_}"


def to_toml(value: Any) -> str:
    """A value in TOML.  TypeError: no key has a value of this type."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, tuple | list):
        return f"[{', '.join(to_toml(one) for one in value)}]"
    if not isinstance(value, int | float):
        raise TypeError(value)
    return _figure(value)


def _settings() -> Iterator[SettingInfo]:
    for section in msgspec.structs.fields(Config):
        info = inspect.type_info(section.type)
        assert isinstance(info, inspect.StructType)
        hints = get_type_hints(section.type, include_extras=True)
        for field in info.fields:
            kind, requirement = field.type, ""
            if isinstance(kind, inspect.Metadata):
                requirement = str((kind.extra_json_schema or {}).get("description", ""))
                kind = kind.type
            yield SettingInfo(
                section.name, field.name, field.default, hints[field.name], kind, requirement
            )


# In the order of the file.
SETTINGS: dict[str, SettingInfo] = {key.path: key for key in _settings()}
SECTIONS: dict[str, list[str]] = {}
for _key in SETTINGS.values():
    SECTIONS.setdefault(_key.section, []).append(_key.name)


def value_of(config: Config, path: str) -> Any:
    section, _, name = path.partition(".")
    return getattr(getattr(config, section), name)


def with_values(config: Config, values: dict[str, Any]) -> Config:
    """A copy of *config* with other values, by path."""
    changed: dict[str, dict[str, Any]] = {}
    for path, value in values.items():
        section, _, name = path.partition(".")
        changed.setdefault(section, {})[name] = value
    return msgspec.structs.replace(
        config,
        **{
            section: msgspec.structs.replace(getattr(config, section), **given)
            for section, given in changed.items()
        },
    )
