"""Void games: the staff takes back what a rated game has made of ratings.

Rule 1: each account gets back the mu that the game won or lost; its sigma and the number of its
        games stay.  Games since then are not computed again: what is stored of them stays true.
Rule 2: the act in the audit, which alone has the reason, the event and the rows are one
        transaction.  A game is void once.
Rule 3: the game stays in lists and statistics, and is called void there.
"""

from __future__ import annotations

from collections.abc import Sequence

from mudserver.clock import Clock
from mudserver.errors import UserError
from mudserver.journal import Entry, IndexRow
from mudserver.moderation.permissions import Actor
from mudserver.results import texts
from mudserver.results.events import GameVoided, GivenBack
from mudserver.results.queries import SeatRow
from mudserver.service.moderation import Login, Moderation, parse_reason
from mudserver.service.result_lookup import ResultLookup, ShownGame
from mudserver.service.result_streams import ResultStreams
from mudserver.service.staff_streams import Change
from variants.kit.text import quantity


class VoidGames:
    def __init__(
        self, clock: Clock, moderation: Moderation, streams: ResultStreams, lookup: ResultLookup
    ) -> None:
        self._clock, self._moderation = clock, moderation
        self._streams, self._lookup = streams, lookup

    async def void(self, login: Login, game: str, reason: str) -> str:
        """Args: game: its number or id.  UserError: no such game, unrated, or void already."""
        said, _ = parse_reason(reason)
        await self._moderation.check_may(login, "void", "")
        number = (await self._lookup.game(game)).game.number

        async def make(_: int) -> list[GameVoided]:
            shown = await self._lookup.game(str(number))  # again: now nobody else changes it
            return [await self._voided(shown, login.id)]

        async def write(entries: Sequence[Entry], rows: Sequence[IndexRow]) -> None:
            def decide(act: int, actor: Actor) -> Change:
                change = self._moderation.change(act, actor, "void", f"game/{number}", "", said)
                change.others, change.index = entries, rows
                return change

            await self._moderation.act(login, "void", "", decide)

        done = self._streams.append(make, write=write)
        [event] = await self._moderation.run_to_completion(done)
        assert isinstance(event, GameVoided)
        return texts.VOIDED.format(number, quantity(len(event.given_back), "player"))

    async def _voided(self, shown: ShownGame, by: str) -> GameVoided:
        game = shown.game
        if game.is_void:
            raise UserError(texts.VOID_ALREADY.format(game.number))
        if not game.pool:
            raise UserError(texts.VOID_UNRATED.format(game.number))
        given = [
            await self._given_back(game.pool, seat)
            for seat in shown.seats
            if seat.mu_after is not None
        ]
        return GameVoided(self._clock.now_ms(), game.number, by, tuple(given))

    async def _given_back(self, pool: str, seat: SeatRow) -> GivenBack:
        own = (await self._lookup.standings(seat.person, [pool]))[pool]
        mu = (seat.mu_before or 0) - (seat.mu_after or 0)
        after = own.mu + mu, own.sigma
        return GivenBack(seat.person, pool, mu, after, own.games, own.last_ms)
