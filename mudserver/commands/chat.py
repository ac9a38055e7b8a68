"""Commands for chat: say, kibitz, me, tell, reply."""

from __future__ import annotations

from collections.abc import Awaitable

from mudserver.commands.verb import CommandContext, verb


@verb("say TEXT...", "talk", is_talk=True, aliases=("'",), see_also=("tell", "me", "kibitz"))
def say(context: CommandContext, text: str) -> None:
    """Talk to everybody where you are.
    That is the lobby, or your table. While you watch a game, say reaches the other watchers; kibitz
    reaches the players, too.

    Short: 'hello
    """
    context.service.talk.say(context.person, text)


@verb(
    "kibitz TEXT...",
    "talk",
    is_talk=True,
    needs_table=True,
    is_newer=True,
    see_also=("say", "watch"),
)
def kibitz(context: CommandContext, text: str) -> None:
    """Talk to the players of the game that you watch.
    They read it as [watcher] and your name. A table with kibitz=off wants no remarks, and set
    kibitz off spares a player all of them.
    """
    context.service.talk.kibitz(context.person, text)


@verb("me TEXT...", "talk", is_talk=True, aliases=(":", "emote"), see_also=("say",))
def me(context: CommandContext, text: str) -> None:
    """Say what you do: "me waves".
    Short: :waves
    """
    context.service.talk.emote(context.person, text)


@verb(
    "tell NAME TEXT...",
    "talk",
    is_talk=True,
    aliases=("t", "msg", "whisper"),
    see_also=("reply", "say"),
)
def tell(context: CommandContext, name: str, text: str) -> Awaitable[None] | None:
    """Talk to one person; nobody else hears it.
    A guest's name isn't given again for an hour after the guest has left.
    """
    return context.service.tells.tell(context.person, name, text)


@verb("reply TEXT...", "talk", is_talk=True, aliases=("r",), see_also=("tell",))
def reply(context: CommandContext, text: str) -> Awaitable[None] | None:
    """Answer the last person who told you something.
    It reaches that person or nobody: the next guest of the same name is somebody else.
    """
    return context.service.tells.reply(context.person, text)
