"""What people type in the stockpile game: its plays, and what stands in their slots.

The rules of reading are those of `variants.kit.matcher`.  What a line means follows from the line
and the own view alone.  [G-03] [G-12]

Rule 1: a play is well said also with a card that is not held or a supply that is not there (then
        the box's own copy), so that `check` can say why not.
Rule 2: a card of the hand is its number as it is shown, or any words of its name in their order,
        each begun at least: `2`, `nice`, `loot paper`, `stock 2`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from variants.contract import ParseError, Seat, SeatNames
from variants.kit import matcher
from variants.kit.matcher import Grammar, Meaning, Play, Reading, Slot, Table, Words, choice, marked
from variants.stockpile import actions
from variants.stockpile.actions import Action
from variants.stockpile.data import cards
from variants.stockpile.data.cards import FOOD, LOOT_ANY, PAPER, PREVENTION, SUPPLY_KINDS, Card
from variants.stockpile.language.card_text import SHORT_KIND_NAMES, typed_name
from variants.stockpile.legal_actions import legal_actions
from variants.stockpile.view import View


class Wanted(NamedTuple):
    """What was said of a supply; "" is not said."""

    kind: str = ""
    value: str = ""  # digits, "lowest" or "highest"

    def fits(self, card: Card) -> bool:
        is_value = self.value in ("", "lowest", "highest", str(card.number))
        return is_value and self.kind in ("", card.name)


@dataclass(eq=False)
class Here(Table[View]):
    @cached_property
    def legal(self) -> Sequence[Action]:
        return legal_actions(self.view)

    def card(self, card: str) -> Card:
        """The card of that id."""
        return self.view.decks.by_id[card]

    def supply(self, seat: Seat, want: Wanted) -> str | None:
        """A supply of *seat*, or else one that it could have; None: there is none such."""
        boxed = [card for card in self.view.decks.supplies if card.number]
        some = (*self.view.seats[seat].stockpile, *boxed)
        return next((card.id for card in some if want.fits(card)), None)


# -- what people call things -----------------------------------------------------------------------

FILLERS = frozenset(
    ("a", "an", "the", "of", "with", "to", "on", "onto", "at", "against", "and", "card", "cards",
     "all", "please", "supply", "supplies", "by", "it")
)  # fmt: skip
_OWN, _THEIRS = "my mine own", "'s their theirs his her hers for"
_WHOSE = f"{_OWN} {_THEIRS} from"  # fillers where one side only can be meant
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4} | {str(n): n for n in range(31)}
_VALUES = {
    **{word: str(number) for word, number in _NUMBERS.items()},
    **dict.fromkeys(("lowest", "low", "cheapest"), "lowest"),
    **dict.fromkeys(("highest", "high", "best"), "highest"),
}
_KINDS = {
    **{word[:end]: kind for kind in SUPPLY_KINDS for word in kind.lower().split()
       for end in range(2, len(word) + 1) if word[:end] not in FILLERS},
    **{kind.lower(): kind for kind in SUPPLY_KINDS},
    "f": FOOD, "t": PAPER, "tp": PAPER, "p": PREVENTION, "ip": PREVENTION,
}  # fmt: skip
_SUPPLIES = {
    way.format(kind, value).strip(): Wanted(name, number)
    for kind, name in (("", ""), *_KINDS.items()) for value, number in (("", ""), *_VALUES.items())
    for way in ("{} {}", "{1} {0}", "{}{}") if kind or value
}  # fmt: skip
"""`food 1`, `1 paper`, `f1`, `food`, `1`, `lowest`."""
_PLACES = {**dict.fromkeys(("in", "indoors", "indoor", "inside"), cards.INDOORS),
           **dict.fromkeys(("out", "outdoors", "outdoor", "outside"), cards.OUTDOORS)}  # fmt: skip
_DRAWS = {f"{word} {draw}": word in ("and", "then") for draw in ("draw", "drawing")
          for word in ("without", "no", "not", "and", "then")} | {"without": False}  # fmt: skip
_SAME_WORDS = {
    "nt": "nice try", "si": "self isolation", "tp": "toilet paper", "ip": "infection prevention",
    "neighbor": "neighbour", "nosy": "nosey", "trade": "trading", "isolate": "isolation",
    "self-isolation": "self isolation", "self-isolate": "self isolation",
}  # fmt: skip


# -- what stands in the slots ----------------------------------------------------------------------


def _hand_card(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """A card of the hand, the oldest of its copies; else one of the box."""
    hand, number = cards.distinct_cards(table.view.hand), matcher.number_of(words[at])
    if number is not None and 1 <= number <= len(table.view.hand):
        shown = table.view.hand[number - 1]
        yield from (Meaning(1, card.id) for card in hand if cards.is_same_card(card, shown))
    for length in range(1, min(4, len(words) - at) + 1) if number is None else ():
        said = words[at : at + length]
        found = [*_named(said, hand)] or [*islice(_named(said, table.view.decks.all_cards), 1)]
        yield from (Meaning(length, card.id) for card in found)


def _named(said: Words, among: Iterable[Card]) -> Iterator[Card]:
    """The cards to play of which each part that is said begins a word of the name, in their order;
    a number is said whole."""
    parts = " ".join([_SAME_WORDS.get(word, word) for word in said]).split()
    for card in among if parts else ():
        words = iter(cards.card_title(card).lower().replace("-", " ").replace("!", "").split())
        if card.sort in ("stockup", "effect") and all(
            any(word == part if part.isdigit() else word.startswith(part) for word in words)
            for part in parts
        ):
            yield card


def _supply(field: str, before: str = "", after: str = "") -> Slot[Here]:
    """A supply whose owner may be said by words *before* it and *after* it."""

    def fits(wanted: Wanted, action: Action, table: Here) -> bool:
        card = getattr(action, field)
        if card is None:  # its kind stays; to say it does no harm
            return wanted == Wanted(table.view.effects[-1].supply)
        return wanted.fits(table.card(card))

    return marked(choice(_SUPPLIES, "SUPPLY", say=_say_supply, fits=fits), before, after)


def _say_supply(card: str, action: Any, table: Here) -> str:
    """`food 3`; `3` where its kind is said already."""
    is_loot = isinstance(action, actions.Loot) and table.card(action.card).name != LOOT_ANY
    is_short = is_loot or (isinstance(action, actions.Reflect) and action.give is None)
    name = str(table.card(card).number) if is_short else typed_name(table.card(card))
    return f"for {name}" if getattr(action, "give", None) and card == action.take else name


def _others(table: Here) -> list[Seat]:
    seats = enumerate(table.view.seats)
    return [Seat(n) for n, seat in seats if seat.is_in and n != table.me]


CARD: Slot[Here] = Slot("CARD", _hand_card, lambda card, _, table: typed_name(table.card(card)))
OTHER: Slot[Here] = replace(
    CARD,
    fits=lambda card, action, table: cards.is_same_card(table.card(card), table.card(action.other)),
)
NUMBER: Slot[Here] = choice(
    _NUMBERS, "NUMBER",
    say=lambda card, _, table: str(table.card(card).number or ""),
    fits=lambda number, action, table: table.card(action.card).number == number,
)  # fmt: skip
LOOT_KIND: Slot[Here] = choice(
    {**_KINDS, "any": LOOT_ANY}, "KIND",
    say=lambda card, _, table: typed_name(table.card(card)).split()[1],
    fits=lambda kind, action, table: kind
    in (table.card(action.card).name, table.card(action.take).name),
)  # fmt: skip
KIND: Slot[Here] = choice(_KINDS, "KIND", say=lambda kind, *_: SHORT_KIND_NAMES[kind].lower())
PLACE: Slot[Here] = choice(_PLACES)
HERE: Slot[Here] = choice(_PLACES, fill=lambda table, _: [table.view.seats[table.me].location])
SIDE: Slot[Here] = choice(_PLACES, fits=lambda to, a, t: to != t.view.seats[a.target].location)
DRAWS: Slot[Here] = choice(_DRAWS, say=lambda draws, *_: "" if draws else "without drawing")
AIM = {"target": matcher.player(_others, FILLERS)}
TAKE = {"take": _supply("take")}
TRADE = {**AIM, "give": _supply("give", _OWN),
         "take": _supply("take", _THEIRS, "from")}  # fmt: skip


# -- the actions that fit what was said ------------------------------------------------------------


def _best(said: Reading, found: Sequence[Any], table: Here) -> Sequence[Action]:
    """The lowest or the highest, if so said; Loot Any Supply only if it is named, or no other is
    there for the kind that is said."""
    if said.get("draws") is None:
        found = [action for action in found if getattr(action, "draws", True)]
    for slot, value in said.said:
        if isinstance(value, Wanted) and value.value in ("lowest", "highest") and found:
            numbers = [table.card(getattr(action, slot)).number for action in found]
            best = min(numbers) if value.value == "lowest" else max(numbers)
            found = [a for a, number in zip(found, numbers, strict=True) if number == best]
    kinds = (said.get("card"), (said.get("take") or Wanted()).kind)
    if set(kinds) & set(SUPPLY_KINDS) and kinds[0] != LOOT_ANY:
        return [a for a in found if table.card(a.card).name != LOOT_ANY] or found
    return found


def _refused(said: Reading, table: Here) -> Sequence[Action]:
    """What was said, for `check` to refuse: with the box's own cards where they are not there."""
    verb, wanted, target = said.play.verb, said.get("card"), said.get("target")
    take, give = said.get("take") or Wanted(), said.get("give") or Wanted()
    seat = [*_others(table), table.me][0] if target is None else target
    if verb == "loot":
        wanted = wanted or take.kind
        take = Wanted(take.kind or wanted, take.value) if wanted in SUPPLY_KINDS else take
    name = [verb, *str(wanted or "").lower().removeprefix("loot ").split()]
    boxed = (*table.view.hand, *table.view.decks.all_cards)
    card = next((card.id for card in _named(name, boxed)), None)
    if verb == "give":
        card = table.supply(table.me, wanted or Wanted())
    needs = [part.name for part in fields(said.play.kind)]
    if verb == "reflect":  # [SR-59] against a counter nobody need be named
        effects = () if table.view.counters else table.view.effects[:1]
        again = [name for name in ("give", "take") for each in effects if getattr(each, name)]
        needs = ["card", *["target"] * (bool(effects) or target is not None), *again]
    values = {
        "card": card, "target": seat, "supply": said.get("supply") or FOOD,
        "other": said.get("other"), "draws": said.get("draws") is not False,
        "take": table.supply(seat, take), "give": table.supply(table.me, give),
    }  # fmt: skip
    some = {name: values[name] for name in needs}
    action = said.play.kind(**some)
    return [] if None in some.values() or action in table.legal else [action]


