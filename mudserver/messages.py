"""Messages to one person: frozen values, made by the services and shown by the sessions.

Rule 1: a message holds what its recipient may know and nothing else; nothing filters it later.
Rule 2: a message to many people is one object, so that it is rendered once for all of them.
Rule 3: text in a message is sanitized (`mudserver.sanitize`) and carries no escape sequence.
Rule 4: a `WireMessage` is also the object that programs read: the tag is its `type`, the fields are
        its keys, docstring and `Meta` are its description in the schema.  The other messages become
        objects in `session/json_protocol.py`, which lists all types and says where new keys go.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta

from mudserver.errors import RefusalCode
from variants.kit.text import StyledLine

Sentence = Annotated[str, Meta(description="a sentence for people")]
TableNumber = Annotated[int, Meta(description="number of a table")]
TableOrLobby = Annotated[TableNumber | None, Meta(description="null: the lobby")]
SeatIndex = Annotated[int, Meta(ge=0, description="position at the table, clockwise from 0")]
OwnSeat = Annotated[SeatIndex | None, Meta(description="the reader's seat; null: a watcher")]
SeatNames = Annotated[tuple[str, ...], Meta(description="what the seats are called, by seat")]


class Message(msgspec.Struct, frozen=True, gc=False):
    """Any of the messages below."""


class WireObject(msgspec.Struct, frozen=True, gc=False, tag_field="type"):
    """Any of the objects that a program reads."""


class WireMessage(Message, WireObject, frozen=True):
    """A message that programs read as it is.  Every key is always sent."""


class Notice(WireMessage, frozen=True, tag="notice"):
    """The server tells the reader alone: an answer, a warning, the end of a wait."""

    text: Sentence


class WatchersNotice(Message, frozen=True):
    """Who watches, after a view that was asked for.  Programs have the view alone."""

    text: str


class CallNotice(Message, frozen=True):
    """A game where the reader need not be wants something.  The terminal calls, as the preference
    `alert` says.  Programs read it as a notice."""

    text: str
    call: str  # what a desktop shows: ASCII, the server's own words alone, nothing of the position


class MovesWait(Message, frozen=True):
    """Other games wait for a move of the reader than before; it makes no row."""


class AwayMessage(Message, frozen=True):
    """The reader's seat is away, or is no more.  Programs read it as a notice.  [G-09]"""

    is_away: bool
    text: str
    rings: bool = False  # a bell: the own turn begins


class RefusalMessage(Message, frozen=True):
    """A line was not done: what is wrong, then what would be right.  Nothing has changed."""

    text: str
    code: RefusalCode = "not_allowed"
    wait_s: float = 0.0  # after which the same line is taken; 0: that is not known
    tables: tuple[int, ...] = ()  # that the text names


class NotUnderstood(Message, frozen=True):
    """A game does not understand a line.  The session shows it as a `RefusalMessage`."""

    text: str
    line: str
    suggestion: str = ""  # the whole line that the text offers
    window: str = ""  # where it was typed (`Table.window_key`)
    code: RefusalCode = "not_understood"


class LineAnswered(Message, frozen=True):
    """Everything that answers a line is on its way before this.  No person reads it."""

    line: int  # as the session has numbered it


class Announcement(WireMessage, frozen=True, tag="announced"):
    """News for everybody in a place: who comes and goes, who sits down, what a table does."""

    text: Sentence


class EndExplained(Message, frozen=True):
    """What decided a game for the reader, from the own view.  Programs read it as a notice."""

    reason: str
    more: str = ""  # names the command that says more; "": none does

    @property
    def text(self) -> str:
        return f"{self.reason} {self.more}".rstrip()


class GameSummary(Message, frozen=True):
    """How a game that is over went: told to everybody there.  Programs read it as an announcement.

    Attributes:
        length: `34 turns, 9 minutes`.
        notes: By seat: `out in turn 12`, or "".
        views: By seat, own views of the end.
    """

    variant: str
    names: SeatNames
    length: str
    notes: tuple[str, ...]
    views: tuple[Any, ...]


class StaffPage(Message, frozen=True):
    """Rows that somebody of the staff has written.  Programs read it as a page."""

    title: str
    rows: tuple[str, ...]


class QuotedNotice(Message, frozen=True):
    """What the staff says or has done, with words of theirs.  Programs read it as a notice."""

    head: str  # the server's words: `You are muted until 2026-11-22 13:40 UTC (#18)`
    speaker: str  # whose words follow, as the head names it: `#18`
    words: str

    @property
    def text(self) -> str:
        return f"{self.head}: {self.words}"


class QuotedAnnouncement(QuotedNotice, frozen=True):
    """The same for everybody in a place.  Programs read it as an announcement."""


Spoken = str | QuotedNotice
"""What a session says by itself, not through its inbox."""


def joined(*sentences: Spoken) -> str:
    """The sentences in one string, for programs."""
    said = [each if isinstance(each, str) else each.text for each in sentences]
    ended = [it if it.endswith((".", "!", "?")) else f"{it}." for it in said[:-1]]
    return " ".join([*ended, *said[-1:]])


