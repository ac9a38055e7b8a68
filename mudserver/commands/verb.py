"""What a verb is, and how a file of commands declares one.

Rule 1: usage, help, completion and permission of a verb come from its one declaration with `verb`;
        there is no second list.
Rule 2: a handler returns nothing and answers through `CommandContext`.  It may be a coroutine
        function that waits for the journal.  It raises `UserError` to refuse.
Rule 3: arguments are words.  A parameter in capitals takes one word, one that ends in `...` takes
        the rest of the line, one in brackets may be left out.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

import msgspec

from mudserver.accounts.person import Person
from mudserver.commands import texts
from mudserver.commands.last_line import LastLine
from mudserver.data_people import OwnSession
from mudserver.errors import UserError
from mudserver.messages import Message, Page, TalkMessage
from mudserver.service.account_service import AccountService
from mudserver.service.game_service import GameService
from mudserver.service.lessons import Lessons
from mudserver.service.moderation import Login
from mudserver.service.replays import Replays
from variants.kit.text import Style

Topic = Literal["talk", "tables", "play", "you", "server", "staff"]
TOPICS: Mapping[Topic, str] = {
    "talk": "Talking",
    "tables": "Tables",
    "play": "At a table",
    "you": "You and your terminal",
    "server": "The server",
    "staff": "Keeping order",
}


class SessionRow(NamedTuple):
    """One row of `sessions`."""

    what: str
    protocol: str
    notes: str
    data: OwnSession


class Attachment(Protocol):
    """How a session moves from terminal to terminal."""

    def rows(self) -> Sequence[SessionRow]:
        """This session, then what is kept of another."""

    def attach(self) -> None:
        """Take up what is kept.  UserError: there is nothing."""

    def detach(self) -> None:
        """Disconnect, and keep the session.  UserError: it cannot be kept."""


class Walking(Protocol):
    """How a session goes on at another server."""

    @property
    def has_way(self) -> bool:
        """Whether the connection leads to other servers."""

    def go(self, server: str, table: int, errand: str) -> None:
        """Go on at *server*, which has *table*, and do *errand*, a line, there.

        UserError: that is not possible from here.
        """


class Dialogs(Protocol):
    """Questions to the person of a session."""

    def start_password_dialog(self) -> None: ...
    def start_deletion_dialog(self) -> None:
        """Ask for the name and a proof, then have the account deleted."""

    def ask_new_password(self, then: Callable[[str], Awaitable[None]]) -> None:
        """Ask twice for a password, then do *then* with it."""

    def ask_line(self, prompt: str, then: Callable[[str], Awaitable[None]]) -> None:
        """Ask for one line, then do *then* with it."""

    def confirm_identity(
        self, why: str, then: Callable[[], Awaitable[None]]
    ) -> Awaitable[None] | None:
        """Do *then* at once, or after the password if the login was long ago."""


class CommandSession(Protocol):
    """What a command may do with the session that it was typed in."""

    @property
    def id(self) -> str:
        """The session id, as in the log."""

    @property
    def source(self) -> str:
        """The address that the session counts against."""

    @property
    def attachment(self) -> Attachment: ...
    @property
    def walking(self) -> Walking: ...
    @property
    def auth_how(self) -> str:
        """`key`, `password`, or "": a guest."""

    @property
    def is_program(self) -> bool:
        """Whether a program reads, not a person."""

    def takes_talk(self) -> bool:
        """Whether one more line of talk is said; False: it is the rest of a long paste."""

    @property
    def is_first_visit(self) -> bool:
        """Whether the person is new here: a guest, or registered in this session."""

    @property
    def recent_talk(self) -> Iterable[tuple[int, TalkMessage]]:
        """The talk that was shown last, with UTC times in ms, oldest first."""

    @property
    def last_line(self) -> LastLine:
        """What is remembered of the line before."""

    @property
    def style(self) -> Style:
        """The layout of answers in this session."""

    @property
    def has_numbered_moves(self) -> bool:
        """Whether `moves` numbers its rows, and a bare number plays one."""

    def disconnect(self, text: str) -> None: ...
    def clear_screen(self) -> None: ...
    def reopen_page(self) -> bool:
        """Open the last page of a full screen again.  False: there is none."""

    def apply_preferences(self) -> None: ...
    def preference(self, key: str) -> str: ...
    def full_screen_obstacle(self) -> str: ...
    def effective_preference(self, key: str) -> tuple[str, str]: ...
    def save_preference(self, key: str, value: str) -> None: ...
    @property
    def own_preferences(self) -> Mapping[str, str]:
        """What a guest has set in this session."""

    @property
    def dialogs(self) -> Dialogs:
        """What takes the next lines in place of commands."""

    def switch_person(self, person: Person) -> None: ...
    def note_choice(self) -> None:
        """What the person wants to hear has changed, or what is said of being away."""

    def await_leave(self, pending: PendingLeave) -> None:
        """The next line may confirm this; any other line cancels it."""

    def describe_terminal(self) -> Page: ...


class PendingLeave(NamedTuple):
    """Somebody typed `leave` in a running game and was asked to type it again."""

    game: tuple[int, int]  # the table's number and the game's
    until_s: float  # on the clock of `GameService.monotonic`


class CommandContext(msgspec.Struct, frozen=True):
    """Who typed a command, and what the command may use."""

    service: GameService
    account_service: AccountService
    person: Person
    session: CommandSession
    pending_leave: PendingLeave | None = None  # by the line just before this one

    def reply(self, message: Message) -> None:
        """Answer the person who typed, in order with all other messages to them."""
        self.service.send_to(self.person.id, message)

    @property
    def login(self) -> Login:
        """Who types, for what only staff may do."""
        person, session = self.person, self.session
        return Login(person.id, person.name, session.auth_how == "key", session.source)

    def may_use(self, permission: str) -> bool:
        """Whether this person may use a staff verb, as `PERMISSIONS` names it."""
        return self.service.moderation.may_use(self.login, permission)

    def shows(self, verb: Verb) -> bool:
        """Whether lists and completion show a verb to this person."""
        return not verb.permission or self.may_use(verb.permission)

    @property
    def lessons(self) -> Lessons:
        return self.service.lessons

    @property
    def replays(self) -> Replays:
        return self.service.replays

    @property
    def learned_game(self) -> str | None:
        """The game of the lesson that the person takes."""
        lessons, person = self.lessons, self.person
        return lessons.game_of(person).name if lessons.is_learning(person.id) else None

    @property
    def table(self) -> int | None:
        """The table where the person sits or watches."""
        return self.service.table_of(self.person)


Handler = Callable[..., Awaitable[None] | None]


@dataclass(frozen=True)
class Verb:
    name: str
    params: tuple[str, ...]  # "NAME", "TEXT...", "[LEVEL]"
    help: str  # a short sentence, then paragraphs and terms (`messages.Page`), one a line
    topic: Topic
    handler: Handler
    aliases: tuple[str, ...] = ()
    needs_account: bool = False
    needs_table: bool = False  # works only for people who sit or watch
    see_also: tuple[str, ...] = ()
    needs_whole_word: bool = False  # cannot be abbreviated: a typing error must not end the session
    permission: str = ""  # a key of `PERMISSIONS`: staff alone may use it, in whole words
    is_newer: bool = False  # a beginning of it that fits an older verb means that one
    is_talk: bool = False  # others read the line
    takes: Callable[[str], bool] | None = None  # whether a text can be its arguments; None: any

    @property
    def usage(self) -> str:
        return " ".join((self.name, *self.params))

    @property
    def needs_arguments(self) -> bool:
        return any(not param.startswith("[") for param in self.params)

    @property
    def summary(self) -> str:
        return self.help.splitlines()[0]

    def may_mean(self, rest: str) -> bool:
        """Whether the verb can be meant where *rest* follows it, complete or not."""
        if not rest:
            return not self.needs_arguments
        return bool(self.params) and (self.takes is None or self.takes(rest))

    def parse_arguments(self, rest: str) -> list[str | None]:
        """Split the text after the verb.  UserError with the usage if it does not fit."""
        if rest.strip() and self.takes is not None and not self.takes(rest.strip()):
            raise UserError(texts.TOO_MUCH.format(self.name, rest.strip(), self.usage), "usage")
        values: list[str | None] = []
        for param in self.params:
            is_optional = param.startswith("[")
            if param.rstrip("]").endswith("..."):
                value, rest = rest.strip(), ""
            else:
                value, _, rest = rest.strip().partition(" ")
            if not value and not is_optional:
                raise UserError(texts.INCOMPLETE.format(self.name, self.usage), "usage")
            values.append(value or None)
        if rest.strip():
            raise UserError(texts.TOO_MUCH.format(self.name, rest.strip(), self.usage), "usage")
        return values


VERBS: dict[str, Verb] = {}


def verb(
    usage: str,
    topic: Topic,
    *,
    aliases: tuple[str, ...] = (),
    needs_account: bool = False,
    needs_table: bool = False,
    see_also: tuple[str, ...] = (),
    needs_whole_word: bool = False,
    permission: str = "",
    is_newer: bool = False,
    is_talk: bool = False,
    takes: Callable[[str], bool] | None = None,
) -> Callable[[Handler], Handler]:
    """Declare a verb; its help is the handler's docstring."""

    def declare(handler: Handler) -> Handler:
        name, *params = usage.split(" ")
        help_text = _paragraphs(handler.__doc__ or "")
        assert help_text, f"{name} has no help"
        for word in (name, *aliases):
            assert word not in VERBS, f"{word} is declared twice"
        declared = Verb(
            *(name, tuple(params), help_text, topic, handler),
            *(aliases, needs_account, needs_table, see_also, needs_whole_word),
            *(permission, is_newer, is_talk, takes),
        )
        for word in (name, *aliases):
            VERBS[word] = declared
        return handler

    return declare


