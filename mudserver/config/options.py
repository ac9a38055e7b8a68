"""Every configuration key: its type and range in words, and whether a reload applies it.

Rule 1: types and ranges come from `schema.py`; their wording is made here once, for the annotated
        file, for errors and for `show-config`.
Rule 2: a reload applies every key that is not in `RESTART_ONLY`.  The annotated file marks those
        with `at start`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_type_hints

import msgspec
from msgspec import inspect

from mudserver.config.schema import Config

# Keys, and whole sections, of what is built or opened only once.
RESTART_ONLY = frozenset(
    {
        *("session.tick_ms", "session.full_screen_frame_ms"),  # all screens share these timers
        *("server.ssh", "server.telnet", "server.tls", "server.data"),
        *("people.password_bytes_max", "people.argon2_memory_kib", "people.argon2_passes"),
        *("people.hash_threads", "people.hash_queue_max"),
        *("games", "bots", "metrics", "server.log_format", "journal.heartbeat_s"),
    }
)

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
RATE_UNITS = {"_per_s": "a second", "per_s": "a second", "_per_hour": "an hour"}


@dataclass(frozen=True)
class Option:
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


def _keys() -> Iterator[Option]:
    for section in msgspec.structs.fields(Config):
        info = inspect.type_info(section.type)
        assert isinstance(info, inspect.StructType)
        hints = get_type_hints(section.type, include_extras=True)
        for field in info.fields:
            kind, requirement = field.type, ""
            if isinstance(kind, inspect.Metadata):
                requirement = str((kind.extra_json_schema or {}).get("description", ""))
                kind = kind.type
            yield Option(
                section.name, field.name, field.default, hints[field.name], kind, requirement
            )


OPTIONS: dict[str, Option] = {key.path: key for key in _keys()}  # in the order of the file
SECTIONS: dict[str, list[str]] = {}
for _key in OPTIONS.values():
    SECTIONS.setdefault(_key.section, []).append(_key.name)


def value_of(settings: Config, path: str) -> Any:
    section, _, name = path.partition(".")
    return getattr(getattr(settings, section), name)


def with_values(settings: Config, values: dict[str, Any]) -> Config:
    """A copy of *settings* with other values, by path."""
    changed: dict[str, dict[str, Any]] = {}
    for path, value in values.items():
        section, _, name = path.partition(".")
        changed.setdefault(section, {})[name] = value
    return msgspec.structs.replace(
        settings,
        **{
            section: msgspec.structs.replace(getattr(settings, section), **given)
            for section, given in changed.items()
        },
    )
