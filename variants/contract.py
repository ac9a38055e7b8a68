"""The contract every variant signs.

A variant is a rule book.  It turns a seat's action into events, folds events into a state, and
shows each seat the part of that state which the seat may see.  It is a record of pure functions
over plain frozen values, not a class to inherit from.

Rule 1: nothing in `variants` touches a socket, a clock, a file or the event loop.
Rule 2: chance is an argument.  `deal`, `decide` and `default` may ask *chance*; `evolve` never
        does, so a journal folds to the same state for ever.  [G-02]
Rule 3: what a seat may do follows from its own view, and who is asked follows from the public
        view.  If either needed a hidden card, the refusal or the question would leak it.  [G-12]
Rule 4: `observe` and `redact` are the only way out.  Words, grammar and computer players get a
        view or a redacted event, never a state.
Rule 5: views, events and actions are frozen dataclasses of plain data (str, int, bool, None,
        tuples of those, and such dataclasses), so that each can be written as JSON and read back:
        where a field may hold a dataclass, it is of one type.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, Generic, NamedTuple, NewType, Protocol, TypeVar

from variants.kit.reasons import Reason
from variants.kit.text import Style, StyledLine
from variants.kit.tips import Tip

Seat = NewType("Seat", int)
"""Position at a table, counted clockwise from 0.  Never a person.  [G-01]"""

SeatNames = Sequence[str]
"""What each seat is called, in seat order.  Decoration only: no rule reads it."""

S = TypeVar("S")  # state: everything, hidden cards included
A = TypeVar("A")  # action: what a seat asks for (imperative)
E = TypeVar("E")  # event: what happened (past tense)
V = TypeVar("V")  # view: what one seat, or a watcher (None), may see
T = TypeVar("T")


def no_scores(view: object) -> tuple[int | None, ...]:
    return ()


def no_seats(view: object) -> tuple[Seat, ...]:
    """`Variant.eliminated_seats` of a game that nobody leaves before its end."""
    return ()


def any_seats(seats: int, options: Mapping[str, str]) -> None:
    """`Variant.check_seats` of a game whose options fit every number of seats."""


def no_reasons(view: object, seen: Sequence[object], action: object) -> tuple[Reason, ...]:
    """`Variant.explain` of a game that cannot say why."""
    return ()


def no_reasons_at_end(view: object, seen: Sequence[object]) -> tuple[Reason, ...]:
    """`Variant.explain_end` of such a game."""
    return ()


def no_summary(view: object, heard: Sequence[object]) -> EndSummary:
    """`Variant.summarize_end` of a game of which there is nothing to say."""
    return EndSummary()


def nothing_held(view: object, style: Style) -> StyledLine:
    """`Variant.held_at_end` of a game in which that tells nothing."""
    return ()


def stands_alone(event: object) -> None:
    """`Variant.fold_key` of a game whose events are told one by one."""


def no_turn(event: object) -> None:
    """`Variant.turn_begun` of a game without turns."""


def never_folded(
    events: Sequence[object], reader: Seat | None, names: SeatNames, style: Style
) -> None:
    """`Variant.describe_folded` of such a game."""


def no_lines(view: object, names: SeatNames, style: Style) -> tuple[StyledLine, ...]:
    """`Variant.brief` of a game whose turns bring a new board with every play."""
    return ()


def unchanged(told: Any) -> Any:
    """`Variant.hide_missing` of a game that never tells how many answers are missing."""
    return told


def do_nothing() -> None:
    """`Variant.prepare` of a game that is ready as it is."""


class Chance(Protocol):
    """Where shuffles and picks come from; see `variants.kit.chance`.  Every draw is recorded."""

    def below(self, n: int, /) -> int:
        """A uniform number in 0..n-1."""

    def shuffled(self, items: Sequence[T], /) -> tuple[T, ...]:
        """All of *items* in uniformly random order."""


class Refusal(Exception):
    """A play that is turned away.  Changes nothing; said to the sender only.  [G-03]

    Args:
        template: A sentence with `{}` or `{0}` fields: what is wrong, then what would be right.
        about: What fills the fields.  An int is a seat and is shown as its name; a str is shown
            as it stands (pass counts as str).
    """

    suggestion = ""  # the line that the sentence offers, which the reader may confirm; "": none
    is_question = False  # whether the line asks something
    is_guess = False  # whether it offers a move of which some words speak, and others don't
    has_move = False  # whether these words are a sentence of the line
    is_talk = False  # whether the line has no word of the game, and may be meant for people

    def __init__(self, template: str, *about: int | str) -> None:
        super().__init__(template, *about)
        self.template, self.values = template, about

    def format(self, names: SeatNames) -> str:
        return self.template.format(*(names[a] if isinstance(a, int) else a for a in self.values))


class InvalidData(Exception):
    """A data file that makes no game: which entry, what is wrong with it, what would be right."""


class ParseError(Refusal):
    """The line is no play of this game (grammar)."""


class AmbiguousInput(Refusal):
    """The line could be several plays; the sentence offers them."""


class IllegalAction(Refusal):
    """The rules forbid this action now."""


def no_questions(
    line: str, view: object, seen_events: Sequence[object], names: SeatNames, style: Style
) -> Sequence[StyledLine]:
    """`Variant.answer` of a game without questions."""
    raise ParseError("This game answers no questions.")


@dataclass(frozen=True)
class Option:
    """A table option of one variant, fixed when the game starts.  [G-15]

    Its values are texts, numbers too: as they are typed, listed and journaled.
    """

    name: str
    default: str
    choices: tuple[str, ...]  # empty where it takes numbers
    help: str  # one line
    number_range: range | None = None  # ascending
    old_name: str = ""  # under which older tables and records have it

    def accepts(self, value: object) -> bool:
        """Whether this is one of its values, spelled as it is kept: `200`, not `0200`."""
        if self.number_range is None:
            return value in self.choices
        number = _number(value)
        return number in self.number_range and value == str(number)

    def parse(self, typed: str) -> str | None:
        """What is kept of a typed value; None: it is none of this option's."""
        number = None if self.number_range is None else _number(typed)
        kept = typed.lower() if number is None else str(number)
        return kept if self.accepts(kept) else None

    @property
    def usage(self) -> str:
        """`off|on`, `50-500`: its values in a list."""
        if self.number_range is None:
            return "|".join(self.choices)
        return f"{self.number_range[0]}-{self.number_range[-1]}"

    @property
    def description(self) -> str:
        """`one of off, on`, `a number from 50 to 500, in steps of 5`: in a sentence."""
        if self.number_range is None:
            return f"one of {', '.join(self.choices)}"
        low, high, step = self.number_range[0], self.number_range[-1], self.number_range.step
        return f"a number from {low} to {high}" + (f", in steps of {step}" if step > 1 else "")

    @property
    def samples(self) -> tuple[str, ...]:
        """All choices, or of numbers the smallest, the default and the greatest."""
        if self.number_range is None:
            return self.choices
        return tuple(
            dict.fromkeys([str(self.number_range[0]), self.default, str(self.number_range[-1])])
        )


