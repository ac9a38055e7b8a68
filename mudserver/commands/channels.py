"""Commands for channels and earlier talk: channels, join, part, quiet, tells."""

from __future__ import annotations

from collections.abc import Awaitable

from mudserver.commands import texts
from mudserver.commands.tables import sit
from mudserver.commands.verb import CommandContext, verb
from mudserver.errors import UserError
from mudserver.messages import Notice
from mudserver.tables.table_codes import is_code


@verb("channels", "talk", is_newer=True, see_also=("join", "part", "say"))
def channels(context: CommandContext) -> None:
    """The channels, and who of them you hear.
    To talk in one, wherever you are: #help How do I start?
    A beginning of its name is enough: #he TEXT
    What you do: #help :waves
    """
    context.reply(context.service.channels.page(context.person))


@verb("join CHANNEL [CODE]", "talk", see_also=("channels", "part", "sit"))
def join(context: CommandContext, channel: str, code: str | None) -> Awaitable[None] | None:
    """Hear a channel, or sit down at a table.
    join chat  hear a channel, wherever you are, and after the next login
    join lobby  hear the lobby at tables, too
    join 5  the same as sit 5

    A guest's channels end with the session.
    """
    is_table = code is not None or channel.isdecimal() or is_code(channel.lower())
    if is_table and not context.service.channels.has(context.person, channel):
        return sit(context, channel, code)
    return _join(context, channel)


async def _join(context: CommandContext, channel: str) -> None:
    for message in await context.service.channels.join(context.person, channel):
        context.reply(message)
    context.session.note_choice()


@verb("part CHANNEL", "talk", is_newer=True, see_also=("channels", "join"))
async def part(context: CommandContext, channel: str) -> None:
    """Hear a channel no more."""
    context.reply(Notice(await context.service.channels.part(context.person, channel)))
    context.session.note_choice()


@verb("quiet on|off", "talk", is_newer=True, see_also=("away", "ignore"))
def quiet(context: CommandContext, typed: str) -> None:
    """Hear your own table, friends and the staff alone.
    Who else sends you a message reads that you are quiet. It ends with your session.
    """
    wanted = typed.lower()
    if wanted not in ("on", "off"):
        raise UserError(texts.QUIET_HOW, "usage")
    context.service.channels.set_quiet(context.person, is_on=wanted == "on")
    context.session.note_choice()
    context.reply(Notice(texts.QUIET_NOW if wanted == "on" else texts.NOT_QUIET))
    for message in context.service.mail.at_login(context.person) if wanted == "off" else ():
        context.reply(message)


@verb("tells", "talk", is_newer=True, see_also=("tell", "reply"))
def tells(context: CommandContext) -> None:
    """Your last private messages of this session, sent and received."""
    context.reply(context.service.channels.history.tells(context.person))


def say_in_channel(context: CommandContext, line: str) -> None:
    """What somebody has typed with a # in front."""
    name, _, text = line.removeprefix("#").lstrip().partition(" ")
    if not name:
        raise UserError(texts.CHANNEL_HOW, "usage")
    context.service.channels.speak(context.person, name, text)
