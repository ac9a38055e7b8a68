"""Telnet option negotiation.

Rule 1: a closed set of options; every other one is refused, once.  No compression (MCCP): what a
        client makes us unpack or pack has no bound.
Rule 2: an answer is sent only when something changes, so two implementations cannot loop.
Rule 3: the client is first asked for its terminal type (TTYPE).  One that does not answer (netcat)
        is asked nothing more.  A MUD client keeps its own editing and echo; a terminal is asked to
        leave both to us (WILL ECHO, WILL SGA).
Rule 4: the end of a prompt is EOR where agreed, else GA, unless go-aheads are suppressed (SGA).

Sources: RFC 854, 857, 858, 885, 1073, 1091, 1143, 1572, 2066; `gmcp.py`, `mssp.py`
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from telnetlib3.telopt import (
    ACCEPTED,
    BINARY,
    CHARSET,
    CMD_EOR,
    DO,
    DONT,
    ECHO,
    EOR,
    GA,
    GMCP,
    IAC,
    INFO,
    IS,
    MSSP,
    NAWS,
    NEW_ENVIRON,
    REJECTED,
    REQUEST,
    SB,
    SE,
    SEND,
    SGA,
    TTYPE,
    VAR,
    WILL,
    WONT,
)

from mudserver.clock import Clock
from mudserver.config.schema import DoorLimits
from mudserver.rate_limit import TokenBucket
from mudserver.transport.library_patches import TelnetParser
from mudserver.transport.link import JsonProtocol, Terminal
from mudserver.transport.telnet import gmcp, mssp
from mudserver.transport.telnet.terminal_detection import TerminalDetector

LOCAL_OPTIONS_ON_REQUEST = frozenset({SGA, EOR, GMCP, MSSP})  # performed on request, unoffered
LOCAL_OPTIONS = frozenset({ECHO, BINARY, CHARSET}) | LOCAL_OPTIONS_ON_REQUEST  # we may perform
REMOTE_OPTIONS = frozenset({TTYPE, NAWS, NEW_ENVIRON, CHARSET, BINARY, SGA})  # client may
REQUESTED_VARIABLES = (
    *(b"CHARSET", b"TERM", b"COLORTERM", b"LANG", b"LC_ALL", b"NO_COLOR", b"SYSTEMTYPE"),
)
OFFERED_CHARSETS = b";UTF-8;ISO-8859-1;CP437;US-ASCII"


class Negotiation(TelnetParser):
    """One client's options, and the terminal that follows from them.

    Args:
        on_change: Called when something became known; see `terminal` and `is_settled`.
        on_package: Called with each GMCP package.
        status: What MSSP reports.
    """

    def __init__(
        self,
        transport: asyncio.Transport,
        limits: DoorLimits,
        clock: Clock,
        on_change: Callable[[], None],
        on_package: Callable[[str, object], None] = lambda package, data: None,
        status: mssp.StatusSource = mssp.no_status,
    ) -> None:
        super().__init__(transport, limits)
        self._clock, self._on_change, self._on_package = clock, on_change, on_package
        self._status: mssp.StatusSource | None = status  # None: has been sent
        self._bucket = TokenBucket(
            limits.telnet_commands_per_s, limits.telnet_commands_burst, clock.monotonic()
        )
        self._detector = TerminalDetector(limits)
        self.modules = gmcp.SupportedModules()
        self._is_type_known = False  # the terminal type is known, or will stay unknown
        self._masks_by_echo = False  # ECHO now only means "do not show what is typed"
        self._is_typing_hidden = False
        self.has_answered = False  # it has sent any command at all

    def begin(self) -> None:
        self.iac(DO, TTYPE)

    def allow_command(self) -> bool:
        return self._bucket.try_consume(self._clock.monotonic())

    # -- results ------------------------------------------------------------------------

    @property
    def is_settled(self) -> bool:
        """Whether every answer that matters for the first screen has arrived."""
        if not self.has_answered or not self._is_type_known:
            return False
        waiting = self.pending_option.enabled
        return not (
            waiting(DO + NAWS)
            or waiting(WILL + ECHO)
            or waiting(WILL + SGA)
            or (self.remote_option.enabled(NAWS) and not self._detector.cols)
        )

    @property
    def speaks_gmcp(self) -> bool:
        return self.local_option.enabled(GMCP) and bool(self.modules)

    def requested_modules(self) -> tuple[tuple[str, int], ...] | None:
        """With their versions; None: GMCP is not agreed."""
        return self.modules.items() if self.local_option.enabled(GMCP) else None

    def accepts(self, package: str) -> bool:
        is_core = package.startswith("Core.")
        return self.local_option.enabled(GMCP) and (is_core or self.modules.includes(package))

    @property
    def json_protocol(self) -> JsonProtocol:
        return 2 if self.modules.version("lockdown") == 2 else 1

    def encode_package(self, package: str, text: str) -> bytes:
        """The subnegotiation of a package; UTF-8 contains no 0xFF."""
        body = f"{package} {text}" if text else package
        return IAC + SB + GMCP + body.encode("utf-8", "replace") + IAC + SE

    def terminal(self) -> Terminal:
        return self._detector.terminal(
            is_character_mode=not self._masks_by_echo
            and self.local_option.enabled(ECHO)
            and self.local_option.enabled(SGA)
        )

    # -- requests --------------------------------------------------------------------------

    def hide_typing(self, is_hidden: bool) -> None:
        """Ask a client in line mode to hide what is typed, or to show it again."""
        if not self.has_answered or self.terminal().is_character_mode:
            return
        # Sent outside the negotiation: the answers to a quick WILL, WONT, WILL come too late to
        # tell which of them they mean, and a wrong guess would show the password.
        self._masks_by_echo, self._is_typing_hidden = True, is_hidden
        self.send_iac(IAC + (WILL if is_hidden else WONT) + ECHO)

    def end_prompt(self) -> None:
        """Tell a client that edits its own lines that a prompt is complete."""
        if self.local_option.enabled(EOR):
            self.send_iac(IAC + CMD_EOR)
        elif self.has_answered and not self.local_option.enabled(SGA):
            self.send_iac(IAC + GA)  # never to netcat, which would show it

    def _negotiate_rest(self) -> None:
        """Negotiate the other options, once the client has answered any command."""
        self.has_answered = True
        self.iac(DO, NAWS)
        self.iac(DO, NEW_ENVIRON)
        for option in (CHARSET, EOR, MSSP, GMCP):
            self.iac(WILL, option)

    def _on_type_known(self) -> None:
        if self._is_type_known:
            return
        self._is_type_known = True
        if self._detector.is_character_terminal:
            for option in (ECHO, SGA, BINARY):
                self.iac(WILL, option)
            self.iac(DO, BINARY)

    def _send_subnegotiation(self, option: bytes, *parts: bytes) -> None:
        self.send_iac(IAC + SB + option + b"".join(parts) + IAC + SE)

    # -- commands (called by the parser) ------------------------------------------------

    def handle_do(self, opt: bytes) -> bool:
        self._on_command()
        if opt == ECHO and self._masks_by_echo:
            return self._is_typing_hidden
        is_on, is_offered = self.local_option.enabled(opt), self.pending_option.enabled(WILL + opt)
        is_agreed = opt in LOCAL_OPTIONS and (
            is_on or is_offered or opt in LOCAL_OPTIONS_ON_REQUEST
        )
        if is_agreed and not is_on:
            if not is_offered:
                self.iac(WILL, opt)
            self.pending_option[WILL + opt] = False
            self.local_option[opt] = True
            self._start_local(opt)
        elif not is_agreed and opt not in self.rejected_do:
            self.rejected_do.add(opt)
            self.iac(WONT, opt)
        self._on_change()
        return is_agreed

    def handle_dont(self, opt: bytes) -> None:
        self._on_command()
        if self.local_option.enabled(opt) and not (opt == ECHO and self._masks_by_echo):
            self.iac(WONT, opt)
        self.pending_option[WILL + opt] = False
        self.local_option[opt] = False
        self._on_change()

    def handle_will(self, opt: bytes) -> None:
        self._on_command()
        if opt in REMOTE_OPTIONS:
            if not self.remote_option.enabled(opt):
                if not self.pending_option.enabled(DO + opt):
                    self.iac(DO, opt)
                self.remote_option[opt] = True
                self._start_remote(opt)
            self.pending_option[DO + opt] = False
        elif opt not in self.rejected_will:
            self.rejected_will.add(opt)
            self.iac(DONT, opt)
        self._on_change()

    def handle_wont(self, opt: bytes) -> None:
        self._on_command()
        if self.remote_option.enabled(opt):
            self.iac(DONT, opt)
        self.pending_option[DO + opt] = False
        self.remote_option[opt] = False
        if opt == TTYPE:
            self._on_type_known()
        self._on_change()

    def _on_command(self) -> None:
        if not self.has_answered:
            self._negotiate_rest()

    def _start_local(self, option: bytes) -> None:
        """We perform *option* from now on."""
        if option == CHARSET:
            self._send_subnegotiation(CHARSET, REQUEST, OFFERED_CHARSETS)
        elif option == MSSP and self._status is not None:
            read_status, self._status = self._status, None
            self._send_subnegotiation(MSSP, mssp.encode(read_status()))

    def _start_remote(self, option: bytes) -> None:
        """The client performs *option* from now on."""
        if option == TTYPE:
            self._send_subnegotiation(TTYPE, SEND)
        elif option == NEW_ENVIRON:
            self._send_subnegotiation(
                NEW_ENVIRON, SEND, b"".join(VAR + name for name in REQUESTED_VARIABLES)
            )
        elif option == CHARSET:
            self._send_subnegotiation(CHARSET, REQUEST, OFFERED_CHARSETS)

    def handle_subnegotiation(self, buf: deque[bytes]) -> None:
        option, body = buf[0], b"".join(buf)[1:]
        if option == NAWS and len(body) == 4:
            self._detector.set_size(body)
        elif option == TTYPE and body[:1] == IS:
            self._on_terminal_type(body[1:])
        elif option == NEW_ENVIRON and body[:1] in (IS, INFO):
            self._detector.add_environment(body[1:])
        elif option == CHARSET and body[:1] == ACCEPTED:
            self._detector.accept_charset(body[1:])
        elif option == CHARSET and body[:1] == REQUEST and len(body) > 2:
            chosen = self._detector.choose_charset(body[1:])
            self._send_subnegotiation(CHARSET, *((ACCEPTED, chosen) if chosen else (REJECTED,)))
        elif option == GMCP and self.local_option.enabled(GMCP):
            self._on_gmcp(body)
        else:
            return
        self._on_change()

    def _on_terminal_type(self, raw: bytes) -> None:
        if self._is_type_known:
            return
        if self._detector.add_terminal_type(raw):
            self._send_subnegotiation(TTYPE, SEND)
        else:
            self._on_type_known()

    def _on_gmcp(self, body: bytes) -> None:
        parsed = gmcp.parse(body)
        if parsed is None:
            return
        package, data = parsed
        parts = package.lower().split(".")
        if parts == ["core", "hello"] and isinstance(data, dict):
            self._detector.set_client(data.get("client"))
        elif parts[:2] == ["core", "supports"] and len(parts) == 3:
            if self.modules.update(parts[2], data):
                self._on_package(package, data)
        elif parts[0] in gmcp.MODULES:
            self._on_package(package, data)
