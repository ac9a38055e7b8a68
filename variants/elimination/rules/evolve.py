"""Events folded into a state: the game's memory.

Rule 1: total and pure.  No chance, no refusal; the same journal gives the same state for ever.
Rule 2: an event says which cards; marks follow from it and are kept here.  [ER-17]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from variants.contract import Seat
from variants.elimination.data.cards import GIVE_WAIT_TURNS, PACKS
from variants.elimination.events import (
    CardDrawn,
    CardForced,
    CardGiven,
    Cards,
    CardTaken,
    ChoiceOpened,
    Cleared,
    Dealt,
    Eliminated,
    Event,
    GameBegun,
    GameEnded,
    HandsShuffled,
    Misdealt,
    PairLocked,
    Passed,
    PositionArranged,
    TripletLocked,
    TurnEnded,
    TurnStarted,
)
from variants.elimination.state import Player, State
from variants.elimination.view import Outside


def evolve(state: State | None, event: Event) -> State:
    """The state after *event*.  Secret fields must be there: fold what was decided, not heard."""
    match event:
        case GameBegun(pack, seats, dealer, until):
            players, whole = (Player(),) * seats, PACKS[pack].cards
            return State(pack, dealer, players, turn=dealer, deck=whole, until=until)
        case PositionArranged():
            return _arranged(event)
    assert state is not None, "a game begins with GameBegun or PositionArranged"
    match event:
        case TurnStarted(seat, number):
            return _turn_started(state, seat, number)
        case TurnEnded(_, idle):
            return replace(state, idle=idle)
        case ChoiceOpened(seat):
            return replace(state, turn=seat, asks="next")
        case CardDrawn(seat, card) | CardForced(_, seat, card):
            players = _with(state, {seat: _received(state.players[seat], card)})
            return replace(state, players=players, deck=state.deck[1:])
        case CardGiven(giver, receiver, card) | CardTaken(receiver, giver, card):
            poorer = _without(state.players[giver], {card})
            richer = _received(state.players[receiver], card)
            return replace(state, players=_with(state, {giver: poorer, receiver: richer}))
        case PairLocked(seat, cards):
            assert cards is not None
            player = _without(state.players[seat], set(cards))
            player = replace(player, pairs=(*player.pairs, cards))
            return replace(state, players=_with(state, {seat: player}))
        case TripletLocked(seat, cards):
            player = _without(state.players[seat], set(cards))
            pairs = tuple(pair for pair in player.pairs if pair[0] not in cards)
            player = replace(player, pairs=pairs, triplets=(*player.triplets, cards))
            return replace(state, players=_with(state, {seat: player}))
        case HandsShuffled(_, hands):
            # [ER-20] the cards come from the common pool: free at once, old marks disappear
            players = tuple(
                replace(player, hand=hand, marks=())
                if player.is_in and hand is not None
                else player
                for player, hand in zip(state.players, hands, strict=True)
            )
            return replace(state, players=players)
        case Cleared():
            return _cleared(state, event)
        case Eliminated(seat, cards):
            assert event.deck is not None
            return replace(
                state,
                players=_with(state, {seat: Player(turns=state.players[seat].turns, is_in=False)}),
                deck=event.deck,
                outside=(*state.outside, Outside(cards, seat, "out")),
                fallen=(*state.fallen, seat),
            )
        case Dealt(hands, deck):
            assert deck is not None
            players = tuple(Player(hand=hand or ()) for hand in hands)
            return replace(state, players=players, deck=deck)
        case GameEnded(_, reason):
            return replace(state, asks="", ended=reason)
        case Misdealt() | Passed():
            return state
    raise AssertionError(f"no event of this game: {event!r}")


def _with(state: State, changed: Mapping[Seat, Player]) -> tuple[Player, ...]:
    return tuple([changed.get(Seat(seat), old) for seat, old in enumerate(state.players)])


def _received(player: Player, card: str | None) -> Player:
    """[ER-18] [ER-22] Every receipt from the deck or a player puts a new mark on the card."""
    assert card is not None
    mark = (card, player.turns + GIVE_WAIT_TURNS)
    return replace(player, hand=(*player.hand, card), marks=(*player.marks, mark))


def _without(player: Player, gone: set[str | None] | set[str]) -> Player:
    hand = tuple([card for card in player.hand if card not in gone])
    marks = tuple([mark for mark in player.marks if mark[0] not in gone])
    return replace(player, hand=hand, marks=marks)


def _turn_started(state: State, seat: Seat, number: int) -> State:
    player = state.players[seat]
    turns = player.turns + 1
    marks = tuple([mark for mark in player.marks if mark[1] > turns])
    players = _with(state, {seat: replace(player, turns=turns, marks=marks)})
    return replace(state, players=players, turn=seat, asks="action", number=number)


def _cleared(state: State, event: Cleared) -> State:
    assert event.hand is not None and event.deck is not None
    turns = state.players[event.seat].turns
    marks = tuple((card, turns + GIVE_WAIT_TURNS) for card in event.hand)  # [ER-18]
    player = Player(hand=event.hand, turns=turns, marks=marks)
    return replace(
        state,
        players=_with(state, {event.seat: player}),
        deck=event.deck,
        outside=(*state.outside, Outside(event.used, event.seat, "clear")),
    )


def _arranged(event: PositionArranged) -> State:
    players = []
    for seat, turns in enumerate(event.turns):
        hand, pairs, marks = event.hands[seat], event.pairs[seat], event.marks[seat]
        assert hand is not None and pairs is not None and marks is not None
        is_in = seat not in event.fallen
        players.append(Player(hand, pairs, event.triplets[seat], turns, marks, is_in))
    assert event.deck is not None
    outside: Cards = event.outside
    return State(
        pack=event.pack,
        dealer=event.dealer,
        players=tuple(players),
        deck=event.deck,
        outside=(Outside(outside, None, ""),) if outside else (),
        turn=event.turn,
        asks=event.asks,
        number=event.number,
        idle=event.idle,
        fallen=event.fallen,
        until=event.until,
    )