# -- the plays -------------------------------------------------------------------------------------

_ACT, _REACT = ("action",), ("reaction",)
_WHERE: dict[str, Any] = {"asked": ("location",), "form": "in, out, stay"}
_THERE = {**_WHERE, "actions": lambda said, *_: [actions.Go(_PLACES[said.play.verb])]}  # fmt: skip


def _card_play(
    phrase: str, kind: Callable[..., Action], slots: Mapping[str, Slot[Here]], **play: Any
) -> Play[Here, Action]:
    """A play whose cards are chosen: of what is legal, else for `check` to refuse."""
    play = {"asked": _ACT, "actions": _best, "otherwise": _refused, **play}
    return Play(phrase, kind, slots, **play)


def _stock_play(phrase: str, name: str, **play: Any) -> Play[Here, Action]:
    is_for = lambda action, table: table.card(action.card).name == name  # noqa: E731
    return _card_play(phrase, actions.Stock, {"card": NUMBER}, is_for=is_for, **play)


PLAYS: tuple[Play[Here, Action], ...] = (
    Play("draw", actions.Draw, fillers="a the card", asked=_ACT),
    Play("play", None, asked=(*_ACT, *_REACT), actions=lambda *_: ()),
    _stock_play("stock up {card}", "Stock Up"),
    _stock_play("home delivery {card}", "Home Delivery", words="delivery", form="stock up NUMBER"),
    _card_play("loot {card} {target} {take}", actions.Loot, {"card": LOOT_KIND, **AIM, **TAKE},
               fillers=_WHOSE, form="loot KIND NAME VALUE"),
    _card_play("trade {target} {give} {take}", actions.Trade, TRADE, words="trading",
               fillers="station fo for from", form="trade NAME SUPPLY for SUPPLY"),
    _card_play("switch {target}", actions.Switch, {**AIM, "to": SIDE}, words="location",
               fillers="switch location"),
    _card_play("nosey {target} {supply}", actions.Nosey, {**AIM, "supply": KIND},
               words="nosy neighbour neighbor", fillers=f"neighbour neighbor nosey kind {_WHOSE}"),
    _card_play("isolate", actions.Isolate, {}, words="isolation self-isolation self si",
               fillers="isolation isolate self card"),
    _card_play("swap {other} {draws}", actions.Swap, {"other": OTHER, "draws": DRAWS},
               fillers="shop my for", form="swap CARD"),
    Play("discard {card}", actions.Discard, {"card": CARD}, fillers="my for", asked=_ACT),
    Play("end", actions.End, fillers="the turn game", asked=_ACT),
    _card_play("give up {card}", actions.GiveUp, {"card": _supply("card")}, words="lose discard",
               fillers=_WHOSE, asked=("give up",)),
    Play("in", actions.Go, words="indoors indoor inside", **_THERE,
         is_for=lambda action, _: action.to == cards.INDOORS),
    Play("out", actions.Go, words="outdoors outdoor outside", **_THERE),
    Play("stay {to}", actions.Go, {"to": HERE}, **_WHERE),
    Play("go {to}", actions.Go, {"to": PLACE}, **_WHERE),
    Play("pass", actions.Pass, words="no", asked=_REACT),
    _card_play("nice try", actions.NiceTry, {}, words="nt", fillers="the card", asked=_REACT),
    _card_play("reflect {target} {give} {take}", actions.Reflect, TRADE, words="reflection",
               fillers="fo for", form="reflect NAME SUPPLY", asked=_REACT),
)  # fmt: skip
PLAY_VERBS = (*[play.verb for play in PLAYS if play.verb != "go"], "neighbour")


