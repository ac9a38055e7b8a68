"""What programs are told of a table as data, beside the sentences that say the same.

Rule 1: public facts only, the same for every reader.  What a seat alone knows is in its view.
Rule 2: a fact is looked at before it is applied, as `notifications.py` does.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from mudserver.data_messages import (
    AwayData,
    GameMessage,
    InvitationData,
    OfferData,
    OfferEndedData,
    OwnGame,
    Player,
    PlayerKind,
    ReadinessData,
    SeatChanged,
    SeatRow,
    TableRow,
)
from mudserver.messages import Message
from mudserver.tables import records as f
from mudserver.tables.seats import Occupant, seat_of
from mudserver.tables.substitute_texts import number_of
from mudserver.tables.summary import TableSummary
from mudserver.tables.table import Table
from mudserver.tables.vacant_seats import open_seats
from variants.kit.json_values import to_json_value


def kind_of(table: Table, person: str | None, *, is_guest: bool) -> PlayerKind:
    """Who has a seat."""
    if person is None:
        return "computer"
    if table.is_program(person):
        return "program"
    return "guest" if is_guest else "account"


def player_of(table: Table, occupant: Occupant) -> Player:
    kind = kind_of(table, occupant.person, is_guest=occupant.is_guest)
    return Player(occupant.name, occupant.person, kind, occupant.level or None)


def game_message(table: Table) -> GameMessage:
    """What does not change while the game runs.  There must be one."""
    game = table.game
    assert game is not None
    view = to_json_value(game.view(None))
    return GameMessage(
        game=table.game_id,
        table=table.number,
        variant=table.variant.name,
        version=game.data,
        options=game.options.by_name(),
        preset=game.options.preset,
        names=game.names,
        people=tuple([player_of(table, occupant) for occupant in game.seats]),
        commitment=game.commitment,
        constants={name: view[name] for name in table.variant.constants},
        started=game.started_ms,
        rated=game.is_rated,
        match=None if table.match is None else table.match.id,
        tourney=table.tourney.tourney or None,
        delay=game.options.delay,
    )


def table_row(table: Table) -> TableRow:
    """A table as everybody may see it."""
    table = table.shown
    marks, number = table.readiness.marks, len(table.seats)
    vacant = open_seats(table)
    seats = [
        SeatRow(
            *(seat, o.name, kind_of(table, o.person, is_guest=o.is_guest), o.level or None),
            is_ready=not table.is_playing and o.person in marks,
            is_away=o.is_away,
            is_vacant=o.is_vacant,
            can_substitute=seat in vacant,
        )
        for seat, o in enumerate(table.seats)
    ]
    return TableRow(
        number=table.number,
        variant=table.variant.name,
        phase=table.phase,
        options=table.options.by_name(),
        preset=table.options.preset,
        owner=table.person_name(table.owner),
        is_private=table.is_private,
        seats=tuple(seats),
        free=0 if table.goes_on else table.options.seats - number,
        rated=table.options.rated == "on",
        watchers=len(table.watchers),
        game=table.game_id or None,
        speed=table.options.speed,
        tourney=table.tourney.tourney or None,
    )


def summary_of_row(row: TableRow) -> TableSummary:
    """A table of another server, as lists for people show it."""
    rated, people = row.rated, ", ".join([_occupant_text(seat) for seat in row.seats])
    shown = row.number, row.variant, row.phase, people, row.free, row.watchers
    is_slow = row.speed == "correspondence"
    vacant = tuple([number_of(seat.seat) for seat in row.seats if seat.can_substitute])
    return TableSummary(*shown, row.is_private, rated, is_slow, vacant)


def _occupant_text(seat: SeatRow) -> str:
    if seat.kind == "computer":
        return f"{seat.name} (computer, {seat.level})"
    return f"{seat.name} [program]" if seat.kind == "program" else seat.name


def own_game(table: Table, person: str) -> OwnGame | None:
    """The running game in which the person has a seat, or has left one; None: there is none."""
    seat = table.seat_of(person) if table.is_playing else None
    view = None if seat is None else table.view_for(person)
    is_left = seat is None
    seat = table.left_seat_of(person) if seat is None else seat
    if seat is None:
        return None
    question = None if view is None else view.question
    deadline = None if view is None or question is None else view.deadline_ms
    place = table.number, table.game_id, table.variant.name, seat
    return OwnGame(*place, is_left, question, deadline)


def invitation_data(table: Table, by_name: str, until_ms: int) -> InvitationData:
    options = table.options.by_name()
    return InvitationData(by_name, table.number, table.variant.name, options, until_ms)


def readiness_of(table: Table) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of those who are ready for the next game, and of those who are not."""
    if table.is_playing or table.is_closed:
        return (), ()
    marks, names = table.readiness.marks, [(p, table.person_name(p)) for p in table.seated]
    ready = tuple([name for person, name in names if person in marks])
    return ready, tuple([name for person, name in names if person not in marks])


