"""Seats of a running game or match that somebody left, and how others take them over.  Pure.

Rule 1: a seat can be taken over OFFERED_MS after its person left it to a computer player, where the
        table has substitutes.  The person may return until somebody has done it.
Rule 2: only public facts decide: who left and when, who is out, and who has had a seat.  [G-11]
Rule 3: who has had a seat in the game or match takes over none: that person knows other cards.
Rule 4: a seat changes hands SUBSTITUTES_MAX times in one game or match.
"""

from __future__ import annotations

from mudserver.errors import UserError
from mudserver.tables import permissions, texts
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables import substitute_texts as own_texts
from mudserver.tables.substituted_seats import OFFERED_MS
from mudserver.tables.table import Table
from mudserver.tables.waiting import Decided, came_from, check_may_play
from variants.contract import Seat

SUBSTITUTES_MAX = 3  # of one seat, in one game or match


def vacancies(table: Table) -> dict[Seat, int]:
    """From when on, UTC, others can take over each seat that was left."""
    game = table.game
    if game is None or not table.goes_on or table.is_adjourned:
        return {}
    if not table.options.has_substitutes:
        return {}
    found = [
        (Seat(seat), occupant.left_ms + OFFERED_MS)
        for seat, occupant in enumerate(table.seats)
        if occupant.is_computer
        and occupant.replaced_person
        and occupant.substitutes < SUBSTITUTES_MAX
    ]
    if found and table.is_playing:
        found = [(seat, from_ms) for seat, from_ms in found if not game.is_out(seat)]
    return dict(found)


def open_seats(table: Table) -> list[Seat]:
    """Those that lists show, and watchers have read of."""
    return [it for it in vacancies(table) if table.offered.get(it) == table.seats[it].left_ms]


def times_ms(table: Table) -> list[int]:
    """When the next seats are offered, UTC."""
    told, seats = table.offered, table.seats
    return [ms for seat, ms in vacancies(table).items() if told.get(seat) != seats[seat].left_ms]


def offer(table: Table, now_ms: int) -> list[f.PresenceChange]:
    """The seats that can be taken over from now on."""
    told, seats = table.offered, table.seats
    return [
        f.SeatOffered("", seat)
        for seat, from_ms in vacancies(table).items()
        if from_ms <= now_ms and told.get(seat) != seats[seat].left_ms
    ]


def substitute(table: Table, request: r.Substitute, now_ms: int) -> Decided:
    """Somebody takes over a seat.  UserError: that is not possible, or not for this person."""
    number, person = table.number, request.person
    if table.seat_of(person) is not None:
        raise UserError(texts.SITS_ALREADY.format(number))
    if not table.goes_on:
        raise UserError(own_texts.NO_GAME.format(number), "no_game")
    if table.left_seat_of(person) is not None:
        raise UserError(own_texts.RETURN_INSTEAD.format(number))
    permissions.check_allowed(table, person, "substitute")
    _check_may_substitute(table, request, now_ms)
    seat = _chosen(table, request.number, now_ms)
    taken = f.Substituted(
        *(seat, person, request.name, request.is_guest, request.has_autopass),
        left=table.seats[seat].replaced_person,
    )
    return [taken], came_from(person, request.source)


def _check_may_substitute(table: Table, request: r.Substitute, now_ms: int) -> None:
    number, game = table.number, table.game
    assert game is not None
    if not table.options.has_substitutes:
        raise UserError(own_texts.NOT_HERE.format(number))
    if table.is_adjourned:
        raise UserError(own_texts.ADJOURNED.format(number), "stopped")
    if request.person in game.sitters:
        raise UserError(own_texts.HAD_SEAT.format(number))
    check_may_play(table, request, now_ms)
    if request.is_guest and not any(occupant.is_guest for occupant in table.seats):
        raise UserError(own_texts.NO_GUESTS.format(number))


def _chosen(table: Table, number: int | None, now_ms: int) -> Seat:
    """The seat to take over.  Args: number: as typed, from 1; None: the only one."""
    seats = vacancies(table)
    ready = [seat for seat, from_ms in seats.items() if from_ms <= now_ms]
    if number is None and len(ready) > 1:
        raise UserError(own_texts.which(table.number, ready), "ambiguous")
    known = [Seat(number - 1)] if number is not None else ready or list(seats)
    if not known:
        raise UserError(own_texts.NONE_LEFT.format(table.number), "not_found")
    seat = known[0]
    if seat not in seats:
        raise UserError(own_texts.not_this(table.number, seat, ready), "not_found")
    if seats[seat] > now_ms:
        wait_s = -(-(seats[seat] - now_ms) // 1000)
        raise UserError(own_texts.too_soon(seat, wait_s), "limit", wait_s=wait_s)
    return seat