class ReadMail(QuotedNotice, frozen=True):
    """A message of the reader's mailbox.  Programs of protocol 1 read it as a notice."""


class SanctionedMessage(WireMessage, frozen=True, tag="sanctioned"):
    """The reader is muted or banned.  A sentence says the same: terminals show that alone."""

    kind: Literal["mute", "ban"]
    id: Annotated[int, Meta(description="number of the sanction, to quote in an appeal")]
    until: Annotated[int | None, Meta(description="milliseconds since 1970, UTC; null: for ever")]
    reason: str


class WarnedMessage(WireMessage, frozen=True, tag="warned"):
    """The staff warns the reader.  A sentence says the same: terminals show that alone."""

    id: Annotated[int, Meta(description="number of the warning")]
    reason: str


class PresenceMessage(WireMessage, frozen=True, tag="presence"):
    """A friend comes or has left.  A sentence says the same: terminals show that alone."""

    name: str
    is_here: bool


class RestartedMessage(WireMessage, frozen=True, tag="restarted"):
    """The server has restarted, and this session goes on.  Terminals show a sentence instead."""

    is_line_uncertain: Annotated[
        bool, Meta(description="whether the last line was taken nobody knows")
    ]


class RingingAnnouncement(Message, frozen=True):
    """An announcement with a bell.  Programs read it as any other."""

    text: str


class SayMessage(Message, frozen=True):
    """Somebody says something in the same place or channel.  The speaker reads it, too."""

    who: str
    text: str
    table: int | None = None  # None: the lobby, or a channel
    speaker: str = ""  # the id, which nobody reads; "": staff
    is_watcher: bool = False  # the speaker watches the table
    channel: str = ""  # "": the place
    mention: str = ""  # the reader's name, which is a word of the text


class EmoteMessage(Message, frozen=True):
    """Somebody does something in the same place: `who` and `text` are one sentence."""

    who: str
    text: str
    table: int | None = None
    speaker: str = ""
    is_watcher: bool = False
    channel: str = ""
    mention: str = ""


class TellMessage(Message, frozen=True):
    """Somebody tells the reader something in private."""

    who: str
    text: str
    to: str | None = None  # the recipient, on the copy of the one who told it
    speaker: str = ""
    listener: str = ""  # the recipient's id


TalkMessage = SayMessage | EmoteMessage | TellMessage


def mention_in(message: Message) -> str:
    """The reader's name, where it is a word of what is said; else ""."""
    return message.mention if isinstance(message, SayMessage | EmoteMessage) else ""


class EarlierTalk(Message, frozen=True):
    """What was said before the reader came.  Programs read it as a page."""

    title: str
    lines: tuple[tuple[int, TalkMessage], ...]  # with UTC times in ms, oldest first
    time_zone: str  # of the reader
    data: WireMessage | None = None  # the same, which programs of protocol 2 read in its place


class QuotedRow(msgspec.Struct, frozen=True, gc=False):
    """A row of a page that ends with words of a person.  Programs read its `text`."""

    head: str  # the server's words, with a tab behind a term
    speaker: str  # whose words follow, as the head names it
    words: str

    @property
    def text(self) -> str:
        return f"{self.head}: {self.words}"


PageRow = str | QuotedRow


def row_text(row: PageRow) -> str:
    return row if isinstance(row, str) else row.text


class Page(Message, frozen=True):
    """A title and rows to read: help, who, lists, results.

    In a row of two parts a tab separates a term from its explanation.
    """

    title: str
    rows: tuple[PageRow, ...]
    is_to_copy: bool = False  # off the screen, into a file: no pager comes between
    has_whole_rows: bool = False  # longer than a terminal's, which breaks them: a copy has none
    data: WireMessage | None = None  # the same, which programs of protocol 2 read in its place


class AnswerMessage(Message, frozen=True):
    """A game's answer to a question or a utility command, laid out for its reader."""

    lines: tuple[StyledLine, ...]


class MatchStatus(msgspec.Struct, frozen=True):
    """A match of several deals, as everybody knows it."""

    id: Annotated[str, Meta(description="table and game of its first deal: `7.3`")]
    deal: Annotated[int, Meta(ge=1, description="the one that is played, or was played last")]
    deals: Annotated[int, Meta(ge=2, description="how many there are")]
    points: Annotated[tuple[int, ...], Meta(description="by seat, of the deals that are over")]


class EventMessage(Message, frozen=True):
    """An event at a table, redacted for its reader."""

    table: int
    variant: str
    seat: int | None  # the reader's seat; None: a watcher
    names: SeatNames
    event: Any  # a redacted event of the variant
    mark: str = ""  # "time", "computer", "away": why nobody typed it
    is_own: bool = False  # it was decided for the reader's seat
    is_past: bool = False  # told again, because the reader asked for it
    game: str = ""  # id
    number: int = 0  # of the events of the game that its reader was told, from 1
    at_ms: int = 0  # UTC