class DataBuilder:
    """Collects what one record means.  Make it before the record changes *table*."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._messages: list[Message] = []
        self._readiness_before = readiness_of(table) if table.sequence else ((), ())
        self._cleared_by = ""

    def add_fact(self, fact: f.AnyFact, change: str) -> None:
        """Args: change: of the table, in words, which ends all marks; "": it is none."""
        table = self._table
        self._cleared_by = self._cleared_by or change
        match fact:
            case f.Offered(offer=offer, kind=kind, seat=seat, asked=asked, until_ms=until_ms):
                self._add(OfferData(*self._place(), offer, kind, seat, asked, until_ms))
            case f.OfferEnded(offer=offer, why=why):
                self._add(OfferEndedData(*self._place(), offer, why))
            case f.Paused() | f.Aborted() | f.Ended() if table.game and table.game.offer:
                is_agreed = not isinstance(fact, f.Ended) or fact.end == "draw"
                end = "agreed" if is_agreed else "changed"
                self._add(OfferEndedData(*self._place(), table.game.offer.offer, end))
            case f.WentAway(seat=seat, why=why):
                self._add(AwayData(table.number, seat, True, 0, why))
            case f.CameBack(seat=seat):
                self._add(AwayData(table.number, seat, False, 0, "typed"))
            case f.HandedOver(seat=seat, name=name, why=why):
                # Who is banned, or has the account deleted, has left for everybody else.
                told = "forfeit" if why == "forfeit" else "left"
                self._add(SeatChanged(*self._place(), seat, name, "computer", told))
            case f.SeatReturned(seat=seat, person=person, name=name, is_guest=is_guest):
                player = kind_of(table, person, is_guest=is_guest)
                self._add(SeatChanged(*self._place(), seat, name, player, "returned"))
            case f.Substituted(seat=seat, person=person, name=name, is_guest=is_guest):
                player = kind_of(table, person, is_guest=is_guest)
                self._add(SeatChanged(*self._place(), seat, name, player, "substitute"))
            case f.PersonReplaced(old=old, new=new, name=name) if table.is_playing:
                if (at := seat_of(table.seats, old)) is not None:
                    player = kind_of(table, new, is_guest=False)
                    self._add(SeatChanged(*self._place(), at, name, player, "renamed"))

    def _add(self, message: Message) -> None:
        self._messages.append(message)

    def _place(self) -> tuple[int, str]:
        return self._table.number, self._table.game_id

    def build(self) -> Sequence[Message]:
        """For everybody who is at the table; the record is applied."""
        table = self._table
        (ready, waiting), before = readiness_of(table), self._readiness_before
        if (ready, waiting) != before and not table.is_playing:
            cleared_by = self._cleared_by if before[0] and not ready else ""
            self._add(ReadinessData(table.number, ready, waiting, cleared_by))
        return [self._with_missed(message) for message in self._messages]

    def _with_missed(self, message: Message) -> Message:
        """The turn that has ended with the record is one of those that the person has missed."""
        if not isinstance(message, AwayData):
            return message
        return replace(message, missed=self._table.seats[message.seat].turns.missed)
