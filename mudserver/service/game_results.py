"""Results that stay: which games are recorded, and as what.

Rule 1: a game is recorded in which an account has a seat and a person has decided something.
Rule 2: results are never removed, so they are bounded: for each account, and for each source and
        network of who opened the table.  A game in which one account is at its limit is not
        recorded at all.
Rule 3: what ends a game, its number and what accounts remember are one transaction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from mudserver.accounts.account import Account
from mudserver.config.schema import Config
from mudserver.data_messages import RatingChange
from mudserver.errors import UserError
from mudserver.journal import Entry
from mudserver.results import queries, texts
from mudserver.results.events import GameRecorded, ParametersSet, SeatResult, Substitute
from mudserver.results.rating import rating_change
from mudserver.service.account_service import AccountService
from mudserver.service.account_streams import Decide
from mudserver.service.rated_games import RatedGames
from mudserver.service.result_data import rating_change as data_of_change
from mudserver.service.result_streams import ResultStreams
from mudserver.service.tourney_streams import TourneyStreams
from mudserver.source_budgets import LOCAL, Kind, SourceBudgets
from mudserver.tables.services import Appended
from mudserver.tables.summary import EndedGame, EndedSeat, EndedSubstitute, FinishedGame
from mudserver.tourneys.events import Ending, SeatDone, TableDone

DAY_MS = 86_400_000


class GameResults:
    def __init__(
        self,
        streams: ResultStreams,
        accounts: AccountService,
        budgets: SourceBudgets,
        rated: RatedGames,
        config: Config,
        tourneys: TourneyStreams,
    ) -> None:
        self._rated, self.tourneys = rated, tourneys
        self.streams, self._accounts, self._budgets = streams, accounts, budgets
        self.limits = config.results  # replaced when the configuration is reloaded

    async def append(
        self, entry: Entry, ended: EndedGame, finished: FinishedGame | None, source: str
    ) -> Appended:
        """Append the record that ends a game, with its result; see `tables.services.AppendResult`.

        Raises:
            JournalWriteError: Nothing of it is saved, or that is not known yet.
        """
        if ended.tourney.tourney:
            return await self._append_of_tourney(entry, ended, finished, source)
        return await self._append([entry], ended, finished, source)

    async def _append_of_tourney(
        self, entry: Entry, ended: EndedGame, finished: FinishedGame | None, source: str
    ) -> Appended:
        """With what it is worth in its tournament. [rule 3]"""
        done, appended = table_done(ended), Appended()

        async def write(entries: Sequence[Entry]) -> None:
            nonlocal appended
            appended = await self._append([entry, *entries], ended, finished, source)

        try:
            await self.tourneys.change(done.number, lambda now: now.finish(done.event), write)
        except UserError:  # there is no such tournament: the journal was put together from copies
            return await self._append([entry], ended, finished, source)
        return appended

    async def _append(
        self,
        entries: Sequence[Entry],
        ended: EndedGame,
        finished: FinishedGame | None,
        source: str,
    ) -> Appended:
        decides = {} if finished is None else self._accounts.memories(finished)
        text = await self._obstacle(ended, source) if is_recorded(ended) else ""
        if is_recorded(ended) and not text:
            event = await self._record(ended, entries, decides)
            text = texts.RECORDED.format(event.number, self._ratings(event))
            appended = Appended(text, event.number, rating_changes(event))
        else:
            await self._accounts.streams.append_with(entries, decides)
            appended = Appended(text)
        advice = {} if finished is None else self._accounts.advice(finished)
        return appended._replace(advice=advice)

    async def _record(
        self, ended: EndedGame, entries: Sequence[Entry], decides: Mapping[str, Decide]
    ) -> GameRecorded:
        async def make(number: int) -> list[ParametersSet | GameRecorded]:
            event = self._with_programs(recorded(ended, number))
            return await self._rated.recorded(event, ended)

        *_, event = await self.streams.append(make, entries, decides)
        assert isinstance(event, GameRecorded)
        return event

    def _with_programs(self, event: GameRecorded) -> GameRecorded:
        """*event* with the accounts that say to be programs'."""
        find = self._accounts.streams.accounts.by_id
        seats = [
            replace(it, kind="program") if it.person and _is_program(find(it.person)) else it
            for it in event.seats
        ]
        others = [
            replace(it, kind="program") if it.person and _is_program(find(it.person)) else it
            for it in event.substitutes
        ]
        return replace(event, seats=tuple(seats), substitutes=tuple(others))

    def _ratings(self, event: GameRecorded) -> str:
        """What the game has made of the ratings of its people; "": it is unrated."""
        name_of = self._accounts.streams.accounts.name_of
        moved = [
            f"{name_of(it.person, texts.A_GUEST)} {rating_change(it.before, it.after)}"
            for it in event.seats
            if it.before is not None and it.after is not None
        ]
        return texts.RATINGS.format(", ".join(moved)) if moved else ""

    async def _obstacle(self, ended: EndedGame, source: str) -> str:
        """Why the game is not recorded; "": it is, and the source has paid for it."""
        limit, day_ms = self.limits.per_account_day, ended.ended_ms // DAY_MS * DAY_MS
        asked = queries.nth_last_end_of(accounts_of(ended), limit)
        [ends] = await self.streams.look_up(*asked)
        if any(end_ms is not None and int(end_ms) >= day_ms for end_ms in ends):
            return texts.NOT_RECORDED.format(limit)
        try:
            self._budgets.take(Kind.RESULTS, source or LOCAL)
        except UserError as refusal:
            return f"This game was not recorded. {refusal}"
        return ""


