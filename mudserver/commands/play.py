"""Commands during a game: look, moves, history, record.  Plays are bare words of the game."""

from __future__ import annotations

import re

from mudserver.commands import texts
from mudserver.commands.verb import CommandContext, verb
from mudserver.errors import UserError
from mudserver.messages import Notice, WatchersNotice


@verb("look", "play", aliases=("l", "board"), needs_table=True, see_also=("moves", "history"))
def look(context: CommandContext) -> None:
    """Show the table again as you see it, and who watches."""
    context.service.send_view(context.person)
    if watchers := context.service.watching.sentence(context.person):
        context.reply(WatchersNotice(watchers))


@verb("time", "play", needs_table=True, see_also=("look", "set"))
def time_left(context: CommandContext) -> None:
    """How much time is left, yours or that of whom you wait for.
    When your own time runs out you are told 30 seconds and 10 seconds before. set warnings bell
    rings instead; set warnings off does neither."""
    context.reply(Notice(context.service.clock_text(context.person)))


@verb("moves [WORDS...]", "play", needs_table=True, see_also=("look", "rules"))
def moves(context: CommandContext, words: str | None) -> None:
    """What you can type now, one move a row.
    Where there are many it lists some of every kind. With words it lists the moves that begin so,
    or have these words in this order: moves trade, moves trade bob.

    With screenreader on the rows have numbers, and a number alone is that move: as long as you are
    asked the same and have not listed others. Any other number is for the game to read, and so is
    every number before you have typed moves.
    """
    is_read_aloud = context.session.has_numbered_moves
    page = context.service.moves_page(context.person, words or "", is_numbered=is_read_aloud)
    context.reply(page)


def is_since(typed: str) -> bool:
    """Whether *typed* can be the argument of `history`."""
    return re.fullmatch(r"since [0-9]{1,6}", typed.lower(), re.ASCII) is not None


@verb("history [SINCE...]", "play", needs_table=True, see_also=("look", "record"), takes=is_since)
def history(context: CommandContext, since: str | None) -> None:
    """What has happened in this game, as you saw it.
    history since 12 leaves out the first 12 events; programs read their numbers."""
    count = int(since.split()[1]) if since is not None else 0
    messages = context.service.history(context.person, count)
    if not messages:
        raise UserError(texts.NO_GAME_YET, "no_game")
    for message in messages:
        context.reply(message)


@verb("record", "play", needs_table=True, see_also=("history",))
def record(context: CommandContext) -> None:
    """The finished game as JSON lines.
    They prove the shuffle. Copy them off the screen into a file, broken rows and all, and run:
    python -m variants.verify FILE. With a key on record a shell can fetch them:
    echo record | ssh -T NAME@HOST > FILE.
    """
    context.reply(context.service.record_page(context.person))


@verb("tips [GAME]", "play", see_also=("rules", "moves"))
def tips(context: CommandContext, game: str | None) -> None:
    """Advice on how to play a game well.
    Without GAME it is about the game of your lesson, or of your table."""
    game = game or context.learned_game
    context.reply(context.service.game_page(context.person, "tips", game))


@verb("hint", "play", see_also=("tips", "moves", "review"))
def hint(context: CommandContext) -> None:
    """A good move, and why it is good.
    It comes from the strongest computer player, which sees what you see. Nobody else is told that
    you have asked. You can have one in three seconds, thirty in a game.

    Hints are for lessons, and for games with computer players alone. With hints=on everybody at a
    table can ask: help open"""
    context.service.hints.ask(context.person, context.session.source)


@verb("review", "play", needs_table=True, see_also=("history", "record", "hint"))
def review(context: CommandContext) -> None:
    """After a game: which of your decisions could have been better.
    A strong computer player looks at what you saw and knew each time. It names five at most, those
    that cost you most, and what it would have done. In words it looks for words of your manifest
    that you could have laid."""
    context.service.reviews.ask(context.person, context.session.source)
