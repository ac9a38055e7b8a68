"""Your name: who you are, keys, and the way back in."""

from __future__ import annotations

from mudserver.commands.declare import Context, verb
from mudserver.messages import Notice, Page


@verb("key [PUBLIC-KEY...]", "you", also=("keys",), accounts_only=True)
async def key(context: Context, text: str | None) -> None:
    """Your SSH keys, or one more.
    To add one paste the line of your .pub file: key ssh-ed25519 AAAA...
    """
    if text is None:
        rows = context.house.registrar.keys_of(context.person)
        context.reply(Page("Your SSH keys", tuple(rows) or ("none yet",)))
        return
    fingerprint = await context.house.registrar.add_key(context.person, text)
    context.reply(Notice(f"The key {fingerprint} now opens your name."))


@verb("password", "you", accounts_only=True, see=("key",))
def password(context: Context) -> None:
    """Set a new password.
    You are asked twice, and nothing is shown. It opens your name over telnet and SSH alike.
    """
    context.visit.ask_new_password()


@verb("whoami", "you", also=("id",), see=("terminal", "about"))
def whoami(context: Context) -> None:
    """Who you are here, and the id of this visit.
    With the id, or with the (ref ...) of a sentence, whoever runs the house finds in the log what
    happened to you. It opens nothing: you may tell it to anybody."""
    kind = "a guest" if context.person.is_guest else "known here"
    context.reply(
        Notice(
            f"You are {context.person.name}, {kind}. This visit is {context.visit.id}: "
            "name it if something went wrong and you ask for help."
        )
    )


@verb("resume CODE", "you")
def resume(context: Context, code: str) -> None:
    """Take back a guest's seat after a dropped line.
    The code was shown to that guest on sitting down."""
    context.visit.become(context.house.resume(context.person, code))
