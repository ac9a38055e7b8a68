"""What people type in elimination: its plays, and what is said where a line fits none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields

from variants.contract import Seat, SeatNames
from variants.elimination.actions import Action, Clear, Draw, Force, Give, Next, Shuffle, Take
from variants.elimination.data import cards
from variants.elimination.data.cards import (
    ALL_CARDS,
    JOKER,
    PACKS,
    RANK_NAMES,
    RANK_OF,
    card_list,
    cards_of_rank,
)
from variants.elimination.legal_actions import clear_kinds, legal_actions
from variants.elimination.view import View, others_clockwise
from variants.kit.matcher.grammar import Grammar
from variants.kit.matcher.line import player, split
from variants.kit.matcher.plays import Meaning, Play, Slot, Table, Words

_RANKS = {word: rank for rank, name in RANK_NAMES.items() for word in (rank.lower(), name)}
_RANKS |= {"t": "10", "jk": JOKER}
_SUITS = {
    word: suit
    for suit, name in cards.SUIT_NAMES.items()
    for word in (suit.lower(), name, name[:-1], cards.SUIT_SYMBOLS[suit])
}
FILLERS = frozenset(("a", "an", "the", "to", "of", "with", "my", "card", "cards"))

Here = Table[View]


# -- what stands in the slots ----------------------------------------------------------------------


def _card(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """`7h`, `h7`, `7h♥`, `7 of hearts`, `seven`, `joker`, `*1`.  A rank alone is one of the held
    cards of that rank which differ to the rules; if there is none, any for `check` to refuse."""
    word, after = words[at], list(words[at + 1 : at + 3])
    rank, length = _RANKS.get(word), 3 if after[:1] == ["of"] else 2
    if rank and (suit := _SUITS.get("".join(after[length - 2 : length - 1]))):
        yield Meaning(length, rank + suit)
    if rank and not (word == "a" and after[:1] in (["card"], ["cards"])):
        marks, held = dict(table.view.marks), reversed(cards_of_rank(table.view.hand, rank))
        different = {marks.get(card): card for card in held}.values()
        for card in different or [next(card for card in ALL_CARDS if RANK_OF[card] == rank)]:
            yield Meaning(1, card)
    if word[-1] in cards.SUIT_SYMBOLS.values() and _SUITS[word[-1]] == _SUITS.get(word[-2:-1]):
        word = word[:-1]  # as it is shown, with letter and symbol
    for short, suit in ((word[:-1], word[-1]), (word[1:], word[0])):
        if (card := _RANKS.get(short, "") + _SUITS.get(suit, suit)) in ALL_CARDS:
            yield Meaning(1, card)


def _typed(card: str, _: Action, table: Here) -> str:
    is_only = RANK_OF[card] == JOKER and len(cards_of_rank(table.view.hand, JOKER)) < 2
    return "joker" if is_only else card.lower()


def _clear(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """`single`, `joker`; `pair`, `aces`, `pair of aces`."""
    pack = PACKS[table.view.pack]
    kinds = {"joker": "single", "jk": "single", "single": "single", "pair": "pair"}
    for word, rank in _RANKS.items():
        if rank in (pack.single, pack.pair) and word != "a":
            kinds[word] = kinds[word + "s"] = "single" if rank == pack.single else "pair"
    if kind := kinds.get(words[at]):
        yield Meaning(1, kind)
    for length in (2, 3) if words[at] == "pair" and len(words) >= at + 2 else ():
        if kinds.get(words[min(at + length, len(words)) - 1]) == "pair":
            yield Meaning(min(length, len(words) - at), "pair")


def _others(table: Here) -> list[Seat]:
    return others_clockwise(table.view.seats, table.me)


def _player(kind: type[Action], *, is_next: bool = False) -> Slot[Here]:
    """A player by name, or by the number of the seat alone.  Nobody named is whomever the rules
    allow; if they allow nobody, somebody for `check` to refuse."""

    name = fields(kind)[-1].name

    def fill(table: Here) -> Sequence[Seat]:
        legal = [action for action in legal_actions(table.view) if isinstance(action, kind)]
        seats = [getattr(action, name) for action in legal]
        return list(dict.fromkeys(seats)) or [*_others(table), table.me][:1]

    def others(table: Here) -> Sequence[Seat]:
        return (is_next and table.view.candidates) or _others(table)

    return player(others, fill, () if is_next else FILLERS, by_number=True)


def _single(table: Here) -> str:
    """The name of the card of which one Clears."""
    return RANK_NAMES[PACKS[table.view.pack].single]


def _clears(table: Here) -> list[str]:
    return [_single(table), "pair"][: 1 + bool(PACKS[table.view.pack].pair)]


CARD: Slot[Here] = Slot(
    "CARD", _card, _typed, choices=lambda table: f"Your hand: {card_list(table.view.hand)}."
)
CLEAR: Slot[Here] = Slot(
    "pair",
    _clear,
    lambda kind, _, table: kind if kind == "pair" else _single(table),
    lambda table: clear_kinds(table.view) or ["single"],
    choices=lambda table: f"You can clear with {' or '.join(_clears(table))}.",
)

PLAYS: tuple[Play[Here, Action], ...] = (
    Play("draw", Draw, fillers="from deck", by_letter=True),
    Play("give {card} {to}", Give, {"card": CARD, "to": _player(Give)}),
    Play("take {victim}", Take, {"victim": _player(Take)}, fillers="from"),
    Play("force {to}", Force, {"to": _player(Force)}, fillers="draw"),
    Play("shuffle", Shuffle, fillers="hand hands"),
    Play("clear {with_}", Clear, {"with_": CLEAR}, form="clear"),
    Play("next {seat}", Next, {"seat": _player(Next, is_next=True)}),
)
PLAY_VERBS = tuple([play.verb for play in PLAYS])
GRAMMAR: Grammar[Here, Action] = Grammar(
    PLAYS,
    question=lambda table: table.view.asks if table.view.seat == table.view.turn else "",
    legal_actions=lambda table: legal_actions(table.view),
    choose=lambda actions, table: actions,
    fillers=FILLERS,
    bare={"next": "next"},
)


def parse(line: str, view: View, names: SeatNames) -> Action:
    """What a line means for this seat.  ParseError or AmbiguousInput say what could be typed."""
    return GRAMMAR.parse(split(line, names), Table(view, names))


def phrase(action: Action, view: View, names: SeatNames) -> str:
    """Exactly what to type for *action*."""
    return GRAMMAR.phrase(action, Table(view, names))
