"""What people type in the stockpile game: its plays, and what is said where a line fits none.

The rules of reading are those of `variants.kit.matcher`.  What a line means follows from the line
and the own view alone.  [G-03] [G-12]

Rule 1: a play is well said also with a card that is not held or a supply that is not there (then
        the box's own copy), so that `check` can say why not.
Rule 2: a card of the hand is its number as it is shown, or any words of its name in their order,
        each begun at least: `2`, `nice`, `loot paper`, `stock 2`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from variants.contract import ParseError, Seat, SeatNames
from variants.kit.matcher.grammar import Grammar, quoted
from variants.kit.matcher.line import choice, number_of, player, split
from variants.kit.matcher.plays import Meaning, Play, Reading, Slot, Table, Words
from variants.stockpile import actions
from variants.stockpile.actions import Action
from variants.stockpile.data import cards
from variants.stockpile.data.cards import (
    LOOT_ANY,
    LOOT_KINDS,
    SUPPLY_KINDS,
    Card,
    card_title,
    distinct_cards,
)
from variants.stockpile.language.card_text import SHORT_KIND_NAMES, typed_name
from variants.stockpile.legal_actions import legal_actions
from variants.stockpile.view import View


@dataclass(frozen=True)
class Here(Table[View]):
    only: Card | None = None  # `play 3`: the card that is played

    @cached_property
    def legal(self) -> Sequence[Action]:
        return legal_actions(self.view)

    def card(self, card: str) -> Card:
        """The card of that id, looked for in the hand first, then in the whole box."""
        some = (*self.view.hand, *self.view.decks.all_cards)
        return next(known for known in some if known.id == card)

    def supply(self, seat: Seat, want: Wanted) -> str | None:
        """A supply of *seat*, or else one that it could have; None: there is none such."""
        boxed = [card for card in self.view.decks.supplies if card.number]
        some = [c.id for c in (*self.view.seats[seat].stockpile, *boxed) if want.fits(c)]
        return some[0] if some else None


# -- what stands in the slots ----------------------------------------------------------------------

FILLERS = frozenset(
    ("a", "an", "the", "of", "with", "to", "on", "onto", "at", "against", "and", "card", "cards",
     "all", "please", "supply", "supplies", "by", "it")
)  # fmt: skip
_OWN, _THEIRS = ("my", "mine", "own"), ("'s", "their", "theirs", "his", "her", "hers")
_WHOSE = " ".join((*_OWN, *_THEIRS, "for", "from"))  # fillers where one side only can be meant
_VALUES = {"lowest": "lowest", "low": "lowest", "cheapest": "lowest", "highest": "highest",
           "high": "highest", "best": "highest", "one": "1", "two": "2", "three": "3",
           "four": "4"}  # fmt: skip
FOOD, PAPER, PREVENTION = SUPPLY_KINDS
_LETTERS = {"f": FOOD, "tp": PAPER, "t": PAPER, "ip": PREVENTION, "p": PREVENTION}
_KINDS = {"food": FOOD, "toilet": PAPER, "paper": PAPER, "infection": PREVENTION,
          "prevention": PREVENTION}  # fmt: skip
_PLACES = {**dict.fromkeys(("in", "indoors", "indoor", "inside"), cards.INDOORS),
           **dict.fromkeys(("out", "outdoors", "outdoor", "outside"), cards.OUTDOORS)}  # fmt: skip
_DRAWS = {
    f"{word} {draw}": word in ("and", "then")
    for word in ("without", "no", "not", "and", "then")
    for draw in ("draw", "drawing")
} | {"without": False}
_SAME_WORDS = {
    "nt": "nice try", "si": "self isolation", "tp": "toilet paper", "ip": "infection prevention",
    "neighbor": "neighbour", "nosy": "nosey", "reflect": "reflection", "trade": "trading",
    "isolate": "isolation", "self-isolation": "self isolation", "self-isolate": "self isolation",
}  # fmt: skip


class Wanted(NamedTuple):
    """What was said of a supply; "" is not said."""

    kind: str = ""
    value: str = ""  # digits, "lowest" or "highest"

    def fits(self, card: Card) -> bool:
        is_value = self.value in ("", "lowest", "highest", str(card.number))
        return is_value and self.kind in ("", card.name)


def _value(word: str) -> str:
    number = number_of(word)
    return _VALUES.get(word, "") if number is None else str(number)


def _kind(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """`food`, `tp`, `prev`, `toilet paper`: one kind of supply."""
    word = words[at]
    begun = {kind for whole, kind in _KINDS.items() if whole.startswith(word)}
    is_begun = len(begun) == 1 and len(word) > 1 and word not in FILLERS
    if kind := _LETTERS.get(word) or (begun.pop() if is_begun else ""):
        yield Meaning(1, kind)
    if tuple(words[at : at + 2]) in (("toilet", "paper"), ("infection", "prevention")):
        yield Meaning(2, kind)


def _supply(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """`food 1`, `1 paper`, `f1`, `food`, `1`, `lowest`."""
    word = words[at]
    for length, kind, _, _ in _kind(words, at, table):
        yield Meaning(length, Wanted(kind))
        if value := _value("".join(words[at + length : at + length + 1])):
            yield Meaning(length + 1, Wanted(kind, value))
    if value := _value(word):
        yield Meaning(1, Wanted("", value))
        for length, kind, _, _ in _kind(words, at + 1, table) if at + 1 < len(words) else ():
            yield Meaning(length + 1, Wanted(kind, value), turns=1)
    letters = word.rstrip("0123456789")
    for _, kind, _, _ in _kind([letters], 0, table) if 0 < len(letters) < len(word) else ():
        yield Meaning(1, Wanted(kind, _value(word[len(letters) :])))


def _owned(before: Sequence[str], after: Sequence[str] = ()) -> Slot[Here]:
    """A supply whose owner may be said by words before it and after it."""

    def read(words: Words, at: int, table: Here) -> Iterator[Meaning]:
        start = at
        while words[start] in before and start + 1 < len(words):
            start += 1
        for meaning in _supply(words, start, table):
            end = start + meaning.words
            yield meaning._replace(words=end - at)
            if end < len(words) and words[end] in after:
                yield meaning._replace(words=end + 1 - at)

    return Slot("SUPPLY", read, _say_supply)


def _say_supply(card: str, action: Any, table: Here) -> str:
    """`food 3`; `3` where its kind is said already."""
    is_loot = isinstance(action, actions.Loot) and table.card(action.card).name != LOOT_ANY
    is_short = is_loot or (isinstance(action, actions.Reflect) and action.give is None)
    return str(table.card(card).number) if is_short else typed_name(table.card(card))


def _hand_card(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """A card of the hand, the oldest of its copies; else one of the box."""
    hand, number = table.view.hand, number_of(words[at])
    if number is not None and 1 <= number <= len(hand):
        yield from (
            Meaning(1, c.id)
            for c in distinct_cards(hand)
            if cards.is_same_card(c, hand[number - 1])
        )
    boxed = [card for card in table.view.decks.all_cards if card.sort in ("stockup", "effect")]
    for length in range(1, min(4, len(words) - at) + 1) if number is None else ():
        parts = " ".join([_SAME_WORDS.get(w, w) for w in words[at : at + length]]).split()
        found = [card for card in distinct_cards(hand) if _is_named(parts, card)]
        found = found or [card for card in boxed if _is_named(parts, card)][:1]
        yield from (Meaning(length, card.id) for card in found)


def _is_named(parts: Sequence[str], card: Card) -> bool:
    """Each part begins a word of the name, in their order; a number is said whole."""
    words = iter(card_title(card).lower().replace("-", " ").replace("!", "").split())
    return all(
        any(word == part if part.isdigit() else word.startswith(part) for word in words)
        for part in parts
    )


def _loot_kind(words: Words, at: int, table: Here) -> Iterable[Meaning]:
    return [Meaning(1, LOOT_ANY)] if words[at] == "any" else _kind(words, at, table)


def _number(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    if _value(words[at]).isdigit():
        yield Meaning(1, int(_value(words[at])))


def _others(table: Here) -> list[Seat]:
    seats = enumerate(table.view.seats)
    return [Seat(n) for n, seat in seats if seat.is_in and n != table.me]


TARGET: Slot[Here] = player(_others, fillers=FILLERS)
GIVE, TAKE, SUPPLY = _owned(_OWN), _owned((*_THEIRS, "for"), ("from",)), _owned(())
CARD: Slot[Here] = Slot("CARD", _hand_card, lambda card, _, table: typed_name(table.card(card)))
NUMBER: Slot[Here] = Slot(
    "NUMBER", _number, lambda card, _, table: str(table.card(card).number or "")
)
KIND: Slot[Here] = Slot("KIND", _kind, lambda kind, *_: SHORT_KIND_NAMES[kind].lower())
LOOT_KIND: Slot[Here] = Slot(
    "KIND", _loot_kind, lambda card, _, table: typed_name(table.card(card)).split()[1]
)
PLACE: Slot[Here] = choice(_PLACES)
HERE: Slot[Here] = choice(_PLACES, fill=lambda t: [t.view.seats[t.me].location])
DRAWS: Slot[Here] = choice(_DRAWS, lambda draws, *_: "" if draws else "without drawing")


# -- the actions that fit what was said ------------------------------------------------------------

_CARDS = {
    cards.SELF_ISOLATION: "isolate", cards.SWAP_SHOP: "swap", cards.TRADING_STATION: "trade",
    cards.LOCATION_SWITCH: "switch", cards.NOSEY_NEIGHBOUR: "nosey", cards.NICE_TRY: "nice",
    cards.REFLECTION: "reflect", "Stock Up": "stock", "Home Delivery": "home",
    **dict.fromkeys(LOOT_KINDS, "loot"),
}  # fmt: skip
"""The verb that plays each card."""


def _playing(verb: str, kind: Callable[..., Action]) -> dict[str, Any]:
    """The legal actions that fit; if there are none, one for `check` to refuse."""

    def actions_(said: Reading, table: Here) -> Iterator[Sequence[Action]]:
        legal = [a for a in table.legal if type(a) is kind]
        yield _best([a for a in legal if _fits(a, verb, said, table)], said, table)
        yield [a for a in _stand_in(verb, kind, said, table) if a not in legal]

    return {"kind": kind, "actions": actions_}


def _fits(action: Any, verb: str, said: Reading, table: Here) -> bool:
    card = None if verb == "give" else table.card(action.card)
    if card and (_CARDS[card.name] != verb or table.only not in (None, card)):
        return False
    for slot, value in said.said:
        mine: Any = getattr(action, slot, None)
        if isinstance(value, Wanted) and mine is None:  # its kind stays; to say it does no harm
            is_meant = value == Wanted(table.view.effects[-1].supply)
        elif isinstance(value, Wanted):
            is_meant = value.fits(table.card(mine))
        elif card and slot == "card":  # a number, or the kind of a Loot
            taken = "" if verb != "loot" else table.card(action.take).name
            is_meant = value in (card.number, card.name, taken)
        else:
            is_meant = mine == value
        if not is_meant:
            return False
    return True


def _best(found: Sequence[Any], said: Reading, table: Here) -> Sequence[Action]:
    """The lowest or the highest, if so said; Loot Any Supply only if it is named, or no other is
    there for the kind that is said."""
    for slot, value in said.said:
        if isinstance(value, Wanted) and value.value in ("lowest", "highest") and found:
            numbers = [table.card(getattr(action, slot)).number for action in found]
            best = min(numbers) if value.value == "lowest" else max(numbers)
            found = [a for a, number in zip(found, numbers, strict=True) if number == best]
    kinds = (said.get("card"), (said.get("take") or Wanted()).kind)
    if set(kinds) & set(SUPPLY_KINDS) and kinds[0] != LOOT_ANY:
        return [a for a in found if table.card(a.card).name != LOOT_ANY] or found
    return found


_NEEDS = {"loot": ("target", "take"), "trade": ("target", "give", "take"),
          "switch": ("target",), "nosey": ("target", "supply")}  # fmt: skip
"""The fields of an action beside its card."""


def _stand_in(
    verb: str, kind: Callable[..., Action], said: Reading, table: Here
) -> Sequence[Action]:
    """What was said as an action, with the box's own cards where they are not there."""
    view, take, wanted = table.view, said.get("take") or Wanted(), said.get("card")
    names, needs = [name for name in _CARDS if _CARDS[name] == verb], _NEEDS.get(verb, ())
    if verb == "give":
        supply = table.supply(table.me, wanted or Wanted())
        return [kind(supply)] if supply else []
    if wanted in SUPPLY_KINDS and take.kind not in ("", wanted):
        return []
    take = Wanted(take.kind or (wanted if wanted in SUPPLY_KINDS else ""), take.value)
    if verb == "loot" and not table.only and (take.kind or wanted):
        names = [LOOT_ANY if wanted == LOOT_ANY else f"Loot {take.kind}"]
    some = [table.only] if table.only else [*view.hand, *view.decks.all_cards]
    fits = [
        c for c in some if c.name in names and wanted in (None, c.number, LOOT_ANY, *SUPPLY_KINDS)
    ]
    named = said.get("target")
    if verb == "reflect":  # [SR-59] against a counter nobody need be named
        needs = () if named is None else ("target",)
        if view.effects and not view.counters:
            needs = tuple(set(_NEEDS[_CARDS[view.effects[0].card.name]]) - {"supply"})
    target = [*_others(table), table.me][0] if named is None else named
    values = {"target": target, "supply": said.get("supply") or FOOD,
              "take": table.supply(target, take),
              "give": table.supply(table.me, said.get("give") or Wanted())}  # fmt: skip
    fields: dict[str, Any] = {name: values[name] for name in needs}
    return [kind(card.id, **fields) for card in fits[:1] if None not in fields.values()]


