"""Commands for what whoever runs the server tells everybody: motd, news."""

from __future__ import annotations

from mudserver.commands.verb import CommandContext, verb
from mudserver.messages import Notice
from mudserver.moderation import texts
from mudserver.service.moderation import parse_number


@verb("motd [set|clear] [TEXT...]", "server", is_newer=True, see_also=("news",))
async def motd(context: CommandContext, action: str | None, text: str | None) -> None:
    """The message of the day, which everybody reads at login.

    motd set TEXT  what operators make it; a file: mudserver admin motd FILE
    motd clear  no message any more
    """
    news = context.service.news
    match (action or "").lower(), text:
        case "set", str(said):
            context.reply(Notice(await news.set_motd(context.login, said)))
        case "clear", None:
            context.reply(Notice(await news.set_motd(context.login, "")))
        case _:
            context.reply(news.motd() or Notice(texts.NO_MOTD))


@verb("news [NUMBER|add|remove] [TEXT...]", "server", is_newer=True, see_also=("motd",))
async def news(context: CommandContext, action: str | None, text: str | None) -> None:
    """What is new on this server; news 3 shows the third piece.

    news add TITLE: TEXT  what operators add; a file: mudserver admin news add TITLE FILE
    news remove 3  take a piece away
    """
    board = context.service.news
    match (action or "").lower():
        case "":
            context.reply(board.page())
            await board.note_seen(context.person)
        case "add":
            title, _, said = (text or "").partition(":")
            context.reply(Notice(await board.add(context.login, title, said.strip())))
        case "remove":
            context.reply(Notice(await board.remove(context.login, text or "")))
        case which:
            context.reply(board.item(parse_number(which)))
            await board.note_seen(context.person)