def renamed(options: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Values by name, those that stand under an old name under the one of today."""
    now = {option.old_name: option.name for option in options if option.old_name}
    return {now.get(name, name): value for name, value in given.items()}


@dataclass(frozen=True)
class Preset:
    """A name for values of options, for opening a table.  An option's name is never a preset's."""

    name: str  # one lower-case word
    help: str  # one line
    minutes: int  # about how long a game takes; 0: that is not said
    values: Mapping[str, str] = field(default_factory=dict)
    """By option of the game, clock, "seats", "deals" or "move": what is not as usual."""


def _number(value: object) -> int | None:
    """A number that was typed in plain digits."""
    # isascii: int() also reads digits of other scripts, nobody means those
    is_one = isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 9
    return int(value) if isinstance(value, str) and is_one else None


@dataclass(frozen=True)
class Window:
    """One decision that the table waits for: who may answer, and on which clock.

    A new *key* is a new window, and a new window is a full window [TIME-5]; the same key again is
    the same window, its deadline unchanged.  It may take several answers; when its clock runs out
    the default is given until the window closes or its seats have nothing left to decide.
    """

    key: str  # unique within a game, built from public facts: "turn 12", "turn 12 next"
    seats: tuple[Seat, ...]  # who may answer, ascending
    clock_name: str  # a key of Variant.default_clocks_s
    asks: str  # public, for the status line: "to play", "to choose the next player"
    is_sealed: bool = False  # [G-11] answers are secret until all are in: until then all are asked
    counts_timeouts: bool = True  # running out of time counts towards being away [G-09]; False: no
    # answer is an ordinary pass, which a seat may have given for it (`autopass`)  [G-12]
    accepts_empty_line: bool = False  # an empty line is a play too: the grammar knows which
    paused_window_key: str = ""  # key of a window whose clock stands still until it is open again
    turn: str = ""  # the game's own turn, of all its windows; "": one of its own  [G-09]


@dataclass(frozen=True)
class Outcome:
    """How a game ended.  Equal results share a place.  [G-16]"""

    places: tuple[int, ...]  # by seat, 1 = first
    scores: tuple[int | None, ...]  # by seat; None where the game keeps none
    reason: str  # a clause for "Game over: ...": "three are out", "60 turns without progress"


Redeal = Callable[[int, Mapping[str, str], Chance, Sequence[E]], Sequence[E] | None]
"""(seats, options, chance, recorded events) -> events."""

Bot = Callable[[V, Sequence[E], Chance], A]
"""A computer player: the own view and what the own seat has heard, nothing else.  [G-14]"""


class EndSummary(NamedTuple):
    """What everybody reads of a game that is over, beside its result."""

    length: str = ""  # `34 turns`, `3 rounds`
    notes: tuple[str, ...] = ()  # by seat: `out in turn 12`, or ""


@dataclass(frozen=True, slots=True)
class UtilityCommand:
    """What a game does for anybody on the server, at its table or not.  It plays nothing."""

    usage: str  # "manifest new [N] [seed=NUMBER]": begins with the words that name it
    help: str  # one line
    make_pages: Callable[[str, Style, Chance], Iterator[Sequence[StyledLine]]]
    """(what was typed behind those words, style, chance) -> pages, each made as it is taken, in a
    few milliseconds; ParseError"""

    @property
    def name_words(self) -> tuple[str, ...]:
        """Those that name it, in small letters."""
        named = takewhile(lambda word: word.isalpha() and word.islower(), self.usage.split())
        return tuple(named)


@dataclass(frozen=True, kw_only=True)
class Variant(Generic[S, A, E, V]):
    """One game's rules: a record of pure functions over plain values."""

    name: str  # one lower-case word, typed by people: "elimination"
    title: str  # "Lockdown, the elimination game"
    summary: str  # one line for lists
    guide: tuple[str, ...]  # `rules NAME`: paragraphs, or "term\tsentence"; our own words
    seats: range  # how many may play
    options: tuple[Option, ...]
    presets: tuple[Preset, ...] = ()  # the first is "standard", which every game has
    practice: Mapping[str, str] = field(default_factory=dict)
    """Options of a game with computer players alone: how many seats, and what makes it short."""
    default_clocks_s: Mapping[str, int]  # default seconds by window clock  [G-08]
    reaction_clocks: frozenset[str] = frozenset()
    """Those of windows that only ask for a reaction: shorter where a move may take days."""
    action_types: tuple[type[Any], ...]
    event_types: tuple[type[Any], ...]
    view_type: type[Any]
    state_type: type[Any]
    data_fingerprint: str = ""  # fingerprint of the data files it was built from; "": it has none
    earlier_data: tuple[str, ...] = ()
    """Fingerprints of the same files in earlier editions, whose games `redeal` deals."""
    notes: tuple[str, ...] = ()  # what a host should know of those files, a sentence each
    prepare: Callable[[], None] = do_nothing
    """Does what takes long and is kept; a server calls it once, before it lets anybody in."""

    # -- the rules -----------------------------------------------------------------------------
    check_options: Callable[[Mapping[str, str]], None]
    """Refuse a combination of well-formed option values that makes no game (Refusal)."""
    check_seats: Callable[[int, Mapping[str, str]], None] = any_seats
    """Refuse, when a game starts, a number of seats for which these options make none (Refusal)."""
    deal: Callable[[int, Mapping[str, str], Chance], Sequence[E]]
    """(seats, options, chance) -> the events that set the game up, first to last."""
    redeal: Redeal[E] | None = None
    """`deal` of a record with `earlier_data`: what that edition made by itself is taken from the
    recorded events.  None: with these options all editions deal alike."""
    open_window: Callable[[V], Window | None]
    """The window that is open, from the *public* view (a watcher's).  None: the game is over."""
    check: Callable[[V, A], None]
    """Raise IllegalAction with the reason, from the own view only, if the action is forbidden."""
    legal_actions: Callable[[V], Sequence[A]]
    """What this seat may do now, in canonical order; where there are too many, useful samples
    (then `lists_all` is False).  Empty when the seat is not asked."""
    lists_all: bool
    lists_all_in: Callable[[V], bool] | None = None
    """Where not `lists_all`: whether in this view nothing is left out all the same."""
    decide: Callable[[S, Seat, A, Chance], Sequence[E]]
    """Events of one action and all that follows from it; raises IllegalAction.  Changes nothing."""
    evolve: Callable[[S | None, E], S]
    """Fold one event.  Total: no chance, no refusal.  None is the state before the first event."""
    observe: Callable[[S, Seat | None], V]
    """What one seat, or a watcher (None), may see, built up from nothing.  [G-20]"""
    redact: Callable[[E, Seat | None], E | None]
    """The event as that seat may know it (secret fields None or counts); None: not at all."""
    default_action: Callable[[V, Chance], A]
    """The time-out default of the open window, for a seat that is asked: always legal.  [G-09]"""
    outcome: Callable[[S], Outcome | None]
    """None while the game goes on."""
    eliminated_seats: Callable[[V], Sequence[Seat]] = no_seats
    """Seats that are out, from the public view: never asked again, they only watch.  [G-05]"""
    may_draw: bool = True
    """Whether people may agree to share the game.  Not where scores are open to the end."""
    may_act: Callable[[V], bool] | None = None
    """In a sealed window: whether this seat, which it asks, has still to answer.  None: whether
    it has legal actions; a game that has many of them says it without a list."""
    hide_missing: Callable[[Any], Any] = unchanged
    """A view or a redacted event, without the number of answers that a sealed window lacks: once
    another decides for a seat that it asks, the number would tell whether that seat had.  [G-11]"""
    constants: tuple[str, ...] = ()
    """Fields of the view that never change in a game and are the same for every reader, watchers
    too: programs are told them once, when the game begins."""
    verbs: tuple[str, ...] = ()
    """First words of this game's plays: at a table these are plays even where the server has a
    verb of that name.  A beginning of one is a play unless the server has that very word."""
    falls_in_place: bool = False
    """Whether the place of a seat is known as soon as it is out: the last one that is free, in the
    order of `eliminated_seats`."""
    match_points: Callable[[Outcome], tuple[int, ...]] | None = None
    """By seat, what one deal counts in a match of several; None: the game has no matches."""
    scores_now: Callable[[V], Sequence[int | None]] = no_scores
    """By seat, from the public view: the scores of a game that is drawn now; empty: it has none."""
    no_match: str = ""  # a sentence, where it has none: why, and what there is instead
    decisions_max: Callable[[int], int]
    """(seats) -> no game has more decisions than this."""
    components: Callable[[Mapping[str, str]], Sequence[str]]
    """Ids of all cards in the box under these options, sorted.  [G-19]"""
    zones: Callable[[S], Mapping[str, Sequence[str]]]
    """Every card by zone; each component lies in exactly one.  For tests.  [G-19]"""
    arrange: Callable[[int, Mapping[str, str], Mapping[str, Any], Chance], Sequence[E]]
    """(seats, options, position, chance) -> events that set up a position: the zones that
    *position* names, the rest shuffled.  For scenarios and tutorials.  ValueError: impossible."""
    sample_states: Callable[[V, Sequence[E], Chance], Iterator[S]]
    """(view, seen, chance) -> endless states that fit the view and what was heard."""

    # -- words for people ----------------------------------------------------------------------
    parse: Callable[[str, V, SeatNames], A]
    """A typed line (already cleaned) -> an action; ParseError or Ambiguous."""
    phrase: Callable[[A, V, SeatNames], str]
    """Exactly what to type for an action: parse(phrase(a, v, n), v, n) == a."""
    describe_event: Callable[[E, Seat | None, SeatNames, Style], StyledLine | None]
    """A *redacted* event as one sentence for that seat or a watcher; None: not worth a word."""
    turn_begun: Callable[[E], tuple[int, Seat] | None] = no_turn
    """Number and seat of the turn that begins with this event; None: none does."""
    fold_key: Callable[[E], Hashable] = stands_alone
    """Events of one turn that follow each other with an equal key read as one sentence.  Made of
    public facts alone; None: the event is told by itself."""
    describe_folded: Callable[[Sequence[E], Seat | None, SeatNames, Style], StyledLine | None] = (
        never_folded
    )
    """The sentence for several *redacted* events with one key: it says what all of them say."""
    render: Callable[[V, SeatNames, Style], Sequence[StyledLine]]
    """The whole view as lines no wider than style.width cells.  Complete at 40 and linear."""
    brief: Callable[[V, SeatNames, Style], Sequence[StyledLine]] = no_lines
    """What a seat wants to see again that has just played and goes on in the same window: the own
    hand, say.  Lines as of `render`."""
    questions: Mapping[str, str] = field(default_factory=dict)
    """Verbs of questions that are no plays, each with a line of help: a seat or a watcher may ask
    them at any time, in turn or not, and after the game's end.  None of them is in `verbs`."""
    answer: Callable[[str, V, Sequence[E], SeatNames, Style], Sequence[StyledLine]] = no_questions
    """(line, view, seen, names, style) -> what answers a question, for who asked it alone, from
    the own view and what was heard.  Changes nothing; ParseError if the line is none."""
    printed: Callable[[str, Style], Sequence[StyledLine]] | None = None
    """(`cards`, or `card NAME`, style) -> what the box has of them, without a game; ParseError.
    Such a game has these two among `questions`."""
    question_phrases: Mapping[str, str] = field(default_factory=dict)
    """By whole line, in small letters, the question that people mean by it: "my cards": "hand"."""
    utility_commands: tuple[UtilityCommand, ...] = ()
    lesson: str = ""  # the text of its lesson, as `variants.lesson_file` reads it; "": it has none
    tips: tuple[Tip, ...] = ()
    """Advice for players in the order of `tips`, from the game's `tips.toml`."""

    explain: Callable[[V, Sequence[E], A], tuple[Reason, ...]] = no_reasons
    """(view, seen, action) -> why an action is good, the weightiest reason first, from the own view
    and what was heard; empty where there is none to name."""

    explain_end: Callable[[V, Sequence[E]], tuple[Reason, ...]] = no_reasons_at_end
    """(view, seen) of a seat whose game is over -> what decided it for that seat."""

    summarize_end: Callable[[V, Sequence[E]], EndSummary] = no_summary
    """(a watcher's view, what watchers heard) of a game that is over -> what everybody reads."""

    held_at_end: Callable[[V, Style], StyledLine] = nothing_held
    """(own view, style) of a seat whose game is over -> what it held, which everybody may know
    then.  [G-06]"""

    held_now: Callable[[V, Style], StyledLine] = nothing_held
    """(own view, style) of a seat -> what it holds, at any time: for a replay with all cards up."""

    bots: Mapping[str, Bot[V, E, A]] = field(default_factory=dict)
    """Computer players by the name of their level, the weakest first."""
    anchors: Mapping[str, float] = field(default_factory=dict)
    """The skill of each level in ratings (mu), as measured: see docs/ratings.md.  A level without
    one makes a game unrated."""
    stand_in: str = ""
    """The level that plays for a person who is away or has left: a key of `bots`."""
    better_action: Callable[[V, Sequence[E], A], tuple[A, float] | None] | None = None
    """(view, seen, action) -> what a strong player clearly prefers to *action*, and by how much, in
    units of the game's own; None: nothing.  The attribute is None where no player can say."""
    searching: frozenset[str] = frozenset()
    """Levels whose decisions take more than 20 ms.  How long depends on what is hidden, so their
    answers are shown at fixed moments only.  [G-12]"""


def lists_all_actions(variant: Variant[Any, Any, Any, V], view: V) -> bool:
    """Whether the seat may do nothing now but its legal actions."""
    if variant.lists_all or variant.lists_all_in is None:
        return variant.lists_all
    return variant.lists_all_in(view)


def may_act(variant: Variant[Any, Any, Any, V], window: Window, view: V) -> bool:
    """Whether a seat that the open *window* asks has something left to decide, from its own view.

    Who is asked follows from the public view, so there is nothing to look up but in a sealed one.
    """
    if not window.is_sealed:
        return True
    return bool(variant.legal_actions(view)) if variant.may_act is None else variant.may_act(view)
