"""Looking up recorded games: what commands and objects about them are made from.

Rule 1: an answer holds ids; who shows it puts in the names of now.
Rule 2: whoever hides results is asked nothing about, except by oneself.  A single game is public.
Rule 3: statistics are worked out once in KEPT_S for each question.
Rule 4: here is nothing of a game that still runs.  [SEC-7]
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from mudserver.accounts.account import Account
from mudserver.accounts.accounts import Accounts
from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.errors import UserError
from mudserver.results import queries, texts
from mudserver.results.queries import PAGE, GameRow, Games, SeatRow
from mudserver.results.rating import PROVISIONAL_SIGMA, UNIT, Standing
from mudserver.results.statistics import Statistics, with_recent
from mudserver.sanitize import sanitize
from mudserver.service.result_streams import ResultStreams

KEPT_S = 60.0
KEPT_MAX = 1_000  # answers
RECENT_MS = 30 * 86_400_000
TOP_MS = 90 * 86_400_000  # since the last rated game of who is in `top`
LAST_FATES, FATES_MIN = 50, 10  # of so many games is told who left, from so many on

T = TypeVar("T")


class ShownGame(NamedTuple):
    """A recorded game, with its seats in their order."""

    game: GameRow
    seats: tuple[SeatRow, ...]


class GamesPage(NamedTuple):
    """Games of one account, newest first."""

    account: Account
    games: tuple[ShownGame, ...]
    page: int
    pages: int
    total: int


class Meetings(NamedTuple):
    """Two accounts in one game, ties left over."""

    variant: str
    games: int
    ahead: int
    behind: int


class TopPage(NamedTuple):
    """The established accounts of a pool, best first."""

    pool: str
    rows: tuple[tuple[str, Standing], ...]  # by id
    places: tuple[int, ...]  # of each row; equal ratings share one
    page: int
    pages: int
    own: tuple[int, Standing] | None  # place among them, and rating, of who asks
    season_ms: int | None  # when the season began that is asked for, UTC; None: none is
    is_program: bool  # programs are asked for

    @property
    def is_own_established(self) -> bool:
        if self.own is None or self.own[1].is_provisional:
            return False
        return self.season_ms is None or self.own[1].games >= queries.SEASON_GAMES_MIN


class ResultLookup:
    def __init__(self, clock: Clock, accounts: Accounts, streams: ResultStreams) -> None:
        self._clock, self._accounts, self._streams = clock, accounts, streams
        self._kept: OrderedDict[tuple[str, ...], tuple[float, Any]] = OrderedDict()

    # -- who -------------------------------------------------------------------------------------

    def owner(self, viewer: Person, name: str = "") -> Account:
        """Whose results are asked for.  Args: name: "": one's own.

        Raises:
            UserError: There is no such account, or it does not show them to *viewer*.
        """
        if not name:
            account = self._accounts.by_id(viewer.id)
            if account is None:
                raise UserError(texts.GUESTS_HAVE_NONE)
            return account
        account = self._accounts.owner_of(sanitize(name, "name", 64))
        if account is None:
            raise UserError(texts.UNKNOWN.format(sanitize(name, "name", 64)), "not_found")
        if not self.shows(account, viewer.id):
            raise UserError(texts.HIDES.format(account.name))
        return account

    def shows(self, account: Account, viewer: str) -> bool:
        """Whether *viewer* sees the results of *account*."""
        shown = account.preferences.get("results", "public")
        is_shown = shown in ("public", "default") or (
            shown == "friends" and viewer in account.friends
        )
        return is_shown or viewer == account.id

    # -- games -----------------------------------------------------------------------------------

    async def game(self, typed: str) -> ShownGame:
        """By number (`1042`) or id (`117.3`).  UserError: there is none."""
        word = typed.removeprefix("#")
        if re.fullmatch(r"[0-9]{1,15}", word, re.ASCII):
            asked = queries.game_by_number(int(word))
        elif re.fullmatch(r"[0-9]{1,9}\.[0-9]{1,9}", word, re.ASCII):
            asked = queries.game_by_id(word)
        else:
            raise UserError(texts.NOT_A_GAME.format(sanitize(typed, "name", 40)), "usage")
        found = await self._streams.look_up(*asked)
        if not found:
            raise UserError(texts.NO_SUCH_GAME.format(word), "not_found")
        game = GameRow(*found[0])  # type: ignore[arg-type]
        return ShownGame(game, (await self._seats([game.number])).get(game.number, ()))

    async def games(self, account: Account, asked: Games, page: int = 1) -> GamesPage:
        """UserError: there are fewer pages."""
        [(total,)] = await self._streams.look_up(*queries.count_of(asked))
        pages = max(1, -(-int(total or 0) // PAGE))
        if page > pages:
            raise UserError(texts.NO_PAGE.format(pages), "not_found")
        rows = await self._streams.look_up(*queries.games_of(asked, page))
        numbers = [int(number or 0) for (number,) in rows]
        shown = await self._shown(numbers)
        return GamesPage(account, shown, page, pages, int(total or 0))

    async def last_games(self, account: Account, count: int) -> tuple[ShownGame, ...]:
        rows = await self._streams.look_up(*queries.games_of(Games(account.id), 1))
        return await self._shown([int(number or 0) for (number,) in rows[:count]])

    async def last_together(self, person: str, other: str) -> str:
        """The game that two accounts played last with each other; "": none is recorded."""
        rows = await self._streams.look_up(*queries.games_of(Games(person, other=other), 1))
        shown = await self._shown([int(number or 0) for (number,) in rows[:1]])
        return shown[0].game.variant if shown else ""

    async def _shown(self, numbers: list[int]) -> tuple[ShownGame, ...]:
        if not numbers:
            return ()
        seats = await self._seats(numbers)
        rows = await self._streams.look_up(*queries.games_of_ids(numbers))
        games = [GameRow(*row) for row in rows]  # type: ignore[arg-type]
        return tuple(ShownGame(game, seats.get(game.number, ())) for game in games)

    async def _seats(self, numbers: list[int]) -> dict[int, tuple[SeatRow, ...]]:
        found: dict[int, tuple[SeatRow, ...]] = {}
        for row in await self._streams.look_up(*queries.seats_of(numbers)):
            seat = SeatRow(*row)  # type: ignore[arg-type]
            found[seat.number] = (*found.get(seat.number, ()), seat)
        return found

    # -- statistics ------------------------------------------------------------------------------

    async def statistics(self, account: Account, variant: str) -> list[Statistics]:
        """By game; empty: none was finished.  Args: variant: "": of all games."""

        async def work_out() -> list[Statistics]:
            since_ms = self._clock.now_ms() - RECENT_MS
            rows = await self._streams.look_up(*queries.tallies_of([account.id], variant))
            recent = queries.recent_of(account.id, variant, since_ms)
            return with_recent(rows, await self._streams.look_up(*recent))

        return await self._keep(("stats", account.id, variant), work_out)

    async def meetings(self, account: Account, other: Account, variant: str) -> list[Meetings]:
        """By game; empty: they have not met.  UserError: it is the same account."""
        if account is other:
            raise UserError(texts.WITH_ONESELF, "usage")

        async def work_out() -> list[Meetings]:
            asked = queries.meetings_of(account.id, other.id, variant)
            rows = await self._streams.look_up(*asked)
            return [Meetings(*row) for row in rows]  # type: ignore[arg-type]

        return await self._keep(("vs", account.id, other.id, variant), work_out)

    # -- ratings ---------------------------------------------------------------------------------

    async def standings(self, account_id: str, pools: Sequence[str]) -> dict[str, Standing]:
        """The ratings of an account, by pool."""
        rows = await self._streams.look_up(*queries.ratings_of(account_id, pools))
        return {str(pool): Standing(*rest) for pool, *rest in rows}  # type: ignore[arg-type]

    async def top(
        self,
        pool: str,
        viewer: str,
        page: int = 1,
        season_ms: int | None = None,
        *,
        is_program: bool = False,
    ) -> TopPage:
        """See `queries.Top`.  UserError: there are fewer pages."""
        sigma_max, since_ms = round(PROVISIONAL_SIGMA * UNIT), self._clock.now_ms() - TOP_MS
        asked = queries.Top(pool, sigma_max, since_ms, season_ms, is_program)
        [(total,)] = await self._streams.look_up(*queries.count_of_top(asked))
        pages = max(1, -(-int(total or 0) // PAGE))
        if page > pages:
            raise UserError(texts.NO_PAGE.format(pages), "not_found")
        rows = [
            (str(person), Standing(*rest))  # type: ignore[arg-type]
            for person, *rest in await self._streams.look_up(*queries.top(asked, page))
        ]
        own = None
        for row in await self._streams.look_up(*queries.own_top(asked, viewer)):
            standing = Standing(*row)  # type: ignore[arg-type]
            own = await self._place(asked, standing.mu), standing
        places = list[int]()
        for number, (_, standing) in enumerate(rows):
            if number and standing.mu == rows[number - 1][1].mu:
                places.append(places[-1])
            elif number or page == 1:
                places.append(PAGE * (page - 1) + number + 1)
            else:
                places.append(await self._place(asked, standing.mu))
        return TopPage(*(pool, tuple(rows), tuple(places), page, pages, own, season_ms, is_program))

    async def _place(self, asked: queries.Top, mu: int) -> int:
        [(above,)] = await self._streams.look_up(*queries.count_above(asked, mu))
        return int(above or 0) + 1

    async def leavings(self, account: Account) -> tuple[int, int]:
        """How many of the last games the account has left, and of how many; (0, 0): too few."""
        asked = queries.last_fates_of(account.id, LAST_FATES)
        fates = [fate for (fate,) in await self._streams.look_up(*asked)]
        if len(fates) < FATES_MIN:
            return 0, 0
        return sum(fate in ("left", "forfeit") for fate in fates), len(fates)

    async def _keep(self, key: tuple[str, ...], work_out: Callable[[], Awaitable[T]]) -> T:
        """[rule 3]"""
        now_s = self._clock.monotonic()
        until_s, answer = self._kept.get(key, (0.0, None))
        if now_s >= until_s:
            answer = await work_out()
            self._kept[key] = (now_s + KEPT_S, answer)
            self._kept.move_to_end(key)
            if len(self._kept) > KEPT_MAX:
                self._kept.popitem(last=False)
        return answer  # type: ignore[no-any-return]
