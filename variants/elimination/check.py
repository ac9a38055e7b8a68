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
from variants.elimination.language import texts
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
            raise IllegalAction(texts.NOBODY_DRAWS)  # [ER-39]
        case Force(to):
            _refuse_target(view, me, to, "make yourself draw")
            if not view.deck:
                raise IllegalAction(texts.NOBODY_FORCED)
        case Take(victim):
            _refuse_target(view, me, victim, "take from yourself")
            if not view.seats[victim].cards:
                raise IllegalAction(texts.NOTHING_TO_TAKE, victim)
        case Shuffle() if not can_shuffle(view):
            raise IllegalAction(texts.NOTHING_TO_SHUFFLE)
        case Give(card, to):
            _refuse_target(view, me, to, "give to yourself")
            _refuse_card(view, me, card)
        case Clear(with_):
            _refuse_clear(view, with_)
        case Draw() | Shuffle():
            pass
        case _:
            raise IllegalAction(texts.NOT_A_MOVE)


def _refuse_out_of_turn(view: View, action: Action) -> Seat:
    if not view.asks:
        raise IllegalAction(texts.GAME_OVER)
    if view.seat is None:
        raise IllegalAction(texts.WATCHING)
    if not view.seats[view.seat].is_in:
        raise IllegalAction(texts.OUT)
    if view.seat != view.turn:
        if view.asks == "next":
            raise IllegalAction(texts.OTHERS_CHOICE, view.turn)
        raise IllegalAction(texts.OTHERS_TURN, view.turn)
    if view.asks == "next" and not isinstance(action, Next):
        raise IllegalAction(texts.WHO_NEXT + _or(view), *view.candidates)
    if view.asks == "action" and isinstance(action, Next):
        raise IllegalAction(texts.NEXT_TOO_EARLY)
    return view.seat


def _or(view: View) -> str:
    return join_words(["{}"] * len(view.candidates), "or") + "."


def _refuse_next(view: View, me: Seat, seat: Seat) -> None:
    if seat in view.candidates:
        return
    if seat == me:
        raise IllegalAction(texts.NOT_YOURSELF + _or(view), *view.candidates)
    if not 0 <= seat < len(view.seats):
        raise IllegalAction(texts.NO_SUCH_SEAT + _or(view), *view.candidates)
    if not view.seats[seat].is_in:
        raise IllegalAction(texts.CHOSEN_IS_OUT + _or(view), seat, *view.candidates)
    # [ER-12] whoever else holds a triplet goes first
    raise IllegalAction(
        texts.RULE_OF_3 + _or(view), seat, *view.candidates,
    )  # fmt: skip


def _refuse_target(view: View, me: Seat, seat: Seat, yourself: str) -> None:
    """[ER-07] Another live player, never oneself."""
    if seat == me:
        raise IllegalAction(texts.TARGET_YOURSELF.format(yourself))
    if not 0 <= seat < len(view.seats):
        raise IllegalAction(texts.TARGET_UNKNOWN)
    if not view.seats[seat].is_in:
        raise IllegalAction(texts.TARGET_OUT, seat)


def _refuse_card(view: View, me: Seat, card: str) -> None:
    rank = RANK_OF.get(card)
    if rank is None:
        raise IllegalAction(texts.NO_SUCH_CARD, card_list(view.hand))
    if card in view.hand:
        free_at = dict(view.marks).get(card)
        if free_at is None:
            return
        turns = free_at - view.seats[me].turns
        free = givable_cards(view)
        if not free:
            raise IllegalAction(texts.NOTHING_TO_GIVE)
        when = "next turn" if turns == 1 else "in your turn after next"
        wrong = texts.NO_GIVE_BACKS.format("{}", when)
        raise IllegalAction(wrong + texts.NOW_GIVE, card_name(card), card_list(free))
    locked = (*view.pairs, *view.seats[me].triplets)
    if any(RANK_OF[cards[0]] == rank for cards in locked):
        raise IllegalAction(
            texts.LOCKED,
            rank_name(rank), card_list(view.hand),
        )  # fmt: skip
    what = f"the {card_name(card)}" if cards_of_rank(view.hand, rank) else f"any {rank_name(rank)}"
    raise IllegalAction(texts.NOT_HELD, what, card_list(view.hand))


def _refuse_clear(view: View, with_: str) -> None:
    pack, kinds = PACKS[view.pack], clear_kinds(view)
    if with_ in kinds:
        return
    single = RANK_NAMES[pack.single]
    if with_ == "single":
        wrong = texts.NO_SINGLE.format(single)
    elif with_ == "pair" and pack.pair:
        held = len(cards_of_rank(view.hand, pack.pair))
        wrong = texts.NO_PAIR.format(rank_name(pack.pair), held)
    elif with_ == "pair":
        wrong = texts.NO_PAIR_CLEARS
    else:
        wrong = texts.NO_SUCH_CLEAR
    if kinds == ["pair"]:
        right = "You can: clear pair."
    elif kinds:
        right = f"You can clear with the {single}."
    else:
        right = f"You need one {single}"
        right += f" or two {rank_name(pack.pair)}s." if pack.pair else "."
    raise IllegalAction(wrong + " " + right)
