"""What people are told of tournaments, wherever they are, when something was written.

Rule 1: it is told after it was written, by the server where its reader is: each server follows the
        streams of tournaments.
Rule 2: who was not here reads at the next login of the round that has begun meanwhile, or is about
        to; the rest who asks: `tourney`.  That a round begins goes outside the server as well, to
        those who have chosen to be told of invitations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from mudserver.accounts.accounts import Accounts
from mudserver.accounts.notify_choice import NO_NOTICES
from mudserver.clock import Clock, hour_in_zone
from mudserver.messages import CallNotice, Message, Notice, QuotedNotice
from mudserver.outbox import Outbox
from mudserver.service.notices import Outside, OutsideNotice
from mudserver.tourneys import texts
from mudserver.tourneys.events import (
    AnyTourneyEvent,
    RoundDrawn,
    TableDone,
    TableLost,
    TableOpened,
    TourneyClosed,
    TourneyDropped,
    TourneyEntered,
    TourneyOpened,
    TourneyStarted,
)
from mudserver.tourneys.points import SHARED_WIN, points_text
from mudserver.tourneys.tourney import ENTRIES_MIN, Tourney
from variants.kit.text import duration, join_words, quantity

FORMER = "former player"


class TourneyNews:
    """Args:
    announce: To the lobby here.
    is_at: Whether a person is at that table, here.
    take_to_seat: Has a person go to the seat on another server, if that can be.
    """

    def __init__(
        self,
        clock: Clock,
        accounts: Accounts,
        outbox: Outbox,
        outside: Outside,
        announce: Callable[[str], None],
        is_at: Callable[[str, int], bool],
        take_to_seat: Callable[[str], bool],
    ) -> None:
        self._clock, self._accounts, self._outbox = clock, accounts, outbox
        self._outside, self._announce, self._is_at = outside, announce, is_at
        self._take_to_seat = take_to_seat
        self._told: dict[int, tuple[int, set[str]]] = {}  # round, who knows of it, by tournament

    def tell(self, tourney: Tourney, events: Sequence[AnyTourneyEvent]) -> None:
        for event in events:
            self._tell(tourney, event)

    def tell_of_wait(self, tourney: Tourney) -> None:
        """The next round waits for room."""
        text = texts.WAITS.format(len(tourney.rounds) + 1, _label(tourney))
        self._send(tourney.active, Notice(text))

    def greeting(self, tourney: Tourney, person: str) -> str:
        """What somebody reads of it at login; "": there is nothing new.

        Who is not at the live table reads of it again: there is a seat to be taken.
        """
        now = tourney.round
        if now is None or tourney.phase != "running":
            return ""
        if now.is_over:
            return self._end_of_round(tourney) if person in tourney.active else ""
        if person == now.drawn.sits_out:
            return self._sits_out(tourney) if self._note_told(tourney, person) else ""
        place = now.place_of(person)
        table = None if place is None or place in now.results else now.tables.get(place)
        if table is None:
            return ""
        is_waited_for = not tourney.is_slow and not self._is_at(person, table)
        is_new = self._note_told(tourney, person)
        return self._call(tourney, person, table) if is_new or is_waited_for else ""

    def _note_told(self, tourney: Tourney, person: str) -> bool:
        """The person knows that the round has begun; whether that is news, as far as is known."""
        now = tourney.round
        assert now is not None
        number, people = self._told.get(tourney.number, (0, set[str]()))
        if number != now.number:
            people = set()
        is_new = person not in people
        people.add(person)
        self._told[tourney.number] = now.number, people
        return is_new

    def _tell(self, tourney: Tourney, event: AnyTourneyEvent) -> None:
        title, number = _label(tourney), tourney.number
        match event:
            case TourneyOpened(by=by):
                self._announce(texts.OPENED.format(self._name(by), title, tourney.game, number))
            case TourneyStarted():
                rounds = quantity(tourney.opened.rounds, "round")
                told = texts.STARTED.format(_sentence(title), len(tourney.active), rounds)
                self._send(tourney.active, Notice(told))
            case RoundDrawn(sits_out=person) if person:
                self._send([person], Notice(self._sits_out(tourney)))
                self._note_who_reads(tourney, person)
            case TableOpened():
                self._tell_of_table(tourney, event)
            case TableLost(round=lost_in, place=place):
                told_of, people = self._told.get(number, (0, set[str]()))
                if told_of == lost_in:  # of the next table they have not heard
                    people.difference_update(tourney.rounds[lost_in - 1].people_at(place))
            case TableDone():
                if event.end == "aborted" and not event.game:
                    self._tell_of_void(tourney, event)
                self._tell_of_end_of_round(tourney)
            case TourneyEntered(person=person, by=by) if by:
                self._send([person], Notice(texts.BACK_IN.format(title)))
            case TourneyDropped(person=person, why=why):
                text = texts.DROPPED if tourney.rounds else texts.DROPPED_EARLY
                self._send([person], Notice(text.format(title, texts.DROPPED_WHY[why])))
            case TourneyClosed():
                self._told.pop(tourney.number, None)
                self._send(tourney.entries, self._closed(tourney, event))
            case _:
                pass

    def _tell_of_void(self, tourney: Tourney, event: TableDone) -> None:
        text = texts.VOID.format(event.round, _label(tourney), points_text(SHARED_WIN))
        self._send([it.person for it in event.seats], Notice(text))

    def _tell_of_table(self, tourney: Tourney, event: TableOpened) -> None:
        for person in tourney.rounds[event.round - 1].people_at(event.place):
            goes = not tourney.is_slow and not self._is_at(person, event.table)
            goes = goes and self._take_to_seat(person)
            told = self._call(tourney, person, event.table, goes=goes)
            self._send([person], CallNotice(told, _call_of(tourney, event)))
            self._note_who_reads(tourney, person)
            self._send_outside(person, tourney, event)

    def _note_who_reads(self, tourney: Tourney, person: str) -> None:
        if self._outbox.has_inbox(person):
            self._note_told(tourney, person)

    def _call(self, tourney: Tourney, person: str, table: int, *, goes: bool = False) -> str:
        """The round, or the game once more, has begun, and where the person plays.

        Args:
            goes: The person is taken there.
        """
        now = tourney.round
        assert now is not None
        forms = texts.ROUND, texts.ROUND_ELSEWHERE, texts.ROUND_SLOW
        if now.place_of(person) in now.lost:
            forms = texts.AGAIN, texts.AGAIN_ELSEWHERE, texts.AGAIN_SLOW
        is_there = goes or self._is_at(person, table)
        text = forms[2] if tourney.is_slow else forms[0 if is_there else 1]
        return text.format(now.number, _label(tourney), table)

    def _sits_out(self, tourney: Tourney) -> str:
        assert tourney.round is not None
        points = points_text(SHARED_WIN)
        return texts.SITS_OUT.format(tourney.round.number, _label(tourney), points)

    def _send_outside(self, person: str, tourney: Tourney, event: TableOpened) -> None:
        account = self._accounts.by_id(person)
        choice = NO_NOTICES if account is None else account.notify
        if account is None or not (self._outside.is_on and choice.topic):
            return
        hour = hour_in_zone(self._clock.now_ms(), choice.zone)
        if "invitations" not in choice.events or choice.is_quiet_at(hour):
            return
        text = _call_of(tourney, event)
        place = event.table, tourney.opened.variant
        self._outside.put(OutsideNotice(account.name, choice.topic, "round", *place, text))

    def _tell_of_end_of_round(self, tourney: Tourney) -> None:
        if tourney.round is not None and tourney.round.is_over and tourney.has_next_round:
            self._send(tourney.active, Notice(self._end_of_round(tourney)))

    def _end_of_round(self, tourney: Tourney) -> str:
        """ "": none follows, or it is about to begin."""
        now, next_ms = tourney.round, tourney.next_ms
        if now is None or next_ms is None:
            return ""
        if (left_s := round((next_ms - self._clock.now_ms()) / 1000)) <= 0:
            return texts.WAITS.format(now.number + 1, _label(tourney))
        then = now.number + 1, duration(left_s)
        return texts.ROUND_OVER.format(now.number, _label(tourney), *then, tourney.number)

    def _closed(self, tourney: Tourney, event: TourneyClosed) -> Message:
        title, number = _label(tourney), tourney.number
        if event.reason:
            name = self._name(event.by)
            return QuotedNotice(texts.CLOSED_BY.format(name, title), name, event.reason)
        if event.why == "finished":
            winners = self._winners(tourney)
            return Notice(texts.FINISHED.format(_sentence(title), winners, number))
        few = texts.TOO_FEW_CAME.format(ENTRIES_MIN)
        why = few if event.why == "too few" else texts.NOBODY_RAN_IT
        return Notice(texts.CLOSED_EARLY.format(_sentence(title), why, number))

    def _winners(self, tourney: Tourney) -> str:
        rows = tourney.standings()
        first = [self._name(it.person) for it in rows if it.place == 1]
        text = texts.WON if len(first) == 1 else texts.SHARED
        return text.format(join_words(first), points_text(rows[0].points)) if rows else ""

    def _name(self, person: str) -> str:
        return self._accounts.name_of(person, FORMER)

    def _send(self, people: Iterable[str], message: Message) -> None:
        for person in people:
            if self._outbox.has_inbox(person):
                self._outbox.send(person, message)


def _call_of(tourney: Tourney, event: TableOpened) -> str:
    is_again = event.place in tourney.rounds[event.round - 1].lost
    return (texts.CALL_AGAIN if is_again else texts.CALL).format(event.round)


def _label(tourney: Tourney) -> str:
    """The title never stands alone: it is by a person."""
    return texts.LABEL.format(tourney.number, tourney.opened.title)


def _sentence(label: str) -> str:
    return label[:1].upper() + label[1:]
