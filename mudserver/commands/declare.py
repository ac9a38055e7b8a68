"""How a verb is declared, once.

Rule 1: everything anybody can learn about a verb (usage, help, completion, who may) comes from
        its one declaration; there is no second list.
Rule 2: a handler returns nothing and says what it has to say through `Context`; it may be a
        coroutine function when it waits for the journal.  It raises `HouseError` to refuse.
Rule 3: arguments are words; a parameter in capitals takes one word, one that ends in `...` takes
        the rest of the line, one in brackets may be left out.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from mudserver.errors import HouseError
from mudserver.house.house import House
from mudserver.messages import Message
from mudserver.people import Person
from variants.kit.text import Style

Topic = Literal["talk", "tables", "play", "you", "house"]
TOPICS: Mapping[Topic, str] = {
    "talk": "Talking",
    "tables": "Tables",
    "play": "At a table",
    "you": "You and your terminal",
    "house": "The house",
}


class Visit(Protocol):
    """What a verb may do to the visit it was typed in."""

    @property
    def kind(self) -> str:
        """ "ssh" or "telnet"."""

    @property
    def id(self) -> str:
        """Of this visit, in the log."""

    @property
    def style(self) -> Style:
        """How this visit wants words laid out."""

    @property
    def has_numbers(self) -> bool:
        """Whether `moves` has numbers, and a number alone is a play."""

    def leave(self, text: str) -> None: ...
    def clear(self) -> None: ...
    def settings_changed(self) -> None: ...
    def setting(self, key: str) -> str: ...
    def why_no_full_screen(self) -> str: ...
    def in_force(self, key: str) -> tuple[str, str]: ...
    def keep_setting(self, key: str, value: str) -> None: ...
    def ask_new_password(self) -> None: ...
    def become(self, person: Person) -> None: ...
    def describe(self) -> list[str]: ...


@dataclass(frozen=True)
class Context:
    house: House
    person: Person
    visit: Visit

    def reply(self, message: Message) -> None:
        """Answer the one who typed, in the order of everything else that person is sent."""
        self.house.post.send(self.person.id, message)

    @property
    def table(self) -> int | None:
        """The table where this person sits or watches."""
        return self.house.table_of(self.person)


Handler = Callable[..., Awaitable[None] | None]


@dataclass(frozen=True)
class Verb:
    name: str
    params: tuple[str, ...]  # "NAME", "TEXT...", "[LEVEL]"
    help: str  # a short sentence, then paragraphs and terms (`messages.Page`), a line each
    topic: Topic
    handler: Handler
    also: tuple[str, ...] = ()  # other words for the same
    accounts_only: bool = False
    at_table: bool = False  # only where one sits or watches
    see: tuple[str, ...] = ()
    is_whole: bool = False  # no beginning is enough: a slip must not lead out

    @property
    def usage(self) -> str:
        return " ".join((self.name, *self.params))

    @property
    def summary(self) -> str:
        return self.help.splitlines()[0]

    def arguments(self, rest: str) -> list[str | None]:
        """Split what follows the verb.  HouseError with the usage if it does not fit."""
        values: list[str | None] = []
        for param in self.params:
            is_optional = param.startswith("[")
            if param.rstrip("]").endswith("..."):
                value, rest = rest.strip(), ""
            else:
                value, _, rest = rest.strip().partition(" ")
            if not value and not is_optional:
                raise HouseError(f"Something is missing. Type: {self.usage}")
            values.append(value or None)
        if rest.strip():
            raise HouseError(f'"{rest.strip()}" is too much here. Type: {self.usage}')
        return values


VERBS: dict[str, Verb] = {}


def verb(
    usage: str,
    topic: Topic,
    *,
    also: tuple[str, ...] = (),
    accounts_only: bool = False,
    at_table: bool = False,
    see: tuple[str, ...] = (),
    is_whole: bool = False,
) -> Callable[[Handler], Handler]:
    """Declare a verb; its help is the handler's docstring."""

    def declare(handler: Handler) -> Handler:
        name, *params = usage.split(" ")
        help_text = _paragraphs(handler.__doc__ or "")
        assert help_text, f"{name} has no help"
        for word in (name, *also):
            assert word not in VERBS, f"{word} is declared twice"
        declared = Verb(
            *(name, tuple(params), help_text, topic, handler),
            *(also, accounts_only, at_table, see, is_whole),
        )
        for word in (name, *also):
            VERBS[word] = declared
        return handler

    return declare


def _paragraphs(text: str) -> str:
    """A docstring's lines, those that only went on joined.  Two spaces part a term from the rest.

    The summary ends where its sentence does; a blank line ends a paragraph.
    """
    rows = [""]
    for row in text.strip().splitlines():
        term, gap, said = row.strip().partition("  ")
        if gap:
            rows += [f"{term}\t{said.strip()}", ""]
        elif not term or len(rows) == 1:
            rows += [term, ""] if term else [""]
        else:
            rows[-1] = f"{rows[-1]} {term}".strip()
    return "\n".join(filter(None, rows))


def declared(beginning: str = "") -> list[Verb]:
    """Every verb once, by name; those only of which a word begins so."""
    found = {v.name: v for word, v in VERBS.items() if word.startswith(beginning)}
    return sorted(found.values(), key=lambda v: v.name)


def option_words(text: str | None) -> dict[str, str]:
    """`deck=50 seats=4` -> {"deck": "50", "seats": "4"}.  HouseError names the odd word."""
    options: dict[str, str] = {}
    for word in (text or "").split():
        key, equals, value = word.partition("=")
        if not equals or not key or not value:
            raise HouseError(f'"{word}" is no option. Options look like deck=50, with no spaces.')
        if key.lower() in options:
            raise HouseError(f"{key} is given twice. Give it once.")
        options[key.lower()] = value.lower()
    return options
