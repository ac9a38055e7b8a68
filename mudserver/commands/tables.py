"""Commands for tables, from `tables`, `open` and `sit` to `start`, `leave` and `rules`."""

from __future__ import annotations

import re
from collections.abc import Awaitable
from functools import partial

from mudserver.commands import texts
from mudserver.commands.elsewhere import at_table, go_to_table
from mudserver.commands.seeks import take_seek
from mudserver.commands.verb import CommandContext, PendingLeave, split_assignments, verb
from mudserver.errors import UserError
from mudserver.messages import Notice
from mudserver.service.watching import NEXT_WORD
from mudserver.tables import match_texts, requests, substitute_texts
from mudserver.tables.table_codes import is_code

INVITED_MAX = 8  # by one line

DECLINE_CHARS_MAX = 80  # of a text to who has invited
CONFIRM_LEAVE_S = 30.0  # in which leave is typed again
LEAVE_QUESTION = (
    "Leave this game? A computer player takes your seat. Type leave again within "
    f"{CONFIRM_LEAVE_S:.0f} s to confirm."
)


def is_table_number(word: str) -> bool:
    return re.fullmatch("#?[0-9]{1,9}", word, re.ASCII) is not None


def table_number(word: str) -> int:
    if not is_table_number(word):
        raise UserError(texts.NOT_A_TABLE.format(word), "usage")
    return int(word.removeprefix("#"))


@verb("tables [GAME] [rated] [open]", "tables", see_also=("play", "sit", "watch"))
def tables(
    context: CommandContext, game: str | None, rated: str | None, is_open: str | None
) -> None:
    """All tables, and where a seat is free.
    tables words  those of one game
    tables open  those with a free seat
    tables rated  those whose games are rated

    In the lobby the number of a table alone watches it, as the next line."""
    words = [word.lower() for word in (game, rated, is_open) if word is not None]
    names = [word for word in words if word not in ("open", "rated")]
    if len(names) > 1:
        raise UserError(f'"{names[1]}" is too much here. Type: tables GAME rated open', "usage")
    game = names[0] if names else None
    if context.service.table_of(context.person) is None:  # a number gives up no seat
        context.session.last_line.list_rows("watch")
    context.reply(context.service.table_lists.page(context.person, game, words))


@verb("open GAME [PRESET] [OPTION=VALUE...]", "tables", see_also=("bot", "start", "rules"))
def open_table(
    context: CommandContext, variant: str, preset: str | None, options: str | None
) -> None:
    """Open a table and sit down at it.
    As in: open elimination short, or open elimination seats=4 pace=brisk

    A preset is a name for options: short is a quick game, long gives time to think, standard is
    everything as usual. rules GAME lists the presets of one game. Options after
    the preset win over it: open words short target=150.

    These options go with every game; rules GAME lists those of one game, with its clocks.
    seats=4  the number of seats
    pace=person|brisk|instant  how long computer players seem to think
    deals=3  a match of so many deals with totals: help deals
    absence=computer|pause|forfeit  what happens to a seat while its owner is away
    clocks=off  no time limits
    move=2d  a game by correspondence, with hours (36h) or days for each move: help go
    bots=owner|all  who can add computer players
    who=anyone|accounts|invited  who can sit down without an invitation
    code=on  a private table: it is in no list, and others need its code
    programs=off  no programs sit down
    fill=off|easy|medium  computer players that take the free seats when play starts the table
    kibitz=off  watchers can't talk to players during a game
    delay=3  watchers see the game so many decisions late, 20 at most: help watch
    substitutes=off  nobody takes over a seat that was left: help substitute
    rated=on  its games count for ratings: help ratings
    hints=on|off  everybody can ask for hints, or nobody; else who plays with computers alone
    """
    typed = f"{preset or ''} {options or ''}"
    context.service.open_table(context.person, variant.lower(), typed, _has_autopass(context))


@verb("play [GAME] [PRESET] [rated]", "tables", see_also=("open", "tables", "start"))
def play(
    context: CommandContext, variant: str | None, preset: str | None, rated: str | None
) -> None:
    """Sit down at an open table, or open one; computer players that fit you take the free seats.
    Without GAME it is that of your table, or the one you played last. The game starts 20 s after
    the last person has sat down; start begins it at once. Who stays plays.

    At a table that waits for people, play finds you another one.

    play words rated  a rated game, which waits for somebody else with an account: help ratings"""
    words = [word.lower() for word in (variant, preset, rated) if word is not None]
    names, is_rated = [word for word in words if word != "rated"], "rated" in words
    if len(names) > 2:
        raise UserError(f'"{names[2]}" is too much here. Type: play GAME PRESET rated', "usage")
    game, preset = [*names, None, None][:2]
    computers = context.session.preference("computers")

    def go(number: int, variant: str) -> bool:
        """To a table of another server, where the line is typed again."""
        again = filter(None, ("/play", variant, preset, "rated" if is_rated else ""))
        return go_to_table(context, number, " ".join(again))

    how = {"is_rated": is_rated, "has_autopass": _has_autopass(context)}
    context.service.play_game(context.person, game, preset, computers, go, **how)


