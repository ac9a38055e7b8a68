"""What people type in elimination: its plays, and what stands in their slots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from variants.contract import Seat, SeatNames
from variants.elimination.actions import Action, Clear, Draw, Force, Give, Next, Shuffle, Take
from variants.elimination.data import cards
from variants.elimination.data.cards import JOKER, PACKS, RANK_NAMES, RANK_OF, cards_of_rank
from variants.elimination.legal_actions import legal_actions
from variants.elimination.view import View, others_clockwise
from variants.kit.matcher import Grammar, Meaning, Play, Slot, Table, Words, choice, player, split

Here = Table[View]

FILLERS = frozenset(("a", "an", "the", "to", "of", "with", "my", "card", "cards"))
_RANKS = {word: rank for rank, name in RANK_NAMES.items() for word in (rank.lower(), name)}
_RANKS |= {"t": "10", "jk": JOKER}
_SUITS = {
    word: suit
    for suit, name in cards.SUIT_NAMES.items()
    for letter, symbol in ((suit.lower(), cards.SUIT_SYMBOLS[suit]),)
    for word in (letter, symbol, letter + symbol, name, name.removesuffix("s"))
}
_CARDS = {joker: joker for joker in cards.JOKERS} | {
    way.format(word, suit_word): rank + suit
    for word, rank in _RANKS.items()
    for suit_word, suit in _SUITS.items()
    for way in ("{} of {}", "{} {}", "{}{}", "{1}{0}")
    if rank != JOKER
}
"""By text one card: `7h`, `h7`, `7h♥`, `7 of hearts`, `seven hearts`, `*1`."""
_CARD: Slot[Here] = choice(_CARDS)


def _card(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """A card; a rank alone is one of the held cards of that rank which differ to the rules.  If
    there is none, it is any for `check` to refuse."""
    yield from _CARD.read(words, at, table)
    rank, is_article = _RANKS.get(words[at]), words[at : at + 2] in (["a", "card"], ["a", "cards"])
    if rank and not is_article:
        marks, held = dict(table.view.marks), reversed(cards_of_rank(table.view.hand, rank))
        different = {marks.get(card): card for card in held}.values()
        some = different or cards_of_rank(cards.ALL_CARDS, rank)[:1]
        yield from [Meaning(1, card) for card in some]


def _typed(card: str, _: Action, table: Here) -> str:
    is_only = RANK_OF[card] == JOKER and len(cards_of_rank(table.view.hand, JOKER)) < 2
    return "joker" if is_only else card.lower()


@cache
def _clears(name: str) -> Mapping[str, str]:
    """By text the kind of Clear: `single`, `joker`; `pair`, `aces`, `pair of aces`."""
    kinds = {"joker": "single", "jk": "single", "single": "single", "pair": "pair"}
    for word, rank in [each for each in _RANKS.items() if each[0] != "a"]:
        if rank == PACKS[name].single:
            kinds |= {word: "single", f"{word}s": "single"}
        elif rank == PACKS[name].pair:
            ways = ("{}", "{}s", "pair of {}", "pair of {}s", "pair {}s")
            kinds |= {way.format(word): "pair" for way in ways}
    return kinds


def _say_clear(kind: str, _: object, table: Here) -> str:
    return kind if kind == "pair" else RANK_NAMES[PACKS[table.view.pack].single]


def _others(table: Here) -> list[Seat]:
    return others_clockwise(table.view.seats, table.me)


SOMEBODY: Slot[Here] = player(_others, FILLERS, by_number=True)
CANDIDATE: Slot[Here] = player(lambda t: t.view.candidates or _others(t), by_number=True)
CARD: Slot[Here] = Slot("CARD", _card, _typed)
CLEAR: Slot[Here] = choice(
    lambda t: _clears(t.view.pack), say=_say_clear, fill=lambda _, legal: legal or ["single"]
)

PLAYS: tuple[Play[Here, Action], ...] = (
    Play("draw", Draw, fillers="a the card from deck"),
    Play("give {card} {to}", Give, {"card": CARD, "to": SOMEBODY},
         missing="Give which card to whom?"),
    Play("take {victim}", Take, {"victim": SOMEBODY}, fillers="from"),
    Play("force {to}", Force, {"to": SOMEBODY}, fillers="draw"),
    Play("shuffle", Shuffle, fillers="the all hand hands cards"),
    Play("clear {with_}", Clear, {"with_": CLEAR}, form="clear",
         missing="Clear with one card or with a pair?"),
    Play("next {seat}", Next, {"seat": CANDIDATE}),
)  # fmt: skip
PLAY_VERBS = tuple([play.verb for play in PLAYS])
GRAMMAR: Grammar[Here, Action] = Grammar(
    PLAYS,
    question=lambda table: table.view.asks if table.view.seat == table.view.turn else "",
    legal_actions=lambda table: legal_actions(table.view),
    fillers=FILLERS,
    bare={"next": "next"},
)


def parse(line: str, view: View, names: SeatNames) -> Action:
    """What a line means for this seat.  ParseError or AmbiguousInput say what could be typed."""
    return GRAMMAR.parse(split(line, names), Table(view, names))


def guesses(line: str, view: View, names: SeatNames, verbs: Mapping[str, str]) -> Sequence[Action]:
    """What a line may mean that nobody can read; `Grammar.guesses`."""
    return GRAMMAR.guesses(split(line, names), Table(view, names), verbs)


def phrase(action: Action, view: View, names: SeatNames) -> str:
    """Exactly what to type for *action*."""
    return GRAMMAR.phrase(action, Table(view, names))
