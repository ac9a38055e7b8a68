"""Talking: say, me, tell, reply, ignore, unignore, who, finger."""

from __future__ import annotations

from mudserver.commands.declare import Context, verb
from mudserver.messages import Notice, Page


@verb("say TEXT...", "talk", also=("'",), see=("tell", "me"))
def say(context: Context, text: str) -> None:
    """Talk to everybody where you are.
    That is the lobby, or your table.

    Short: 'hello
    """
    context.house.say(context.person, text)


@verb("me TEXT...", "talk", also=(":", "emote"), see=("say",))
def me(context: Context, text: str) -> None:
    """Say what you do: "me waves".
    Short: :waves
    """
    context.house.emote(context.person, text)


@verb("tell NAME TEXT...", "talk", also=("t", "msg", "whisper"), see=("reply", "say"))
def tell(context: Context, name: str, text: str) -> None:
    """Talk to one person; nobody else hears it."""
    context.house.tell(context.person, name, text)


@verb("reply TEXT...", "talk", also=("r",), see=("tell",))
def reply(context: Context, text: str) -> None:
    """Answer the last person who told you something."""
    context.house.answer_tell(context.person, text)


@verb("ignore [NAME]", "talk", also=("block",), see=("unignore", "tell"))
def ignore(context: Context, name: str | None) -> None:
    """Hear no more of what one person says.
    That is talk alone: at a table you still see what that person plays. Whoever tells you something
    in vain is told that you ignore them. It holds when you come in again, until you type unignore
    or the house restarts. A guest who comes in again is somebody new, here and there.

    ignore alone lists whom you ignore.
    """
    parlour, me = context.house.parlour, context.person.id
    if name is None:
        context.reply(Page("You ignore", tuple(parlour.ignored(me)) or ("nobody",)))
        return
    other = parlour.ignore(me, name)
    context.reply(Notice(f"You hear {other} no more. To hear {other} again: unignore {other}"))


@verb("unignore NAME", "talk", also=("unblock",), see=("ignore",))
def unignore(context: Context, name: str) -> None:
    """Hear somebody again."""
    other = context.house.parlour.unignore(context.person.id, name)
    context.reply(Notice(f"You hear {other} again."))


@verb("who", "talk", also=("w", "users"), see=("finger", "tables"))
def who(context: Context) -> None:
    """Who is here, where, and in the lobby how long idle."""
    context.reply(context.house.who())


@verb("finger NAME", "talk", also=("whois",), see=("who", "tell"))
def finger(context: Context, name: str) -> None:
    """What everybody may know about one person."""
    context.reply(context.house.finger(name))
