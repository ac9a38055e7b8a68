"""Time and absence: what falls due, who is away, who has left.  Pure.

Rule 1: time does one thing a tick, the most urgent first, and asks again.  Nothing here needs
        a client on line.  [TIME-3]
Rule 2: a person whose clock ran out too often, or who is off line too long, is *away*: a computer
        player decides until the owner types.  `pause` stops the clock instead, `forfeit` gives the
        seat up.  [G-09]
Rule 3: who leaves hands the seat over for the rest of the game.  Without any person left the game
        is abandoned and the table closes.  [G-10]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from mudserver.tables import records as f
from mudserver.tables.clocks import give_time_back
from mudserver.tables.draft import Draft, stop_clock_if_absent
from mudserver.tables.game import Game
from mudserver.tables.replay import is_full
from mudserver.tables.seats import free_computer_name, stand_in_level
from variants.contract import Seat

if TYPE_CHECKING:
    from mudserver.tables.table import Table


# -- what falls due ------------------------------------------------------------------------------


def wake_ms(table: Table) -> int | None:
    """When `due` has something to do next, UTC; None: never, if nobody acts."""
    if table.is_closed:
        return None
    if is_full(table):
        return 0
    times = [ms for ms, _ in _absence_deadlines(table)]
    if table.is_playing and table.game is not None:
        clock = table.game.clock
        times += [ms for ms in (clock.deadline_ms, clock.until_ms) if ms is not None]
    elif table.empty_since_ms is not None:
        times.append(table.empty_since_ms + int(table.settings.empty_s * 1000))
    return min(times, default=None)


def decide_due(table: Table, now_ms: int) -> list[f.AnyFact]:
    """The most urgent thing that time has brought; nothing, if it is too early."""
    if is_full(table):
        return [f.Closed("full")]
    game = table.game
    if game is not None and table.is_playing:
        clock = game.clock
        if clock.deadline_ms is not None and clock.deadline_ms <= now_ms:
            return _expire_window(table, game, now_ms)
        if clock.until_ms is not None and clock.until_ms <= now_ms:
            return _resume_clock(table, game, now_ms)
    for since_ms, person in _absence_deadlines(table):
        seat = table.seat_of(person)
        if since_ms > now_ms or seat is None:
            continue
        if table.is_playing:
            return mark_away(table, [seat], "offline")
        return [f.Stood(person, table.person_name(person), is_gone=True)]
    if not table.is_playing and table.empty_since_ms is not None:
        ends_ms = table.empty_since_ms + int(table.settings.empty_s * 1000)
        return [f.Closed("empty")] if ends_ms <= now_ms else []
    return []


def _absence_deadlines(table: Table) -> list[tuple[int, str]]:
    """(when it is too long, person) for those off line, first to last."""
    limit_ms = int(table.settings.offline_s * 1000)
    if table.is_playing and table.options.absence == "pause":
        if table.options.clocks:
            return []  # the clock waits so long, then it runs out
        limit_ms = pause_max_ms(table)  # no clock: the others wait so long
    return sorted(
        (since_ms + limit_ms, person)
        for person, since_ms in table.offline_since_ms.items()
        if not table.is_away(person) and not table.is_out(person)
    )


def _expire_window(table: Table, game: Game, now_ms: int) -> list[f.AnyFact]:
    assert game.window is not None
    draft = Draft(game, table.make_chance)
    late = draft.expire(game.window)
    off_line = offline_seats(table, game)
    if draft.window() is not None:
        gone = [
            seat for seat in late if _becomes_away(table, game, seat) and not draft.is_out(seat)
        ]
        draft.facts += mark_away(table, gone, "time")
        if gone and isinstance(draft.facts[-1], f.Closed):
            return draft.facts
        off_line -= set(gone)
    draft.close_decision(now_ms, off_line, pause_max_ms(table))
    return draft.facts


def _becomes_away(table: Table, game: Game, seat: Seat) -> bool:
    """Whether this time-out is the one that makes a person away."""
    occupant = game.seats[seat]
    if occupant.person is None or occupant.is_away or game.window is None:
        return False
    return game.expiries(seat, game.window) >= table.settings.expiries_max


# -- away and gone -------------------------------------------------------------------------------


def mark_away(
    table: Table, seats: Sequence[Seat], why: Literal["time", "offline"]
) -> list[f.AnyFact]:
    if table.options.absence == "forfeit":
        return hand_over_seats(table, seats, "forfeit")
    return [f.WentAway(seat, why) for seat in seats]


def hand_over_seats(
    table: Table, seats: Sequence[Seat], why: Literal["left", "forfeit"]
) -> list[f.AnyFact]:
    """[G-10] Computer players take the seats; without people the game is abandoned."""
    game, facts = table.game, list[f.AnyFact]()
    assert game is not None
    if seats and not any(o.person for n, o in enumerate(game.seats) if n not in seats):
        return [f.Abandoned(), f.Closed("abandoned")]
    taken = [*game.names, *(o.name for o in table.roster)]
    for seat in seats:
        if game.is_out(seat):
            facts.append(f.Gone(seat, game.names[seat]))
            continue
        taken.append(free_computer_name(taken))
        level, left = stand_in_level(table.variant), game.names[seat]
        facts.append(f.HandedOver(seat, taken[-1], level, left, why))
    return facts


# -- on line and off line ------------------------------------------------------------------------


def decide_disconnect(
    table: Table, person: str, now_ms: int
) -> tuple[list[f.AnyFact], list[f.PresenceChange]]:
    if person not in table.online:
        return [], []
    game, facts = table.game, []
    if game is not None and table.is_playing and game.window and game.clock.deadline_ms is not None:
        seats = offline_seats(table, game)
        if (seat := game.seat_of(person)) is not None:
            seats.add(seat)
        facts = stop_clock_if_absent(
            game, game.window, game.clock.deadline_ms, now_ms, seats, pause_max_ms(table)
        )
    return facts, [f.WentOffline(person)]


def decide_reconnect(
    table: Table, person: str, now_ms: int
) -> tuple[list[f.AnyFact], list[f.PresenceChange]]:
    if person not in table.people():
        return [], []
    game, facts = table.game, []
    if game is not None and table.is_playing:
        seat = game.seat_of(person)
        if seat is not None and game.clock.seat == seat:
            facts = _resume_clock(table, game, now_ms, back=seat)
    return facts, [f.CameOnline(person, is_new_session=True)]


def _resume_clock(
    table: Table, game: Game, now_ms: int, back: Seat | None = None
) -> list[f.AnyFact]:
    """A stopped clock runs again, unless there is somebody else to wait for."""
    clock, window = game.clock, game.window
    assert clock.seat is not None and clock.left_ms is not None and clock.until_ms is not None
    assert window is not None
    seat, deadline_ms = Seat(clock.seat), now_ms + clock.left_ms
    allowed_ms = pause_max_ms(table) - game.seats[seat].paused_ms
    used_ms = max(0, allowed_ms - max(0, clock.until_ms - now_ms))
    others = offline_seats(table, game) - {seat, back}
    return [
        f.ClockRuns(deadline_ms, seat, used_ms),
        *stop_clock_if_absent(game, window, deadline_ms, now_ms, others, pause_max_ms(table)),
    ]


def offline_seats(table: Table, game: Game) -> set[Seat]:
    return {Seat(n) for n, o in enumerate(game.seats) if o.person and o.person not in table.online}


def pause_max_ms(table: Table) -> int:
    return int(table.settings.pause_max_s * 1000)


def decide_time_given_back(table: Table, since_ms: int | None, now_ms: int) -> list[f.AnyFact]:
    """[TIME-2] The open window has again what it had when the server was last known alive."""
    game = table.game
    if game is None or not table.is_playing or game.window is None:
        return [f.TimeGivenBack()]
    full_ms = game.full_ms(game.window) or 0
    allowed_ms = pause_max_ms(table)
    deadline_ms, until_ms = give_time_back(game.clock, since_ms, now_ms, full_ms, allowed_ms)
    facts: list[f.AnyFact] = [f.TimeGivenBack(deadline_ms, until_ms)]
    if deadline_ms is not None:
        off_line = offline_seats(table, game)
        facts += stop_clock_if_absent(game, game.window, deadline_ms, now_ms, off_line, allowed_ms)
    return facts
