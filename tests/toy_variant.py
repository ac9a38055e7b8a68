"""Duel: a game nobody sells, so that tests can prove that the server knows no game.

Two or three seats hold three secret cards each.  Every round all bid one card face down in a
sealed window; the bids are shown together and the highest takes a point.  Its owner may then draw
a card unseen or pass, in a window of one seat.  After ROUNDS rounds the most points win.  The
default bids a random card, so that time-outs draw from the game's chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from variants.contract import (
    Chance,
    IllegalAction,
    Option,
    Outcome,
    ParseError,
    Refusal,
    Seat,
    SeatNames,
    Variant,
    Window,
)
from variants.kit.text import Style, StyledLine, styled_line

CARDS = 20
HAND = 3


@dataclass(frozen=True)
class Bid:
    card: int


@dataclass(frozen=True)
class Draw:
    pass


@dataclass(frozen=True)
class Pass:
    pass


@dataclass(frozen=True)
class Dealt:
    hands: tuple[tuple[int, ...] | None, ...]  # by seat; None: not yours to see
    deck: tuple[int, ...] | None
    rounds: int


@dataclass(frozen=True)
class BidMade:
    seat: int
    card: int


@dataclass(frozen=True)
class BidsShown:
    cards: tuple[int, ...]  # by seat
    winner: int


@dataclass(frozen=True)
class Drawn:
    seat: int
    card: int | None  # None: not yours to see


@dataclass(frozen=True)
class Passed:
    seat: int


@dataclass(frozen=True)
class State:
    hands: tuple[tuple[int, ...], ...]
    deck: tuple[int, ...]
    rounds: int
    bids: tuple[int | None, ...]
    points: tuple[int, ...]
    round: int = 1
    chooser: int | None = None  # who may draw; None: all bid


@dataclass(frozen=True)
class View:
    seat: int | None
    hand: tuple[int, ...]
    own_bid: int | None
    counts: tuple[int, ...]
    deck: int
    rounds: int
    points: tuple[int, ...]
    round: int
    chooser: int | None


Action = Bid | Draw | Pass
Event = Dealt | BidMade | BidsShown | Drawn | Passed


def check_options(options: Mapping[str, str]) -> None:
    if options["rounds"] == "9":
        raise Refusal("Nine rounds are too many: rounds=2 or rounds=3.")


def deal(seats: int, options: Mapping[str, str], chance: Chance) -> Sequence[Event]:
    cards = chance.shuffled(range(1, CARDS + 1))
    hands = tuple(cards[n * HAND : (n + 1) * HAND] for n in range(seats))
    return [Dealt(hands, cards[seats * HAND :], int(options["rounds"]))]


def asked(view: View) -> Window | None:
    if view.round > view.rounds:
        return None
    if view.chooser is not None:
        chooser = (Seat(view.chooser),)
        return Window(f"round {view.round} draw", chooser, "draw", "to draw or pass")
    everybody = tuple(Seat(n) for n in range(len(view.points)))
    return Window(f"round {view.round} bid", everybody, "bid", "to bid", is_sealed=True)


def legal_actions(view: View) -> Sequence[Action]:
    if view.seat is None or view.round > view.rounds:
        return []
    if view.chooser is None:
        return [Bid(card) for card in view.hand] if view.own_bid is None else []
    return [Draw(), Pass()] if view.chooser == view.seat else []


def check(view: View, action: Action) -> None:
    if action not in legal_actions(view):
        raise IllegalAction("You cannot do that now.")


def decide(state: State, seat: Seat, action: Action, chance: Chance) -> Sequence[Event]:
    check(observe(state, seat), action)
    match action:
        case Bid(card):
            bids = [card if n == seat else bid for n, bid in enumerate(state.bids)]
            made: list[Event] = [BidMade(seat, card)]
            if None not in bids:
                shown = tuple(b for b in bids if b is not None)
                made.append(BidsShown(shown, shown.index(max(shown))))
            return made
        case Draw():
            return [Drawn(seat, state.deck[chance.below(len(state.deck))])]
        case _:
            return [Passed(seat)]


def evolve(state: State | None, event: Event) -> State:
    if isinstance(event, Dealt):
        hands = tuple(hand or () for hand in event.hands)
        none = (None,) * len(hands)
        return State(hands, event.deck or (), event.rounds, none, (0,) * len(hands))
    assert state is not None
    match event:
        case BidMade(seat, card):
            return replace(
                state,
                bids=tuple(card if n == seat else b for n, b in enumerate(state.bids)),
                hands=tuple(
                    tuple(c for c in hand if c != card) if n == seat else hand
                    for n, hand in enumerate(state.hands)
                ),
            )
        case BidsShown(cards, winner):
            points = tuple(p + (n == winner) for n, p in enumerate(state.points))
            return replace(state, bids=(None,) * len(cards), points=points, chooser=winner)
        case Drawn(seat, card):
            assert card is not None
            hands = tuple(
                (*hand, card) if n == seat else hand for n, hand in enumerate(state.hands)
            )
            deck = tuple(c for c in state.deck if c != card)
            return replace(state, hands=hands, deck=deck, round=state.round + 1, chooser=None)
        case _:
            return replace(state, round=state.round + 1, chooser=None)


def observe(state: State, seat: Seat | None) -> View:
    return View(
        seat,
        state.hands[seat] if seat is not None else (),
        state.bids[seat] if seat is not None else None,
        tuple(len(h) + (b is not None) for h, b in zip(state.hands, state.bids, strict=True)),
        len(state.deck),
        state.rounds,
        state.points,
        state.round,
        state.chooser,
    )


def redact(event: Event, seat: Seat | None) -> Event | None:
    match event:
        case Dealt(hands, _, rounds):
            own = tuple(hand if n == seat else None for n, hand in enumerate(hands))
            return Dealt(own, None, rounds)
        case BidMade(owner, _):
            return event if owner == seat else None
        case Drawn(owner, _):
            return event if owner == seat else Drawn(owner, None)
        case _:
            return event


def default(view: View, chance: Chance) -> Action:
    return Bid(view.hand[chance.below(len(view.hand))]) if view.chooser is None else Pass()


def outcome(state: State) -> Outcome | None:
    if state.round <= state.rounds:
        return None
    places = tuple(1 + sum(q > p for q in state.points) for p in state.points)
    return Outcome(places, state.points, f"{state.rounds} rounds are played")


def zones(state: State) -> Mapping[str, Sequence[str]]:
    hands = {f"hand {n}": [str(c) for c in hand] for n, hand in enumerate(state.hands)}
    return {**hands, "deck": [str(c) for c in state.deck]}


def arrange(
    seats: int, options: Mapping[str, str], position: Mapping[str, Any], chance: Chance
) -> Sequence[Event]:
    raise ValueError("no positions here")


def worlds(view: View, seen: Sequence[Event], chance: Chance) -> Iterator[State]:
    raise NotImplementedError


def parse(text: str, view: View, names: SeatNames) -> Action:
    match text.split():
        case ["bid", card] if card.isdigit():
            return Bid(int(card))
        case ["draw"]:
            return Draw()
        case ["pass"]:
            return Pass()
        case ["crash"]:
            raise KeyError("a bug of this rule book, on purpose")
        case _:
            raise ParseError("Type bid and a card, draw or pass, {}.", view.seat or 0)


def phrase(action: Action, view: View, names: SeatNames) -> str:
    return f"bid {action.card}" if isinstance(action, Bid) else type(action).__name__.lower()


def tell(event: Event, seat: Seat | None, names: SeatNames, style: Style) -> StyledLine | None:
    match event:
        case Dealt():
            return None
        case BidMade():
            return styled_line(f"You bid {event.card}.")
        case BidsShown():
            return styled_line(f"The bids: {event.cards}; {names[event.winner]} wins the round.")
        case Drawn():
            return styled_line(f"{names[event.seat]} draws a card.")
        case _:
            return styled_line(f"{names[event.seat]} passes.")


def render(view: View, names: SeatNames, style: Style) -> Sequence[StyledLine]:
    return [styled_line(f"Round {view.round}. Your hand: {view.hand}")]


def random_player(view: View, seen: Sequence[Event], chance: Chance) -> Action:
    actions = legal_actions(view)
    return actions[chance.below(len(actions))]


DUEL: Variant[State, Action, Event, View] = Variant(
    name="duel",
    title="Duel, a toy",
    summary="Bid the highest card.",
    guide=("Bid.",),
    seats=range(2, 4),
    options=(Option("rounds", "3", ("2", "3", "9"), "how many rounds"),),
    clocks={"bid": 60, "draw": 25},
    action_types=(Bid, Draw, Pass),
    event_types=(Dealt, BidMade, BidsShown, Drawn, Passed),
    view_type=View,
    state_type=State,
    check_options=check_options,
    deal=deal,
    open_window=asked,
    check=check,
    legal_actions=legal_actions,
    lists_all=True,
    decide=decide,
    evolve=evolve,
    observe=observe,
    redact=redact,
    default_action=default,
    outcome=outcome,
    decisions_max=lambda seats: 3 * (seats + 1),
    components=lambda options: sorted(map(str, range(1, CARDS + 1))),
    zones=zones,
    arrange=arrange,
    sample_states=worlds,
    parse=parse,
    phrase=phrase,
    describe_event=tell,
    render=render,
    bots={1: random_player, 2: random_player},
)
