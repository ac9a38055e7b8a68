"""Commands about games that are over: game, games, stats, vs, top, void."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mudserver.commands.verb import CommandContext, verb
from mudserver.data_messages import YourMovesData
from mudserver.data_results import ResultsData
from mudserver.messages import Message, Notice, Page


@verb(
    "game NUMBER [FORM] [SEAT...]",
    "play",
    is_newer=True,
    see_also=("replay", "games", "stats", "record"),
)
async def game(context: CommandContext, number: str, form: str | None, seat: str | None) -> None:
    """A game that is over: places, options, and the seed of its cards.
    game 1042  by its number
    game 117.3  the third game of table 117
    game 1042 text bob  what bob heard, as text
    game 1042 json  a record that proves the cards, as JSON lines
    game 1042 cast bob  what bob saw, as a recording for asciinema

    Without a name it is what a watcher heard; all shows all cards. A shell can fetch a file, and
    more than 200 kB no terminal shows:
    ssh NAME@HOST game 1042 cast > game.cast
    """
    service, person = context.service, context.person
    if form is None:
        context.reply(await service.results.game_page(number))
        return
    wanted = service.source_of(person.id), number, form, seat or ""
    is_program = context.session.is_program
    context.reply(await service.exports.page(person, *wanted, is_program=is_program))


@verb("games [WORDS...]", "play", is_newer=True, see_also=("game", "replay", "stats", "vs"))
async def games(context: CommandContext, words: str | None) -> None:
    """Your games that are over, newest first; or those of somebody else.
    games bob  those of bob
    games words  yours of one game
    games bob vs cid  those of bob with cid
    games page 2  the next twenty

    The number of a row alone, as the next line, shows that game again, as replay does. That of a
    table by correspondence takes you there.

    Games are recorded in which somebody with an account plays. set results friends shows yours to
    friends alone, set results off to nobody, and their replays to those who played. In game 1042
    everybody sees who played it.
    """
    service, person = context.service, context.person
    states = service.own_games.states(person)
    found = await service.results.games_pages(person, (words or "").split(), states)
    context.session.last_line.list_rows("replay", _rows_of_tables(found, states))
    for message in found:
        context.reply(message)


def _rows_of_tables(found: Sequence[Message], tables: Iterable[int]) -> dict[str, str]:
    """What the numbers of *tables* mean that the list has; a game that is over comes first."""
    if not any(isinstance(it, YourMovesData) for it in found):
        return {}
    pages = [it.data for it in found if isinstance(it, Page) and isinstance(it.data, ResultsData)]
    over = {row.number for page in pages for row in page.results}
    return {str(it): "go" for it in tables if it not in over}


@verb("stats [NAME] [GAME]", "play", is_newer=True, see_also=("games", "vs", "finger"))
async def stats(context: CommandContext, name: str | None, game: str | None) -> None:
    """Your games in numbers, or somebody else's.
    stats words  yours of one game
    stats bob words  bob's of one game

    By chance is the mean place of somebody who wins as often as everybody else. Numbers can be a
    minute old.
    """
    words = [word for word in (name, game) if word is not None]
    context.reply(await context.service.results.stats_page(context.person, words))


@verb("top [WORDS...]", "play", is_newer=True, see_also=("stats", "finger", "open"))
async def top(context: CommandContext, words: str | None) -> None:
    """The best of one game, by rating.
    top words  the first twenty
    top words page 2  the next twenty
    top words season  those of this quarter of the year; season 2026-3 of an earlier one
    top words programs  programs, which are in no other list
    top words correspondence  games by correspondence, which have ratings of their own

    In it is who has played a rated game in the last 90 days and is established: help ratings. In
    that of a season is who has played ten games in it; the last rating counts.
    """
    context.reply(await context.service.results.top_page(context.person, (words or "").split()))


@verb("vs NAME [GAME]", "play", is_newer=True, see_also=("games", "stats"))
async def vs(context: CommandContext, name: str, game: str | None) -> None:
    """You and somebody else in the same games: who was ahead how often."""
    context.reply(await context.service.results.meetings_page(context.person, name, game or ""))


@verb("void NUMBER REASON...", "staff", permission="void", see_also=("game", "audit"))
async def void(context: CommandContext, number: str, reason: str) -> None:
    """Take back what a rated game has made of ratings.
    Each player gets back what the game won or lost. The game stays in lists, as void; the reason
    stands in the audit alone.
    """
    done = await context.service.results.void_games.void(context.login, number, reason)
    context.reply(Notice(done))
