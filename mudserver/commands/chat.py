"""Commands for chat: say, me, tell, reply, ignore, unignore, who, finger."""

from __future__ import annotations

from mudserver.commands import texts
from mudserver.commands.verb import CommandContext, verb
from mudserver.messages import Notice, Page


@verb("say TEXT...", "talk", aliases=("'",), see_also=("tell", "me"))
def say(context: CommandContext, text: str) -> None:
    """Talk to everybody where you are.
    That is the lobby, or your table.

    Short: 'hello
    """
    context.service.say(context.person, text)


@verb("me TEXT...", "talk", aliases=(":", "emote"), see_also=("say",))
def me(context: CommandContext, text: str) -> None:
    """Say what you do: "me waves".
    Short: :waves
    """
    context.service.emote(context.person, text)


@verb("tell NAME TEXT...", "talk", aliases=("t", "msg", "whisper"), see_also=("reply", "say"))
def tell(context: CommandContext, name: str, text: str) -> None:
    """Talk to one person; nobody else hears it.
    A guest's name isn't given again for an hour after the guest has left.
    """
    context.service.tell(context.person, name, text)


@verb("reply TEXT...", "talk", aliases=("r",), see_also=("tell",))
def reply(context: CommandContext, text: str) -> None:
    """Answer the last person who told you something.
    It reaches that person or nobody: the next guest of the same name is somebody else.
    """
    context.service.reply(context.person, text)


@verb("ignore [NAME]", "talk", aliases=("block",), see_also=("unignore", "tell"))
def ignore(context: CommandContext, name: str | None) -> None:
    """Mute one person (only for you).
    That is talk alone: at a table you still see what that person plays. Who sends you a message is
    told that you don't receive it. It lasts until you type unignore or the server restarts, also
    when you log in again. A guest who logs in again is somebody new, here and there.

    ignore alone lists whom you ignore.
    """
    if name is None:
        names = context.service.ignored_names(context.person)
        context.reply(Page("You are ignoring", tuple(names) or ("nobody",)))
        return
    other = context.service.ignore(context.person, name)
    context.reply(Notice(texts.IGNORED.format(other)))


@verb("unignore NAME", "talk", aliases=("unblock",), see_also=("ignore",))
def unignore(context: CommandContext, name: str) -> None:
    """Hear somebody again."""
    other = context.service.unignore(context.person, name)
    context.reply(Notice(texts.UNIGNORED.format(other)))


@verb("who", "talk", aliases=("w", "users"), see_also=("finger", "tables"))
def who(context: CommandContext) -> None:
    """Who is here, where, and in the lobby how long idle."""
    context.reply(context.service.who_page())


@verb("finger NAME", "talk", aliases=("whois",), see_also=("who", "tell"))
def finger(context: CommandContext, name: str) -> None:
    """What everybody may know about one person."""
    context.reply(context.service.profile_page(name))
