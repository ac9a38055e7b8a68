"""What people read about connections, absence and the clock of a table.  [G-09]

Rule 1: whom it is about reads it in the second person, the others by name.
Rule 2: the sentences are public: they hold names and times, and nothing of the game.
"""

from __future__ import annotations

from mudserver.messages import AwayMessage
from mudserver.tables import records as f
from mudserver.tables.options import Absence
from mudserver.tables.table import Table
from variants.kit.text import duration

AWAY = "You are away, so a computer player decides for you. Type anything to take over."


def own_turn_while_away(wait_s: float) -> AwayMessage:
    """At the beginning of a turn, for the owner of the seat who is away."""
    text = f"Your turn. Type anything within {duration(wait_s)} to play it yourself."
    return AwayMessage(True, text, rings=True)


def missed_turn_text(absence: Absence) -> str:
    """What the owner of a seat is told who has missed one turn less than makes away."""
    then = "a computer player takes over until you type"
    if absence == "forfeit":
        then = "you forfeit the game"
    return f"You missed a turn. Miss another and {then}."


def left_text(stand_in: str) -> str:
    return f"You left the game. {stand_in} (computer) takes over. To come back, type return"


def forfeit_text(stand_in: str) -> str:
    return f"You were away too long and forfeit. {stand_in} (computer) takes over."


def returned_text(*, has_forfeited: bool) -> str:
    counts = " You can play on; the result counts as forfeited." if has_forfeited else ""
    return f"You have your seat back.{counts}"


def whose_turn(table: Table, seat: int) -> str:
    """` It's Bob's turn.`, for the owner of *seat*; "": nobody's, or several are asked."""
    window = table.game.window if table.game is not None else None
    if window is None or (len(window.seats) > 1 and seat not in window.seats):
        return ""
    whose = "your" if seat in window.seats else f"{table.seat_name(window.seats[0])}'s"
    return f" It's {whose} turn."


def stopped_sentence(table: Table, fact: f.ClockStopped) -> str:
    allowed_ms = int(table.config.pause_max_s * 1000) - table.seats[fact.seat].paused_ms
    most = duration(allowed_ms / 1000)
    return f"The clock is paused for {table.seat_name(fact.seat)}, at most {most}."


def offline_sentence(table: Table, person: str) -> str:
    """Who has lost the connection, and what becomes of the seat."""
    name = table.person_name(person)
    lost = f"{name} lost the connection."
    if table.is_away(person) or table.is_out(person):
        return lost
    takes_over = duration(table.config.offline_s)
    match table.options.absence:
        case "computer":
            return f"{lost} The others can go on; a computer player takes over in {takes_over}."
        case "forfeit":
            return f"{lost} The others can go on; {name} forfeits in {takes_over}."
        case "pause" if table.options.clocks:
            most = duration(table.config.pause_max_s)
            return f"{lost} The others can go on; the clock waits for {name} up to {most}."
        case "pause":
            takes_over = duration(table.config.pause_max_s)
            return f"{lost} The others can go on; a computer player takes over in {takes_over}."
