"""Duel: a game nobody sells, the shortest that keeps all laws of a game.

Two or three seats hold three secret cards each.  Every round all bid one card face down in a
sealed window; the bids are shown together and the highest takes a point.  Its owner may then draw
a card unseen or pass, in a window of one seat; with the 13 in hand, only pass.  After ROUNDS rounds
the most points win; of equal points the cards that were bid decide.  The default bids a random
card, so that time-outs draw from the game's chance.

It is in no catalogue, so tests of the server prove with it that the server knows no game.  It is
also the game that `docs/adding-a-game.md` was tried with: this folder is all there is of it.
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
from variants.kit.english import find_seats, subject_and_verb
from variants.kit.matcher import Grammar, Meaning, Play, Slot, Table, Words, number_of, split
from variants.kit.text import Style, StyledLine, join_words, quantity, styled_line
from variants.kit.wrap import wrap_parts

BOX = tuple(str(number) for number in range(1, 21))
HAND = 3
UNLUCKY = "13"

# -- values ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bid:
    card: str


@dataclass(frozen=True)
class Draw:
    pass


@dataclass(frozen=True)
class Pass:
    pass


@dataclass(frozen=True)
class Dealt:
    hands: tuple[tuple[str, ...] | None, ...]  # by seat; None: not yours to see
    deck: tuple[str, ...] | None
    rounds: int


@dataclass(frozen=True)
class BidMade:
    seat: int
    card: str


@dataclass(frozen=True)
class BidsShown:
    cards: tuple[str, ...]  # by seat
    winner: int


@dataclass(frozen=True)
class Drawn:
    seat: int
    card: str | None  # None: not yours to see


@dataclass(frozen=True)
class Passed:
    seat: int


@dataclass(frozen=True)
class State:
    hands: tuple[tuple[str, ...], ...]
    deck: tuple[str, ...]
    rounds: int
    bids: tuple[str | None, ...]
    points: tuple[int, ...]
    shown: tuple[tuple[str, ...], ...]  # by seat: the cards that it has bid
    round: int = 1
    chooser: int | None = None  # who may draw; None: all bid


@dataclass(frozen=True)
class View:
    seat: int | None
    hand: tuple[str, ...]
    own_bid: str | None
    counts: tuple[int, ...]  # by seat, with the card that is bid
    deck: int
    rounds: int
    points: tuple[int, ...]
    shown: tuple[tuple[str, ...], ...]
    round: int
    chooser: int | None

    @property
    def seats(self) -> range:
        return range(len(self.counts))

    @property
    def turn(self) -> int:
        return self.chooser or 0


Action = Bid | Draw | Pass
Event = Dealt | BidMade | BidsShown | Drawn | Passed

# -- rules -----------------------------------------------------------------------------------------


def check_options(options: Mapping[str, str]) -> None:
    if options["rounds"] == "9":
        raise Refusal("Nine rounds are too many: rounds=2 or rounds=3.")


def deal(seats: int, options: Mapping[str, str], chance: Chance) -> Sequence[Event]:
    cards = chance.shuffled(BOX)
    hands = tuple(cards[n * HAND : (n + 1) * HAND] for n in range(seats))
    return [Dealt(hands, cards[seats * HAND :], int(options["rounds"]))]


def asked(view: View) -> Window | None:
    if view.round > view.rounds:
        return None
    turn = f"round {view.round}"
    if view.chooser is not None:
        chooser = (Seat(view.chooser),)
        return Window(f"{turn} draw", chooser, "draw", "to draw or pass", turn=turn)
    everybody = tuple(Seat(n) for n in range(len(view.points)))
    return Window(f"{turn} bid", everybody, "bid", "to bid", is_sealed=True, turn=turn)


def legal_actions(view: View) -> Sequence[Action]:
    if view.seat is None or view.round > view.rounds:
        return []
    if view.chooser is None:
        return [Bid(card) for card in view.hand] if view.own_bid is None else []
    if view.chooser != view.seat:
        return []
    return [Pass()] if UNLUCKY in view.hand else [Draw(), Pass()]


def check(view: View, action: Action) -> None:
    if action not in (legal := legal_actions(view)):
        unlucky = f" You hold the {UNLUCKY}: pass." if legal == [Pass()] else ""
        raise IllegalAction(f"You cannot do that now.{unlucky}")


def decide(state: State, seat: Seat, action: Action, chance: Chance) -> Sequence[Event]:
    check(observe(state, seat), action)
    match action:
        case Bid(card):
            bids = [card if n == seat else bid for n, bid in enumerate(state.bids)]
            made: list[Event] = [BidMade(seat, card)]
            if None not in bids:
                shown = tuple(b for b in bids if b is not None)
                made.append(BidsShown(shown, shown.index(max(shown, key=int))))
            return made
        case Draw():
            return [Drawn(seat, state.deck[chance.below(len(state.deck))])]
        case _:
            return [Passed(seat)]


def evolve(state: State | None, event: Event) -> State:
    if isinstance(event, Dealt):
        hands = tuple(hand or () for hand in event.hands)
        none, points, shown = (None,) * len(hands), (0,) * len(hands), ((),) * len(hands)
        return State(hands, event.deck or (), event.rounds, none, points, shown)
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
            shown = tuple((*old, card) for old, card in zip(state.shown, cards, strict=True))
            none = (None,) * len(cards)
            return replace(state, bids=none, points=points, shown=shown, chooser=winner)
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
        state.shown,
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
    worth = [
        (points, sum(map(int, cards)))
        for points, cards in zip(state.points, state.shown, strict=True)
    ]
    places = tuple(1 + sum(other > own for other in worth) for own in worth)
    return Outcome(places, state.points, f"{state.rounds} rounds are played")


def zones(state: State) -> Mapping[str, Sequence[str]]:
    hands = {f"hand {n}": hand for n, hand in enumerate(state.hands)}
    bids = [bid for bid in state.bids if bid is not None]
    return {**hands, "bids": bids, "shown": [c for own in state.shown for c in own],
            "deck": state.deck}  # fmt: skip


def arrange(
    seats: int, options: Mapping[str, str], position: Mapping[str, Any], chance: Chance
) -> Sequence[Event]:
    raise ValueError("no positions here")


def worlds(view: View, seen: Sequence[Event], chance: Chance) -> Iterator[State]:
    """Whoever else has bid already is taken to hold the card still."""
    size = len(view.counts)
    known = {*view.hand, view.own_bid, *(card for own in view.shown for card in own)}
    while True:
        cards = list(chance.shuffled([card for card in BOX if card not in known]))
        hands = [
            view.hand if seat == view.seat else tuple([cards.pop() for _ in range(count)])
            for seat, count in enumerate(view.counts)
        ]
        bids = tuple(view.own_bid if seat == view.seat else None for seat in range(size))
        yield State(tuple(hands), tuple(cards), view.rounds, bids, view.points, view.shown,
                    view.round, view.chooser)  # fmt: skip


def random_player(view: View, seen: Sequence[Event], chance: Chance) -> Action:
    actions = legal_actions(view)
    return actions[chance.below(len(actions))]


# -- words -----------------------------------------------------------------------------------------


def _card(words: Words, at: int, table: Table[View]) -> Iterator[Meaning]:
    if number_of(words[at]) is not None:
        yield Meaning(1, words[at])


GRAMMAR: Grammar[Table[View], Action] = Grammar(
    plays=(
        Play("bid {card}", Bid, {"card": Slot("CARD", _card)}),
        Play("draw", Draw),
        Play("pass", Pass),
    ),
    question=lambda table: "",
    legal_actions=lambda table: legal_actions(table.view),
)


def parse(text: str, view: View, names: SeatNames) -> Action:
    return GRAMMAR.parse(split(text, names), Table(view, names))


def phrase(action: Action, view: View, names: SeatNames) -> str:
    return GRAMMAR.phrase(action, Table(view, names))


def tell(event: Event, seat: Seat | None, names: SeatNames, style: Style) -> StyledLine | None:
    match event:
        case Dealt():
            return None
        case BidMade():
            return styled_line("You bid ", event.card, ".")
        case BidsShown():
            wins = subject_and_verb(Seat(event.winner), "win", seat, names)
            return styled_line("The bids: ", ", ".join(event.cards), "; ", *wins, " the round.")
        case Drawn(owner, card):
            drawn = f" the {card}." if card else " a card."
            return (*subject_and_verb(Seat(owner), "draw", seat, names), *styled_line(drawn))
        case _:
            return (*subject_and_verb(Seat(event.seat), "pass", seat, names), *styled_line("."))


def render(view: View, names: SeatNames, style: Style) -> Sequence[StyledLine]:
    window = asked(view)
    asks = (
        [f"{join_words([names[seat] for seat in window.seats])}: {window.asks}."] if window else []
    )
    head = [f"Round {view.round} of {view.rounds}.", *asks]
    seats = [row for seat in view.seats for row in _of(seat, view, names, style)]
    return [*_rows(head, style), *seats, *_piles(view, style), *_hand(view, style)]


def _rows(sentences: Sequence[str], style: Style) -> Sequence[StyledLine]:
    return wrap_parts((), [styled_line(sentence) for sentence in sentences], style.width)


def _of(seat: int, view: View, names: SeatNames, style: Style) -> Sequence[StyledLine]:
    cards, points = quantity(view.counts[seat], "card"), quantity(view.points[seat], "point")
    shown = f"Bids: {', '.join(view.shown[seat])}." if view.shown[seat] else "No bids."
    return wrap_parts(
        (),
        [styled_line((f"{names[seat]}:", "strong")), styled_line(f"{cards}, {points}."),
         styled_line(shown)],
        style.width,
    )  # fmt: skip


def _hand(view: View, style: Style) -> Sequence[StyledLine]:
    if view.seat is None:
        return _rows(["You are watching, and have no cards."], style)
    bid = [f"Your bid: {view.own_bid}."] if view.own_bid else []
    return _rows([f"Your hand: {', '.join(view.hand) or 'no cards'}.", *bid], style)


def _piles(view: View, style: Style) -> Sequence[StyledLine]:
    return _rows([f"The deck has {quantity(view.deck, 'card')}."], style)


QUESTIONS = {
    "hand": "your cards and your bid",
    "table": "of every player the cards, the points and the bids; table bob: of one",
    "piles": "how many cards the deck has",
}


def answer(
    text: str, view: View, seen_events: Sequence[Event], names: SeatNames, style: Style
) -> Sequence[StyledLine]:
    verb, *words = text.split() or [""]
    if verb == "table":
        asked_about = find_seats(words, None if view.seat is None else Seat(view.seat), names)
        return [row for seat in asked_about for row in _of(seat, view, names, style)]
    if verb not in QUESTIONS:
        raise ParseError("You can ask hand, table, table NAME or piles.")
    if words:
        raise ParseError("{} stands alone: type {}.", verb, verb)
    return _hand(view, style) if verb == "hand" else _piles(view, style)


DUEL: Variant[State, Action, Event, View] = Variant(
    name="duel",
    title="Duel, a toy",
    summary="Bid the highest card.",
    guide=("Bid.",),
    seats=range(2, 4),
    options=(Option("rounds", "3", ("2", "3", "9"), "how many rounds"),),
    default_clocks_s={"bid": 60, "draw": 25},
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
    components=lambda options: sorted(BOX),
    zones=zones,
    arrange=arrange,
    sample_states=worlds,
    verbs=("bid", "draw", "pass"),
    parse=parse,
    phrase=phrase,
    describe_event=tell,
    render=render,
    questions=QUESTIONS,
    answer=answer,
    bots={"easy": random_player, "medium": random_player, "hard": random_player},
    stand_in="hard",
)
VARIANT = DUEL
