"""Why an action is refused: what is wrong, then what would be right.

Rule 1: nothing here knows the state; a refusal follows from the view alone.  [G-12]
Rule 2: refusals come in one order: not yours to play, against the open position, against the
        own cards.  The first two say the same whatever the seat holds.
"""

from __future__ import annotations

from variants.contract import IllegalAction, Seat
from variants.elimination.actions import Action, Clear, Draw, Force, Give, Next, Shuffle, Take
from variants.elimination.data.cards import (
    PACKS,
    RANK_NAMES,
    RANK_OF,
    card_list,
    card_name,
    cards_of_rank,
    rank_name,
)
from variants.elimination.legal_actions import can_shuffle, clear_kinds, givable_cards
from variants.elimination.view import View
from variants.kit.text import join_words


def check(view: View, action: Action) -> None:
    """Raise IllegalAction: what is wrong, then what would be right.  [G-03]"""
    me = _refuse_out_of_turn(view, action)
    match action:
        case Next(seat):
            _refuse_next(view, me, seat)
        case Draw() if not view.deck:
            raise IllegalAction("The deck is empty, so nobody can draw." + _MOVES_HINT)  # [ER-39]
        case Force(to):
            _refuse_target(view, me, to, "force yourself to draw", "force")
            if not view.deck:
                raise IllegalAction("The deck is empty, so nobody can be forced." + _MOVES_HINT)
        case Take(victim):
            _refuse_target(view, me, victim, "take from yourself", "take from")
            if not view.seats[victim].cards:
                raise IllegalAction("{} has no card in hand to take." + _MOVES_HINT, victim)
        case Shuffle() if not can_shuffle(view):
            raise IllegalAction("A shuffle needs two hands with cards in them." + _MOVES_HINT)
        case Give(card, to):
            _refuse_target(view, me, to, "give to yourself", "give to")
            _refuse_card(view, me, card)
        case Clear(with_):
            _refuse_clear(view, with_)
        case Draw() | Shuffle():
            pass
        case _:
            raise IllegalAction("That is no play of this game." + _MOVES_HINT)


_MOVES_HINT = " Type moves to see what you can do."


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
        raise IllegalAction("You say who is next after your play. Play first." + _MOVES_HINT)
    return view.seat


def _or(view: View) -> str:
    return join_words(["{}"] * len(view.candidates), "or") + "."


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
    rank = RANK_OF.get(card)
    if rank is None:
        raise IllegalAction("There is no such card. Your hand: {}.", card_list(view.hand))
    if card in view.hand:
        free_at = dict(view.marks).get(card)
        if free_at is None:
            return
        turns = free_at - view.seats[me].turns
        when = "your next turn" if turns == 1 else "your turn after next"
        free = givable_cards(view)
        right = (
            "You may give: {}." if free else "None of your cards may be given now{}" + _MOVES_HINT
        )
        raise IllegalAction(
            "You got the {} too recently; you may give it from " + when + ". " + right,
            card_name(card), card_list(free) if free else ".",
        )  # fmt: skip
    locked = (*view.pairs, *view.seats[me].triplets)
    if any(RANK_OF[cards[0]] == rank for cards in locked):
        raise IllegalAction(
            "Your {}s are locked, and locked cards stay where they are. Your hand: {}.",
            rank_name(rank), card_list(view.hand),
        )  # fmt: skip
    what = f"the {card_name(card)}" if cards_of_rank(view.hand, rank) else f"any {rank_name(rank)}"
    raise IllegalAction("You do not hold {}. Your hand: {}.", what, card_list(view.hand))


def _refuse_clear(view: View, with_: str) -> None:
    pack, kinds = PACKS[view.pack], clear_kinds(view)
    if with_ in kinds:
        return
    single = RANK_NAMES[pack.single]
    if with_ == "single":
        wrong = f"You hold no {single} to Clear with."
    elif with_ == "pair" and pack.pair:
        held = len(cards_of_rank(view.hand, pack.pair))
        wrong = f"A pair to Clear with is two {rank_name(pack.pair)}s; you hold {held}."
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
        right += f" or two {rank_name(pack.pair)}s." if pack.pair else "."
    raise IllegalAction(wrong + " " + right)
