"""The whole interface between a connection and the server behind it.

Rule 1: inwards pass bytes, terminal sizes and the end of the connection; outwards pass bytes.  A
        transport neither sanitizes nor interprets what people type.
Rule 2: identity comes only from what authentication has *proven* (`AuthenticatedUser`, set when
        authentication has completed), never from what was offered or requested.
Rule 3: a link never blocks.  A client that stops reading loses chat first, then its connection.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from mudserver.protocols import ProtocolName

LostReason = Literal["closed", "stall", "bytes", "moved", "wall"]
"""Why a connection was lost: the client has closed it, or vanished; it was cut because the client
read nothing for `output_stall_s`, or left over `output_bytes_max` unread; another server has it;
its door is gone."""

JsonProtocol = Literal[1, 2]
"""The versions of the objects for programs; see `session/json_protocol.py`."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """What is known of the client's terminal, clamped and checked against closed lists."""

    name: str = "unknown"  # TERM or TTYPE, [A-Za-z0-9._+-]{1,32}
    cols: int = 80  # 20..300
    rows: int = 24  # 5..100
    is_ansi: bool = False  # understands CSI: erase line, move, colour
    is_character_mode: bool = False  # sends single keys and leaves the echo to us
    charset: Literal["utf-8", "ascii", "latin-1", "cp437"] = "utf-8"
    colours: Literal["off", "16", "256", "true"] = "off"
    is_screen_reader: bool = False  # MTTS bit 64
    wants_full_screen: bool = False  # `ssh -t host screen`


@dataclass(frozen=True, slots=True)
class AuthenticatedUser:
    """The user of an SSH connection whose authentication has completed."""

    name: str  # as typed; "guest" for a guest
    method: Literal["guest", "key", "password", "registered", "newkey", "code", "recovered"]
    """registered: keyboard-interactive has just created the account; recovered: it has just set the
    password under a recovery code, `ann+CODE`; newkey: a free name, proven with *key*: the session
    claims the name for that key before anything else; code: the name is `ann+CODE`, and *key* was
    signed with: the session only asks whether to add it."""
    key: str = ""  # OpenSSH public key line, for key, newkey and code
    fingerprint: str = ""  # SHA256:...
    at_ms: int = 0  # UTC, when authentication completed; a connection can have several sessions


class Holder(Protocol):
    """Another process that holds the connection, and keeps it when this one ends."""

    nonce: bytes  # 8 random bytes of the connection
    capsule: bytes  # what the session before has left; b"": nothing
    is_again: bool  # another process has had the session
    has_waited: bool  # it has been shown a notice of the restart, on a row of its own
    is_line_open: bool  # a line had begun, and was not done
    is_line_uncertain: bool  # the same, and nobody knows whether it was taken
    begun: int  # the place of the last line that had begun when this process took over
    seen: int  # the record of its table up to which the terminal was shown all; 0: none
    heard: int  # the offset in the input behind what the session was given
    on_long_line: Callable[[], None]  # it forgets what came behind the last line; set by a session
    may_redirect: bool  # it can hand the connection to another game server
    walk: Literal["", "comes", "failed"]
    """Whether the connection comes from another game server, or did not get to one."""
    walked_to: int  # the table to which it comes, or did not get
    on_errand: Callable[[bytes, int], None]
    """Set by a session; told what it is to do in place of the line that has begun elsewhere, as in
    `redirect`."""
    on_moved: Callable[[], None] | None  # set by one; called in place of `on_disconnect`

    def keep(self, capsule: bytes, wait_text: bytes, *, waits: bool = False) -> None:
        """Leave a capsule for the next process.

        Args:
            wait_text: Shown once if nobody answers for a while.
            waits: It is left with the output of this turn: both get there, or neither.
        """

    def redirect(self, server: str, table: int, errand: bytes, hops: int) -> None:
        """Go on at another game server by the capsule that is kept; nothing is sent or handed on
        here any more.

        If it is there, `on_moved` follows.  Else another session takes the place of this one.

        Args:
            table: To which the walk leads.
            errand: At most 512 bytes; b"": to be there is all.
            hops: How often the errand has been sent on, this time counted.
        """

    def skip_input(self) -> None:
        """What was typed for the session before is for nobody."""

    def hold(self) -> None:
        """Hand nothing on and begin no line until `release`."""

    def release(self) -> None:
        """Go on after `hold`."""

    @property
    def is_between_lines(self) -> bool:
        """Whether every line that the session was given is settled."""

    def keep_input_until(self, offset: int) -> bool:
        """The session has what was typed up to *offset*, and that stays with the connection.

        False: something else was typed.
        """

    def take(self) -> int:
        """The session has taken a line; its place.  `begin`, `note_handled`, `settle` follow."""

    def take_uncertain(self) -> int:
        """The line of which nobody knows whether it was taken; its place.  `settle` follows."""

    def begin(self, place: int, call: Callable[[], None]) -> None:
        """Call when the line at *place* cannot be typed again any more."""

    def note_handled(self, place: int) -> None:
        """The session has done the line at *place*; what answers it may be on its way."""

    def settle(self, place: int) -> None:
        """What the line at *place* has caused is known."""