def _swaps(said: Reading, table: Here) -> Iterator[list[Action]]:
    """Swap Shop with another Effect card, which may be another copy of it."""
    hand, other = table.view.hand, said.get("other")
    some = [card for card in (*hand, *table.view.decks.all_cards) if card.name == cards.SWAP_SHOP]
    shops = list(dict.fromkeys([card.id for card in some]))[:2]
    effects = [card for card in hand if card.sort == "effect" and card.id not in shops[:1]]
    others = [card.id for card in distinct_cards(effects)] if other is None else [other]
    others = [shops[-1] if card == shops[0] else card for card in others] if shops else []
    draws = said.get("draws") is not False
    yield [actions.Swap(shops[0], card, draws) for card in others]


# -- the plays -------------------------------------------------------------------------------------

_ACT, _REACT, _WHERE = ("action",), ("reaction",), ("location",)
_AIM = {"target": TARGET}
_TRADE = {**_AIM, "give": GIVE, "take": TAKE}


def _stocks(verb: str, name: str) -> dict[str, Any]:
    is_for = lambda action, table: table.card(action.card).name == name  # noqa: E731
    slots = {"card": NUMBER}
    return {**_playing(verb, actions.Stock), "slots": slots, "asked": _ACT, "is_for": is_for}


def _goes(to: str) -> dict[str, Any]:
    """A word for a location, alone."""
    return {"kind": actions.Go, "asked": _WHERE, "form": "in, out, stay", "by_letter": True,
            "actions": lambda *_: [[actions.Go(to)]],
            "is_for": lambda action, _: action.to == to}  # fmt: skip


