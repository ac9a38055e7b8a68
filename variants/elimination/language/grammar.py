"""What people type in elimination: its plays, and what is said where a line fits none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace

from variants.contract import AmbiguousInput, ParseError, Seat, SeatNames
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
from variants.kit.matcher.line import number_of, player, split
from variants.kit.matcher.plays import Meaning, Play, Reading, Slot, Table, Words
from variants.kit.text import join_words

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


def _player(kind: type[Action], fillers: frozenset[str] = FILLERS) -> Slot[Here]:
    """A player by name, or by the number of the seat alone.  Nobody named is whomever the rules
    allow; if they allow nobody, somebody for `check` to refuse."""

    def fill(table: Here) -> Sequence[Seat]:
        if kind is Give:
            return _others(table)
        legal = [action for action in legal_actions(table.view) if isinstance(action, kind)]
        allowed = [getattr(action, fields(kind)[0].name) for action in legal]
        return (
            allowed or [*others_clockwise(table.view.seats, table.view.turn), table.view.turn][:1]
        )

    slot = player(_others, fill, fillers)

    def read(words: Words, at: int, table: Here) -> Iterator[Meaning]:
        yield from slot.read(words, at, table)
        number = number_of(words[at])
        if number is not None and 1 <= number <= len(table.names):
            yield Meaning(1, Seat(number - 1))

    return replace(slot, read=read)


def _single(table: Here) -> str:
    """The name of the card of which one Clears."""
    return RANK_NAMES[PACKS[table.view.pack].single]


CARD: Slot[Here] = Slot("CARD", _card, _typed)
CLEAR: Slot[Here] = Slot(
    "pair",
    _clear,
    lambda kind, _, table: kind if kind == "pair" else _single(table),
    lambda table: clear_kinds(table.view) or ["single"],
)

PLAYS: tuple[Play[Here, Action], ...] = (
    Play("draw", Draw, fillers="from deck", by_letter=True),
    Play("give {card} {to}", Give, {"card": CARD, "to": _player(Give)}),
    Play("take {victim}", Take, {"victim": _player(Take)}, fillers="from"),
    Play("force {to}", Force, {"to": _player(Force)}, fillers="draw"),
    Play("shuffle", Shuffle, fillers="hand hands"),
    Play("clear {with_}", Clear, {"with_": CLEAR}, form="clear"),
    Play("next {seat}", Next, {"seat": _player(Next, frozenset())}),
)
PLAY_VERBS = tuple([play.verb for play in PLAYS])


# -- what is said where a line fits none, or several -----------------------------------------------


def _unclear(play: Play[Here, Action], words: Words, table: Here) -> Action:
    """What is wrong with the words after a verb that is right."""
    unknown, others = GRAMMAR.unknown(play, words, table), _others(table)
    if not play.slots:
        raise ParseError("{} stands alone. Type: {}.", play.verb.capitalize(), play.verb)
    if play.kind is Clear:
        other = " or clear pair" if PACKS[table.view.pack].pair else ""
        raise ParseError("Clear with what? Type: clear {}{}.", _single(table), other)
    has_card = any(list(_card(words, at, table)) for at in range(len(words)))
    if play.kind is Give and not (has_card and unknown):
        raise ParseError(
            "Say which card and who gets it, as in: give {} {}. Your hand: {}.",
            _typed((table.view.hand or ("7H",))[0], Draw(), table),
            table.names[others[0]].lower() if others else "bob",
            card_list(table.view.hand),
        )
    wrong = GRAMMAR.quoted(unknown or " ".join(words))
    right = _or(others, table)
    raise ParseError('Nobody here is called "{}". You can name: {}.', wrong, right)


def _ask(
    play: Play[Here, Action], some: Sequence[Action], reading: Reading, table: Here
) -> AmbiguousInput:
    """Which card, which kind of Clear, or which player."""
    cards = list(dict.fromkeys([action.card for action in some if isinstance(action, Give)]))
    if len(cards) > 1:
        held = " ".join(cards_of_rank(table.view.hand, RANK_OF[cards[0]]))
        return AmbiguousInput("You hold {}. Say which one.", held)
    if play.kind is Clear:
        return AmbiguousInput("Clear with what? Type: clear {} or clear pair.", _single(table))
    slot = list(play.slots)[-1]
    seats = [getattr(action, slot) for action in some]
    if reading.get(slot) is not None:
        choices = join_words(["{}"] * len(seats), "or")
        return AmbiguousInput(f"That could be {choices}. Type a little more of the name.", *seats)
    question = "Give it to whom? You can name:" if cards else f"{play.verb.capitalize()} whom?"
    return AmbiguousInput(question + " {}.", _or(seats, table))


def _nobody(word: str, table: Here) -> ParseError | None:
    if _question(table) != "next":
        return None
    right = _or(table.view.candidates, table)
    wrong = '"{}" is nobody you can choose. Say who is next: {}.'
    return ParseError(wrong, GRAMMAR.quoted(word), right)


def _or(seats: Sequence[Seat], table: Here) -> str:
    return join_words([table.names[seat] for seat in seats], "or")


def _question(table: Here) -> str:
    return table.view.asks if table.view.seat == table.view.turn else ""


GRAMMAR: Grammar[Here, Action] = Grammar(
    PLAYS,
    question=_question,
    legal_actions=lambda table: legal_actions(table.view),
    unclear=_unclear,
    fillers=FILLERS,
    bare={"next": "next"},
    no_verb=_nobody,
    ask=_ask,
    words_max=12,
)


def parse(line: str, view: View, names: SeatNames) -> Action:
    """What a line means for this seat.  ParseError or AmbiguousInput say what could be typed."""
    return GRAMMAR.parse(split(line, names), Table(view, names))


def phrase(action: Action, view: View, names: SeatNames) -> str:
    """Exactly what to type for *action*."""
    return GRAMMAR.phrase(action, Table(view, names))
