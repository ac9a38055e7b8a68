"""The whole wall between a line to a terminal and the house.

Rule 1: inwards go bytes, sizes and the end of the line; outwards go bytes.  A transport cleans
        nothing and understands nothing of what people type.
Rule 2: who somebody is comes only from what was *proven* in authentication
        (`AuthenticatedUser`), set when authentication has completed, never from what was offered
        or asked for.
Rule 3: a link never waits.  A reader that stalls loses its own chat first, then its line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol


@dataclass(frozen=True, slots=True)
class Terminal:
    """What is known of the other end.  Already clamped and checked against closed lists."""

    name: str = "unknown"  # TERM or TTYPE, [A-Za-z0-9._+-]{1,32}
    cols: int = 80  # 20..300
    rows: int = 24  # 5..100
    is_ansi: bool = False  # understands CSI: erase line, move, colour
    is_character_mode: bool = False  # sends single keys and leaves echo to us
    charset: Literal["utf-8", "ascii", "latin-1", "cp437"] = "utf-8"
    colours: Literal["off", "16", "256", "true"] = "off"
    is_screen_reader: bool = False  # MTTS bit 64
    wants_full_screen: bool = False  # `ssh -t host screen`


@dataclass(frozen=True, slots=True)
class AuthenticatedUser:
    """Who came in by SSH, after authentication has completed."""

    name: str  # as typed; "guest" for a guest
    method: Literal["guest", "key", "password", "registered", "newkey"]
    """registered: keyboard-interactive made the account just now; newkey: a name nobody had,
    proven with *key*: the visit claims the name for it before anything else."""
    key: str = ""  # OpenSSH public key line, for key and newkey
    fingerprint: str = ""  # SHA256:...


class Link(Protocol):
    """One line to one terminal."""

    kind: Literal["ssh", "telnet"]
    peer: str  # address without port
    terminal: Terminal
    wants_json: bool  # `ssh host json`

    @property
    def protocol(self) -> Literal["ssh", "json", "telnet", "tls"]:
        """What operators count it under."""

    @property
    def speaks_gmcp(self) -> bool:
        """Telnet: whether packages are worth making: GMCP is agreed and the person is in."""

    def send(self, data: bytes) -> None:
        """Queue bytes.  Never raises; over the byte limit or the stall time the link is cut."""

    def backlog(self) -> int:
        """Bytes queued and not yet taken by the other end."""

    def set_echo(self, is_on: bool) -> None:
        """Telnet line mode: whether the client shows what is typed (off around passwords)."""

    def end_prompt(self) -> None:
        """Telnet line mode: a prompt was just sent (EOR or GA, as agreed).  Nothing on SSH."""

    def accepts_gmcp(self, package: str) -> bool:
        """Whether *package* may go now: the person is in, and the client asked for its module."""

    def send_gmcp(self, package: str, text: str) -> None:
        """Send a package with *text*, which is JSON already, if `accepts_gmcp`."""

    def close(self) -> None:
        """Send what is queued, then end the line; cut it after `close_s`."""

    def count_failure(self) -> bool:
        """Count a wrong password against the source.  False: it has no try left, say goodbye."""

    def extend_login_deadline(self) -> None:
        """Telnet: a name was given, so the login deadline is the longer one."""

    def mark_logged_in(self) -> None:
        """The person is in: the login deadline no longer runs, the pre-login caps are freed."""


class LinkHandler(Protocol):
    """The house's side of one link.  Calls come from the event loop, never re-entrantly."""

    def on_data(self, data: bytes) -> None:
        """Bytes as they came, telnet commands already taken out."""

    def on_resize(self, terminal: Terminal) -> None:
        """Size or abilities changed."""

    def on_gmcp(self, package: str, data: object) -> None:
        """Telnet: a package, its JSON parsed and bounded.  `Core` stays with the link, except
        that `Core.Supports.*` is passed on when what the client asks for has changed."""

    def on_login_timeout(self, message: str) -> None:
        """Telnet: nobody came in before the deadline; *sentence* says so, and the line ends."""

    def on_disconnect(self) -> None:
        """The line is gone.  Called exactly once, last."""


HandlerFactory = Callable[[Link, AuthenticatedUser | None], LinkHandler]
"""What a door calls when a line is ready: with a proof on SSH, with None on telnet."""


class Authenticator(Protocol):
    """What SSH authentication has to know about names.  The house provides it."""

    def name_status(self, name: str) -> tuple[Literal["guest", "known", "free", "refused"], str]:
        """What *name* is, and for "refused" the sentence that says why."""

    def has_key(self, name: str, fingerprint: str) -> bool: ...

    async def check_password(self, name: str, password: str) -> bool:
        """Always one argon2, whether the name exists or not."""

    async def register(self, name: str, password: str, peer: str) -> str:
        """Make the account durable.  "" on success, else the sentence that says why not."""
