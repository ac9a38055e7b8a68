"""What a seat of the word game may know, field by field and zone by zone.  [G-04] [G-11]

Rule 1: every field of every event has an audience; a new field fails until it gets one.
Rule 2: what follows from other public facts is DERIVED and is no knowledge of its own: phases,
        who is asked, how many answers are missing, turn numbers, whether a round ends for want
        of cards.  So a twin is accepted without looking at them, and a window that follows a
        hidden card is found.  [G-12]
Rule 3: who answered a sealed window, and what, is known to that seat alone until all have; of a
        trade each pair learns its own two letters, and others never any.  [WR-26]

Hidden are the letters of a hand and their order, End of Round, the pile, and whose manifest and
indicator which is, until a round is scored.  What is printed in the box is public, and so is every
word of it; manifests that were made for one game are known to nobody but who holds one.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from pkgutil import get_data
from random import Random
from typing import Any

from tests.conformance.audiences import (
    HIDDEN,
    Audience,
    actor_knows,
    derived,
    each_knows_own,
    nobody_knows,
    of_event,
)
from tests.conformance.play import Game, Step
from variants.contract import Seat
from variants.words import actions as a
from variants.words import events as e
from variants.words.data.box import parse_box
from variants.words.state import State
from variants.words.view import View

SHUFFLES_LATER = True  # each round is dealt anew
HAS_COPIES = True  # a letter is its own card
TYPED = 4  # lines of a kind


def all_know(event: Any, value: Any, observer: Seat | None) -> Hashable:
    return value


def owner_knows(event: Any, value: Any, observer: Seat | None) -> Hashable:
    return value if observer == event.word.owner else HIDDEN


def each_pair_knows_its_own(event: Any, value: Any, observer: Seat | None) -> Hashable:
    if observer == event.seat:
        return value
    return value[event.partners.index(observer)] if observer in event.partners else HIDDEN


def all_know_from_the_discard_pile(event: Any, value: Any, observer: Seat | None) -> Hashable:
    return actor_knows(event, value, observer) if event.source == "pile" else value


def all_know_what_is_printed(event: Any, box: Any, observer: Seat | None) -> Hashable:
    return (box.letters, box.points, box.indicators) if event.settings.has_fresh else box


AUDIENCES: Mapping[type, Mapping[str, Audience]] = {
    e.GameBegun: {"box": all_know_what_is_printed, "settings": all_know, "seats": all_know},
    e.RoundBegun: {
        "number": derived,
        "starter": all_know,
        "hands": each_knows_own,
        "manifests": each_knows_own,
        "indicators": each_knows_own,
        "pile": nobody_knows,
        "discards": all_know,
        "pile_count": derived,
    },
    e.TurnStarted: {"seat": derived, "number": derived},
    e.LetterDrawn: {
        "seat": all_know,
        "source": all_know,
        "letter": all_know_from_the_discard_pile,
        "cards": all_know,
    },
    e.PhaseOpened: {"seat": derived, "phase": derived},
    e.TradeOffered: {"seat": all_know, "partners": all_know, "letters": actor_knows},
    e.TradeAnswered: {"seat": actor_knows, "letter": actor_knows, "missing": derived},
    e.Traded: {
        "seat": all_know,
        "partners": all_know,
        "given": each_pair_knows_its_own,
        "got": each_pair_knows_its_own,
    },
    e.LetterAdded: {"seat": all_know, "word": all_know, "letter": all_know, "was": all_know},
    e.LetterStolen: {
        "seat": all_know,
        "word": all_know,
        "letter": all_know,
        "was": all_know,
        "made": all_know,
        "set": actor_knows,
    },
    e.WordFormed: {"word": all_know, "set": owner_knows},
    e.WordLocked: {"word": all_know, "set": owner_knows},
    e.WordsRebuilt: {
        "seat": all_know,
        "taken": all_know,
        "laid": all_know,
        "from_hand": all_know,
        "to_hand": all_know,
        "sets": actor_knows,
    },
    e.LetterDiscarded: {"seat": all_know, "letter": all_know},
    e.Passed: {"seat": all_know},
    e.TurnEnded: {"seat": derived, "quiet": derived, "still": derived},
    e.RoundEnding: {"seat": all_know, "why": all_know},
    e.RemovalOpened: {"seats": derived},
    e.RemovalAnswered: {"seat": actor_knows, "removal": actor_knows, "missing": derived},
    e.LetterRemoved: {"seat": all_know, "word": all_know, "letter": all_know, "was": all_know},
    e.RoundScored: {"number": derived, "sheets": all_know},
    e.GameEnded: {"totals": derived, "reason": derived},
    e.PositionArranged: {
        "hands": each_knows_own,
        "manifests": each_knows_own,
        "indicators": each_knows_own,
        "pile": nobody_knows,
        "box": all_know_what_is_printed,
        **dict.fromkeys(
            ("settings", "round", "starter", "turn", "number", "phase", "drawn",
             "hand_counts", "totals", "words", "pile_count", "discards", "quiet", "still",
             "traded", "stolen", "added", "changes"),
            all_know,
        ),
    },
}  # fmt: skip

DERIVED_EVENTS = (e.TurnStarted, e.PhaseOpened, e.TurnEnded, e.RemovalOpened, e.GameEnded)
"""That they happen at all follows from the rest."""
CHOSEN_ENDS = ("end", "out")
"""Why a round ends, where somebody wanted it; else it follows from the rest, too."""


def is_derived(event: Any) -> bool:
    if isinstance(event, e.RoundEnding):
        return event.why not in CHOSEN_ENDS
    return isinstance(event, DERIVED_EVENTS)


def facts(step: Step, observer: Seat | None) -> Hashable:
    told = tuple(
        of_event(event, AUDIENCES, observer) for event in step.events if not is_derived(event)
    )
    return told, _of_table(step.state, observer)


def _of_table(state: State, observer: Seat | None) -> Hashable:
    """What lies on the table, and what is the observer's own."""
    hands = tuple(len(player.hand) for player in state.players)
    public = hands, state.words, len(state.pile), state.discards, state.totals
    if observer is None:
        return public, ()
    own = state.players[observer]
    offers = state.offers if observer == state.turn else ()
    replies = tuple(reply for reply in state.replies if reply.seat == observer)
    return public, (own, offers, replies)


