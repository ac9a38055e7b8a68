"""What one seat may see, and so what it may do.

Rule 1: nothing here knows the state.  Legality, the question and the time-out default follow
        from a view, so none of them can tell a hidden card.  [G-12]
Rule 2: refusals come in one order: not yours to play, against the open position, against the
        own cards.  The first two say the same whatever the seat holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from variants.contract import Chance, IllegalAction, Seat, Window
from variants.elimination.actions import Action, Clear, Draw, Force, Give, Next, Shuffle, Take
from variants.elimination.data import JOKER, PACKS, RANK, RANK_NAMES, SUIT_NAMES, cards_of
from variants.elimination.events import Cards, Mark, Sets
from variants.kit.text import series


@dataclass(frozen=True, slots=True)
class Outside:
    """Cards that left the game together, face up."""

    cards: Cards
    seat: Seat | None
    why: str  # "out": the seat's quadruples; "clear": the seat used them; "": set aside


@dataclass(frozen=True, slots=True)
class SeatView:
    """What everybody may know of one seat.  [E3]"""

    is_in: bool
    cards: int  # in the mobile hand
    pairs: int  # face down
    triplets: Sets  # face up
    turns: int  # started so far


@dataclass(frozen=True, slots=True)
class View:
    seat: Seat | None  # None: a watcher
    pack: str
    seats: tuple[SeatView, ...]
    dealer: Seat
    turn: Seat  # who is to act; the last one when the game is over
    asks: str  # "action", "next", or "" when the game is over
    number: int  # of the turn
    idle: int  # turns in a row without progress
    deck: int  # cards
    outside: tuple[Outside, ...]  # oldest first
    candidates: tuple[Seat, ...]  # who may be named next, clockwise; empty unless asks "next"
    fallen: tuple[Seat, ...]  # first to fall first
    ended: str  # "" while the game goes on, else GameEnded.reason
    hand: Cards = ()  # own mobile hand, in order of arrival
    marks: tuple[Mark, ...] = ()  # own cards that may not be given yet
    pairs: Sets = ()  # own, by rank


class _Player(Protocol):
    @property
    def is_in(self) -> bool: ...
    @property
    def triplets(self) -> Sets: ...


def clockwise(seats: Sequence[_Player], seat: int) -> list[Seat]:
    """The other live seats, from the left neighbour on.  [G-01]"""
    order = (*range(seat + 1, len(seats)), *range(seat))
    return [Seat(other) for other in order if seats[other].is_in]


def candidates(seats: Sequence[_Player], chooser: int) -> tuple[Seat, ...]:
    """Whom *chooser* may name next: the Rule of 3.  [ER-12] [ER-13] [ER-14]"""
    others = clockwise(seats, chooser)
    return tuple(seat for seat in others if seats[seat].triplets) or tuple(others)


def asked(view: View) -> Window | None:
    """The open window, from the public view."""
    if not view.asks:
        return None
    asks = "to play" if view.asks == "action" else "to choose who is next"
    return Window(f"turn {view.number} {view.asks}", (view.turn,), view.asks, asks)


def out(view: View) -> tuple[Seat, ...]:
    """Who has fallen, first to fall first."""
    return view.fallen


# -- what may be done ------------------------------------------------------------------------------


def legal_actions(view: View) -> list[Action]:
    """Everything this seat may do now: by kind, then card, then clockwise."""
    if view.seat is None or view.seat != view.turn or not view.asks:
        return []
    if view.asks == "next":
        return [Next(seat) for seat in view.candidates]
    others = clockwise(view.seats, view.seat)
    actions: list[Action] = [Draw()] if view.deck else []
    actions += [Give(card, to) for card in givable(view) for to in others]
    actions += [Take(victim) for victim in others if view.seats[victim].cards]
    if view.deck:
        actions += [Force(to) for to in others]
    if can_shuffle(view):
        actions.append(Shuffle())
    actions += [Clear(with_) for with_ in clears(view)]
    return actions


def givable(view: View) -> list[str]:
    """Own cards that no mark holds back.  [ER-17]"""
    marked = {card for card, _ in view.marks}
    return [card for card in view.hand if card not in marked]


def can_shuffle(view: View) -> bool:
    """[ER-28] Two live hands with cards at least: with one it would be a free pass."""
    return sum(1 for seat in view.seats if seat.is_in and seat.cards) >= 2


def clears(view: View) -> list[str]:
    """The kinds of Clear the own hand allows.  [ER-34] [ER-35]"""
    pack = PACKS[view.pack]
    kinds = ["single"] if cards_of(view.hand, pack.single) else []
    if len(cards_of(view.hand, pack.pair)) >= 2:
        kinds.append("pair")
    return kinds


def default(view: View, chance: Chance) -> Action:
    """What happens when the clock runs out.  Draws: take the victim; give the card, the player."""
    assert view.seat is not None
    if view.asks == "next":
        return Next(view.candidates[0])
    if view.deck:
        return Draw()
    if can_shuffle(view):
        return Shuffle()
    others = clockwise(view.seats, view.seat)
    if victims := [seat for seat in others if view.seats[seat].cards]:
        return Take(victims[chance.below(len(victims))])
    if cards := givable(view):
        card = cards[chance.below(len(cards))]
        return Give(card, others[chance.below(len(others))])
    return Clear(clears(view)[0])


# -- why something may not be done -----------------------------------------------------------------


def check(view: View, action: Action) -> None:
    """Raise IllegalAction: what is wrong, then what would be right.  [G-03]"""
    me = _refuse_out_of_turn(view, action)
    match action:
        case Next(seat):
            _refuse_next(view, me, seat)
        case Draw() if not view.deck:
            raise IllegalAction("The deck is empty, so nobody can draw." + _INSTEAD)  # [ER-39]
        case Force(to):
            _refuse_target(view, me, to, "force yourself to draw", "force")
            if not view.deck:
                raise IllegalAction("The deck is empty, so nobody can be forced." + _INSTEAD)
        case Take(victim):
            _refuse_target(view, me, victim, "take from yourself", "take from")
            if not view.seats[victim].cards:
                raise IllegalAction("{} has no card in hand to take." + _INSTEAD, victim)
        case Shuffle() if not can_shuffle(view):
            raise IllegalAction("A shuffle needs two hands with cards in them." + _INSTEAD)
        case Give(card, to):
            _refuse_target(view, me, to, "give to yourself", "give to")
            _refuse_card(view, me, card)
        case Clear(with_):
            _refuse_clear(view, with_)
        case Draw() | Shuffle():
            pass
        case _:
            raise IllegalAction("That is no play of this game." + _INSTEAD)


_INSTEAD = " Type moves to see what you can do."


def _refuse_out_of_turn(view: View, action: Action) -> Seat:
    if not view.asks:
        raise IllegalAction("The game is over. Look at the result, or start another one.")
    if view.seat is None:
        raise IllegalAction("You are watching. Sit down at a table to play.")
    if not view.seats[view.seat].is_in:
        raise IllegalAction("You are out of this game. You can watch it to its end.")
    if view.seat != view.turn:
        if view.asks == "next":
            raise IllegalAction("{} is choosing who is next. Wait until it is you.", view.turn)
        raise IllegalAction("It is {}'s turn. Wait until it is yours.", view.turn)
    if view.asks == "next" and not isinstance(action, Next):
        raise IllegalAction("You have played. Now say who is next: " + _or(view), *view.candidates)
    if view.asks == "action" and isinstance(action, Next):
        raise IllegalAction("You say who is next after your play. Play first." + _INSTEAD)
    return view.seat


def _or(view: View) -> str:
    return series(["{}"] * len(view.candidates), "or") + "."


def _refuse_next(view: View, me: Seat, seat: Seat) -> None:
    if seat in view.candidates:
        return
    if seat == me:
        raise IllegalAction("You cannot name yourself. Name " + _or(view), *view.candidates)
    if not 0 <= seat < len(view.seats):
        raise IllegalAction("There is no such seat. Name " + _or(view), *view.candidates)
    if not view.seats[seat].is_in:
        raise IllegalAction("{} is out. Name " + _or(view), seat, *view.candidates)
    # [ER-12] whoever else holds a triplet goes first
    raise IllegalAction(
        "{} has no triplet, and somebody else has one (the Rule of 3). Name " + _or(view),
        seat, *view.candidates,
    )  # fmt: skip


def _refuse_target(view: View, me: Seat, seat: Seat, yourself: str, verb: str) -> None:
    """[ER-07] Another live player, never oneself."""
    if seat == me:
        raise IllegalAction(f"You cannot {yourself}. Name another player.")
    if not 0 <= seat < len(view.seats):
        raise IllegalAction("There is no such seat. Name another player.")
    if not view.seats[seat].is_in:
        raise IllegalAction(f"{{}} is out, so you cannot {verb} them. Name a live player.", seat)


def _refuse_card(view: View, me: Seat, card: str) -> None:
    rank = RANK.get(card)
    if rank is None:
        raise IllegalAction("There is no such card. Your hand: {}.", listed(view.hand))
    if card in view.hand:
        free_at = dict(view.marks).get(card)
        if free_at is None:
            return
        turns = free_at - view.seats[me].turns
        when = "your next turn" if turns == 1 else "your turn after next"
        free = givable(view)
        right = "You may give: {}." if free else "None of your cards may be given now{}" + _INSTEAD
        raise IllegalAction(
            "You got the {} too recently; you may give it from " + when + ". " + right,
            spoken(card), listed(free) if free else ".",
        )  # fmt: skip
    locked = (*view.pairs, *view.seats[me].triplets)
    if any(RANK[cards[0]] == rank for cards in locked):
        raise IllegalAction(
            "Your {}s are locked, and locked cards stay where they are. Your hand: {}.",
            called(rank), listed(view.hand),
        )  # fmt: skip
    what = f"the {spoken(card)}" if cards_of(view.hand, rank) else f"any {called(rank)}"
    raise IllegalAction("You do not hold {}. Your hand: {}.", what, listed(view.hand))


def _refuse_clear(view: View, with_: str) -> None:
    pack, kinds = PACKS[view.pack], clears(view)
    if with_ in kinds:
        return
    single = RANK_NAMES[pack.single]
    if with_ == "single":
        wrong = f"You hold no {single} to Clear with."
    elif with_ == "pair" and pack.pair:
        held = len(cards_of(view.hand, pack.pair))
        wrong = f"A pair to Clear with is two {called(pack.pair)}s; you hold {held}."
    elif with_ == "pair":
        wrong = "With this pack no pair Clears."
    else:
        wrong = "There is no such Clear."
    if kinds == ["pair"]:
        right = "You can: clear pair."
    elif kinds:
        right = f"You can Clear with the {single}."
    else:
        right = f"You need one {single}"
        right += f" or two {called(pack.pair)}s." if pack.pair else "."
    raise IllegalAction(wrong + " " + right)


# -- cards in words --------------------------------------------------------------------------------


def called(rank: str) -> str:
    """`7` -> "7", `K` -> "king", `*` -> "joker"; an s makes it plural."""
    return rank if rank.isdigit() else RANK_NAMES[rank]


def spoken(card: str) -> str:
    """`7H` -> "7 of hearts", `*1` -> "joker"."""
    rank = RANK[card]
    if rank == JOKER:
        return "joker"
    return f"{called(rank)} of {SUIT_NAMES[card[-1]]}"


def listed(cards: Sequence[str]) -> str:
    """Cards in the short form that can be typed; "nothing" when there are none."""
    return " ".join("joker" if RANK[card] == JOKER else card for card in cards) or "nothing"
