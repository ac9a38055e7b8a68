"""People in a sentence: "you" for the reader, a name for everybody else."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from functools import lru_cache

from variants.contract import ParseError, Seat, SeatNames
from variants.kit.text import Span, StyledLine, join_words, styled_line

QUOTED_CHARS_MAX = 20  # characters of a line that are said back


def subject(seat: Seat, reader: Seat | None, names: SeatNames) -> Span:
    """At the head of a sentence: "You" or the name."""
    return Span("You", "you") if seat == reader else Span(names[seat], "strong")


def object_name(seat: Seat, reader: Seat | None, names: SeatNames) -> Span:
    return Span("you", "you") if seat == reader else Span(names[seat], "strong")


def subject_and_verb(actor: Seat, verb: str, reader: Seat | None, names: SeatNames) -> StyledLine:
    """`You draw` or `Ann draws`."""
    return styled_line(subject(actor, reader, names), f" {conjugate(verb, actor, reader)}")


def conjugate(verb: str, actor: Seat, reader: Seat | None) -> str:
    """`draw`, `pass` as the reader does it, `draws`, `passes` as another."""
    if actor == reader:
        return verb
    return verb + ("es" if verb.endswith(("s", "o", "ch", "sh")) else "s")


def join_spans(parts: Sequence[StyledLine | Span], last: str = "and") -> StyledLine:
    """`a`, `a and b`, `a, b and c`."""
    found: list[Span] = []
    for place, part in enumerate(parts):
        if place:
            found.append(Span(f" {last} " if place == len(parts) - 1 else ", "))
        found += [part] if isinstance(part, Span) else part
    return tuple(found)


def possessive(seat: Seat, reader: Seat | None, names: SeatNames) -> Span:
    """`your` or `Ann's`."""
    return Span("your", "you") if seat == reader else Span(names[seat] + "'s", "strong")


def capitalize(sentence: StyledLine) -> StyledLine:
    """The sentence with a capital at its head; a name stays as its owner writes it."""
    head, *rest = sentence
    if head.role == "strong":  # `whose`, of another than the reader
        return sentence
    return (Span(head.text[:1].upper() + head.text[1:], head.role), *rest)


@lru_cache(maxsize=128)
def typeable_names(names: tuple[str, ...], normalize: Callable[[str], str]) -> tuple[str, ...]:
    """How each name is typed, made *normal*; the number of the seat where it holds another."""
    typed = [normalize(name) for name in names]
    alike = [[name for name in typed if f" {name} " in f" {own} "] for own in typed]
    return tuple(
        [
            name if name and alike[seat] == [name] else f"seat {seat + 1}"
            for seat, name in enumerate(typed)
        ]
    )


def split_possessives(words: Iterable[str], known: Container[str]) -> list[str]:
    """The words of a line; `bob's` is two, unless it is a *known* word of its own."""
    found = []
    for word in words:
        stem = word.rstrip("'").removesuffix("'s") if word not in known else word
        if stem == word:
            found.append(word)
        else:
            found += [stem, "'s"] if stem else []
    return found


def find_seats(words: Sequence[str], reader: Seat | None, names: SeatNames) -> list[Seat]:
    """Whom a question means: everybody by no word, the reader by `me`; else who is called so, or
    if nobody is, all whose name begins so.

    Raises:
        ParseError: Nobody is; it says whom there is.
    """
    if not words:
        return [Seat(seat) for seat in range(len(names))]
    said = " ".join(words).casefold()
    if reader is not None and said in ("me", "you"):
        return [reader]
    called = [name.casefold() for name in names]
    for found in (
        [Seat(seat) for seat, name in enumerate(called) if name == said],
        [Seat(seat) for seat, name in enumerate(called) if name.startswith(said)],
    ):
        if found:
            return found
    people = join_words(["{}"] * len(names), "or")
    raise ParseError(
        f'Nobody here is called "{{}}". You can name: {people}.',
        " ".join(words)[:QUOTED_CHARS_MAX], *map(Seat, range(len(names))),
    )  # fmt: skip