class ViewMessage(Message, frozen=True):
    """The reader's own view of a table: what it shows, which seats are asked, and until when."""

    table: int
    variant: str
    seat: int | None
    names: SeatNames
    view: Any  # a view of the variant
    asked: tuple[int, ...] = ()  # seats that may answer now
    by_computer: tuple[int, ...] = ()  # those of them that a computer decides for; public
    asks: str = ""  # public: "to play"
    deadline_ms: int | None = None  # UTC; None: no clock runs
    window: str = ""  # the key of the open window
    window_ms: int | None = None  # how long it is from its opening to the deadline
    passes_itself: bool = False  # the reader's seat passes if nothing is typed; shown to it alone
    missing: int = 0  # answers to a window that takes one of each seat in secret; public
    hides_missing: bool = False  # the number is told no more: it is 1, whatever it is  [G-11]
    has_answered: bool = False  # the reader's seat in such a window; shown to it alone
    why: str = "changed"  # or "look", "back", "over"
    levels: tuple[str | None, ...] = ()  # of computer players, by seat; None: a person; public
    is_paused: bool = False  # by agreement: nobody is asked until it goes on
    match: MatchStatus | None = None  # None: the game is no deal of a match
    has_hints: bool = False  # whether the reader can ask for one
    game: str = ""  # id
    question: str | None = None  # id of what the reader's seat is asked; shown to it alone
    away: tuple[int, ...] = ()  # seats whose people are away; public
    number: int = 0  # of the last event that the reader was told
    behind: int = 0  # decisions that watchers are behind; public


class LessonPlace(NamedTuple):
    """Where somebody is in a lesson."""

    game: str = ""
    version: int = 0  # of the lesson
    step: int = 0  # from 0
    title: str = ""  # of that step
    inputs: int = 0  # of the step that are complete


class LessonStep(Message, frozen=True):
    """What a lesson asks for next, over the position of its game.  No program reads it."""

    variant: str
    title: str  # "Elimination, step 3 of 6: The Rule of 3"
    place: str  # "3 of 6"
    text: str
    names: SeatNames
    view: Any  # the learner's view of the variant
    is_new: bool = True  # the step begins, or the reader has asked to read it again
    is_first: bool = False  # of the lesson, as the reader takes it now
    is_look: bool = False  # the reader has asked for the board
    at: LessonPlace = LessonPlace()  # for the process that goes on from here


class ReplayStep(Message, frozen=True):
    """A place in a game that is over, as its reader has chosen to see it.

    Attributes:
        events: What was heard with it: past ones.
        hands: The own views by seat, where all cards are up.
        result: How the game ended, at its end.
    """

    title: str  # `Game 1042`
    number: int | None  # None: the game is not recorded
    position: int  # decisions that are made; 0: the deal
    of: int  # all of them
    eyes: str  # whose: a name, or what else is seen
    at_ms: int  # UTC, when the decision was made
    waited_ms: int | None  # since the one before; None: this is the deal
    time_zone: str  # of the reader
    view: ViewMessage
    events: tuple[EventMessage, ...]
    hands: tuple[Any, ...] = ()
    result: str = ""
    is_first: bool = False  # of this replay
    is_look: bool = False  # the reader has asked for the board


class ReplayOver(Message, frozen=True):
    """The reader looks at no replay any more, and why.  Programs read it as a notice."""

    text: str


class HintMessage(WireMessage, frozen=True, tag="hint"):
    """What the reader alone is advised to do, and why."""

    line: str  # as it is typed
    text: Sentence
    codes: tuple[str, ...]  # of the reasons; "": the game has no word for it


class LessonOver(Message, frozen=True):
    """The reader takes no lesson any more; with a text, why."""

    text: str = ""


class LocationMessage(WireMessage, frozen=True, tag="place"):
    """Where the reader is now.  A table without a seat: the reader watches it."""

    table: TableOrLobby
    variant: str | None = None
    seat: OwnSeat = None
    is_playing: Annotated[bool, Meta(description="a game runs there")] = False


class KnownPlace(Message, frozen=True):
    """Where the reader still is, in a session that goes on in this process: it is not shown again.

    Attributes:
        view: What the reader was shown last; None: it follows, with what was missed, or there is
            none.
        shown_count: How many events of the game the reader has been shown.
    """

    location: LocationMessage
    view: ViewMessage | None = None
    shown_count: int = 0
    is_away: bool = False


class GameOver(WireMessage, frozen=True, tag="over"):
    """A game has ended.  Equal results share a place."""

    table: TableNumber
    text: Sentence
    reason: str = ""
    names: SeatNames = ()
    places: Annotated[tuple[int, ...], Meta(description="by seat, 1 is the first")] = ()
    scores: Annotated[
        tuple[int | None, ...], Meta(description="by seat; null where the game keeps none")
    ] = ()


DROPPABLE_TYPES = frozenset({SayMessage, EmoteMessage, Announcement})
"""Messages that a slow reader loses first; they look the same at every table and in the lobby."""

SENTENCE_TYPES = frozenset({Notice, RefusalMessage})
"""A sentence for the reader, most often an answer; to be shown is all that happens to it."""
