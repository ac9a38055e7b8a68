"""The words with which a play begins, and the cards of a hand as people name them.

Rule 1: a verb may be begun only.  What the open question asks for is tried first; what could be
        two verbs is asked back.
Rule 2: a card of the hand is its number as it is shown, or any words of its name in their order,
        each begun at least: `2`, `nice`, `loot paper`, `stock 2`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from variants.contract import AmbiguousInput, ParseError
from variants.kit.text import join_words
from variants.stockpile.data.cards import (
    LOCATION_SWITCH,
    LOOT_KINDS,
    NICE_TRY,
    NOSEY_NEIGHBOUR,
    REFLECTION,
    SELF_ISOLATION,
    STOCK_UPS,
    SWAP_SHOP,
    TRADING_STATION,
    Card,
    Cards,
    card_title,
    distinct_cards,
    is_same_card,
)
from variants.stockpile.language.slots import FILLERS, normal, value_of
from variants.stockpile.view import View

QUOTED_MAX = 20  # characters of a line that are said back

PLAYS = {
    "draw": "draw", "play": "play", "stock": "stock", "home": "home", "delivery": "home",
    "loot": "loot", "trade": "trade", "trading": "trade", "switch": "switch",
    "location": "switch", "nosey": "nosey", "nosy": "nosey", "neighbour": "nosey",
    "neighbor": "nosey", "isolate": "isolate", "isolation": "isolate",
    "self-isolation": "isolate", "self-isolate": "isolate", "self": "isolate", "si": "isolate",
    "swap": "swap", "discard": "discard", "end": "end",
    "give": "give", "lose": "give",
    "in": "in", "indoors": "in", "indoor": "in", "inside": "in",
    "out": "out", "outdoors": "out", "outdoor": "out", "outside": "out", "stay": "stay", "go": "go",
    "pass": "pass", "nice": "nice", "nt": "nice", "reflect": "reflect", "reflection": "reflect",
}  # fmt: skip
"""First words, and the verb that each stands for."""

_ASKED_FOR = {
    "action": ("draw", "play", "stock", "home", "loot", "trade", "switch", "nosey", "isolate",
               "swap", "discard", "end"),
    "give up": ("give", "discard"),
    "location": ("in", "out", "stay", "go"),
    "reaction": ("pass", "nice", "reflect", "play"),
}  # fmt: skip

CARDS_OF: Mapping[str, Sequence[str]] = {
    "stock": STOCK_UPS[:1], "home": STOCK_UPS[1:], "loot": tuple(LOOT_KINDS),
    "trade": (TRADING_STATION,), "switch": (LOCATION_SWITCH,), "nosey": (NOSEY_NEIGHBOUR,),
    "isolate": (SELF_ISOLATION,), "swap": (SWAP_SHOP,), "nice": (NICE_TRY,),
    "reflect": (REFLECTION,),
}  # fmt: skip
"""The cards that a verb plays."""

TAILS: Mapping[str, Sequence[str]] = {
    "stock": ("up",), "home": ("delivery",), "loot": (), "trade": ("station",),
    "switch": ("switch", "location"), "nosey": ("neighbour", "neighbor", "nosey", "kind"),
    "isolate": ("isolation", "isolate", "self"), "swap": ("shop",), "nice": ("try",),
    "reflect": (), "give": ("up",), "end": ("turn", "game"), "draw": (), "pass": (), "discard": (),
}  # fmt: skip
"""Words that may follow a verb and say nothing more."""

FORMS = {
    "Draw": "draw", "Stock": "stock up NUMBER", "Loot": "loot KIND NAME VALUE",
    "Trade": "trade NAME SUPPLY for SUPPLY", "Switch": "switch NAME", "Nosey": "nosey NAME KIND",
    "Isolate": "isolate", "Swap": "swap CARD", "Discard": "discard CARD", "End": "end",
    "GiveUp": "give up SUPPLY", "Go": "in, out, stay", "Pass": "pass", "NiceTry": "nice try",
    "Reflect": "reflect NAME SUPPLY",
}  # fmt: skip
"""How each play is typed, by the name of its action."""
ACTION_OF = {
    "stock": "Stock", "home": "Stock", "loot": "Loot", "trade": "Trade", "switch": "Switch",
    "nosey": "Nosey", "isolate": "Isolate", "nice": "NiceTry", "reflect": "Reflect",
    "give": "GiveUp",
}  # fmt: skip
HELD = ("stockup", "effect")  # the sorts of card that a hand can hold


def verb_of(word: str, view: View) -> str:
    """The verb that a word is or begins; "" if none.  Ambiguous if there are several."""
    if word in PLAYS:
        return PLAYS[word]
    begun = {verb: whole for whole, verb in reversed(PLAYS.items()) if whole.startswith(word)}
    now = [verb for verb in begun if verb in _ASKED_FOR.get(view.asks, ())]
    found = sorted(now or begun)
    if len(found) > 1:
        raise AmbiguousInput(
            f'"{{}}" could be {join_words(["{}"] * len(found), "or")}. Type a little more.',
            word[:QUOTED_MAX], *[begun[verb] for verb in found],
        )  # fmt: skip
    return found[0] if found else ""


def after_tail(verb: str, words: Sequence[str]) -> Sequence[str]:
    """Without the second word of the verb: `shop` of `swap shop`, also `sh`."""
    if words and len(words[0]) > 1 and any(t.startswith(words[0]) for t in TAILS[verb]):
        return words[1:]
    return words


# -- cards of the hand -----------------------------------------------------------------------------


def hand_listed(view: View) -> str:
    """`Your hand: 1 Nice Try!, 2 Loot Food.`: by the numbers with which they are played."""
    if not view.hand:
        return "You hold no cards."
    cards = [f"{number} {card_title(card)}" for number, card in enumerate(view.hand, 1)]
    return f"Your hand: {', '.join(cards)}."


def numbered(word: str, view: View) -> Card:
    """The card with that number in the hand, as the oldest of its copies."""
    number = int(value_of(word) or 0)
    if not 1 <= number <= len(view.hand):
        raise ParseError(
            "You hold no card with the number {}. {}", word[:QUOTED_MAX], hand_listed(view)
        )
    return next(card for card in view.hand if is_same_card(card, view.hand[number - 1]))


def hand_cards(words: Sequence[str], view: View, without: str = "") -> Cards:
    """The cards that the words may mean: held, but for the one *without*; else of the box."""
    spoken = [word for word in words if word not in FILLERS]
    held = [card for card in view.hand if card.id != without]
    if len(spoken) == 1 and value_of(spoken[0]).isdigit():
        meant = numbered(spoken[0], view)
        return (next((card for card in held if is_same_card(card, meant)), meant),)
    if found := _named(spoken, held):
        return found
    boxed = [c for c in (*view.decks.indoor, *view.decks.outdoor) if c.sort in HELD]
    if found := _named(spoken, [card for card in boxed if card.id != without]):
        return found[:1]  # for check to refuse
    wrong = f'"{" ".join(words)[:QUOTED_MAX]}" is no card.' if words else "Say which card."
    raise ParseError("{} {}", wrong, hand_listed(view))


_SAME_WORDS = {
    "nt": "nice try", "si": "self isolation", "tp": "toilet paper", "ip": "infection prevention",
    "neighbor": "neighbour", "nosy": "nosey", "reflect": "reflection", "trade": "trading",
    "isolate": "isolation", "self-isolation": "self isolation", "self-isolate": "self isolation",
}  # fmt: skip


def _named(words: Sequence[str], cards: Sequence[Card]) -> Cards:
    """Of *cards* those that the words name, copies once; all of them if no word is left."""
    spoken = [word for word in words if word not in FILLERS and word not in ("my", "for")]
    parts = " ".join([_SAME_WORDS.get(word, word) for word in spoken]).split()
    return distinct_cards([card for card in cards if parts and _is_named(parts, card)])


def _is_named(parts: Sequence[str], card: Card) -> bool:
    """Each part begins a word of the name, in their order; a number is said whole."""
    words = iter(normal(card_title(card)).replace("-", " ").split())
    return all(
        any(word == part if part.isdigit() else word.startswith(part) for word in words)
        for part in parts
    )
