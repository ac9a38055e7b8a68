"""At a table: look, moves, history, record.  Plays themselves are bare words of the game."""

from __future__ import annotations

from mudserver.commands.declare import Context, verb
from mudserver.errors import HouseError


@verb("look", "play", also=("l", "board"), at_table=True, see=("moves", "history"))
def look(context: Context) -> None:
    """Show the table again as you see it."""
    context.house.look(context.person)


@verb("moves", "play", at_table=True, see=("look", "rules"))
def moves(context: Context) -> None:
    """What you may type now, one play a row."""
    context.reply(context.house.moves_page(context.person))


@verb("history", "play", at_table=True, see=("look", "record"))
def history(context: Context) -> None:
    """What has happened in this game, as you saw it."""
    messages = context.house.history(context.person)
    if not messages:
        raise HouseError("No game has been played here yet. start begins one.")
    for message in messages:
        context.reply(message)


@verb("record", "play", at_table=True, see=("history",))
def record(context: Context) -> None:
    """The finished game as JSON lines.
    They prove the shuffle. Copy them off the screen into a file, broken rows and all, and run:
    python -m variants.verify FILE. With a key on record a shell can fetch them:
    echo record | ssh -T NAME@HOST > FILE.
    """
    context.reply(context.house.record(context.person))
