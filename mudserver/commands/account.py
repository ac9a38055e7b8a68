"""Commands for names and keys: key, password, whoami, resume."""

from __future__ import annotations

from mudserver.commands.verb import CommandContext, verb
from mudserver.errors import UserError
from mudserver.messages import Notice, Page


@verb("key [PUBLIC-KEY...]", "you", aliases=("keys",), needs_account=True, see_also=("password",))
async def key(context: CommandContext, text: str | None) -> None:
    """Your SSH keys, one more, or one less.
    To add one paste the line of your .pub file: key ssh-ed25519 AAAA...

    To take away the second of the list, lost or old: key remove 2. A name keeps one way in.
    """
    accounts = context.account_service
    if text is None:
        keys = accounts.key_fingerprints(context.person)
        rows = [f"{number}\t{fingerprint}" for number, fingerprint in enumerate(keys, 1)]
        context.reply(Page("Your SSH keys", tuple(rows) or ("none yet",)))
    elif text.lower() == "remove":
        raise UserError("Which of them? key lists them with numbers. Then: key remove 2")
    elif text.lower().startswith("remove "):
        fingerprint = await accounts.remove_key(
            context.person, text.split(None, 1)[1], context.session.source
        )
        context.reply(Notice(f"The key {fingerprint} opens your name no more."))
    else:
        fingerprint = await accounts.add_key(context.person, text, context.session.source)
        context.reply(Notice(f"The key {fingerprint} now opens your name."))


@verb("password", "you", needs_account=True, see_also=("key",))
def password(context: CommandContext) -> None:
    """Set a new password.
    You are asked twice, and nothing is shown. It opens your name over telnet and SSH alike.
    """
    context.session.start_password_dialog()


@verb("whoami", "you", aliases=("id",), see_also=("terminal", "about"))
def whoami(context: CommandContext) -> None:
    """Who you are here, and the id of this visit.
    With the id, or with the (ref ...) of a sentence, whoever runs the server finds in the log what
    happened to you. It opens nothing: you may tell it to anybody."""
    kind = "a guest" if context.person.is_guest else "known here"
    context.reply(
        Notice(
            f"You are {context.person.name}, {kind}. This visit is {context.session.id}: "
            "name it if something went wrong and you ask for help."
        )
    )


@verb("resume CODE", "you")
def resume(context: CommandContext, code: str) -> None:
    """Take back a guest's seat after a dropped line.
    The code was shown to that guest on sitting down."""
    context.session.switch_person(context.service.guest_for_resume_code(context.person, code))
