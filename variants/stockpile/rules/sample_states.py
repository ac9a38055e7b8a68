"""States that fit what one seat sees and has heard, drawn by chance.

Rule 1: the true state is no parameter; what comes out can only repeat what went in.  [G-14]
Rule 2: every world is legal: 35 cards a back, the counts hold, no Impact card lies in a hand.
Rule 3: what was heard is used as far as it is certain: a test card that was kept is in that hand
        until it is seen to leave, and the deck that ran out first.  All else that fits is equally
        likely.  [SR-22]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from variants.contract import Chance, Seat
from variants.stockpile.counted import find_kept_tests, may_be_held, unseen_cards
from variants.stockpile.data.cards import DECKS, INDOORS, OUTDOORS, SUPPLIES, Card
from variants.stockpile.events import DeckEmptied, Event
from variants.stockpile.state import Player, State
from variants.stockpile.view import View


def sample_states(view: View, seen_events: Sequence[Event], chance: Chance) -> Iterator[State]:
    """Endless states that fit.  ValueError if there is none: no view of a game is like that."""
    kept = find_kept_tests(view, seen_events)
    heard = [event.deck for event in seen_events if isinstance(event, DeckEmptied)]
    emptied = [*heard, *[deck for deck in DECKS if not view.cards_left(deck)], ""][0]
    while True:
        yield _world(view, kept, emptied, chance)


def _world(view: View, kept: dict[Card, Seat], emptied: str, chance: Chance) -> State:
    hands: list[list[Card]] = [[] for _ in view.seats]
    for card, owner in kept.items():
        hands[owner].append(card)
    decks = {SUPPLIES: chance.shuffled(unseen_cards(view, SUPPLIES))}
    for back in (INDOORS, OUTDOORS):
        cards = chance.shuffled([card for card in unseen_cards(view, back) if card not in kept])
        free = [card for card in cards if may_be_held(card)]
        for seat, it in enumerate(view.seats):
            if seat == view.seat:
                continue
            backs = it.indoor if back == INDOORS else it.outdoor
            room = backs - sum(card.deck == back for card in hands[seat])
            if not 0 <= room <= len(free):
                raise ValueError("no state fits this view")
            hands[seat] += free[:room]
            free = free[room:]
        held = {card for hand in hands for card in hand}
        decks[back] = tuple([card for card in cards if card not in held])
    if any(len(cards) != view.cards_left(deck) for deck, cards in decks.items()):
        raise ValueError("no state fits this view")
    players = tuple(
        Player(
            hand=view.hand if seat == view.seat else chance.shuffled(hands[seat]),
            stockpile=it.stockpile,
            location=it.location,
            is_bound=it.is_bound,
            isolation=it.isolation,
            is_in=it.is_in,
        )
        for seat, it in enumerate(view.seats)
    )
    return State(
        decks=view.decks,
        players=players,
        turn=view.turn,
        asked=view.asked,
        supplies=decks[SUPPLIES],
        indoor=decks[INDOORS],
        outdoor=decks[OUTDOORS],
        discards=view.discards,
        number=view.number,
        action=view.action,
        asks=view.asks,
        question=view.question,
        skips=view.skips,
        impact=view.impact,
        effects=view.effects,
        counters=view.counters,
        asker=_asker(view),
        fallen=view.fallen,
        emptied=emptied,
        ended=view.ended,
        winners=view.winners,
        settings=view.settings,
    )


def _asker(view: View) -> int:
    """Which of those who may answer the live effect is answering it.

    They are its target, and before it the player whose effect it reflects.
    """
    if len(view.effects) < 2:
        return 0
    answering = view.counters[0].seat if view.counters else view.asked
    reflected, live = view.effects[-2:]
    return int(reflected.controller != live.target and answering == live.target)
