"""The command for notices outside the server: notify."""

from __future__ import annotations

from mudserver.commands.verb import CommandContext, verb
from mudserver.data_account import NotifyData
from mudserver.errors import UserError
from mudserver.game_files import find_variant
from mudserver.messages import Notice, Page
from mudserver.service import notice_texts as texts
from mudserver.service.notify_settings import NotifyState
from variants.catalogue import Catalogue


@verb("notify [topic|events|quiet|seeks|off] [TEXT...]", "you", needs_account=True,
      is_newer=True, see_also=("go", "set"))  # fmt: skip
async def notify(context: CommandContext, what: str | None, value: str | None) -> None:
    """Be told outside the server, on your phone or by mail, when a slow game wants you.
    notify seeks says at a table, too, who seeks a game.

    The host of the server decides where notices go. You choose a topic: whoever knows it can read
    them, so make it long and hard to guess. They say nothing of your cards. You get one in 10 min
    at most, and what comes meanwhile is joined.

    notify topic Kz81-quiet-heron  send them, under this name
    notify events moves,results  of these alone: moves, invitations, results
    notify quiet 22-08  not in these hours of your time zone; notify quiet off
    notify test  send one now, once an hour
    notify off  send nothing more, and forget the topic
    notify seeks words,elimination  read at a table, too, who seeks these games: once a minute;
    notify seeks all, notify seeks off

    You are told when a move is yours, and when half and a tenth of the time is left. You are told
    of offers, invitations and the end of games. An adjourned game warns you 7 days and 1 day before
    it ends. In the terminal set alert says how you are called.
    """
    settings, person, typed = context.service.notify, context.person, (value or "").strip()
    source = context.session.source
    match (what or "").lower(), typed:
        case "", "":
            pass
        case "topic", _ if typed:
            await settings.set_topic(person, typed, source)
        case "events", _ if typed:
            await settings.set_events(person, typed, source)
        case "quiet", _ if typed:
            await settings.set_quiet(person, typed, context.session.preference("timezone"), source)
        case "seeks", _ if typed:
            games = _games(typed, context.service.catalogue)
            await settings.set_seeks(person, games, source)
        case "off", "":
            await settings.stop(person, source)
        case "test", "":
            settings.test(person)
            context.reply(Notice(texts.TEST_SENT))
            return
        case _:
            raise UserError(texts.HOW, "usage")
    context.reply(_page(settings.state(person)))


def _games(typed: str, catalogue: Catalogue) -> tuple[str, ...]:
    """`words,elimination`, `all` or `off`.  UserError: there is no such game."""
    words = typed.casefold().replace(",", " ").split()
    if words == ["off"]:
        return ()
    if words == ["all"]:
        return tuple(catalogue)
    named = {find_variant(word, catalogue).name for word in words}
    return tuple([game for game in catalogue if game in named])


def _page(state: NotifyState) -> Page:
    choice = state.choice
    hours = f"{choice.quiet_from:02}:00 to {choice.quiet_to:02}:00 ({choice.zone})"
    rows = (
        f"topic\t{choice.topic or texts.NOTHING_SENT}",
        f"events\t{', '.join(choice.events)}",
        f"quiet\t{hours if choice.has_quiet_hours else 'no hours'}",
        f"seeks\t{', '.join(choice.seeks) or texts.NO_SEEKS}",
    )
    quiet = choice.quiet_from, choice.quiet_to
    data = NotifyData(
        *(choice.topic or None, choice.events, *quiet, choice.zone, state.is_on, choice.seeks)
    )
    return Page(texts.TITLE, rows if state.is_on else (*rows, texts.NOT_HERE), data=data)
