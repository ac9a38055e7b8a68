"""Events folded into a state: the game's memory.

Rule 1: total and pure.  No chance, no refusal; the same journal gives the same state for ever.
Rule 2: an event says which cards; a card leaves the zone where it lies and lies in the next.
        Where a card may come from one place only, the event does not repeat it.
Rule 3: what waits for an answer (`asks`, `asked`, `effects`, `counters`, `asker`) follows from
        the events alone; every opened window is a new question.
"""

from __future__ import annotations

from dataclasses import replace

from variants.contract import Seat
from variants.stockpile.data.cards import DECKS, INDOORS, SOLD_OUT, SUPPLIES, Card, Cards
from variants.stockpile.events import (
    ActionOpened,
    CardDiscarded,
    CardDrawn,
    Countered,
    CounterSettled,
    Dealt,
    DeckEmptied,
    EffectPlayed,
    Eliminated,
    Event,
    GameBegun,
    GameEnded,
    GiveUpOpened,
    ImpactDrawn,
    IsolationEnded,
    IsolationPlayed,
    LocationOpened,
    Looted,
    NothingLost,
    Passed,
    PositionArranged,
    ReactionOpened,
    Reflected,
    Relocated,
    StartedAgain,
    StockPlayed,
    SuppliesDiscarded,
    SupplyDrawn,
    SupplyLost,
    SwapPlayed,
    Tested,
    TestKept,
    Traded,
    TurnStarted,
)
from variants.stockpile.state import Player, State
from variants.stockpile.view import Counter, Effect


def evolve(state: State | None, event: Event) -> State:
    """The state after *event*.  Secret fields must be there: fold what was decided, not heard."""
    match event:
        case GameBegun(decks, seats, settings):
            players = (Player(),) * seats
            boxes = decks.supplies, decks.indoor, decks.outdoor
            return State(decks, players, Seat(0), Seat(0), *boxes, settings=settings)
        case PositionArranged():
            return _arranged(event)
    assert state is not None, "a game begins with GameBegun or PositionArranged"
    match event:
        case Dealt(stockpiles, supplies, indoor, outdoor):
            assert supplies is not None and indoor is not None and outdoor is not None
            players = tuple([Player(stockpile=cards) for cards in stockpiles])
            return replace(
                state, players=players, supplies=supplies, indoor=indoor, outdoor=outdoor
            )
        case TurnStarted(seat, number):
            return replace(state, turn=seat, number=number, action=0, asks="", skips=False)
        case ActionOpened() | GiveUpOpened() | ReactionOpened() | LocationOpened():
            return _opened(state, event)
        case CardDrawn(seat, back, card):
            assert card is not None
            return _received(_uncovered(state, back), seat, card)
        case ImpactDrawn(_, card):
            return _discarded(_uncovered(state, card.deck), card)
        case Tested(_, card):
            return state if card is None else _discarded(_uncovered(state, card.deck), card)
        case TestKept(seat, card):
            return _received(_picked_up(state, card), seat, card)
        case SupplyDrawn(seat, card):
            state = _uncovered(state, SUPPLIES)
            return _discarded(state, card) if card.name == SOLD_OUT else _stocked(state, seat, card)
        case SupplyLost(seat, lost):
            return replace(_discarded(_unstocked(state, seat, lost), lost), impact=None)
        case SuppliesDiscarded(seat, _, cards):
            return _calm(_discarded(_unstocked(state, seat, *cards), *cards))
        case StockPlayed(seat, card) | CardDiscarded(seat, card):
            return _used(state, seat, card)
        case SwapPlayed(seat, card, other):
            return _used(state, seat, card, other)
        case IsolationPlayed(seat, card):
            return _with(_parted(state, seat, card), seat, isolation=card)
        case IsolationEnded(seat, card):
            return _discarded(_with(state, seat, isolation=None), card)
        case EffectPlayed() | Countered() | Reflected() | CounterSettled() | Looted() | Traded():
            return _answered(state, event)
        case Relocated():
            return _relocated(state, event)
        case Eliminated() | StartedAgain():
            return _infected(state, event)
        case GameEnded(reason, winners):
            return replace(state, asks="", ended=reason, winners=winners)
        case DeckEmptied(deck):
            return replace(state, emptied=state.emptied or deck)
        case NothingLost() | Passed():
            return state
    raise AssertionError(f"no event of this game: {event!r}")


# -- questions and effects -------------------------------------------------------------------------


def _opened(
    state: State, event: ActionOpened | GiveUpOpened | ReactionOpened | LocationOpened
) -> State:
    """Every opened window is a new question."""
    match event:
        case ActionOpened(seat, action):
            return replace(_asking(state, "action", seat), action=action)
        case GiveUpOpened(seat, _, card):
            return replace(_asking(state, "give up", seat), impact=card)
        case ReactionOpened(seat):
            return _reaction_opened(state, seat)
        case LocationOpened(seat):
            state = _with(state, seat, is_bound=False)  # [SR-14] the choice is free again
            return _asking(state, "location", seat)


