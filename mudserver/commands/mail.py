"""The command for mail."""

from __future__ import annotations

from mudserver.commands.verb import CommandContext, verb
from mudserver.errors import UserError
from mudserver.mail import texts
from mudserver.messages import Notice


@verb("mail [NAME] [TEXT...]", "talk", is_newer=True, needs_account=True, see_also=("tell",))
async def mail(context: CommandContext, name: str | None, text: str | None) -> None:
    """Leave somebody a message, or read yours: mail bob See you on Friday.
    bob reads it now or at the next login. mail alone lists your messages.

    mail read 3  reads one; without a number the oldest new one
    mail reply 3 TEXT  answers it
    mail delete 3  removes one; mail delete all removes all
    mail to read TEXT  writes to somebody called read

    Read messages are kept for a month, others for three. set mail friends or off says who can
    write to you.
    """
    service, person = context.service.mail, context.person
    first, _, rest = (text or "").partition(" ")
    match (name or "").lower():
        case "":
            context.reply(service.page(person))
        case "read":
            context.reply(await service.read(person, _number(first) if first else None))
        case "reply":
            number = _number(first)
            context.reply(Notice(await service.reply(person, context.login, number, rest)))
        case "delete" if first.lower() == "all":
            context.reply(Notice(await service.remove(person, None)))
        case "delete":
            context.reply(Notice(await service.remove(person, _number(first))))
        case "to" if first:
            context.reply(Notice(await service.send(person, context.login, first, rest)))
        case to:
            if not text:
                raise UserError(texts.SAY_WHAT, "usage")
            context.reply(Notice(await service.send(person, context.login, to, text)))


def _number(typed: str) -> int:
    """UserError: it is none."""
    digits = typed.removeprefix("#")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 9):
        raise UserError(texts.WHICH, "usage")
    return int(digits)
