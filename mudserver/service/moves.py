"""What `moves` lists, and a view for a program: every play, or of many plays a useful sample.

Rule 1: a row that begins with `- ` says exactly what to type; no other row begins so.
Rule 2: a sample has every kind of play (plays of a kind begin alike), and says how to list more.
        It follows from the plays alone: who asks twice reads the same twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import NamedTuple

from mudserver.errors import UserError
from mudserver.messages import ViewMessage
from mudserver.tables.notifications import missing_answers
from variants.catalogue import AnyVariant
from variants.contract import lists_all_actions
from variants.kit.text import join_words

ROWS_MAX = 40  # plays on one page
PREFIXES_MAX = 12  # offered where no play begins as typed

WordPrefix = tuple[str, ...]


class ListedMoves(NamedTuple):
    moves: tuple[str, ...]  # each exactly as it is typed
    is_complete: bool  # no other move can be typed


def listed_moves(
    message: ViewMessage,
    variant: AnyVariant,
    known_moves: Callable[[ViewMessage], Sequence[str] | None] = lambda message: None,
) -> ListedMoves:
    """What the reader of *message* may type as long as the view is as the message shows it.

    The answer follows from the message alone.

    Args:
        known_moves: All moves, if the table still has them for this view; None: work them out.
    """
    if message.seat is None or message.seat not in message.asked or message.has_answered:
        return ListedMoves((), True)
    moves = known_moves(message)
    if moves is None:
        view, names, phrase = message.view, message.names, variant.phrase
        moves = [phrase(action, view, names) for action in variant.legal_actions(view)]
    chosen = sample_of_kinds(moves, ROWS_MAX)
    is_complete = lists_all_actions(variant, message.view) and len(chosen) == len(set(moves))
    return ListedMoves(tuple(chosen), is_complete)


def moves_rows(moves: Sequence[str], prefix: str = "", *, is_all: bool = True) -> list[str]:
    """The rows of a page.

    Args:
        plays: As they are typed, in the order of the rule book; at least one.
        begun: Beginnings of their first words: only these plays, `trade bo`.  If no play begins
            so: of words that follow in this order, `trade bo` for `trade k with bob`
        is_all: There are no other plays than these.

    Raises:
        HouseError: None of them does either; it says how they begin.
    """
    words = prefix.casefold().split()
    begin_so = [play for play in moves if _begins(play, words)]
    chosen = begin_so or [play for play in moves if _has(play, words)]
    if not chosen:
        known = list(dict.fromkeys(play.split(" ")[0] for play in moves))
        more = " and others" if len(known) > PREFIXES_MAX else ""
        kinds = join_words(known[:PREFIXES_MAX], "or") + more
        if is_all:
            nothing = f'Nothing that you can play now begins with "{prefix}", but with {kinds}.'
        else:
            nothing = (
                f'No play that can be listed begins with "{prefix}", but with {kinds}. There are '
                "more plays than can be listed: rules says how they are typed."
            )
        raise UserError(nothing)
    shown = sample_of_kinds(chosen, ROWS_MAX)
    rows = [f"- {play}" for play in shown]
    if len(shown) < len(chosen):
        so = (" that begin so" if begin_so else " with these words") if words else ""
        rows.append(f"These are {len(shown)} of {len(chosen)} plays{so}, some of every kind.")
        if begin_so:
            rows.append(f"To list all that begin alike: {_example(chosen, len(words))}")
    if not is_all:
        rows.append("There are more plays than can be listed: rules says what else there is.")
    return rows


def waiting_row(message: ViewMessage) -> str:
    """Whom the table waits for, in a row for somebody who can play nothing."""
    names = join_words([message.names[seat] for seat in message.asked])
    waits = "You have answered" if message.has_answered else f"The table waits for {names}"
    return waits + (f"; {missing_answers(message.missing)}." if message.missing else ".")


def questions_row(variant: AnyVariant) -> tuple[str, ...]:
    """A row about what can be asked besides, if there is anything."""
    return (f"At any time you can ask: {', '.join(variant.questions)}",) * bool(variant.questions)


def sample_of_kinds(moves: Sequence[str], count: int) -> list[str]:
    """At most *count* of *plays*, in their order, as many kinds as there is room for."""
    moves = list(dict.fromkeys(moves))
    if len(moves) <= count:
        return moves
    kinds = _kinds(moves, 1)
    depth = 2
    while len(finer := _kinds(moves, depth)) <= count:
        kinds, depth = finer, depth + 1  # ends: more plays than *count* differ at last
    if len(kinds) > count:
        kinds = [kinds[n * len(kinds) // count] for n in range(count)]
    in_turn = [n for one_of_each in zip_longest(*kinds) for n in one_of_each if n is not None]
    return [moves[n] for n in sorted(in_turn[:count])]


def _kinds(plays: Sequence[str], depth: int) -> list[list[int]]:
    """Positions of plays whose first *depth* words are the same, kind by kind."""
    kinds: dict[WordPrefix, list[int]] = {}
    for n, play in enumerate(plays):
        kinds.setdefault(tuple(play.split(" ")[:depth]), []).append(n)
    return list(kinds.values())


def _begins(play: str, words: Sequence[str]) -> bool:
    own = play.casefold().split()
    return len(words) <= len(own) and all(map(str.startswith, own, words))


def _has(play: str, words: Sequence[str]) -> bool:
    """Whether these beginnings of words follow in this order, the first one first."""
    own = iter(play.casefold().split())
    return _begins(play, words[:1]) and all(
        any(one.startswith(word) for one in own) for word in words
    )


def _example(plays: Sequence[str], depth: int) -> str:
    """Two beginnings that go on where *depth* words were given: of the most plays, then of fewer.

    `moves trade or moves trade bob`
    """
    beginning: WordPrefix = ()
    lines = []
    for length in (depth + 1, depth + 2):
        begun = [tuple(play.split(" ")[:length]) for play in plays]
        inside = Counter(one for one in begun if one[: len(beginning)] == beginning)
        beginning = inside.most_common(1)[0][0]
        lines.append(f"moves {' '.join(beginning)}")
    return join_words(lines, "or")