def _answered(
    state: State,
    event: EffectPlayed | Countered | Reflected | CounterSettled | Looted | Traded,
) -> State:
    """What is played against somebody, what is answered, and what comes of it."""
    match event:
        case EffectPlayed(seat, card, target, supply, give, take):
            effect = Effect(card, seat, target, supply, give, take)
            return replace(_calm(_used(state, seat, card)), effects=(effect,))
        case Countered(seat, card):
            counters = (*state.counters, Counter(card, seat))
            return replace(_used(state, seat, card), counters=counters)
        case Reflected(seat, card, target, give, take):
            supply = state.effects[0].supply  # [SR-60] the kind stays
            effects = (*state.effects, Effect(card, seat, target, supply, give, take))
            return replace(_calm(_used(state, seat, card)), effects=effects)
        case CounterSettled(stands):
            return replace(_calm(state), effects=state.effects[:-1] if stands else state.effects)
        case Looted(seat, victim, card):
            return _calm(_stocked(_unstocked(state, victim, card), seat, card))
        case Traded(seat, other, gave, took):
            state = _unstocked(_unstocked(state, seat, gave), other, took)
            return _calm(_stocked(_stocked(state, seat, took), other, gave))


def _asking(state: State, asks: str, seat: Seat) -> State:
    return replace(state, asks=asks, asked=seat, question=state.question + 1)


def _reaction_opened(state: State, seat: Seat) -> State:
    """Against the live effect itself the asker counts; a counter has two sides only."""
    state = _asking(state, "reaction", seat)
    if state.counters:
        return state
    return replace(state, asker=state.reaction_order.index(seat))


def _calm(state: State) -> State:
    """The effects have happened, or begin to be answered afresh (then the caller says which)."""
    return replace(state, effects=(), counters=(), asker=0)


def _infected(state: State, event: Eliminated | StartedAgain) -> State:
    """All the seat's cards are discarded; it stays where it was, and is out or starts again."""
    seat = event.seat
    in_play = () if event.isolation is None else (event.isolation,)
    state = _discarded(state, *event.hand, *in_play, *event.stockpile)
    if isinstance(event, StartedAgain):  # [SR-70]
        return _with(state, seat, hand=(), stockpile=(), isolation=None)
    left = Player(location=state.players[seat].location, is_in=False)
    players = _replaced(state.players, seat, left)
    return replace(state, players=players, fallen=(*state.fallen, seat))


def _relocated(state: State, event: Relocated) -> State:
    skips = state.skips or event.skips
    state = _with(state, event.seat, location=event.to, is_bound=event.is_bound)
    if event.why == "switch":
        state = _calm(state)
    return replace(state, skips=skips)


# -- cards from zone to zone -----------------------------------------------------------------------


def _uncovered(state: State, deck: str) -> State:
    """Without the top card of *deck*."""
    if deck == SUPPLIES:
        return replace(state, supplies=state.supplies[1:])
    if deck == INDOORS:
        return replace(state, indoor=state.indoor[1:])
    return replace(state, outdoor=state.outdoor[1:])


def _discarded(state: State, *cards: Card) -> State:
    """Each card on the discard pile of its own deck."""
    supplies, indoor, outdoor = (
        (*pile, *[card for card in cards if card.deck == deck])
        for deck, pile in zip(DECKS, state.discards, strict=True)
    )
    return replace(state, discards=(supplies, indoor, outdoor))


def _picked_up(state: State, card: Card) -> State:
    supplies, indoor, outdoor = (_less(pile, card) for pile in state.discards)
    return replace(state, discards=(supplies, indoor, outdoor))


def _used(state: State, seat: Seat, *cards: Card) -> State:
    """From the hand to the discard pile."""
    return _discarded(_parted(state, seat, *cards), *cards)


def _parted(state: State, seat: Seat, *cards: Card) -> State:
    return _with(state, seat, hand=_less(state.players[seat].hand, *cards))


def _received(state: State, seat: Seat, card: Card) -> State:
    return _with(state, seat, hand=(*state.players[seat].hand, card))


def _stocked(state: State, seat: Seat, card: Card) -> State:
    return _with(state, seat, stockpile=(*state.players[seat].stockpile, card))


def _unstocked(state: State, seat: Seat, *cards: Card) -> State:
    return _with(state, seat, stockpile=_less(state.players[seat].stockpile, *cards))


def _less(cards: Cards, *gone: Card) -> Cards:
    return tuple([card for card in cards if card not in gone])


def _with(state: State, seat: Seat, **changed: object) -> State:
    player = replace(state.players[seat], **changed)  # type: ignore[arg-type]
    return replace(state, players=_replaced(state.players, seat, player))


def _replaced(players: tuple[Player, ...], seat: Seat, player: Player) -> tuple[Player, ...]:
    return (*players[:seat], player, *players[seat + 1 :])


def _arranged(event: PositionArranged) -> State:
    """Nothing is asked yet: an ActionOpened follows, or the end of the game."""
    assert event.supplies is not None and event.indoor is not None and event.outdoor is not None
    players = []
    for n, hand in enumerate(event.hands):
        assert hand is not None
        bound, is_in = n in event.bound, n not in event.out
        held = hand, event.stockpiles[n], event.locations[n], bound, event.isolation[n], is_in
        players.append(Player(*held))
    return State(
        decks=event.decks,
        players=tuple(players),
        turn=event.turn,
        asked=event.turn,
        supplies=event.supplies,
        indoor=event.indoor,
        outdoor=event.outdoor,
        discards=event.discards,
        number=event.number,
        action=event.action,
        fallen=event.out,
        settings=event.settings,
        emptied=next((d for d, left in zip(DECKS, event.counts, strict=True) if not left), ""),
    )