@verb(
    "practice GAME [LEVEL] [OPTION=VALUE...]",
    "tables",
    aliases=("practise",),
    see_also=("play", "bot"),
)
def practice(context: CommandContext, variant: str, level: str | None, options: str | None) -> None:
    """Play with computer players alone, at once and without clocks.
    As in: practice words, practice elimination easy, practice stockpile seats=2

    Without LEVEL they have the level that fits you, or the one of: set computers LEVEL"""
    computers, typed = context.session.preference("computers"), f"{level or ''} {options or ''}"
    context.service.practise(
        context.person, variant.lower(), typed.split(), computers, _has_autopass(context)
    )


@verb("options [OPTION=VALUE...]", "tables", needs_table=True, see_also=("open", "rules"))
def options(context: CommandContext, options: str | None) -> None:
    """The options of your table, or change some before the game.
    As in: options deck=50 seats=4

    The owner of the table can change them: options deck=50, or set table deck=50. Everybody at the
    table is told, and says ready again."""
    set_table_options(context, options)


def set_table_options(context: CommandContext, options: str | None) -> None:
    """Change options of the person's table; None: show them."""
    if options is None:
        context.reply(context.service.options_page(context.person))
    else:
        typed = split_assignments(options)
        context.service.submit_request(requests.Configure(context.person.id, typed))


def table_or_code(context: CommandContext, table: str, code: str | None) -> tuple[int, str]:
    """The number of a table, and the code of a private one: `5`, `5 k7w2m9px` or `k7w2m9px`."""
    if code is None and is_code(table.lower()):
        return context.service.table_with_code(context.person, table.lower()), table.lower()
    return table_number(table), (code or "").lower()


@verb("sit TABLE [CODE]", "tables", see_also=("tables", "stand", "watch"))
def sit(context: CommandContext, table: str, code: str | None) -> Awaitable[None] | None:
    """Sit down at a table before its game.
    A private table needs its code: sit 5 k7w2m9px, or sit k7w2m9px."""
    number, code = table_or_code(context, table, code)
    service, errand = context.service, f"/sit {number} {code}".rstrip()
    here = partial(service.sit, context.person, number, _has_autopass(context), code)
    return at_table(context, number, errand, here)


@verb("invite NAME...", "tables", needs_account=True, needs_table=True, see_also=("accept", "open"))
async def invite(context: CommandContext, names: str) -> None:
    """Invite people to your table.
    They can sit down although the table is private. An invitation ends after 10 min. To a table by
    correspondence it lasts 72 h, until the game begins. People who are offline can be invited
    there, too; they read of it at the next login. Where a table is not open to anyone only its
    owner can invite people. set invitations off takes none, set invitations friends those of
    your friends."""
    for name in names.replace(",", " ").split()[:INVITED_MAX]:
        await context.service.inviting.invite(context.person, name)


@verb("offer KIND", "tables", needs_table=True, see_also=("accept", "decline", "resume"))
def offer(context: CommandContext, kind: str) -> None:
    """Offer something to the others in your game; all who are asked must agree.
    offer draw  all who are still in share the first place
    offer abort  the game ends without a result
    offer pause  nothing happens for an hour at most, until somebody types resume
    offer adjourn  the game goes on another day, when everybody has typed resume: registered players

    They type accept or decline within 60 s, by correspondence within 72 h; who does not answer has
    declined. Clocks run on. A game by correspondence has no pause, and is not adjourned. You can
    make 2 offers of a kind in a game, and 4 in all."""
    context.service.offer(context.person, kind.lower())


@verb("accept [NAME]", "tables", see_also=("decline", "invite", "seeks"))
def accept(context: CommandContext, name: str | None) -> Awaitable[None] | None:
    """Agree to the offer at your table, or sit down where you are invited.
    With several invitations, or with one that has just come: accept NAME.

    accept 4  play the game that somebody offers under this number: help seeks"""
    if name is not None and is_table_number(name):
        number = table_number(name)
        if not context.service.seeking.has(number) and _is_invited(context, number):
            return _sit_down(context, number)
        return take_seek(context, number)
    if name is None and context.service.answer_offer(context.person, is_accepted=True):
        return None
    return _sit_down(context, context.service.inviting.chosen(context.person, name).table)


