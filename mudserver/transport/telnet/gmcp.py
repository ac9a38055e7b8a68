"""GMCP from untrusted clients: `Package.Name`, a space, JSON.

Rule 1: only small, flat packages of a known kind are parsed; others are dropped without an answer.
        The telnet connection bounds the bytes and counts the commands.
Rule 2: a client gets the packages of the modules that it asked for (`Core.Supports`), no others.

Sources: https://www.gammon.com.au/gmcp, https://wiki.mudlet.org/w/Standards:GMCP
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

NESTING_MAX = 16  # depth of arrays and objects
MODULES = {"core": 1, "char": 1, "char.name": 1, "comm": 1, "comm.channel": 1, "lockdown": 2}
"""The newest version of each module."""
CORE = "core"  # always on

_NONE: Mapping[str, int] = {}  # shared: `update` makes new ones
_NAME = re.compile(rb"[A-Za-z][A-Za-z0-9_]{0,31}(?:\.[A-Za-z][A-Za-z0-9_]{0,31}){1,3}")
_SUPPORTED = re.compile(r"([A-Za-z.]{1,64})(?: +(\d{1,3}))?")


def parse(body: bytes) -> tuple[str, object] | None:
    """The name of a package and its decoded JSON (None if it has none); None: not a package."""
    name, _, text = body.partition(b" ")
    if _NAME.fullmatch(name) is None:
        return None
    text = text.strip()
    if not text:
        return name.decode("ascii"), None
    if _is_too_deep(text):
        return None
    try:
        return name.decode("ascii"), msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, ValueError):
        return None


def _is_too_deep(text: bytes) -> bool:
    if text.count(b"[") + text.count(b"{") <= NESTING_MAX:
        return False  # nearly always
    depth, is_string, is_escaped = 0, False, False
    for code in text:
        if is_escaped:
            is_escaped = False
        elif is_string:
            is_escaped, is_string = code == 0x5C, code != 0x22
        elif code == 0x22:
            is_string = True
        elif code in b"[{":
            depth += 1
            if depth > NESTING_MAX:
                return True
        elif code in b"]}":
            depth -= 1
    return False


class SupportedModules:
    """The modules that a client has asked for, a subset of `MODULES`, with their versions."""

    __slots__ = ("_modules",)

    def __init__(self) -> None:
        self._modules: Mapping[str, int] = _NONE

    def __bool__(self) -> bool:
        return bool(self._modules)

    def update(self, verb: str, data: object) -> bool:
        """Apply `Core.Supports.<verb>`: `Set`, `Add` or `Remove`.  Returns whether it changed."""
        before, named = self._modules, _named(data)
        on = {module: version for module, version in named.items() if version}
        others = {module: before[module] for module in before if module not in named}
        match verb.lower():
            case "set":
                self._modules = on
            case "add":
                self._modules = others | on
            case "remove":
                self._modules = others
        return self._modules != before

    def items(self) -> tuple[tuple[str, int], ...]:
        return tuple(self._modules.items())

    def version(self, module: str) -> int:
        """The version that the client asked for, at most the newest; 0: it did not ask."""
        return self._modules.get(module, 0)

    def includes(self, package: str) -> bool:
        """Whether the client asked for the module of *package*, or for one that contains it."""
        name = package.lower()
        while "." in name:
            name = name.rpartition(".")[0]
            if name in self._modules:
                return True
        return package.lower() in self._modules


def _named(data: object) -> dict[str, int]:
    """The known modules in `["Char 1", "Lockdown 0"]`, each with its version; 0: not requested."""
    found: dict[str, int] = {}
    for each in data if isinstance(data, list) else ():
        if isinstance(each, str) and (entry := _SUPPORTED.fullmatch(each)):
            module, version = entry[1].lower(), entry[2]
            if module in MODULES and module != CORE:
                found[module] = min(int(version or 1), MODULES[module])
    return found
