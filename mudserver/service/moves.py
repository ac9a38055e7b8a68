"""The moves that `moves` and JSON views list: all of them, or a useful sample of many.

Rule 1: a row that begins with `- ` says exactly what to type; no other row begins so.
Rule 2: a sample has moves of every kind (moves of a kind begin alike) and says how to list more.
        It depends on the moves alone, so that asking twice gives the same answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import NamedTuple

from mudserver.errors import UserError
from mudserver.messages import ViewMessage
from mudserver.service import texts
from mudserver.tables.notifications import missing_answers
from variants.catalogue import AnyVariant
from variants.contract import lists_all_actions
from variants.kit.text import join_words

ROWS_MAX = 40  # moves on one page
PREFIXES_MAX = 12  # first words offered where no move begins as typed

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
        moves: As they are typed, in the order of the rule book; at least one.
        prefix: Prefixes of their first words, as `trade bo`: list only these moves.  If no move
            begins so: prefixes of words in this order, as `trade bo` for `trade k with bob`.
        is_all: There are no other moves than these.

    Raises:
        UserError: No move has these words; it says how the moves begin.
    """
    words = prefix.casefold().split()
    beginning = [move for move in moves if _begins(move, words)]
    chosen = beginning or [move for move in moves if _has(move, words)]
    if not chosen:
        known = list(dict.fromkeys(move.split(" ")[0] for move in moves))
        more = " and others" if len(known) > PREFIXES_MAX else ""
        kinds = join_words(known[:PREFIXES_MAX], "or") + more
        if is_all:
            text = texts.NO_MOVE_BEGINS_SO.format(prefix, kinds)
        else:
            text = texts.NO_LISTED_MOVE_BEGINS_SO.format(prefix, kinds)
        raise UserError(text, "not_found")
    sample = sample_of_kinds(chosen, ROWS_MAX)
    rows = [f"- {move}" for move in sample]
    if len(sample) < len(chosen):
        which = (" that begin so" if beginning else " with these words") if words else ""
        more = _example(chosen, len(words)) if beginning else "moves WORD"
        rows.append(texts.SOME_MOVES.format(len(sample), len(chosen), which, more))
    if not is_all:
        rows.append(texts.MORE_MOVES)
    return rows


def waiting_row(message: ViewMessage) -> str:
    """A row for a person who can make no move now: whom the table waits for."""
    if message.hides_missing and message.has_answered:
        return texts.CHOSEN
    if message.missing and not message.hides_missing:
        waits = f"{missing_answers(message.missing)}."
        return f"{texts.CHOSEN} {waits}" if message.has_answered else waits
    return texts.WAITING_FOR.format(join_words([message.names[seat] for seat in message.asked]))


def questions_row(variant: AnyVariant) -> tuple[str, ...]:
    """A row about the questions that the game answers, if it answers any."""
    return (texts.QUESTIONS.format(", ".join(variant.questions)),) * bool(variant.questions)


def sample_of_kinds(moves: Sequence[str], count: int) -> list[str]:
    """At most *count* of *moves*, in their order, of as many kinds as fit."""
    moves = list(dict.fromkeys(moves))
    if len(moves) <= count:
        return moves
    kinds = _kinds(moves, 1)
    depth = 2
    while len(finer := _kinds(moves, depth)) <= count:
        kinds, depth = finer, depth + 1  # ends: more than *count* moves differ in the end
    if len(kinds) > count:
        kinds = [kinds[n * len(kinds) // count] for n in range(count)]
    in_turn = [n for one_of_each in zip_longest(*kinds) for n in one_of_each if n is not None]
    return [moves[n] for n in sorted(in_turn[:count])]


def _kinds(moves: Sequence[str], depth: int) -> list[list[int]]:
    """Indices of the moves, grouped by their first *depth* words."""
    kinds: dict[WordPrefix, list[int]] = {}
    for n, move in enumerate(moves):
        kinds.setdefault(tuple(move.split(" ")[:depth]), []).append(n)
    return list(kinds.values())


def _begins(move: str, words: Sequence[str]) -> bool:
    own = move.casefold().split()
    return len(words) <= len(own) and all(map(str.startswith, own, words))


def _has(move: str, words: Sequence[str]) -> bool:
    """Whether the move begins with the first prefix and has words for the others, in order."""
    own = iter(move.casefold().split())
    return _begins(move, words[:1]) and all(
        any(one.startswith(word) for one in own) for word in words
    )


def _example(moves: Sequence[str], depth: int) -> str:
    """Two longer prefixes to type, after *depth* words: the most common one, then a longer one.

    `moves trade or moves trade bob`
    """
    prefix: WordPrefix = ()
    lines = []
    for length in (depth + 1, depth + 2):
        prefixes = [tuple(move.split(" ")[:length]) for move in moves]
        longer = Counter(each for each in prefixes if each[: len(prefix)] == prefix)
        prefix = longer.most_common(1)[0][0]
        lines.append(f"moves {' '.join(prefix)}")
    return join_words(lines, "or")
