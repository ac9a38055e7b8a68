"""What commands get of recorded games: pages, made from what `result_lookup.py` finds.

Rule 1: a name of a game is a game; any other word is somebody's name.
Rule 2: the seed of a game is read from its table's stream, as long as that is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from mudserver.accounts.accounts import Accounts
from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.data_messages import YourMovesData
from mudserver.data_people import PersonData
from mudserver.errors import JournalWriteError, UserError
from mudserver.game_files import find_variant
from mudserver.journal import Journal
from mudserver.journal.streams import TABLE_STREAMS
from mudserver.messages import Message, Page
from mudserver.results import texts
from mudserver.results.pools import CORRESPONDENCE, pool_of, pools_of
from mudserver.results.queries import Games
from mudserver.results.seasons import named_season_ms, season_name, season_start_ms
from mudserver.sanitize import sanitize
from mudserver.service import result_data, result_pages
from mudserver.service.moderation import Moderation
from mudserver.service.rated_games import RatedGames
from mudserver.service.result_lookup import ResultLookup, ShownGame
from mudserver.service.result_streams import ResultStreams
from mudserver.service.void_games import VoidGames
from mudserver.tables import codec
from mudserver.tables.manager import TableManager
from mudserver.tables.records import Started
from variants.catalogue import Catalogue

FINGERED = 3  # last games that `finger` shows


class Results:
    def __init__(
        self,
        clock: Clock,
        accounts: Accounts,
        streams: ResultStreams,
        journal: Journal,
        tables: TableManager,
        catalogue: Catalogue,
        moderation: Moderation,
        rated: RatedGames,
    ) -> None:
        self.lookup, self._accounts = ResultLookup(clock, accounts, streams), accounts
        self.void_games = VoidGames(clock, moderation, streams, self.lookup)
        self.rated, self._clock = rated, clock
        self._journal, self._tables, self._catalogue = journal, tables, catalogue

    async def game_page(self, typed: str) -> Page:
        """UserError: there is no such game."""
        shown = await self.lookup.game(typed)
        seed = await self.seed(shown)
        page = result_pages.game_page(shown, self._name, seed)
        return replace(page, data=result_data.result_data(shown, self._name, seed))

    async def seed(self, shown: ShownGame) -> bytes | None:
        """The seed of its cards; None: its table is no longer kept."""
        table, _, number = shown.game.id.partition(".")
        stream, first = TABLE_STREAMS.name(int(table)), shown.game.first_sequence
        records = await self._journal.read(stream, first - 1)
        variant = self._catalogue.get(shown.game.variant)
        if not records or records[0].sequence != first or variant is None:
            return None
        for fact in codec.decode(first, records[0].body, variant).facts:
            if isinstance(fact, Started) and fact.game == int(number):
                return fact.seed
        return None

    async def games_pages(
        self, person: Person, words: Sequence[str], states: Mapping[int, str]
    ) -> list[Message]:
        """For programs first the own games that run, where the page has them.

        Args:
            words: `[NAME] [GAME] [vs NAME] [rated] [page N]`, in any order.
            states: What those wait for where nobody has to be, by table.

        Raises:
            UserError: A word that is none of them, or results that are not shown.
        """
        name, variant, other, page, is_rated = "", "", "", 1, False
        rest = list(words)
        while rest:
            word = rest.pop(0)
            if word.lower() == "page" and rest:
                page = _page(rest.pop(0))
            elif word.lower() == "vs" and rest:
                other = rest.pop(0)
            elif word.lower() == "rated":
                is_rated = True
            elif not variant and (found := self._variant(word)):
                variant = found
            elif not name:
                name = word
            else:
                raise UserError(texts.TOO_MANY_NAMES.format(sanitize(word, "name", 40)), "usage")
        account = self.lookup.owner(person, name)
        with_whom = self.lookup.owner(person, other).id if other else ""
        asked = Games(account.id, variant, with_whom, is_rated)
        is_plain = account.id == person.id and page == 1 and not other
        running = self._tables.lists.own_games(person.id) if is_plain else ()
        now_ms, found_page = self._clock.now_ms(), await self.lookup.games(account, asked, page)
        shown = result_pages.games_page(found_page, self._name, running, now_ms, states)
        page_shown = replace(shown, data=result_data.results_data(found_page, self._name))
        return [*([YourMovesData(running)] if is_plain else []), page_shown]

    async def stats_page(self, person: Person, words: Sequence[str]) -> Page:
        """Args: words: `[NAME] [GAME]`.  UserError: as for `games_page`."""
        variant, names = "", []
        for word in words:
            found = "" if variant else self._variant(word)
            variant = variant or found
            names += [] if found else [word]
        if len(names) > 1:
            find_variant(names[1], self._catalogue)  # says which games there are
        account = self.lookup.owner(person, names[0] if names else "")
        found_rows = await self.lookup.statistics(account, variant)
        shown = result_pages.stats_page(account.name, found_rows)
        return replace(shown, data=result_data.statistics_data(account.name, found_rows))

    async def top_page(self, person: Person, words: Sequence[str]) -> Page:
        """Args: words: `[GAME] [correspondence] [season [2026-4]] [programs] [page N]`.

        Raises:
            UserError: A word that is none of them; no such game, season or page.
        """
        page, season_ms, is_program, variant, is_slow = 1, None, False, "", False
        rest = [word.lower() for word in words]
        while rest:
            word = rest.pop(0)
            if word == "page" and rest:
                page = _page(rest.pop(0))
            elif word == "season":
                season_ms = self._season_ms(rest)
            elif word == "programs":
                is_program = True
            elif word == CORRESPONDENCE:
                is_slow = True
            else:
                variant = find_variant(word, self._catalogue).name
        pool = pool_of(variant or next(iter(self._catalogue)), is_slow=is_slow)
        found = await self.lookup.top(pool, person.id, page, season_ms, is_program=is_program)
        shown = result_pages.top_page(found, self._name)
        return replace(shown, data=result_data.top_data(found, self._name))

    async def last_together(self, person: Person, other: Person) -> str:
        """The game that two accounts played last with each other; "": none is recorded."""
        if self._accounts.by_id(person.id) is None or self._accounts.by_id(other.id) is None:
            return ""
        return await self.lookup.last_together(person.id, other.id)

    async def meetings_page(self, person: Person, name: str, game: str) -> Page:
        """UserError: no such account or game, or results that are not shown."""
        variant = find_variant(game, self._catalogue).name if game else ""
        account, other = self.lookup.owner(person), self.lookup.owner(person, name)
        found = await self.lookup.meetings(account, other, variant)
        page = result_pages.meetings_page(account.name, other.name, found)
        return replace(page, data=result_data.meetings_data(account.name, other.name, found))

    async def with_finger(
        self, viewer: Person, name: str, shown: Sequence[Message]
    ) -> Sequence[Message]:
        """*shown*, what `finger` says, with what *viewer* may know of the person's games."""
        account = self._accounts.find(name)
        if account is None or not self.lookup.shows(account, viewer.id):
            return shown
        try:
            games = await self.lookup.last_games(account, FINGERED)
            left = await self.lookup.leavings(account)
            standings = await self.lookup.standings(account.id, pools_of(self._catalogue))
        except JournalWriteError:
            return shown  # the rest is known nevertheless
        page, *others = shown
        if not isinstance(page, Page):
            return shown
        rows = result_pages.rating_rows(standings)
        rows += result_pages.finger_rows(games, left, account.id)
        data = page.data
        if isinstance(data, PersonData):
            data = replace(
                data,
                ratings=result_data.ratings_data(standings),
                left=result_data.left_data(*left),
                recent=tuple([each.game.number for each in games]),
            )
        return [replace(page, rows=(*page.rows, *rows), data=data), *others]

    def _season_ms(self, rest: list[str]) -> int:
        """When the season began that *rest* begins with, which is taken out; else that of now."""
        now_ms = season_start_ms(self._clock.now_ms())
        if not rest or "-" not in rest[0]:
            return now_ms
        named_ms = named_season_ms(rest[0])
        if named_ms is None or named_ms > now_ms:
            typed, now = sanitize(rest[0], "name", 40), season_name(now_ms)
            raise UserError(texts.NOT_A_SEASON.format(typed, now), "usage")
        del rest[0]
        return named_ms

    def _variant(self, word: str) -> str:
        return word.lower() if word.lower() in self._catalogue else ""

    def _name(self, account_id: str) -> str:
        return self._accounts.name_of(account_id, texts.A_GUEST)


def _page(word: str) -> int:
    if not (word.isascii() and word.isdigit() and 0 < len(word) < 7 and int(word)):
        raise UserError(texts.NOT_A_PAGE.format(sanitize(word, "name", 40)), "usage")
    return int(word)
