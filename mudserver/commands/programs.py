"""Commands for programs: feed, static."""

from __future__ import annotations

from msgspec.structs import replace

from mudserver.commands.verb import CommandContext, verb
from mudserver.game_files import find_variant
from mudserver.messages import Notice
from mudserver.service.rules_page import rules_page
from mudserver.service.variant_data import variant_data


def is_a_feed(typed: str) -> bool:
    """Whether *typed* can be the argument of `feed`."""
    return typed.lower() in ("tables on", "tables off")


@verb("feed [WHAT...]", "server", is_newer=True, see_also=("tables", "static"), takes=is_a_feed)
def feed(context: CommandContext, what: str | None) -> None:
    """For programs: be told of every table that changes.
    feed tables on  an object for each change, until you disconnect; feed tables off ends it

    It is data alone, so people read nothing of it: docs/bots.md."""
    is_on = what is not None and what.lower() == "tables on"
    context.service.programs.feed_tables(context.person, is_on=is_on)
    context.reply(Notice("Changes of tables are told." if is_on else "No changes are told."))


@verb("static GAME", "server", is_newer=True, see_also=("rules", "feed"))
def static(context: CommandContext, game: str) -> None:
    """What is known of a game before it is played, as data for programs.
    People read its rules."""
    variant = find_variant(game, context.service.catalogue)
    context.reply(replace(rules_page(variant), data=variant_data(variant)))
