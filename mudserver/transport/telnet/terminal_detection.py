"""What a telnet client reports about its terminal, and the `Terminal` that follows.

Rule 1: everything is bounded and checked against a closed list before it is kept
        (`terminal_type.py`).
Rule 2: where several reports disagree, this order decides: CHARSET, MTTS, the environment, the
        terminal type.

Sources: RFC 1073, 1091, 1572, 2066; MTTS https://tintin.mudhalla.net/protocols/mtts/
"""

from __future__ import annotations

import re

from telnetlib3.telopt import USERVAR, VALUE, VAR

from mudserver.config.schema import DoorLimits
from mudserver.transport.link import Terminal
from mudserver.transport.terminal_type import (
    ACCEPTED_VARIABLES,
    CHARSETS,
    Charset,
    charset_of_locale,
    clamped_size,
    clean_name,
    colours_of,
    is_ansi_name,
)

TTYPE_ANSWERS_MAX = 3  # MTTS: name, terminal, bit field
VARIABLES = ACCEPTED_VARIABLES | {"CHARSET", "SYSTEMTYPE"}
TTABLE = b"[TTABLE]"  # RFC 2066: may precede the offers, followed by one byte
MUD_CLIENTS = re.compile(
    r"mudlet|tintin|tinyfugue|tf$|tf-|mushclient|cmud|zmud|blowtorch|beip|potato|kildclient"
    r"|mudrammer|atlantis|gmud|mudmaster|axmud|kbtin|fuguex|plushclient|mukluk|mmc"
)
MTTS_ANSI, MTTS_UTF8, MTTS_256, MTTS_READER, MTTS_TRUE = 1, 4, 8, 64, 256


class TerminalDetector:
    def __init__(self, limits: DoorLimits) -> None:
        self._limits = limits
        self.terminal_types: list[str] = []  # from TTYPE
        self._client = ""  # from GMCP
        self._mtts = 0
        self.cols = self._rows = 0
        self._charset: Charset | None = None
        self._variables: dict[str, str] = {}
        self._variables_seen = 0

    @property
    def is_mud_client(self) -> bool:
        return self._mtts > 0 or any(MUD_CLIENTS.match(name) for name in self.terminal_types)

    @property
    def is_character_terminal(self) -> bool:
        """Whether it is a terminal that leaves editing and echo to us, if asked."""
        return not self.is_mud_client and any(is_ansi_name(name) for name in self.terminal_types)

    # -- reports ---------------------------------------------------------------------------

    def set_size(self, body: bytes) -> None:
        cols, rows = int.from_bytes(body[:2], "big"), int.from_bytes(body[2:], "big")
        self.cols, self._rows = clamped_size(cols, rows)

    def add_terminal_type(self, raw: bytes) -> bool:
        """Add one answer to TTYPE; returns whether to ask for another."""
        name = raw[:64].decode("ascii", "replace")
        if found := re.fullmatch(r"MTTS (\d{1,4})", name):
            self._mtts = int(found[1])
            return False
        name = clean_name(name)
        if self.terminal_types and self.terminal_types[-1] == name:
            return False
        self.terminal_types.append(name)
        return len(self.terminal_types) < TTYPE_ANSWERS_MAX

    def set_client(self, name: object) -> None:
        """The client name from `Core.Hello`, for a client without a terminal type."""
        if isinstance(name, str):
            self._client = clean_name(name)

    def add_environment(self, body: bytes) -> None:
        for pair in re.split(b"[" + re.escape(VAR + USERVAR) + b"]", body)[1:]:
            self._variables_seen += 1
            if self._variables_seen > self._limits.environment_max:
                return
            name, _, value = pair.partition(VALUE)
            if len(value) <= self._limits.environment_bytes:
                text = name.decode("ascii", "replace").upper()
                if text in VARIABLES:
                    self._variables[text] = value.decode("ascii", "replace")

    def accept_charset(self, name: bytes) -> None:
        """The client accepted one of the charsets that we offered."""
        self._charset = _charset(name) or self._charset

    def choose_charset(self, body: bytes) -> bytes | None:
        """The client offers charsets: the first that we know, as it wrote it."""
        if body.startswith(TTABLE):
            body = body[len(TTABLE) + 1 :]
        for offer in body[1:].split(body[:1]) if len(body) > 1 else ():
            if known := _charset(offer):
                self._charset = known
                return offer
        return None

    # -- the result ------------------------------------------------------------------------

    def terminal(self, is_character_mode: bool) -> Terminal:
        variable, mtts = self._variables.get, self._mtts
        names = self.terminal_types
        if not names or names == ["unknown"]:
            names = [clean_name(variable("TERM", ""))]
        is_ansi = bool(mtts & MTTS_ANSI) or self.is_mud_client
        is_ansi = is_ansi or any(is_ansi_name(name) for name in names)
        colours = colours_of(" ".join(names), variable("COLORTERM", ""))
        if mtts & (MTTS_256 | MTTS_TRUE):
            colours = "true" if mtts & MTTS_TRUE else "256"
        if not is_ansi or variable("NO_COLOR"):
            colours = "off"
        cols, rows = clamped_size(self.cols, self._rows)
        return Terminal(
            name=names[0] if names[0] != "unknown" else self._client or "unknown",
            cols=cols,
            rows=rows,
            is_ansi=is_ansi,
            is_character_mode=is_character_mode,
            charset=self._known_charset(names),
            colours=colours,
            is_screen_reader=bool(mtts & MTTS_READER),
        )

    def _known_charset(self, names: list[str]) -> Charset:
        variable = self._variables.get
        if self._charset is not None:
            return self._charset
        if self._mtts:
            return "utf-8" if self._mtts & MTTS_UTF8 else "ascii"
        if known := CHARSETS.get(variable("CHARSET", "").lower()):
            return known
        is_console = variable("SYSTEMTYPE", "").lower().startswith("win")
        if names == ["ansi"] or is_console:
            return "ascii"  # Windows telnet and BBS programs use some DOS code page
        return charset_of_locale(variable("LC_ALL", ""), variable("LANG", ""))


def _charset(name: bytes) -> Charset | None:
    return CHARSETS.get(name.decode("ascii", "replace").lower())
