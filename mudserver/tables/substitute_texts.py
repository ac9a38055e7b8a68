"""What people read about seats that were left and can be taken over.

Rule 1: the sentences are public, or about their reader alone; they hold names and numbers of seats.
Rule 2: a seat has its number here, counted from 1 as it is typed.
"""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import Seat
from variants.kit.text import duration, join_words

NO_GAME = "No game is running at table {0}. To join it: sit {0}"
RETURN_INSTEAD = "You have a seat there that waits for you. To take it back: sit {}"
NOT_HERE = "Nobody takes over seats at table {0}. You can watch it: watch {0}"
ADJOURNED = "The game at table {} is adjourned. Its seats can be taken over once it goes on."
HAD_SEAT = "You had a seat in this game, so you can't take another. You can watch it: watch {}"
NO_GUESTS = "Only registered players take over seats at table {0}. You can watch it: watch {0}"
PRIVATE = "Table {0} is private. Watch it first, with its code: watch {0} CODE"
NONE_LEFT = "Nobody has left a seat at table {0}. You can watch it: watch {0}"
NOT_A_SEAT = '"{}" is not the number of a seat. Type the table, then the seat: substitute 5 2'
SHARES_ADDRESS = (
    "You share a network address with somebody who plays there. You can watch it: watch {}"
)
CAN_BE_TAKEN = "{} to take over"
HOW = "To take over a seat: substitute NUMBER"


def number_of(seat: int) -> int:
    """How the seat is typed."""
    return seat + 1


def to_take_over(numbers: Sequence[int]) -> str:
    """`seat 3 to take over`; "": none is.  Args: numbers: as they are typed."""
    if not numbers:
        return ""
    seats = join_words([str(number) for number in numbers])
    return CAN_BE_TAKEN.format(f"seat{'s' * (len(numbers) > 1)} {seats}")


def offered(left: str, table: int, seat: int) -> str:
    """For watchers.  Args: left: the name of who left it."""
    number = number_of(seat)
    return f"You can take over {left}'s seat. To play on there: substitute {table} {number}"


def which(table: int, seats: Sequence[Seat]) -> str:
    numbers = [str(number_of(seat)) for seat in seats]
    listed = join_words(numbers)
    return f"Seats {listed} can be taken over. Say which one: substitute {table} {numbers[0]}"


def not_this(table: int, seat: int, ready: Sequence[Seat]) -> str:
    """Args: ready: those that can be taken over now."""
    head = f"Seat {number_of(seat)} can't be taken over."
    if not ready:
        return f"{head} You can watch the game: watch {table}"
    return f"{head} You can have this one: substitute {table} {number_of(ready[0])}"


def too_soon(seat: int, wait_s: int) -> str:
    how_long = duration(wait_s)
    return f"Seat {number_of(seat)} still waits for its player. It can be taken over in {how_long}."


def taken_over(name: str, left: str, computer: str) -> str:
    """For everybody at the table."""
    return f"{name} takes over {left}'s seat from {computer}."


def renamed(old: str, new: str) -> str:
    return f"{old} (computer) is now called {new}."


def you_take_over(left: str) -> str:
    return f"You have {left}'s seat now, with all that it has seen. To read that: history"


def seat_is_gone(name: str, table: int) -> str:
    """For the person who had left it."""
    return f"{name} has taken over your seat at table {table}, so you can't return to it."