GRAMMAR: Grammar[Here, Action] = Grammar(
    PLAYS,
    question=lambda table: table.view.asks if table.view.seat == table.view.asked else "",
    legal_actions=lambda table: table.legal,
    is_legal=lambda action, table: action in table.legal,
    fillers=FILLERS,
    bare={"give up": "give"},
)


def parse(line: str, view: View, names: SeatNames) -> Action:
    """What a line means for this seat.  ParseError or AmbiguousInput say what could be typed."""
    words, table = matcher.split(line, names), Here(view, names)
    if not words or view.asks == "give up":
        return GRAMMAR.parse(words, table)
    if words[0] in _NUMBERS:
        if len(words) == 1:  # the answer to a question that has just been closed by its clock?
            raise ParseError("To play your card {0}, type: play {0}", words[0])
        words = _played(words, table)
    elif any(play.verb == "play" for play in GRAMMAR.begun(words[0], table)):
        words = _played(words[1:], table)
    return GRAMMAR.parse(words, table)


def _played(words: list[str], table: Here) -> list[str]:
    """What is played, by its verb: `loot bob`; `3 bob 1`, a card by its number in the hand."""
    hand = table.view.hand
    held = ", ".join([f"{n} {cards.card_title(card)}" for n, card in enumerate(hand, 1)])
    held = f"Your hand: {held}." if hand else "You have no cards."
    number = _NUMBERS.get(words[0]) if words else None
    if number is None:
        plays = GRAMMAR.begun(words[0], table) if words else []
        if not plays or plays[0].otherwise is not _refused:
            raise ParseError("Play which card? {}", held)
        return words
    if not 1 <= number <= len(hand):
        raise ParseError("You have no card with the number {}. {}", words[0], held)
    return [*typed_name(hand[number - 1]).split(), *words[1:]]


def guesses(line: str, view: View, names: SeatNames, verbs: Mapping[str, str]) -> Sequence[Action]:
    """What a line may mean that nobody can read; `Grammar.guesses`."""
    return GRAMMAR.guesses(matcher.split(line, names), Here(view, names), verbs)


def phrase(action: Action, view: View, names: SeatNames) -> str:
    """Exactly what to type for *action*."""
    return GRAMMAR.phrase(action, Here(view, names))
