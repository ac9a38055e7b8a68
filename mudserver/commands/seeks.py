"""Commands with which people find each other: seek, seeks, match."""

from __future__ import annotations

from collections.abc import Awaitable

from mudserver.accounts.person import Person
from mudserver.commands.verb import CommandContext, verb
from mudserver.errors import UserError
from mudserver.game_files import find_variant
from mudserver.service.seek_options import SeekOptions, read_match_line
from mudserver.service.seek_texts import MATCH_WHICH


@verb("seek GAME [PRESET] [OPTION=VALUE...]", "tables", is_newer=True,
      see_also=("seeks", "accept", "match", "open"))  # fmt: skip
def seek(context: CommandContext, game: str, preset: str | None, options: str | None) -> None:
    """Offer a game to everybody here, and go on with what you do.
    As in: seek words short rated, seek elimination seats=2, seek words correspondence move=3d

    The lobby reads of it once. accept with its number opens the table, with you as its owner. An
    offer stands for 30 min, while you are here; you can make three. Sitting down at a live table
    ends those of live games.

    seek off  end your offers
    seeks  all offers
    notify seeks words  read of such offers at a table, too"""
    service = context.service
    if game.lower() == "off" and preset is None:
        service.seeking.stop(context.person)
    else:
        service.seeking.seek(context.person, game, f"{preset or ''} {options or ''}")
    context.session.note_choice()


@verb("seeks", "tables", is_newer=True, see_also=("seek", "accept", "tables"))
def seeks(context: CommandContext) -> None:
    """The games that people offer.
    To play one of them, type accept and its number, or as the next line its number alone."""
    context.session.last_line.list_rows("accept")
    context.reply(context.service.seeking.page(context.person))


def take_seek(context: CommandContext, number: int) -> Awaitable[None] | None:
    """Sit down with who offers a game, on whichever server."""
    seeking = context.service.seeking
    if not seeking.is_here(number):
        return _take_elsewhere(context, number)
    has_autopass = context.session.preference("autopass") == "on"
    seeking.take(context.person, number, has_autopass=has_autopass)
    return None


async def _take_elsewhere(context: CommandContext, number: int) -> None:
    walking, seeking = context.session.walking, context.service.seeking
    seeking.check_way(number, has_way=walking.has_way)
    server, table = await seeking.take_elsewhere(context.person, number)
    walking.go(server, table, f"/sit {table}")


@verb("match NAME [GAME] [OPTION=VALUE...]", "tables", needs_account=True, is_newer=True,
      see_also=("seek", "invite", "accept"))  # fmt: skip
async def match(context: CommandContext, name: str, game: str | None, options: str | None) -> None:
    """Open a table for you and somebody who is online.
    As in: match bob, match bob words short rated, match bob elimination seats=2

    Without GAME it is the game that you two have played last. The other person types accept or
    decline; nobody else can sit down without an invitation. As with invite, people can take no
    invitations, from you or at all.

    For a match of several deals: help deals
    """
    service, person = context.service, context.person
    if game is not None and ("=" in game or game.lower() == "rated"):
        game, options = None, f"{game} {options or ''}"

    async def find_game(other: Person) -> tuple[str, SeekOptions]:
        named = game or await service.results.last_together(person, other)
        if named not in service.catalogue and game is None:
            suggested = next(iter(service.catalogue))
            raise UserError(MATCH_WHICH.format(other.name, suggested), "usage")
        variant = find_variant(named, service.catalogue)
        return variant.name, read_match_line(variant, options or "")

    has_autopass = context.session.preference("autopass") == "on"
    await service.inviting.match(person, name, find_game, has_autopass=has_autopass)