PLAYS: tuple[Play[Here, Action], ...] = (
    Play("draw", actions.Draw, asked=_ACT, by_letter=True),
    Play("play", None, asked=(*_ACT, *_REACT), reads=lambda *said: _numbered(*said)),
    Play("stock up {card}", **_stocks("stock", "Stock Up")),
    Play("home delivery {card}", words="delivery", **_stocks("home", "Home Delivery"),
         form="stock up NUMBER"),
    Play("loot {card} {target} {take}", **_playing("loot", actions.Loot), asked=_ACT,
         slots={"card": LOOT_KIND, **_AIM, "take": SUPPLY}, fillers=_WHOSE,
         form="loot KIND NAME VALUE"),
    Play("trade {target} {give} for {take}", **_playing("trade", actions.Trade), slots=_TRADE,
         words="trading", fillers="station from", asked=_ACT),
    Play("switch {target}", **_playing("switch", actions.Switch), slots=_AIM, words="location",
         fillers="switch location", asked=_ACT),
    Play("nosey {target} {supply}", **_playing("nosey", actions.Nosey), asked=_ACT,
         slots={**_AIM, "supply": KIND}, words="nosy neighbour neighbor",
         fillers=f"neighbour neighbor nosey kind {_WHOSE}"),
    Play("isolate", **_playing("isolate", actions.Isolate), asked=_ACT, by_letter=True,
         words="isolation self-isolation self-isolate self si",
         fillers="isolation isolate self"),
    Play("swap {other} {draws}", actions.Swap, {"other": CARD, "draws": DRAWS},
         fillers="shop my for", asked=_ACT, form="swap CARD", actions=_swaps),
    Play("discard {card}", actions.Discard, {"card": CARD}, fillers="my for", asked=_ACT),
    Play("end", actions.End, fillers="turn game", asked=_ACT),
    Play("give up {card}", **_playing("give", actions.GiveUp), slots={"card": SUPPLY},
         words="lose discard", fillers=_WHOSE, asked=("give up",)),
    Play("in", words="indoors indoor inside", **_goes(cards.INDOORS)),
    Play("out", words="outdoors outdoor outside", **_goes(cards.OUTDOORS)),
    Play("stay {to}", actions.Go, {"to": HERE}, asked=_WHERE, form="in, out, stay"),
    Play("go {to}", actions.Go, {"to": PLACE}, asked=_WHERE, form="in, out, stay"),
    Play("pass", actions.Pass, words="no", asked=_REACT),
    Play("nice try", **_playing("nice", actions.NiceTry), words="nt", asked=_REACT),
    Play("reflect [{target}] [{give} for] [{take}]", **_playing("reflect", actions.Reflect),
         slots=_TRADE, words="reflection", asked=_REACT, form="reflect NAME SUPPLY"),
)  # fmt: skip
PLAY_VERBS = (*[play.verb for play in PLAYS if play.verb != "go"], "neighbour")


