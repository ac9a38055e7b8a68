"""Tables: tables, open, sit, stand, watch, unwatch, bot, unbot, start, leave, rules."""

from __future__ import annotations

from mudserver.commands.declare import Context, option_words, verb
from mudserver.errors import HouseError
from mudserver.tables import requests as ask


def table_number(word: str) -> int:
    digits = word.removeprefix("#")
    if not digits.isascii() or not digits.isdigit() or len(digits) > 9:
        raise HouseError(f'"{word}" is no table. Tables have numbers; tables lists them.')
    return int(digits)


@verb("tables", "tables", also=("games",), see=("open", "sit", "watch"))
def tables(context: Context) -> None:
    """All tables, and where a seat is free."""
    context.reply(context.house.tables_page())


@verb("open GAME [OPTION=VALUE...]", "tables", see=("bot", "start", "rules"))
def open_table(context: Context, variant: str, options: str | None) -> None:
    """Open a table and sit down at it.
    As in: open elimination seats=4 pace=brisk

    These options go with every game; rules GAME lists those of one game, with its clocks.
    seats=4  how many may sit down
    pace=person|brisk|instant  how long computer players seem to think
    absence=computer|pause|forfeit  what becomes of a seat while its owner is away
    clocks=off  nobody has to hurry
    """
    house, person = context.house, context.person
    house.open_table(person, variant.lower(), option_words(options), _has_autopass(context))


@verb("sit TABLE", "tables", also=("join",), see=("tables", "stand", "watch"))
def sit(context: Context, table: str) -> None:
    """Sit down at a table before its game."""
    context.house.sit(context.person, table_number(table), _has_autopass(context))


def _has_autopass(context: Context) -> bool:
    """What was set before goes along to a new seat."""
    return context.visit.setting("autopass") == "on"


@verb("stand", "tables", at_table=True, see=("sit", "leave"))
def stand(context: Context) -> None:
    """Get up from a table between games."""
    context.house.ask_table(ask.Stand(context.person.id))


@verb("watch TABLE", "tables", also=("observe",), see=("unwatch", "tables"))
def watch(context: Context, table: str) -> None:
    """Watch a table.
    You see what everybody may see, never a hand."""
    context.house.watch(context.person, table_number(table))


@verb("unwatch", "tables", at_table=True, see=("watch",))
def unwatch(context: Context) -> None:
    """Stop watching."""
    context.house.ask_table(ask.Unwatch(context.person.id))


@verb("bot [LEVEL]", "tables", also=("addbot",), at_table=True, see=("unbot", "start"))
def bot(context: Context, level: str | None) -> None:
    """Seat a computer player.
    bot 1 plays like a beginner, bot 2 plays to win; bot alone is bot 2."""
    if level is not None and not (level.isascii() and level.isdigit() and len(level) == 1):
        raise HouseError(f'"{level}" is no level. Levels are numbers: bot 1, bot 2.')
    context.house.ask_table(ask.AddBot(context.person.id, int(level or 0)))


@verb("unbot [NAME]", "tables", at_table=True, see=("bot",))
def unbot(context: Context, name: str | None) -> None:
    """Send a computer player away.
    Without a name: the last one."""
    context.house.ask_table(ask.RemoveBot(context.person.id, name or ""))


@verb("start", "tables", also=("rematch",), at_table=True, see=("open", "bot"))
def start(context: Context) -> None:
    """Start the game, or the next one."""
    context.house.ask_table(ask.Start(context.person.id))


@verb("leave", "tables", also=("resign",), at_table=True, see=("stand",), is_whole=True)
def leave(context: Context) -> None:
    """Leave the table for good.
    In a running game a computer player takes your seat; it does not come back."""
    context.house.ask_table(ask.Leave(context.person.id))


@verb("rules [GAME]", "tables", see=("open", "moves"))
def rules(context: Context, variant: str | None) -> None:
    """How a game is played, and which options it has."""
    context.reply(context.house.rules(context.person, variant))
