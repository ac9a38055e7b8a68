"""The decisions at a table without a running game: seats, options, owner, and who is ready.  Pure.

A seat that was left is taken back here too, in the running game.

Rule 1: everything here reads the table and changes nothing.
Rule 2: a game starts when everybody who sits there is ready and connected and the number fits.
        That is looked at when a mark is set and at no other time; nobody else can start it.
Rule 3: who owns the table adds computer players, changes options and asks people to leave.
Rule 4: the seats move on by one place from game to game.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from hashlib import sha256

from msgspec.structs import replace

from mudserver.errors import UserError
from mudserver.tables import permissions, table_codes, texts
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.correspondence import ANSWER_MS
from mudserver.tables.countdown import NOBODY_MS, PLAYERS_MAX
from mudserver.tables.game import Game
from mudserver.tables.game_facts import GameFactsBuilder
from mudserver.tables.levels import free_computer_name, parse_level
from mudserver.tables.options import NEW_CODE, TableOptions, parse_options
from mudserver.tables.seat_bars import BAR_MS
from mudserver.tables.seats import Occupant
from mudserver.tables.substitute_texts import PRIVATE
from mudserver.tables.summary import InvitationSummary
from mudserver.tables.table import Table
from variants.contract import Seat
from variants.kit.chance import SEED_BYTES
from variants.kit.text import join_words, quantity

RETURNS_MAX = 3  # to one seat in one game or match


class WrongCode(UserError):
    """A code that no private table has; it counts like a wrong password."""


Decided = tuple[list[f.AnyFact], list[f.PresenceChange]]


# -- seats ---------------------------------------------------------------------------------------


INVITATION_MS = 600_000  # to a live table; by correspondence ANSWER_MS
INVITATIONS_MAX = 20  # open at one table


def open_table(table: Table, request: r.Open) -> Decided:
    options, made = _with_code(
        table, parse_options(table.variant, request.options), request.new_code
    )
    if request.is_guest and not request.is_practice:
        _check_guest_options(options)
    person, name = request.person, request.name
    what = table.number, table.variant.name, person, name, request.is_guest, options
    opened = f.Opened(*what, kept_for=request.taken.kept_for, seek_ms=request.taken.since_ms)
    sat = f.Sat(person, name, request.is_guest, request.has_autopass, request.is_play)
    return [opened, sat], [*came_from(person, request.source), *made]


def sit(table: Table, request: r.Sit, now_ms: int) -> Decided:
    number, person = table.number, request.person
    if table.seat_of(person) is not None:
        raise UserError(texts.SITS_ALREADY.format(number))
    if (left := table.left_seat_of(person)) is not None:
        return [_take_back(table, left, request)], came_from(person, request.source)
    if table.goes_on:
        raise UserError(texts.TABLE_PLAYING.format(number))
    check_may_play(table, request, now_ms)
    _check_room(table, person, texts.WATCH_IT.format(number), now_ms)
    sat = f.Sat(person, request.name, request.is_guest, request.has_autopass, request.is_play)
    return [sat], came_from(person, request.source)


def check_may_play(table: Table, request: r.Sit | r.Substitute, now_ms: int) -> None:
    """UserError: the table takes nobody like that person now."""
    options, number = table.options, table.number
    if table.tourney.tourney:
        raise UserError(texts.OF_TOURNEY.format(number, table.tourney.tourney))
    _check_bars(table, request.person, request.source, now_ms)
    if options.programs == "off" and request.is_program:
        raise UserError(f"Programs can't sit at table {number}. You can watch it: watch {number}")
    if table.is_slow and request.is_guest:
        raise UserError(texts.GUESTS_PLAY_LIVE)
    if is_invited(table, request.person, now_ms):
        return
    if isinstance(request, r.Sit):
        _check_code(table, request.code)
    elif table.is_private and request.person not in table.watchers:
        raise UserError(PRIVATE.format(number))
    if options.who == "accounts" and request.is_guest:
        raise UserError(
            f"Table {number} is for registered players. You can watch it: watch {number}"
        )
    if options.who == "invited":
        raise UserError(
            f"Table {number} is for people who were invited. You can watch it: watch {number}"
        )


def is_invited(table: Table, person: str, now_ms: int) -> bool:
    invited = table.invitations.get(person)
    return invited is not None and invited.until_ms > now_ms


def _check_code(table: Table, code: str) -> None:
    if not table.is_private:
        return
    if not code:
        raise UserError(f"Table {table.number} is private. With its code: sit {table.number} CODE")
    if not table_codes.matches(table.number, code, table.options.code_hash):
        raise WrongCode(texts.WRONG_CODE, "not_found")


def _take_back(table: Table, seat: Seat, request: r.Sit) -> f.AnyFact:
    """[G-10] The seat that its person left in the running game or match."""
    # With a delay nobody is told by a refusal what has just happened: the seat may be out.
    game, hint = table.shown.game, f"You can watch: watch {table.number}"
    what = "game" if table.match is None else "match"
    is_gone = table.seats[seat].is_vacant
    if table.is_playing and game is not None and (is_gone or game.is_out(seat)):
        raise UserError(f"Your seat is out of this game. {hint}")
    if table.seats[seat].returns >= RETURNS_MAX:
        raise UserError(
            f"You came back {RETURNS_MAX} times in this {what} already. {hint}", "limit"
        )
    person, name, is_guest = request.person, request.name, request.is_guest
    return f.SeatReturned(seat, person, name, is_guest, request.has_autopass)


def came_from(person: str, source: str) -> list[f.PresenceChange]:
    return [f.CameFrom(person, source)] if source else []


def _check_bars(table: Table, person: str, source: str, now_ms: int) -> None:
    bars, number = table.bars, table.number
    if (until_ms := bars.unseated_until_ms(person, source, now_ms)) is not None:
        raise UserError(texts.barred(number, until_ms - now_ms, is_by_owner=True))
    if (until_ms := bars.restless_until_ms(person, now_ms)) is not None:
        raise UserError(texts.barred(number, until_ms - now_ms, is_by_owner=False))


def watch(table: Table, request: r.Watch, now_ms: int) -> f.PresenceChange:
    person, name = request.person, request.name
    if table.seat_of(person) is not None:
        # [G-05] A seated person sees what the seat sees, and cannot watch as well.
        raise UserError(texts.HAS_SEAT.format(table.number))
    if person in table.watchers:
        raise UserError(texts.WATCHES_ALREADY.format(table.number))
    if not (request.goes_on or is_invited(table, person, now_ms)):
        _check_code(table, request.code)
    if len(table.watchers) >= table.config.watchers_max:
        watchers = quantity(len(table.watchers), "watcher")
        raise UserError(texts.WATCHERS_FULL.format(table.number, watchers), "full")
    return f.StartedWatching(person, name)


# -- what the owner does -------------------------------------------------------------------------


def configure(table: Table, request: r.Configure, now_ms: int) -> Decided:
    typed = request.options
    permissions.check_allowed(table, request.person, "options")
    if typed.keys() & {"who", "code"}:
        _check_owner_is_account(table)
    options = parse_options(table.variant, typed, before=table.options)
    options, made = _with_code(table, options, request.new_code)
    if options.seats < len(table.roster):
        raise UserError(texts.TOO_FEW_SEATS.format(len(table.roster), options.seats))
    if options.seats == len(table.roster) and table.keeps_seat(now_ms):
        raise UserError(texts.SEAT_KEPT.format(table.number), "busy")
    return [f.OptionsSet(options)], made


def _with_code(
    table: Table, options: TableOptions, code: str
) -> tuple[TableOptions, list[f.PresenceChange]]:
    """*options* with the hash of *code*, if they ask for a new one."""
    if options.code_hash != NEW_CODE:
        return options, []
    hashed = replace(options, code_hash=table_codes.hash_of(table.number, code))
    return hashed, [f.CodeMade("", code)]


def _check_guest_options(options: TableOptions) -> None:
    if options.is_correspondence:
        raise UserError(texts.GUESTS_PLAY_LIVE)
    if options.who != "anyone" or options.code_hash:
        raise UserError(texts.GUESTS_OPEN_TO_ALL)


def _check_owner_is_account(table: Table) -> None:
    if any(o.person == table.owner and o.is_guest for o in table.roster):
        raise UserError(texts.GUESTS_OPEN_TO_ALL)


def add_computer(table: Table, person: str, typed: str, now_ms: int) -> list[f.AnyFact]:
    permissions.check_allowed(table, person, "bot")
    _check_room(table, person, texts.START_NOW, now_ms)
    level, name = parse_level(table.variant, typed)
    used_names = [o.name for o in table.roster]
    if name.casefold() in map(str.casefold, used_names):
        raise UserError(f"{name} is at this table already. To seat another: bot {level}")
    return [f.ComputerSat(name or free_computer_name(used_names, level), level)]


def remove_computer(table: Table, person: str, which: str) -> list[f.AnyFact]:
    permissions.check_allowed(table, person, "unbot")
    computers = [(n, o.name) for n, o in enumerate(table.roster) if o.person is None]
    if not computers:
        raise UserError(texts.NO_COMPUTERS)
    if not which:
        return [f.ComputerLeft(*computers[-1])]
    for seat, name in computers:
        if which.casefold() in (name.casefold(), str(seat + 1)):
            return [f.ComputerLeft(seat, name)]
    raise UserError(texts.NO_SUCH_COMPUTER.format(", ".join(n for _, n in computers)), "not_found")


def unseat(table: Table, request: r.Unseat, now_ms: int) -> Decided:
    person = request.person
    permissions.check_allowed(table, person, "unseat")
    other = _seated_person(table, request.name, texts.UNBOT_INSTEAD)
    if other.person == person:
        raise UserError(texts.STAND_INSTEAD, "usage")
    assert other.person is not None
    facts: list[f.AnyFact] = [f.Unseated(other.person, other.name, person, now_ms + BAR_MS)]
    if not table.is_private:
        return facts, []
    # The person knows the code, so the table gets another.
    options = replace(table.options, code_hash=NEW_CODE)
    options, made = _with_code(table, options, request.new_code)
    return [*facts, f.OptionsSet(options)], made


def invite(table: Table, request: r.Invite, now_ms: int) -> list[f.AnyFact]:
    person, whom, name = request.person, request.whom, request.name
    permissions.check_allowed(table, person, "invite")
    if table.seat_of(whom) is not None:
        raise UserError(f"{name} has a seat here already.")
    if is_invited(table, whom, now_ms):
        raise UserError(f"{name} is invited already.")
    if len(table.invitations) >= INVITATIONS_MAX:
        raise UserError(
            "Too many people are invited here. Please wait until some have accepted.", "full"
        )
    lasts_ms = ANSWER_MS if table.options.is_correspondence else INVITATION_MS
    return [f.Invited(whom, name, person, now_ms + lasts_ms, now_ms)]


def invited_ms(since_ms: int, until_ms: int) -> int:
    """When somebody was invited, UTC.  Args: of the invitation; since_ms: 0: it was not kept."""
    return since_ms or until_ms - INVITATION_MS


def decline(table: Table, person: str) -> list[f.AnyFact]:
    invited = table.invitations.get(person)
    if invited is None:
        raise UserError(texts.INVITATION_GONE, "expired")
    return [f.InvitationEnded(person, invited.name, "declined")]


def ended_invitations(table: Table, now_ms: int) -> list[f.AnyFact]:
    return [
        f.InvitationEnded(person, invited.name, "expired")
        for person, invited in table.invitations.items()
        if invited.until_ms <= now_ms
    ]


def overtaken_invitations(table: Table) -> list[f.AnyFact]:
    """Those that end with the start of a game.

    A live game is over before they are; one by correspondence would keep its table in memory.
    """
    if not table.options.is_correspondence:
        return []
    return [
        f.InvitationEnded(person, invited.name, "started")
        for person, invited in table.invitations.items()
    ]


def invitations_of(
    tables: Iterable[tuple[int, Table]], person: str, now_ms: int
) -> list[InvitationSummary]:
    """The open invitations of a person, newest first."""
    found = [
        InvitationSummary(
            *(number, table.variant.name, table.person_name(invited.by), invited.by),
            invited_ms(invited.since_ms, invited.until_ms),
            invited.until_ms,
            table.options.by_name(),
        )
        for number, table in tables
        if (invited := table.invitations.get(person)) and invited.until_ms > now_ms
    ]
    return sorted(found, key=lambda each: -each.since_ms)


def hand_on(table: Table, person: str, name: str) -> list[f.AnyFact]:
    permissions.check_allowed(table, person, "owner")
    other = _seated_person(table, name, texts.COMPUTER_CANNOT_OWN)
    if other.person == person:
        raise UserError(texts.OWNS_ALREADY)
    others = [o for o in table.roster if o.person not in (None, person)]
    if other.is_guest and any(not o.is_guest for o in others):
        raise UserError(texts.GUEST_CANNOT_OWN.format(other.name))
    assert other.person is not None
    return [f.OwnerIs(other.person, other.name)]


def new_owner(table: Table, facts: Sequence[f.AnyFact]) -> list[f.AnyFact]:
    """Who owns the table after *facts*, if somebody else does than before."""
    if isinstance(facts[0], f.Opened) or table.tourney.tourney:
        return []  # the table belongs to the person who opens it, or to a tournament
    leaving, coming = _moves_of(table, facts)
    staying = [o for p in table.seated if p not in leaving and (o := _stays(table, p))]
    if any(o.person == table.owner for o in staying):
        return []
    # [games 3] The longest seated connected account, else guest, else the longest seated of all.
    best = sorted(
        staying,
        key=lambda o: (o.person not in table.online, o.is_guest and o.person in table.online),
    )
    candidates = [*best, *coming]
    if not candidates or candidates[0].person is None:
        return []
    return [f.OwnerIs(candidates[0].person, candidates[0].name)]


def _moves_of(table: Table, facts: Sequence[f.AnyFact]) -> tuple[set[str], list[Occupant]]:
    """Who leaves the table and who sits down by *facts*."""
    leaving, coming = set[str](), list[Occupant]()
    for fact in facts:
        match fact:
            case f.Stood(person=person) | f.Unseated(person=person):
                leaving.add(person)
            case f.HandedOver(seat=seat) | f.Gone(seat=seat):
                leaving.add(table.seats[seat].person or "")
            case (
                f.Sat(person=person, name=name, is_guest=is_guest)
                | f.SeatReturned(person=person, name=name, is_guest=is_guest)
                | f.Substituted(person=person, name=name, is_guest=is_guest)
            ):
                coming.append(Occupant(name, person, is_guest))
            case _:
                pass
    return leaving, coming


def _stays(table: Table, person: str) -> Occupant | None:
    return next((o for o in table.roster if o.person == person), None)


def _seated_person(table: Table, name: str, if_computer: str) -> Occupant:
    for occupant in table.roster:
        if occupant.name.casefold() == name.casefold():
            if occupant.person is None:
                raise UserError(texts.IS_COMPUTER.format(occupant.name, if_computer))
            return occupant
    people = join_words([o.name for o in table.roster if o.person is not None])
    raise UserError(texts.NOT_AT_TABLE.format(name, table.number, people), "not_found")


# -- the start -----------------------------------------------------------------------------------


def ready(table: Table, request: r.Start, now_ms: int) -> Decided:
    person = request.person
    permissions.check_allowed(table, person, "start")
    if table.waits_for_account:
        raise UserError(texts.waits_for_account(table.number, table.variant.name))
    if request.unseen:
        raise UserError(texts.changed(request.unseen), "stale")
    if table.keeps_seat(now_ms):
        raise UserError(texts.SEAT_KEPT.format(table.number), "busy")
    computers = fill(table, table.roster)
    _check_number(table, len(table.roster) + len(computers))
    marks, missing = table.readiness.marks, missing_people(table, person)
    mark: list[f.AnyFact] = []
    if person not in marks and len(table.seated) > 1:
        mark = [f.Readied(person, True)]
    refusal = request.refusal or _no_room(table)
    if missing:
        if refusal:
            raise UserError(refusal, "limit")
        if not mark:
            raise UserError(texts.you_are_ready(names_of(table, missing)))
        return mark, []
    if refusal:
        cleared: list[f.AnyFact] = [f.Readied(each, False) for each in marks]
        if not cleared:
            raise UserError(refusal, "limit")
        return cleared, [f.StartRefused(person, refusal)]
    return [*mark, *_start(table, table.roster, computers, request.seed, now_ms)], []


def begin_by_itself(table: Table, request: r.Tick, now_ms: int) -> Decided:
    """The countdown of `play` is over: who is here plays, with computer players.

    Who has begun a game on another server since sitting down leaves the table.
    """
    gone = [
        o for o in table.roster
        if o.person is not None and (o.person not in table.online or o.person in request.elsewhere)
    ]  # fmt: skip
    left: list[f.AnyFact] = [
        f.Stood(o.person or "", o.name, is_gone=o.person not in request.elsewhere) for o in gone
    ]
    roster = [o for o in table.roster if o not in gone]
    if not any(o.person for o in roster):
        return left, []
    computers = fill(table, roster)
    refusal = request.refusal or _no_room(table)
    if len(roster) + len(computers) not in table.variant.seats:
        refusal = texts.TOO_FEW
    if refusal:
        return left, [f.CountdownStopped("", refusal)]
    return [*left, *_start(table, roster, computers, request.seed, now_ms)], []


def is_due(table: Table, now_ms: int) -> bool:
    """Whether the game starts by itself now."""
    return table.starts_ms is not None and table.starts_ms <= now_ms


def fill(table: Table, roster: Sequence[Occupant]) -> list[f.ComputerSat]:
    """The computer players that take free seats when a table of `play` starts."""
    level = _fill_level(table)
    if table.starts_ms is None or not level:
        return []
    names, computers = [o.name for o in roster], list[f.ComputerSat]()
    for _ in range(min(table.options.seats, PLAYERS_MAX) - len(roster)):
        computers.append(f.ComputerSat(free_computer_name(names, level), level))
        names.append(computers[-1].name)
    return computers


def _fill_level(table: Table) -> str:
    """The level that `fill` names, or the next one below it that can be had."""
    levels = list(table.variant.bots)
    if table.options.fill not in levels:
        return ""
    allowed = levels[: levels.index(table.options.fill) + 1]
    searching = frozenset[str]() if table.may_search else table.variant.searching
    if table.options.rated == "on":  # one that was not measured would make the game unrated
        allowed = [each for each in allowed if each in table.variant.anchors]
    return next((each for each in reversed(allowed) if each not in searching), "")


def missing_people(table: Table, person: str) -> list[str]:
    """Who is not ready, or not connected, once *person* is ready.

    Between two deals nobody waits for people who are away or offline.
    """
    marks, online = table.readiness.marks, table.online
    if table.is_between_deals:
        here = [p for p in table.seated if p in online and not table.is_away(p)]
        return [p for p in here if p != person and p not in marks]
    missing = [p for p in table.seated if p != person and p not in marks]
    if table.is_slow:
        return missing
    return [p for p in table.seated if p in missing or (p != person and p not in online)]


def unready(table: Table, person: str) -> list[f.AnyFact]:
    permissions.check_allowed(table, person, "unready")
    if person not in table.readiness.marks:
        raise UserError(texts.NOT_READY)
    return [f.Readied(person, False)]


def names_of(table: Table, people: Collection[str]) -> list[str]:
    return [o.name for o in table.roster if o.person in people]


def _check_number(table: Table, count: int) -> None:
    allowed = table.variant.seats
    if count not in allowed:
        raise UserError(texts.NEEDS_PLAYERS.format(table.variant.name.capitalize(), allowed[0]))
    table.variant.check_seats(count, table.options.game)


def _no_room(table: Table) -> str:
    if not table.is_too_full_for_game:
        return ""
    return texts.TABLE_KEEPS_NO_MORE.format(table.variant.name)


def _start(
    table: Table,
    seated: Sequence[Occupant],
    computers: Sequence[f.ComputerSat],
    seed: bytes,
    now_ms: int,
) -> list[f.AnyFact]:
    roster = [*seated, *(Occupant(each.name, level=each.player) for each in computers)]
    if table.game is not None:  # a further game: the next one begins
        roster = [*roster[1:], roster[0]]
    deal = 1 if table.options.deals > 1 else 0
    ended = overtaken_invitations(table)
    return [*ended, *computers, *deal_facts(table, roster, deal, seed, now_ms)]


def deal_facts(
    table: Table, seats: Sequence[Occupant], deal: int, seed: bytes, now_ms: int
) -> list[f.AnyFact]:
    """The next game of the table, from its start to the first window.

    Args:
        deal: Of a match, from 1; 0: it is none.
    """
    assert len(seed) == SEED_BYTES, len(seed)
    number = 1 if table.game is None else table.game.number + 1
    match_id = f"{table.number}.{number}" if deal else ""
    if deal > 1:
        assert table.match is not None
        match_id = table.match.id
    started = f.Started(
        number,
        tuple(occupant.name for occupant in seats),
        seed,
        sha256(seed).hexdigest(),
        table.variant.data_fingerprint,
        match_id,
        deal,
    )
    game = Game(number, table.variant, table.options, seats, started)
    builder = GameFactsBuilder(game, table.make_chance)
    builder.deal()
    builder.close_decision(now_ms, (), 0)  # nobody's clock waits
    return [started, *builder.facts]


# -- time ----------------------------------------------------------------------------------------


def times_ms(table: Table) -> list[int]:
    """When invitations or marks end, or somebody is told to hurry, UTC."""
    invited = [each.until_ms for each in table.invitations.values()]
    if table.is_playing:
        return invited
    ends = _mark_ends_ms(table).values()
    others = (table.starts_ms, _hurry_ms(table), _nobody_ms(table))
    return [*invited, *ends, *(each for each in others if each is not None)]


def _nobody_ms(table: Table) -> int | None:
    """When who waits for a rated game is told that nobody has come, UTC; None: not, or again."""
    countdown = table.countdown
    if countdown is None or countdown.is_nobody_told or not table.waits_for_account:
        return None
    return countdown.opened_ms + NOBODY_MS if table.seated else None


def told_of_nobody(table: Table, now_ms: int) -> list[f.PresenceChange]:
    """Tell who waits for a rated game that nobody has come yet."""
    told_ms = _nobody_ms(table)
    is_due = told_ms is not None and told_ms <= now_ms
    return [f.ToldOfNobody(person) for person in table.seated] if is_due else []


def ended_marks(table: Table, now_ms: int) -> list[f.AnyFact]:
    """The marks that end because of time."""
    ends = _mark_ends_ms(table)
    return [f.Readied(person, False) for person, end_ms in ends.items() if end_ms <= now_ms]


def _mark_ends_ms(table: Table) -> dict[str, int]:
    """When each mark ends, UTC, by person: by correspondence nobody has to be here."""
    if table.is_slow:
        return {person: ms + ANSWER_MS for person, ms in table.readiness.marks.items()}
    return table.readiness.ends_ms(table.offline_since_ms)


def _hurry_ms(table: Table) -> int | None:
    """When the one person who is not ready is told that all others wait, UTC; None: never."""
    if table.goes_on or table.is_slow:
        return None
    return table.readiness.hurry_ms(table.seated)


def hurry(table: Table, now_ms: int) -> list[f.PresenceChange]:
    """Tell the one person who is not ready that all others wait."""
    hurry_ms = _hurry_ms(table)
    if hurry_ms is None or hurry_ms > now_ms:
        return []
    marks = table.readiness.marks
    return [f.WarnedOfWaiting(person) for person in table.seated if person not in marks]


# -- what must hold ------------------------------------------------------------------------------


def _check_room(table: Table, person: str, hint: str, now_ms: int) -> None:
    free = table.options.seats - len(table.roster)
    if free <= 0:
        raise UserError(texts.TABLE_FULL.format(table.number, hint).rstrip(), "full")
    if free == 1 and person != table.kept_for and table.keeps_seat(now_ms):
        raise UserError(texts.SEAT_KEPT.format(table.number), "busy")