def _numbered(words: Words, table: Here) -> Action:
    """`play 3 bob 1`: a card by its number in the hand; `play loot bob`: by its verb."""
    hand = table.view.hand
    listed = ", ".join([f"{number} {card_title(card)}" for number, card in enumerate(hand, 1)])
    listed = f"Your hand: {listed}." if hand else "You hold no cards."
    if words and _value(words[0]).isdigit():
        number = int(_value(words[0]))
        if not 1 <= number <= len(hand):
            wrong = "You hold no card with the number {}. {}"
            raise ParseError(wrong, quoted(words[0]), listed)
        card = next(card for card in hand if cards.is_same_card(card, hand[number - 1]))
        return GRAMMAR.said(_CARDS[card.name], words[1:], replace(table, only=card))
    play = GRAMMAR.begun(words[0], table) if words else None
    if play is None or play.verb not in _CARDS.values():
        raise ParseError("Play which card? {}", listed)
    return GRAMMAR.said(play.verb, words[1:], table, words[0])


GRAMMAR: Grammar[Here, Action] = Grammar(
    PLAYS,
    question=lambda table: table.view.asks,
    legal_actions=lambda table: table.legal,
    fillers=FILLERS,
    bare={"give up": "give"},
)


def parse(line: str, view: View, names: SeatNames) -> Action:
    """What a line means for this seat.  ParseError or AmbiguousInput say what could be typed."""
    words = split(line, names)
    if words and _value(words[0]).isdigit() and view.asks != "give up":
        if len(words) == 1:  # the answer to a question that has just been closed by its clock?
            raise ParseError("To play your card {0}, type: play {0}.", quoted(words[0]))
        words = ["play", *words]
    return GRAMMAR.parse(words, Here(view, names))


def phrase(action: Action, view: View, names: SeatNames) -> str:
    """Exactly what to type for *action*."""
    return GRAMMAR.phrase(action, Here(view, names))
