"""Every key of the configuration: what it may be, and whether a running house takes it.

Rule 1: what a key may be is read from the types in `config.py`; the words for it are made here
        once, for the annotated file, for refusals and for `show-config`.
Rule 2: a key stands in `RESTART_ONLY`, or a running house takes its new value.  Nowhere else is
        said which; the file says `at start` where it does.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_type_hints

import msgspec
from msgspec import inspect

from mudserver.config.schema import Config

# What is built or opened once, and a section whose every key is.
RESTART_ONLY = frozenset(
    {
        *("session.tick_ms", "session.full_screen_beat_ms"),  # the grid of time that all share
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
    annotation: Any  # as `config.py` has it, for `msgspec.convert`
    type: inspect.Type
    requirement: str  # what a text must be; "": nothing in particular

    @property
    def path(self) -> str:
        return f"{self.section}.{self.name}"

    @property
    def is_live(self) -> bool:
        """Whether a running house takes a new value."""
        return self.path not in RESTART_ONLY and self.section not in RESTART_ONLY

    @property
    def is_text(self) -> bool:
        return isinstance(self.type, inspect.StrType | inspect.LiteralType)

    @property
    def is_address(self) -> bool:
        return self.requirement.startswith("HOST:PORT")

    @property
    def is_file(self) -> bool:
        """A name that is looked for from where the configuration lies."""
        return self.requirement.startswith("a file")

    @property
    def unit(self) -> str:
        """What it is counted in, as the end of its name says; "" for things and for texts."""
        words = self.name.split("_")
        noun = next((UNIT_NAMES[word] for word in words if word in UNIT_NAMES), "")
        per = next((text for end, text in RATE_UNITS.items() if self.name.endswith(end)), "")
        if not noun and not per and words[-1] == "s":
            return "seconds"
        return " ".join(filter(None, (noun, per)))

    @property
    def range(self) -> str:
        """What it may be: "seconds, above 0 to 86_400", "info or debug"."""
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
        """How it is written, for who wrote it otherwise."""
        if isinstance(self.type, inspect.IntType):
            return f"a whole number: {self.range}"
        if isinstance(self.type, inspect.FloatType):
            return f"a number: {self.range}"
        return self.range

    @property
    def comment(self) -> str:
        """What the annotated file says of it first."""
        return self.range if self.is_live else f"{self.range}; at start"


def _figure(value: float | None) -> str:
    assert value is not None, "a range has two ends"
    return f"{value:_}"


def to_toml(value: Any) -> str:
    """A value as the file has it.  TypeError: no key has one of this kind."""
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
            kind, says = field.type, ""
            if isinstance(kind, inspect.Metadata):
                says = str((kind.extra_json_schema or {}).get("description", ""))
                kind = kind.type
            yield Option(section.name, field.name, field.default, hints[field.name], kind, says)


OPTIONS: dict[str, Option] = {key.path: key for key in _keys()}  # in the order of the file
SECTIONS: dict[str, list[str]] = {}
for _key in OPTIONS.values():
    SECTIONS.setdefault(_key.section, []).append(_key.name)


def value_of(settings: Config, path: str) -> Any:
    section, _, name = path.partition(".")
    return getattr(getattr(settings, section), name)


def with_values(settings: Config, values: dict[str, Any]) -> Config:
    """*settings* with other values, by path."""
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