def _is_invited(context: CommandContext, table: int) -> bool:
    """Whether somebody has invited the person to that table."""
    return any(it.table == table for it in context.service.inviting.open_to(context.person.id))


def _sit_down(context: CommandContext, table: int) -> Awaitable[None] | None:
    """At a table that lets this person in."""
    here = partial(context.service.sit, context.person, table, _has_autopass(context))
    return at_table(context, table, f"/sit {table}", here)


@verb("decline [NAME] [TEXT...]", "tables", see_also=("accept",))
async def decline(context: CommandContext, name: str | None, text: str | None) -> None:
    """Decline the offer at your table, or an invitation.
    Nobody is told who has declined an offer. To say why you decline an invitation: decline NAME
    TEXT"""
    service, person = context.service, context.person
    if text is not None and len(text) > DECLINE_CHARS_MAX:
        raise UserError(texts.TOO_LONG_TO_DECLINE.format(len(text), DECLINE_CHARS_MAX), "usage")
    if name is None and service.answer_offer(person, is_accepted=False):
        return
    by_name = service.inviting.decline(person, name)
    context.reply(Notice(f"You decline {by_name}'s invitation."))
    if text is not None and (told := service.tells.tell(person, by_name, text)) is not None:
        await told


def _has_autopass(context: CommandContext) -> bool:
    """A new seat takes over the person's preference."""
    return context.session.preference("autopass") == "on"


@verb("stand", "tables", needs_table=True, see_also=("sit", "leave"))
def stand(context: CommandContext) -> None:
    """Leave your seat between games."""
    context.service.submit_request(requests.Stand(context.person.id))


@verb("watch TABLE [CODE]", "tables", aliases=("observe",), see_also=("unwatch", "tables"))
def watch(context: CommandContext, table: str, code: str | None) -> Awaitable[None] | None:
    """Watch a table.
    You see what everybody can see, never a hand. watch bob is for the table where bob is, watch
    next for the public game that most people watch; again, for the one after it.

    A table can keep its watchers some decisions behind: delay=3, an option of the table. You see
    the game as it was then, without its clock, and hear what players said then; when it is over
    you see everything. Nobody watches in secret: watchers lists who does."""
    number, code = _table_to_watch(context, table, code)
    here = partial(context.service.watching.watch, context.person, number, code)
    return at_table(context, number, f"/watch {number} {code}".rstrip(), here)


def _table_to_watch(context: CommandContext, word: str, code: str | None) -> tuple[int, str]:
    """As `table_or_code`, or the table where somebody is, or the next one."""
    watching = context.service.watching
    if word.lower() == NEXT_WORD and code is None:
        return watching.next_table(context.person), ""
    is_code_of_table = is_code(word.lower()) and not watching.is_somebody(word)
    if is_table_number(word) or (is_code_of_table and code is None):
        return table_or_code(context, word, code)
    return watching.table_of(word), (code or "").lower()


@verb("watchers", "tables", needs_table=True, is_newer=True, see_also=("watch", "who"))
def watchers(context: CommandContext) -> None:
    """Who watches your table."""
    context.reply(context.service.watching.page(context.person))


@verb("unwatch", "tables", needs_table=True, see_also=("watch",))
def unwatch(context: CommandContext) -> None:
    """Stop watching."""
    context.service.submit_request(requests.Unwatch(context.person.id))


@verb("bot [LEVEL]", "tables", aliases=("addbot",), needs_table=True, see_also=("unbot", "start"))
def bot(context: CommandContext, level: str | None) -> None:
    """Seat a computer player.
    As in: bot, bot easy, bot 1, bot Juno

    bot alone is a medium player. A game has those levels that it can play, and each name has one.
    The seats of people who are away or have left are played by hard, in words by master.
    easy  overlooks much
    medium  overlooks something now and then
    hard  counts what it has seen, and plays what promises most
    expert  looks several turns ahead; it knows no card that you would not know in its place
    master  plays words only, and overlooks nothing
    In words medium never parks letters, hard parks some, expert many; master also steals, spoils
    and trades.
    """
    context.service.submit_request(requests.AddBot(context.person.id, level or ""))


@verb("unbot [NAME]", "tables", needs_table=True, see_also=("bot",))
def unbot(context: CommandContext, name: str | None) -> None:
    """Remove a computer player.
    Without a name: the last one."""
    context.service.submit_request(requests.RemoveBot(context.person.id, name or ""))


