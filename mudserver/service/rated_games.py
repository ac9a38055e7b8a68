"""Rated games: which games are rated, and what they make of each standing.

Rule 1: why a game is unrated is found before its cards, and said then.  What is between two people,
        that they share a network address, also one of them watching, or have met too often, is
        told to these alone; all others read the same of each.
Rule 2: two accounts are rated against each other in PAIR_PER_DAY games a UTC day and
        PAIR_PER_SEASON a season; then the whole game is unrated.  Of games by correspondence many
        run at once, so it is asked at their end, too.  In tournaments it is never asked.
Rule 3: a game is rated if it ends with a result and every person has decided something.  Who left,
        forfeited, or came back after leaving shares the last place.  Seats that a computer player
        took over play no part; those that it had from the start are anchors.
Rule 4: who is offline where a game by correspondence begins came last from the address that counts,
        as far as this process knows.
Rule 5: standings come from the index, under the lock of the results, and go into the result.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Collection, Sequence
from itertools import combinations

from msgspec.structs import replace

from mudserver.config.schema import RatingsConfig
from mudserver.results import queries, texts
from mudserver.results.events import GameRecorded, ParametersSet
from mudserver.results.pools import pool_of
from mudserver.results.rating import Standing
from mudserver.results.seasons import season_start_ms
from mudserver.service.rated_event import rated_event
from mudserver.service.rating_parameters import RatingParameters
from mudserver.service.result_streams import ResultStreams
from mudserver.tables.rated_start import MET_TOO_OFTEN, SHARED_ADDRESS, RatedStart, Unrated
from mudserver.tables.summary import EndedGame
from variants.catalogue import Catalogue

DAY_MS = 86_400_000
PAIR_PER_DAY = 5
PAIR_PER_SEASON = 40
PEOPLE_MIN = 2


class RatedGames:
    def __init__(
        self,
        streams: ResultStreams,
        catalogue: Catalogue,
        source_of: Callable[[str], str],
        is_undeclared: Callable[[str], bool],
        now_ms: Callable[[], int],
        config: RatingsConfig,
        parameters: RatingParameters,
    ) -> None:
        """Args:
        source_of: From where a person comes, or came last; "": that is not known.
        is_undeclared: Whether a program plays for a person who never said so.
        """
        self._streams, self._catalogue = streams, catalogue
        self._source_of, self._is_undeclared, self._now_ms = source_of, is_undeclared, now_ms
        self._parameters = parameters
        self.config = config  # replaced when the configuration is reloaded

    # -- before the cards ------------------------------------------------------------------------

    async def why_unrated(self, start: RatedStart) -> Unrated:
        """Why a game of a rated table is unrated.  JournalWriteError: that is not known now."""
        if start.guests:
            return Unrated(texts.UNRATED_GUEST)
        if len(start.accounts) < PEOPLE_MIN or start.left:
            return Unrated(texts.UNRATED_PEOPLE)
        if any(map(self._is_undeclared, start.accounts)):
            return Unrated(texts.UNRATED_PROGRAM)
        variant = self._catalogue[start.variant]
        if variant.notes:
            return Unrated(texts.UNRATED_FILES)
        anchors = await self._parameters.anchors(start.variant, self._now_ms())
        for level in start.levels:
            if level not in anchors:
                return Unrated(texts.UNRATED_LEVEL.format(level))
        if sharing := self._sharing_address(start.accounts):
            return Unrated(SHARED_ADDRESS, dict.fromkeys(sharing, texts.TOLD_SHARED_ADDRESS))
        if watching := self._watched_from_own_address(start):
            return Unrated(SHARED_ADDRESS, dict.fromkeys(watching, texts.TOLD_WATCHER))
        pool = pool_of(start.variant, is_slow=start.is_slow)
        if not start.is_tourney and (pair := await self._pair_obstacle(start.accounts, pool)):
            told = texts.TOLD_MET_TOO_OFTEN.format(PAIR_PER_DAY, PAIR_PER_SEASON)
            return Unrated(MET_TOO_OFTEN, dict.fromkeys(pair, told))
        return Unrated("")

    def _sharing_address(self, accounts: Sequence[str]) -> list[str]:
        """Those who come from the address of another one of them."""
        sources = {each: self._source_of(each) for each in accounts}
        counted = [source for source in sources.values() if self._counts(source)]
        return [each for each, source in sources.items() if counted.count(source) > 1]

    def _watched_from_own_address(self, start: RatedStart) -> list[str]:
        """Players from whose address somebody watches, and who watches."""
        found = [it for it in start.accounts if self.share_address(it, start.watchers)]
        return [*found, *(it for it in start.watchers if self.share_address(it, found))]

    def share_address(self, person: str, others: Collection[str]) -> bool:
        """Whether the person comes from the address of one of the others."""
        source = self._source_of(person)
        return self._counts(source) and any(self._source_of(it) == source for it in others)

    def _counts(self, source: str) -> bool:
        """Whether two people of a source are taken for one household."""
        try:
            network = ipaddress.ip_network(source)
        except ValueError:
            return False  # nobody is online there, or it is a socket
        if network.network_address.is_loopback:
            return False
        shared = map(ipaddress.ip_network, self.config.shared_networks)
        return not any(it.version == network.version and network.subnet_of(it) for it in shared)  # type: ignore[arg-type]

    async def _pair_obstacle(self, accounts: Sequence[str], pool: str) -> tuple[str, ...]:
        """Two who have had too many rated games; empty: nobody has."""
        now_ms = self._now_ms()
        day_ms, season_ms = now_ms // DAY_MS * DAY_MS, season_start_ms(now_ms)
        for one, other in combinations(accounts, 2):
            asked = queries.rated_together(one, other, pool, day_ms, season_ms)
            [(today, season)] = await self._streams.look_up(*asked)
            if int(today or 0) >= PAIR_PER_DAY or int(season or 0) >= PAIR_PER_SEASON:
                return one, other
        return ()

    # -- after the game --------------------------------------------------------------------------

    async def recorded(
        self, event: GameRecorded, ended: EndedGame
    ) -> list[ParametersSet | GameRecorded]:
        """*event* as it is recorded, last, and what else is with it."""
        event = await self._with_ratings(event, ended)
        return [*(await self._parameters.due(event.at_ms) if event.pool else []), event]

    async def _with_ratings(self, event: GameRecorded, ended: EndedGame) -> GameRecorded:
        """*event* with what the game has made of the ratings, or with why it is unrated."""
        if not ended.is_rated:
            return replace(event, why_unrated=ended.why_unrated)
        people = [seat for seat in ended.seats if seat.person]
        if event.end not in ("finished", "draw"):
            return replace(event, why_unrated=texts.UNRATED_END)
        if not all(seat.has_decided for seat in people):
            return replace(event, why_unrated=texts.UNRATED_IDLE)
        accounts = [seat.person for seat in people]
        pool = pool_of(event.variant, is_slow=ended.is_slow)
        is_drawn = ended.tourney.tourney > 0  # who meets whom
        if ended.is_slow and not is_drawn and await self._pair_obstacle(accounts, pool):
            return replace(event, why_unrated=MET_TOO_OFTEN)
        standings = await self.standings(pool, accounts)
        anchors = await self._parameters.anchors(event.variant, event.at_ms)
        return rated_event(replace(event, pool=pool), standings, anchors)

    async def standings(self, pool: str, accounts: Sequence[str]) -> dict[str, Standing]:
        """What is known of these accounts; of newcomers nothing."""
        rows = await self._streams.look_up(*queries.standings_of(pool, accounts))
        return {str(person): Standing(*map(_int, rest)) for person, *rest in rows}


def _int(value: object) -> int:
    assert isinstance(value, int)
    return value
