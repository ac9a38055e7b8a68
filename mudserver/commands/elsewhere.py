"""A line about a table that may be on another server, or in no memory: it is done where the table
is, when it is there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from mudserver.commands.verb import CommandContext
from mudserver.errors import UserError


def at_table(
    context: CommandContext, number: int | None, errand: str, here: Callable[[], None]
) -> Awaitable[None] | None:
    """Do what a line says: *here*, or the session goes where the table is, to do *errand*.

    Args:
        number: None: it is not known, so that the table can only be here.
    """
    if number is not None and context.service.table_lists.is_parked(number):
        return _fetch(context, number, here)
    if number is None or not context.service.walks.may_be_elsewhere(number):
        here()
        return None
    return _find(context, number, errand, here)


async def _fetch(context: CommandContext, number: int, here: Callable[[], None]) -> None:
    """JournalWriteError: the table can't be read now."""
    await context.service.table_lists.fetch(context.person, number)
    here()


async def _find(
    context: CommandContext, number: int, errand: str, here: Callable[[], None]
) -> None:
    """JournalWriteError: nobody can say where the table is."""
    walks = context.service.walks
    server = await walks.server_of(number)
    if not server:
        here()  # where it is refused, or has come meanwhile
        return
    walks.check_may_go(context.person)
    verb, _, rest = errand.partition(" ")
    if verb in ("/sit", "/watch", "/substitute"):
        more, watches = rest.partition(" ")[2], verb == "/watch"
        seat = more if verb == "/substitute" else None
        code = "" if seat is not None else more
        await walks.places.check(context.person, server, number, code, watches=watches, seat=seat)
    context.session.walking.go(server, number, errand)


def go_to_table(context: CommandContext, number: int, errand: str) -> bool:
    """The session goes where a listed table is, to do *errand*.  False: nobody can from here."""
    server = context.service.directory.server_of(number)
    try:
        context.service.walks.check_may_go(context.person)
        context.session.walking.go(server, number, errand)
    except UserError:
        return False
    return True