def _paragraphs(text: str) -> str:
    """A docstring as rows: continuation lines are joined; two spaces separate a term from its text.

    The first line is the summary; a blank line ends a paragraph.
    """
    rows = [""]
    for row in text.strip().splitlines():
        term, gap, text = row.strip().partition("  ")
        if gap:
            rows += [f"{term}\t{text.strip()}", ""]
        elif not term or len(rows) == 1:
            rows += [term, ""] if term else [""]
        else:
            rows[-1] = f"{rows[-1]} {term}".strip()
    return "\n".join(filter(None, rows))


def all_verbs() -> list[Verb]:
    """Each verb once, by name."""
    return sorted({v.name: v for v in VERBS.values()}.values(), key=lambda v: v.name)


def verbs_starting_with(prefix: str) -> list[Verb]:
    """What *prefix* may abbreviate: verbs of which the name or an alias begins so, by name.

    Those of the staff want their whole word, and newer ones give way to older ones.
    """
    found = [
        v for v in all_verbs()
        if not v.permission and any(word.startswith(prefix) for word in (v.name, *v.aliases))
    ]  # fmt: skip
    return [v for v in found if not v.is_newer] or found


def split_assignments(text: str | None) -> dict[str, str]:
    """`deck=50 seats=4` -> {"deck": "50", "seats": "4"}.  UserError names the wrong word."""
    options: dict[str, str] = {}
    for word in (text or "").split():
        key, equals, value = word.partition("=")
        if not equals or not key or not value:
            raise UserError(texts.NOT_AN_OPTION.format(word), "usage")
        if key.lower() in options:
            raise UserError(texts.OPTION_TWICE.format(key), "usage")
        options[key.lower()] = value.lower()
    return options
