"""Commands for names: register, rename, lookup."""

from __future__ import annotations

from functools import partial

from mudserver.accounts import texts as account_texts
from mudserver.commands import texts
from mudserver.commands.verb import CommandContext, verb
from mudserver.errors import UserError
from mudserver.messages import Notice


@verb("register NAME [CODE]", "you", is_newer=True, see_also=("whoami", "rename", "password"))
def register(context: CommandContext, name: str, code: str | None) -> None:
    """Get a name of your own, as a guest, and go on with your game.
    You are asked twice for a password, and nothing is shown. Your seat, your settings, your lessons
    and whom you ignore go along. Where new names need an invitation, its code stands behind the
    name.
    """
    if not context.person.is_guest:
        raise UserError(texts.REGISTERED_ALREADY.format(context.person.name))
    typed = f"{name}+{code}" if code else name
    context.service.names.check_registration(typed, context.session.source)
    context.session.dialogs.ask_new_password(partial(_register, context, typed))


async def _register(context: CommandContext, typed: str, password: str) -> None:
    session = context.session
    person = await context.service.names.register(
        context.person, typed, password, session.source, session.own_preferences
    )
    context.service.send_to(person.id, Notice(account_texts.REGISTERED.format(person.name)))


@verb("rename NAME [NEW] [REASON...]", "you", is_newer=True, see_also=("finger", "register"))
async def rename(context: CommandContext, name: str, new: str | None, reason: str | None) -> None:
    """Take another name for your account.
    You type it twice. Your seat, friends, mail and games stay yours. For a year nobody else can
    have the old name, and finger says who you are now. You can go back to it.

    rename rob  you are rob from now on
    rename bob rob TEXT  the staff gives somebody else a name; bob reads the reason
    """
    names, person, source = context.service.names, context.person, context.session.source
    if new is not None:
        done = await names.rename_by_staff(context.login, name, new, reason or "")
        context.reply(Notice(done))
        return
    if person.is_guest:
        raise UserError(texts.ONLY_REGISTERED.format("rename"))
    context.service.check_may_talk(person.id)
    names.check_rename(person, name)

    async def confirm(again: str) -> None:
        context.service.check_may_talk(person.id)
        if again != name:
            raise UserError(account_texts.NAME_DIFFERS)
        context.reply(Notice(await names.rename(person, name, source)))

    context.session.dialogs.ask_line(texts.NAME_AGAIN, confirm)


@verb("lookup NAME", "staff", permission="lookup", see_also=("ban", "sanctions"))
async def lookup(context: CommandContext, name: str) -> None:
    """A tag of the network from where somebody is here.
    Two people with the same tag share a network. The tags are others each month."""
    context.reply(Notice(await context.service.moderation.lookup(context.login, name)))
