"""Words with a little colour, before anybody knows which terminal they are for.

Rule 1: a variant says *what* a piece of text is (a role); only `mudserver.ui` knows how that
        looks on a terminal, and only it may write an escape sequence.
Rule 2: a role never carries meaning alone: without colour the words still say everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

Role = Literal["", "title", "strong", "dim", "you", "red_suit", "black_suit", "good", "warn", "bad",
               "key", "quote", "speaker", "panel", "talk", "news", "mention"]  # fmt: skip
"""title: a heading; strong: what matters now; dim: background; you: the own seat or name;
red_suit, black_suit: cards by suit; good, bad: gains and losses; warn: time runs short;
key: something to type; quote: text by a person; speaker: the person's name, for a screen reader;
panel: borders and titles of panes; talk: people's words; news: what has come meanwhile;
mention: the reader's name in text by a person."""


class Span(NamedTuple):
    text: str
    role: Role = ""


StyledLine = tuple[Span, ...]
"""One row of a screen or one sentence, without a line break."""


@dataclass(frozen=True, slots=True)
class Style:
    """How one reader wants words laid out."""

    width: int = 80  # cells
    suits: Literal["symbols", "letters"] = "letters"
    is_linear: bool = False  # one fact a line, no columns: for screen readers
    has_forms: bool = True  # the kinds of moves are listed below the own cards
    has_boxes: bool = False  # there are rows for cards as boxes: a pane of a full screen
    is_short: bool = False  # that pane has few rows: counts stand in the place of lists


def styled_line(*parts: str | Span | tuple[str, Role]) -> StyledLine:
    """A line from plain strings and (text, role) pairs; empty parts are dropped."""
    return tuple(
        [
            p if type(p) is Span else Span(p) if isinstance(p, str) else Span(*p)
            for p in parts
            if p and p[0]
        ]
    )


def plain_text(text: StyledLine) -> str:
    """The words of a line without its roles."""
    return "".join([span.text for span in text])


def shortened(text: str, chars_max: int) -> str:
    """A text that is said back, its beginning if it is long."""
    return text if len(text) <= chars_max else text[: chars_max - 3] + "..."


def join_words(words: Sequence[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def duration(seconds: float) -> str:
    """`25 s`, `3 min`, `2 h`, `3 days`: never more seconds than 90, or hours than 48."""
    whole = round(seconds)
    if whole <= 90:
        return f"{whole} s"
    if whole < 5_400:
        return f"{round(whole / 60)} min"
    return f"{round(whole / 3600)} h" if whole <= 172_800 else f"{round(whole / 86_400)} days"


def clock_left(seconds: int) -> str:
    """What a clock has left in a few columns: `0:41`, `12:05`; from 90 minutes on as `duration`."""
    return f"{seconds // 60}:{seconds % 60:02}" if seconds < 5_400 else duration(seconds)


def game_length(ms: int) -> str:
    """`9 minutes`, as every page says how long a game was; never none."""
    return quantity(max(1, round(ms / 60_000)), "minute")


_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def number_in_words(number: int) -> str:
    """`two`, `12`."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def quantity(number: int, noun: str, plural: str = "") -> str:
    """`1 card`, `2 cards`; *plural* where an s is not enough."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
