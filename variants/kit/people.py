"""People in a sentence: "you" for the reader, a name for everybody else."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from functools import lru_cache

from variants.contract import Names, NotUnderstood, Seat
from variants.kit.text import Line, Span, line, series

QUOTED_MAX = 20  # characters of a line that are said back


def who(seat: Seat, reader: Seat | None, names: Names) -> Span:
    """At the head of a sentence: "You" or the name."""
    return Span("You", "you") if seat == reader else Span(names[seat], "strong")


def whom(seat: Seat, reader: Seat | None, names: Names) -> Span:
    return Span("you", "you") if seat == reader else Span(names[seat], "strong")


def does(actor: Seat, verb: str, reader: Seat | None, names: Names) -> Line:
    """`You draw` or `Ann draws`."""
    return line(who(actor, reader, names), f" {conjugated(verb, actor, reader)}")


def conjugated(verb: str, actor: Seat, reader: Seat | None) -> str:
    """`draw`, `pass` as the reader does it, `draws`, `passes` as another."""
    if actor == reader:
        return verb
    return verb + ("es" if verb.endswith(("s", "o", "ch", "sh")) else "s")


def joined(parts: Sequence[Line | Span], last: str = "and") -> Line:
    """`a`, `a and b`, `a, b and c`."""
    found: list[Span] = []
    for place, part in enumerate(parts):
        if place:
            found.append(Span(f" {last} " if place == len(parts) - 1 else ", "))
        found += [part] if isinstance(part, Span) else part
    return tuple(found)


def whose(seat: Seat, reader: Seat | None, names: Names) -> Span:
    """`your` or `Ann's`."""
    return Span("your", "you") if seat == reader else Span(names[seat] + "'s", "strong")


def began(sentence: Line) -> Line:
    """The sentence with a capital at its head; a name stays as its owner writes it."""
    head, *rest = sentence
    if head.role == "strong":  # `whose`, of another than the reader
        return sentence
    return (Span(head.text[:1].upper() + head.text[1:], head.role), *rest)


@lru_cache(maxsize=128)
def typed_names(names: tuple[str, ...], normal: Callable[[str], str]) -> tuple[str, ...]:
    """How each name is typed, made *normal*; the number of the seat where two are alike."""
    typed = [normal(name) for name in names]
    return tuple(
        [
            name if name and typed.count(name) == 1 else f"seat {seat}"
            for seat, name in enumerate(typed, 1)
        ]
    )


def apart(words: Iterable[str], known: Container[str]) -> list[str]:
    """The words of a line; `bob's` is two, unless it is a *known* word of its own."""
    found = []
    for word in words:
        stem = word.rstrip("'").removesuffix("'s") if word not in known else word
        if stem == word:
            found.append(word)
        else:
            found += [stem, "'s"] if stem else []
    return found


def asked_about(words: Sequence[str], reader: Seat | None, names: Names) -> list[Seat]:
    """Whom a question means: everybody by no word, the reader by `me`; else who is called so, or
    if nobody is, all whose name begins so.

    Raises:
        NotUnderstood: Nobody is; it says whom there is.
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
    people = series(["{}"] * len(names), "or")
    raise NotUnderstood(
        f'Nobody here is called "{{}}". You can name: {people}.',
        " ".join(words)[:QUOTED_MAX], *map(Seat, range(len(names))),
    )  # fmt: skip