def _is_program(account: Account | None) -> bool:
    return account is not None and account.is_program


def accounts_of(ended: EndedGame) -> list[str]:
    """The ids of the accounts in it."""
    people: list[EndedSeat | EndedSubstitute] = [*ended.seats, *ended.substitutes]
    return [it.person for it in people if it.person and not it.is_guest]


def is_recorded(ended: EndedGame) -> bool:
    """[rule 1]"""
    return ended.has_decision and bool(accounts_of(ended))


class _Done(NamedTuple):
    number: int  # of the tournament
    event: TableDone


def table_done(ended: EndedGame) -> _Done:
    """What the game is in its tournament."""
    places = ended.cut_places or [seat.place for seat in ended.seats]
    seats = tuple(
        SeatDone(seat.person, place, seat.in_tourney)
        for seat, place in zip(ended.seats, places, strict=True)
        if seat.person
    )
    number, round_number, place = ended.tourney
    end: Ending = "finished" if ended.end == "finished" else "aborted"
    if ended.cut_places:
        end = "limit"
    return _Done(number, TableDone(ended.ended_ms, round_number, place, end, seats, ended.id))


def rating_changes(event: GameRecorded) -> tuple[RatingChange | None, ...]:
    """By seat; empty: the game is unrated."""
    return tuple([data_of_change(it.before, it.after) for it in event.seats]) if event.pool else ()


def recorded(ended: EndedGame, number: int) -> GameRecorded:
    """The event that records it."""
    return GameRecorded(
        ended.ended_ms,
        *(number, ended.id, ended.variant, ended.started_ms, ended.first, ended.last, ended.end),
        tuple(_seat(seat) for seat in ended.seats),
        preset=ended.preset,
        options=ended.options,
        data=ended.data,
        reason=ended.reason,
        match=ended.match,
        deal=ended.deal,
        is_private=ended.is_private,
        substitutes=tuple(_substitute(it) for it in ended.substitutes),
        tourney=ended.tourney.tourney,
        round=ended.tourney.round,
    )


def _seat(seat: EndedSeat) -> SeatResult:
    if seat.is_guest:
        return SeatResult("guest", place=seat.place, score=seat.score, fate=seat.fate)
    return SeatResult(
        "person" if seat.person else "computer",
        *(seat.person, seat.name, seat.level, seat.place, seat.score, seat.fate),
    )


def _substitute(it: EndedSubstitute) -> Substitute:
    person = "" if it.is_guest else it.person
    return Substitute(it.seat, "person" if person else "guest", person, it.place, it.score)
