"""Not yours to play: the game is over, another seat is asked, or something else is asked.

Rule 1: all of it is public, but that the seat itself has answered.  See `check` for the order.
"""

from __future__ import annotations

from variants.contract import IllegalAction, Seat
from variants.words.actions import (
    Action,
    Add,
    Answer,
    Discard,
    Done,
    Draw,
    EndRound,
    Form,
    Lock,
    Out,
    Pass,
    Rebuild,
    Remove,
    Steal,
    Trade,
)
from variants.words.box import HAND_SIZE
from variants.words.moves import surplus, wanted
from variants.words.refusals import INSTEAD, number_of, numeral
from variants.words.view import View

OPTIONS = (Trade, Add, Steal, Form, Lock, Rebuild, Out, Done)


def refuse_out_of_turn(view: View, action: Action) -> Seat:
    """The seat that acts, if the table waits for it and for an action of that kind."""
    if not view.phase:
        raise IllegalAction("The game is over. Look at the result, or start another one.")
    if view.seat is None:
        raise IllegalAction("You are watching. Sit down at a table to play.")
    if view.phase == "trade":
        _refuse_in_trade(view, view.seat, action)
    elif view.phase == "removal":
        _refuse_in_removal(view, view.seat, action)
    else:
        if view.seat != view.turn:
            wrong = ""
            if isinstance(action, Answer):
                wrong = "Nobody trades with you now. "
            elif isinstance(action, Remove):
                wrong = "A letter is removed when a round ends. "
            raise IllegalAction(wrong + "It is {}'s turn. Wait until you are asked.", view.turn)
        _refuse_in_phase(view, action)
    return view.seat


def _refuse_in_trade(view: View, me: Seat, action: Action) -> None:
    answers = number_of(view.missing, "answer")
    if me == view.turn:
        raise IllegalAction("Your trade waits for {}. You can go on when it is done.", answers)
    if me not in view.partners:
        raise IllegalAction(
            "{} is trading, and not with you. Wait until it is your turn.", view.turn
        )
    if view.has_answered:
        raise IllegalAction("You have given your letter already. The trade waits for {}.", answers)
    if not isinstance(action, Answer):  # [WR-24]
        raise IllegalAction(
            "{} trades with you. Give one of your letters for it first: give and the letter.",
            view.turn,
        )  # fmt: skip


def _refuse_in_removal(view: View, me: Seat, action: Action) -> None:
    if me not in view.removers:
        raise IllegalAction(
            "The round is ending, and none of your words can lose a letter. Wait for the score."
        )
    if view.has_answered:
        raise IllegalAction(
            "You have answered already. The score waits for {}.",
            number_of(view.missing, "answer"),
        )  # fmt: skip
    if not isinstance(action, Remove | Pass):  # [WR-45]
        raise IllegalAction(
            "The round is ending. You can remove one letter from one of your exposed words, or "
            "pass."
        )


def _refuse_in_phase(view: View, action: Action) -> None:
    """The seat is asked, but something else."""
    if isinstance(action, Answer):
        raise IllegalAction("Nobody trades with you now." + INSTEAD)
    if isinstance(action, Remove):
        raise IllegalAction("A letter is removed when a round ends, not before." + INSTEAD)
    number, extra = wanted(view), surplus(view)
    where = "from the draw pile or the discard pile"
    if view.phase == "draw" and not isinstance(action, Draw):  # [WR-17]
        raise IllegalAction(f"First you draw {number_of(number, 'card')}, {where}.")
    if view.phase == "main" and not isinstance(action, OPTIONS):
        if isinstance(action, Draw):
            wrong = "You have drawn for this turn already."
        elif isinstance(action, Discard):
            wrong = "You discard at the end of your turn: type done first."
        elif isinstance(action, EndRound):  # [WR-43]
            wrong = "You play End of Round at the end of your turn: type done first."
        else:
            wrong = "There is nothing to pass. To end your turn, type done."
        raise IllegalAction(wrong + INSTEAD)
    if view.phase == "settle" and not isinstance(action, Discard if extra else Draw):
        wrong = f"You hold {number_of(view.seats[view.turn].cards, 'card')}, and a turn ends with "
        right = f"Discard {number_of(extra, 'letter')}."
        if not extra:
            right = f"Draw {number_of(number, 'card')}, {where}."
        raise IllegalAction(f"{wrong}{numeral(HAND_SIZE)}. {right}")
    if view.phase == "close" and not isinstance(action, EndRound | Pass):
        raise IllegalAction("Your turn is at its end. Play End of Round (end round), or pass.")