def _indicators() -> dict[str, str]:
    """What each indicator of the shipped box does, by id: two of them may do the same."""
    box = parse_box((get_data("variants.words", "data/box.json") or b"").decode())
    return {each.id: f"set {each.set} x{each.multiplier}" for each in box.indicators}


INDICATORS = _indicators()


def kin(component: str) -> str:
    return INDICATORS.get(component, component)


def out(state: State) -> frozenset[Seat]:
    """Everybody plays to the end."""
    return frozenset()


def other_acts(view: View, action: Any) -> list[Any]:
    """Other letters that could have been offered in the same trade."""
    if not isinstance(action, a.Trade):
        return []
    letters = [card for card in view.hand if card != "*"]
    for offer in action.offers:
        letters.remove(offer.letter)
    return [
        replace(action, offers=(replace(offer, letter=letter), *action.offers[1:]))
        for offer in action.offers[:1]
        for letter in dict.fromkeys(letters)
        if letter != offer.letter
    ]


def typed(game: Game, random: Random) -> list[str]:
    """Words on cards in the box, whoever has them; letters that somebody else may hold."""
    state: State = game.steps[0].state
    printed = sorted({w for card in state.box.manifests for words in card.sets for w in words})
    forms = [f"form {word.lower()}" for word in random.sample(printed, TYPED)]
    letters = random.sample("abcdefghijklmnoprstuvwy", TYPED)
    other = random.choice(game.setting.names)
    return [
        *forms,
        *(f"discard {letter}" for letter in letters),
        f"trade {letters[0]} with {other}",
    ]