class Link(Protocol):
    """One connection to one terminal."""

    peer: str  # address without port
    terminal: Terminal
    wants_json: bool  # `ssh host json`
    wants_export: bool  # `ssh host export`
    wanted_game: str  # `game 1042 cast`, of `ssh host game 1042 cast`; "": none
    visit: str  # the id of the session, where a door has given one; "": the session takes one
    lost_why: LostReason | None  # None: it is not lost

    @property
    def json_protocol(self) -> JsonProtocol:
        """The version that the client asked for: `ssh host json 2`, or `Lockdown 2` by GMCP."""

    @property
    def protocol(self) -> ProtocolName:
        """Also the label under which operators count it."""

    @property
    def speaks_gmcp(self) -> bool:
        """Telnet: whether to build packages at all: GMCP is agreed, the user is logged in."""

    @property
    def modules(self) -> tuple[tuple[str, int], ...] | None:
        """The GMCP modules that the client asked for, with their versions; None: no GMCP."""

    @property
    def holder(self) -> Holder | None:
        """None: the connection ends with this process, so nothing can be typed again."""

    def hold_input(self, is_held: bool) -> None:
        """Whether to leave what is typed in the sender's own kernel."""

    def send(self, data: bytes, seen: int = 0) -> None:
        """Queue bytes.  Never raises; over output_bytes_max or output_stall_s it aborts.

        Args:
            seen: After them the terminal has been shown its table up to this record; 0: they say
                nothing of that.  Kept by a `Holder`.
        """

    def backlog(self) -> int:
        """Bytes queued and not yet accepted by the client."""

    def set_echo(self, is_on: bool) -> None:
        """Telnet line mode: whether the client echoes what is typed (off for passwords)."""

    def end_prompt(self) -> None:
        """Telnet line mode: mark the end of a prompt (EOR or GA, as agreed).  No effect on SSH."""

    def accepts_gmcp(self, package: str) -> bool:
        """Whether *package* may be sent: after login, if the client asked for its module."""

    def send_gmcp(self, package: str, text: str) -> None:
        """Send a package with the JSON *text*, if `accepts_gmcp`."""

    def refuse(self, text: str) -> None:
        """Say why there is no export, on the error stream of the client, and end with status 1."""

    def close(self) -> None:
        """Send what is queued, then close the connection; abort it after `close_s`."""

    async def may_try(self, name: str) -> bool:
        """Whether a password of *name* may be tried from this source."""

    async def count_failure(self, name: str) -> bool:
        """Count a wrong password of *name* against the source.  False: say goodbye."""

    def extend_login_deadline(self) -> None:
        """Telnet: a name was given, so the longer login deadline applies."""

    def mark_logged_in(self, name: str, *, is_regular: bool) -> None:
        """The user is logged in: stop the login deadline and free the pre-login slot.

        Args:
            name: Of the account; "" for a guest.
            is_regular: The account is older than a day.
        """


class LinkHandler(Protocol):
    """The server's side of one link.  Calls come from the event loop, never re-entrantly."""

    copies_input: bool  # it keeps no bytes object that `on_data` is given

    def on_data(self, data: bytes) -> None:
        """Bytes as received, without telnet commands."""

    def on_resize(self, terminal: Terminal) -> None:
        """The size or the capabilities changed."""

    def on_gmcp(self, package: str, data: object) -> None:
        """Telnet: a package, its JSON parsed and bounded.  The link handles `Core` itself; it
        passes `Core.Supports.*` on when the requested modules have changed."""

    def on_login_timeout(self, message: str) -> None:
        """Telnet: the login deadline has passed; close the link, with *message*, in `close_s`."""

    def on_disconnect(self) -> None:
        """The connection is gone.  Called exactly once, last."""


HandlerFactory = Callable[[Link, AuthenticatedUser | None], LinkHandler]
"""Called when a connection is ready: with the proven user on SSH, with None on telnet."""


NameStatus = Literal["guest", "known", "free", "refused", "code", "recovery", "wrong code"]
"""What a user name is; "code": `ann+CODE` with a live code, under which ann may add a key;
"recovery": with one under which ann may also set a new password."""


class NoAnswer(Exception):
    """The game server does not answer; the text is a sentence for who waits."""


class Authenticator(Protocol):
    """What SSH authentication asks about names and accounts.  NoAnswer: nobody can say now."""

    async def name_status(self, name: str, peer: str) -> tuple[NameStatus, str]:
        """The status of *name*; for "refused" and "wrong code" the sentence that says why.

        A free name is refused where nobody new may register from *peer*.
        """

    async def has_key(self, name: str, fingerprint: str, peer: str) -> bool:
        """Whether a signature by that key opens the name, from *peer*.

        From a network that is banned hard only the keys of the staff open.
        """

    async def new_key_obstacle(self, name: str, key: str, fingerprint: str) -> str | None:
        """Why the key is none for a free name or a code; "": it is no use to say it; None: it is.

        Asked before a signature, so the answer depends on the key and on the code alone.
        """

    async def proven_key_obstacle(self, fingerprint: str) -> str:
        """Why a free name is not registered with a key that was signed with; "": it is."""

    async def check_password(self, name: str, password: str, peer: str) -> bool:
        """Always computes one argon2 hash, whether the name exists or not."""

    async def other_keys(self, name: str) -> int:
        """How many keys the account has for which `ann+CODE` is a recovery code."""

    async def recover(self, name: str, password: str, peer: str, *, keeps_keys: bool) -> str:
        """Set the password with a recovery code, durably.  "" on success, else why not."""

    async def register(self, name: str, password: str, peer: str, *, is_again: bool = False) -> str:
        """Create the account durably.  "" on success, else the sentence that says why not.

        Args:
            is_again: It was asked before, and may have succeeded: then it has.
        """
