"""What telnet clients are asked, and what is believed of the answers.

Rule 1: a closed set of options; everything else is refused, and said once.  Nothing is compressed,
        nothing tells of our state, nobody logs anybody out.  [C2 C6 C12]
Rule 2: an answer is sent only when something changes, so two machines cannot argue for ever.
Rule 3: the client is asked first for its kind (TTYPE).  One that does not answer is a person with
        netcat and is left alone; a MUD client keeps its own line and echo; a terminal is asked to
        leave both to us (WILL ECHO, WILL SGA).

Sources: RFC 854, 857, 858, 1073, 1091, 1143, 1572, 2066; MTTS https://tintin.mudhalla.net/protocols/mtts/
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Callable

from telnetlib3.telopt import (
    ACCEPTED,
    BINARY,
    CHARSET,
    DO,
    DONT,
    ECHO,
    IAC,
    INFO,
    IS,
    NAWS,
    NEW_ENVIRON,
    REJECTED,
    REQUEST,
    SB,
    SE,
    SEND,
    SGA,
    TTYPE,
    USERVAR,
    VALUE,
    VAR,
    WILL,
    WONT,
)

from mudserver.budget import Budget
from mudserver.clock import Clock
from mudserver.config import Door as Limits
from mudserver.transport.link import Terminal
from mudserver.transport.shims import Interpreter
from mudserver.transport.terminal import (
    CHARSETS,
    KEPT_VARIABLES,
    Charset,
    charset_of_locale,
    clamped_size,
    clean_name,
    colours_of,
    is_ansi_name,
)

OURS = frozenset({ECHO, SGA, BINARY, CHARSET})  # options that we may perform
THEIRS = frozenset({TTYPE, NAWS, NEW_ENVIRON, CHARSET, BINARY, SGA})  # that the client may
TTYPE_ROUNDS = 3  # MTTS: name, terminal, bit field
ASKED_VARIABLES = (b"COLORTERM", b"LANG", b"LC_ALL")
OFFERED_CHARSETS = b";UTF-8;US-ASCII;ISO-8859-1"
MUD_CLIENTS = re.compile(
    r"mudlet|tintin|tinyfugue|tf$|tf-|mushclient|cmud|zmud|blowtorch|beip|potato|kildclient"
    r"|mudrammer|atlantis|gmud|mudmaster|axmud|kbtin|fuguex|plushclient|mukluk|mmc"
)
MTTS_ANSI, MTTS_UTF8, MTTS_256, MTTS_READER, MTTS_TRUE = 1, 4, 8, 64, 256


class Negotiation(Interpreter):
    """One client's options, and the terminal that follows from them.

    Args:
        on_change: Called when something became known; `terminal` and `is_settled` tell what.
    """

    def __init__(
        self,
        transport: asyncio.Transport,
        limits: Limits,
        clock: Clock,
        on_change: Callable[[], None],
    ) -> None:
        super().__init__(transport, limits)
        self._limits, self._clock, self._on_change = limits, clock, on_change
        self._budget = Budget(
            limits.telnet_commands_per_s, limits.telnet_commands_burst, clock.monotonic()
        )
        self._names: list[str] = []
        self._is_named = False  # the client's kind is known, or will stay unknown
        self._mtts = 0
        self._cols = self._rows = 0
        self._charset: Charset | None = None
        self._variables: dict[str, str] = {}
        self._variables_seen = 0
        self._covers = False  # ECHO has become a word for "do not show what is typed"
        self._hides = False
        self.answers = False  # it has sent any command at all

    def begin(self) -> None:
        self.iac(DO, TTYPE)

    def may_command(self) -> bool:
        return self._budget.take(self._clock.monotonic())

    # -- what follows ------------------------------------------------------------------------

    @property
    def is_mud_client(self) -> bool:
        return self._mtts > 0 or any(MUD_CLIENTS.match(name) for name in self._names)

    @property
    def is_settled(self) -> bool:
        """Whether all that was asked and matters for the first screen is answered."""
        if not self.answers or not self._is_named:
            return False
        waiting = self.pending_option.enabled
        return not (
            waiting(DO + NAWS)
            or waiting(WILL + ECHO)
            or waiting(WILL + SGA)
            or (self.remote_option.enabled(NAWS) and not self._cols)
        )

    def terminal(self) -> Terminal:
        name = self._names[0] if self._names else "unknown"
        mtts = self._mtts
        is_ansi = bool(mtts & MTTS_ANSI) or self.is_mud_client
        is_ansi = is_ansi or any(is_ansi_name(each) for each in self._names)
        colours = colours_of(" ".join(self._names), self._variables.get("COLORTERM", ""))
        if mtts & (MTTS_256 | MTTS_TRUE):
            colours = "true" if mtts & MTTS_TRUE else "256"
        cols, rows = clamped_size(self._cols, self._rows)
        return Terminal(
            name=name,
            cols=cols,
            rows=rows,
            is_ansi=is_ansi,
            is_character=not self._covers
            and self.local_option.enabled(ECHO)
            and self.local_option.enabled(SGA),
            charset=self._known_charset(),
            colours=colours if is_ansi else "off",
            is_screen_reader=bool(mtts & MTTS_READER),
        )

    def _known_charset(self) -> Charset:
        if self._charset is not None:
            return self._charset
        if self._mtts:
            return "utf-8" if self._mtts & MTTS_UTF8 else "ascii"
        if self._names == ["ansi"]:
            return "ascii"  # Windows' telnet and BBS programs: some DOS code page
        return charset_of_locale(self._variables.get("LC_ALL", ""), self._variables.get("LANG", ""))

    # -- what we do --------------------------------------------------------------------------

    def hide_typing(self, is_hidden: bool) -> None:
        """Ask a client in line mode not to show what is typed, or to show it again."""
        if not self.answers or self.terminal().is_character:
            return
        # Said and not negotiated: the answers to a quick WILL, WONT, WILL come too late to tell
        # which of them they mean, and a wrong guess would show the password.
        self._covers, self._hides = True, is_hidden
        self.send_iac(IAC + (WILL if is_hidden else WONT) + ECHO)

    def _go_on(self) -> None:
        """Ask for the rest, once the client has shown that it understands commands."""
        self.answers = True
        self.iac(DO, NAWS)
        self.iac(DO, NEW_ENVIRON)
        self.iac(WILL, CHARSET)

    def _named(self) -> None:
        if self._is_named:
            return
        self._is_named = True
        if not self.is_mud_client and any(is_ansi_name(name) for name in self._names):
            for option in (ECHO, SGA, BINARY):
                self.iac(WILL, option)
            self.iac(DO, BINARY)

    def _ask(self, option: bytes, *parts: bytes) -> None:
        self.send_iac(IAC + SB + option + b"".join(parts) + IAC + SE)

    # -- commands (called by the interpreter) ------------------------------------------------

    def handle_do(self, opt: bytes) -> bool:
        self._heard_command()
        if opt == ECHO and self._covers:
            return self._hides
        is_agreed = opt in OURS and (
            self.pending_option.enabled(WILL + opt) or self.local_option.enabled(opt)
        )
        if is_agreed:
            self.pending_option[WILL + opt] = False
            self.local_option[opt] = True
            if opt == CHARSET:
                self._ask(CHARSET, REQUEST, OFFERED_CHARSETS)
        elif opt not in self.rejected_do:
            self.rejected_do.add(opt)
            self.iac(WONT, opt)
        self._on_change()
        return is_agreed

    def handle_dont(self, opt: bytes) -> None:
        self._heard_command()
        if self.local_option.enabled(opt) and not (opt == ECHO and self._covers):
            self.iac(WONT, opt)
        self.pending_option[WILL + opt] = False
        self.local_option[opt] = False
        self._on_change()

    def handle_will(self, opt: bytes) -> None:
        self._heard_command()
        if opt in THEIRS:
            if not self.remote_option.enabled(opt):
                if not self.pending_option.enabled(DO + opt):
                    self.iac(DO, opt)
                self.remote_option[opt] = True
                self._follow_up(opt)
            self.pending_option[DO + opt] = False
        elif opt not in self.rejected_will:
            self.rejected_will.add(opt)
            self.iac(DONT, opt)
        self._on_change()

    def handle_wont(self, opt: bytes) -> None:
        self._heard_command()
        if self.remote_option.enabled(opt):
            self.iac(DONT, opt)
        self.pending_option[DO + opt] = False
        self.remote_option[opt] = False
        if opt == TTYPE:
            self._named()
        self._on_change()

    def _heard_command(self) -> None:
        if not self.answers:
            self._go_on()

    def _follow_up(self, option: bytes) -> None:
        if option == TTYPE:
            self._ask(TTYPE, SEND)
        elif option == NEW_ENVIRON:
            self._ask(NEW_ENVIRON, SEND, b"".join(VAR + name for name in ASKED_VARIABLES))
        elif option == CHARSET:
            self._ask(CHARSET, REQUEST, OFFERED_CHARSETS)

    def handle_subnegotiation(self, buf: deque[bytes]) -> None:
        option, body = buf[0], b"".join(buf)[1:]
        if option == NAWS and len(body) == 4:
            cols, rows = int.from_bytes(body[:2], "big"), int.from_bytes(body[2:], "big")
            self._cols, self._rows = clamped_size(cols, rows)
        elif option == TTYPE and body[:1] == IS:
            self._ttype(body[1:])
        elif option == NEW_ENVIRON and body[:1] in (IS, INFO):
            self._environment(body[1:])
        elif option == CHARSET:
            self._charset_said(body[:1], body[1:])
        else:
            return
        self._on_change()

    def _ttype(self, raw: bytes) -> None:
        if self._is_named:
            return
        name = raw[:64].decode("ascii", "replace")
        if found := re.fullmatch(r"MTTS (\d{1,4})", name):
            self._mtts = int(found[1])
            self._named()
            return
        name = clean_name(name)
        is_last = bool(self._names) and self._names[-1] == name
        if not is_last:
            self._names.append(name)
        if is_last or len(self._names) >= TTYPE_ROUNDS:
            self._named()
        else:
            self._ask(TTYPE, SEND)

    def _environment(self, body: bytes) -> None:
        for pair in re.split(b"[" + re.escape(VAR + USERVAR) + b"]", body)[1:]:
            self._variables_seen += 1
            if self._variables_seen > self._limits.environment_max:
                return
            name, _, value = pair.partition(VALUE)
            if len(value) <= self._limits.environment_bytes:
                text = name.decode("ascii", "replace").upper()
                if text in KEPT_VARIABLES:
                    self._variables[text] = value.decode("ascii", "replace")

    def _charset_said(self, verb: bytes, body: bytes) -> None:
        if verb == ACCEPTED:
            self._charset = CHARSETS.get(body.decode("ascii", "replace").lower(), self._charset)
        elif verb == REQUEST and len(body) > 1:
            for offer in body[1:].split(body[:1]):
                known = CHARSETS.get(offer.decode("ascii", "replace").lower())
                if known:
                    self._charset = known
                    self._ask(CHARSET, ACCEPTED, offer)
                    return
            self._ask(CHARSET, REJECTED)
