"""Commands about people: who, finger, ignore, friend, away, profile."""

from __future__ import annotations

import re

from mudserver.commands import texts
from mudserver.commands.verb import CommandContext, verb
from mudserver.data_people import IgnoredData
from mudserver.lobby.texts import BACK_LATER
from mudserver.messages import Notice, Page
from mudserver.service.pages import friend_place


def is_whom(typed: str) -> bool:
    """Whether *typed* can be the argument of `who`; more words ask something else."""
    return re.fullmatch(r"table [0-9]{1,9}|[\w-]+", typed.lower(), re.ASCII) is not None


@verb("who [NAME...]", "talk", aliases=("w", "users"), see_also=("finger", "tables"), takes=is_whom)
def who(context: CommandContext, whom: str | None) -> None:
    """Who is here, where, and in the lobby how long idle.
    who a  whose names begin with a
    who friends  your friends who are here
    who staff  the staff
    who table 5  who is at that table
    """
    context.reply(context.service.who_page(context.person, whom or ""))


@verb("finger NAME", "talk", aliases=("whois",), see_also=("who", "stats", "profile"))
async def finger(context: CommandContext, name: str) -> None:
    """What everybody may know about one person, with the last games."""
    await _show_finger(context, name)


async def _show_finger(context: CommandContext, name: str) -> None:
    shown = context.service.relations.finger(name)
    for message in await context.service.results.with_finger(context.person, name, shown):
        context.reply(message)


@verb("ignore [NAME]", "talk", aliases=("block",), see_also=("unignore", "tell"))
async def ignore(context: CommandContext, name: str | None) -> None:
    """Mute one person (only for you).
    That is talk alone: at a table you still see what that person plays. Who sends you a message is
    told that you don't receive it, and can't join a table that you opened. It lasts until you type
    unignore. A guest who logs in again is somebody new, here and there.

    ignore guests hides what guests say. ignore alone lists whom you ignore.
    """
    relations = context.service.relations
    if name is None:
        names = tuple(await relations.ignored_names(context.person))
        context.reply(Page("You are ignoring", names or ("nobody",), data=IgnoredData(names)))
        return
    other = await relations.ignore(context.person, name)
    context.session.note_choice()
    context.reply(Notice(texts.IGNORED.format(other)))


@verb("unignore NAME", "talk", aliases=("unblock",), see_also=("ignore",))
async def unignore(context: CommandContext, name: str) -> None:
    """Hear somebody again."""
    other = await context.service.relations.unignore(context.person, name)
    context.session.note_choice()
    context.reply(Notice(texts.UNIGNORED.format(other)))


@verb("friend NAME", "talk", is_newer=True, needs_account=True, see_also=("friends", "unfriend"))
async def friend(context: CommandContext, name: str) -> None:
    """Be told when somebody comes and goes, wherever you are.
    Nobody learns whose friend somebody is. set notices off ends all such lines.
    """
    other = await context.service.relations.befriend(context.person, name)
    context.reply(Notice(texts.BEFRIENDED.format(other)))


@verb("unfriend NAME", "talk", is_newer=True, needs_account=True, see_also=("friend", "friends"))
async def unfriend(context: CommandContext, name: str) -> None:
    """Be told of somebody no more."""
    other = await context.service.relations.unfriend(context.person, name)
    context.reply(Notice(texts.UNFRIENDED.format(other)))


@verb("friends", "talk", is_newer=True, needs_account=True, see_also=("friend", "who"))
async def friends(context: CommandContext) -> None:
    """Your friends, and where they are."""
    data = await context.service.relations.friends(context.person)
    rows = [f"{it.name:<16}  {friend_place(it)}" for it in data.friends]
    context.reply(Page("Your friends", tuple(rows) or (texts.NO_FRIENDS,), data=data))


@verb("away [TEXT...]", "talk", is_newer=True, see_also=("back", "who"))
def away(context: CommandContext, text: str | None) -> None:
    """Say that you are away: away Dinner, back at eight.
    who and finger show it, and who sends you a message reads it. It ends when you type back or
    talk, at your next login, and with your session. The game at your table does not wait for it.
    """
    if text is not None:
        context.service.check_may_talk(context.person.id)
    context.service.set_away(context.person, text or BACK_LATER)
    context.session.note_choice()
    context.reply(Notice(texts.AWAY_NOW))


@verb("back", "talk", is_newer=True, see_also=("away",))
def back(context: CommandContext) -> None:
    """You are not away any more."""
    context.service.set_away(context.person, "")
    context.session.note_choice()
    context.reply(Notice(texts.NOT_AWAY))


@verb("profile [TEXT...]", "talk", is_newer=True, needs_account=True, see_also=("finger",))
async def profile(context: CommandContext, text: str | None) -> None:
    """What finger says of you: profile I play on Fridays.
    profile off takes it away, profile alone shows it. Everybody can read it.
    """
    relations = context.service.relations
    if text is None:
        await _show_finger(context, context.person.name)
        return
    is_off = text.lower() == "off"
    if not is_off:
        context.service.check_may_talk(context.person.id)
    await relations.set_profile(context.person, "" if is_off else text)
    context.reply(Notice(texts.PROFILE_GONE if is_off else texts.PROFILE_SET))


def is_on_or_off(typed: str) -> bool:
    """Whether *typed* can be the argument of `program`."""
    return typed.lower() in ("on", "off")


@verb("program [on|off]", "you", is_newer=True, needs_account=True, see_also=("profile",),
      takes=is_on_or_off)  # fmt: skip
async def program(context: CommandContext, value: str | None) -> None:
    """Say that a program plays under this name.
    Everybody sees it in who, finger and tables, by ssh and telnet. A session by JSON is marked
    without it. Once the account has played a game as a program it stays one. help programs says
    how a program plays here.
    """
    service, person = context.service, context.person
    if value is None:
        is_program = context.service.programs.is_declared(person)
        context.reply(Notice(texts.IS_PROGRAM if is_program else texts.IS_NO_PROGRAM))
        return
    is_on = value.lower() == "on"

    async def declare(answer: str = "on") -> None:
        if answer.lower() not in ("on", "yes", "y", "program on"):
            context.reply(Notice(texts.NOT_A_PROGRAM_THEN))
            return
        await service.relations.declare_program(person, is_on=is_on)
        service.programs.note_kind(person)
        context.reply(Notice(texts.IS_PROGRAM if is_on else texts.IS_NO_PROGRAM))

    if is_on:
        context.session.dialogs.ask_line(texts.PROGRAM_AGAIN, declare)
    else:
        await declare()
