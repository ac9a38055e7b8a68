"""The command for tournaments."""

from __future__ import annotations

from mudserver.commands.verb import CommandContext, verb
from mudserver.errors import UserError
from mudserver.messages import Notice
from mudserver.tourneys import texts


@verb("tourney [NUMBER] [WORDS...]", "tables", is_newer=True, see_also=("open", "top", "return"))
async def tourney(context: CommandContext, number: str | None, words: str | None) -> None:
    """Tournaments: several rounds of games, with new tables in each: tourney 3 join.
    tourney  the list of them
    tourney 3  about one; tourney 3 standings, tourney 3 round
    tourney 3 join  play in it; tourney 3 withdraw
    tourney open words Winter Cup rounds=3  open one, with seats=4 preset=short rated=on max=64
    break=3 noshow=3 programs=on start=2026-12-05T18:00
    tourney open words Slow Cup correspondence  with days for each move: move=2d

    Four people are needed. When it begins you are taken to your table, wherever you are; if you are
    in another game, leave that one and type sit with the number of the table. A win is worth 60
    points at every table, the last place none. Who leaves a game has none and plays no more, nor
    does who is away from two whole games. In each round you have noshow minutes to type anything.
    It ends when all its games are over, or after three times the usual length of a game. A game
    that a fault of the server has ended begins anew, once; then everybody there gets 30 points.

    By correspondence you stay where you are: go takes you to your table. Who lets the first own
    turn pass is not there yet, and away until back; so the time for a move takes the place of
    noshow. A round lasts seven times that time at most.

    Who has opened it: tourney 3 start, drop NAME, seat NAME, close REASON.
    """
    service, person = context.service.tourneys, context.person
    if number is None:
        context.reply(service.list_page(person))
        return
    rest = (words or "").split()
    if number.lower() == "open":
        context.reply(Notice(await service.open(person, rest)))
        return
    which, what = _number(number), rest[0].lower() if rest else ""
    said = " ".join(rest[1:])
    match what:
        case "":
            context.reply(await service.about_page(person, which))
        case "standings":
            context.reply(await service.standings_page(person, which))
        case "round":
            context.reply(await service.round_page(person, which))
        case "join":
            context.reply(Notice(await service.join(person, which)))
        case "withdraw":
            context.reply(Notice(await service.withdraw(person, which)))
        case "start":
            context.reply(Notice(await service.start(person, which)))
        case "drop":
            context.reply(Notice(await service.drop(person, which, said)))
        case "seat":
            context.reply(Notice(await service.seat(person, which, said)))
        case "close":
            context.reply(Notice(await service.close(person, which, said)))
        case _:
            raise UserError(texts.USAGE, "usage")


def _number(typed: str) -> int:
    """UserError: it is none."""
    digits = typed.removeprefix("#")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 9):
        raise UserError(texts.USAGE, "usage")
    return int(digits)
