"""Talking: say, me, tell, reply, who, finger."""

from __future__ import annotations

from mudserver.commands.declare import Context, verb


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


@verb("who", "talk", also=("w", "users"), see=("finger", "tables"))
def who(context: Context) -> None:
    """Who is here, where, and in the lobby how long idle."""
    context.reply(context.house.who())


@verb("finger NAME", "talk", also=("whois",), see=("who", "tell"))
def finger(context: Context, name: str) -> None:
    """What everybody may know about one person."""
    context.reply(context.house.finger(name))