@verb(
    "start",
    "tables",
    aliases=("ready", "rematch"),
    needs_table=True,
    see_also=("unready", "open", "bot"),
)
def start(context: CommandContext) -> None:
    """Start the game, or the next one, as soon as everybody is ready.
    start, ready and rematch say that you are ready. The game starts when all people at the table
    are ready and connected. With computer players only it starts at once.

    Any change of the table (an option, a seat, a computer player) means: everybody says ready
    again. You stay ready for 5 min, and for 10 s when you lose the connection."""
    context.service.submit_request(requests.Start(context.person.id))


@verb("unready", "tables", needs_table=True, see_also=("start",))
def unready(context: CommandContext) -> None:
    """You are not ready for the game after all."""
    context.service.submit_request(requests.Unready(context.person.id))


@verb("unseat NAME", "tables", needs_table=True, see_also=("owner", "unbot"))
def unseat(context: CommandContext, name: str) -> None:
    """Ask somebody to leave your table, between games.
    Only the owner of the table can. The person can't sit down there for 10 min."""
    context.service.submit_request(requests.Unseat(context.person.id, name))


@verb("owner NAME", "tables", needs_table=True, see_also=("unseat", "options"))
def owner(context: CommandContext, name: str) -> None:
    """Hand your table on to somebody who sits there.
    The owner adds computer players, changes options, and can ask people to leave. The person who
    opened a table owns it; when the owner leaves, the person who has sat there longest does."""
    context.service.submit_request(requests.SetOwner(context.person.id, name))


@verb(
    "leave [now]",
    "tables",
    aliases=("resign",),
    needs_table=True,
    see_also=("return", "stand"),
    needs_whole_word=True,
)
def leave(context: CommandContext, now: str | None) -> None:
    """Leave the table.
    In a running game or match you are asked to type it again, and a computer player takes your
    seat; return takes it back, until somebody else has taken it over. leave now does not ask, for
    programs."""
    service, person, pending = context.service, context.person, context.pending_leave
    if now not in (None, "now"):
        raise UserError(f'"{now}" is too much here. Type leave, or leave now', "usage")
    given_up, now_s = service.given_up(person), service.monotonic()
    is_confirmed = pending is not None and now_s <= pending.until_s
    if now is not None or (given_up is None and not is_confirmed):
        service.submit_request(requests.Leave(person.id))
    elif pending is not None and is_confirmed:
        # If another game runs now, or none, the table says so.
        service.submit_request(requests.Leave(person.id, game=pending.game[1]))
    elif given_up is not None:
        game, deals = given_up
        context.session.await_leave(PendingLeave(game, now_s + CONFIRM_LEAVE_S))
        context.reply(Notice(match_texts.leave_question(deals) if deals else LEAVE_QUESTION))


@verb("return", "tables", see_also=("leave", "sit", "substitute"))
def return_to_seat(context: CommandContext) -> Awaitable[None] | None:
    """Take back the seat that you left, while its game or match goes on.
    sit TABLE does the same. In one game or match you can come back three times. A minute after you
    left, somebody else can take the seat over for good: help substitute"""
    return _sit_down(context, context.service.table_left(context.person))


@verb("substitute TABLE [SEAT]", "tables", see_also=("return", "tables", "watch"))
def substitute(context: CommandContext, table: str, seat: str | None) -> Awaitable[None] | None:
    """Take over a seat that somebody has left in a running game.
    tables lists such seats, a minute after they were left. You see what the seat sees and all that
    it has seen (history), and play on to the end. A rated game moves no rating of yours, and who
    has left the seat can't return to it.

    It takes an account; a guest can only where guests play. Who has had a seat in that game takes
    no other. substitutes=off, an option of the table, leaves all seats to computer players."""
    number, chosen = table_number(table), seat_number(seat)
    service, person = context.service, context.person
    errand = f"/substitute {number} {chosen or ''}".rstrip()

    def here() -> None:
        service.substitutes.take(person, number, chosen, _has_autopass(context))
        service.guest_seats.send_code(person)

    return at_table(context, number, errand, here)


def seat_number(word: str | None) -> int | None:
    """As typed, from 1; None: none was."""
    if word is None:
        return None
    if not (word.isascii() and word.isdigit() and 0 < int(word[:3]) < 100):
        raise UserError(substitute_texts.NOT_A_SEAT.format(word), "usage")
    return int(word[:3])


@verb("rules [GAME]", "tables", see_also=("tips", "open", "moves"))
def rules(context: CommandContext, variant: str | None) -> None:
    """How a game is played, and which options it has."""
    variant = variant or context.learned_game
    context.reply(context.service.game_page(context.person, "rules", variant))
