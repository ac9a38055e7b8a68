"""What each request does at a table: facts and presence, or a refusal.

Rule 1: everything here reads the table and changes nothing.
Rule 2: the order of checks follows what is public: the table, the seat, then the rule book.
        [SEC-3]
Rule 3: a request that comes too late (a computer's answer to a window that has closed, a tick
        with nothing due) decides nothing and is no error.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING

from mudserver.errors import UserError
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.absence import (
    decide_disconnect,
    decide_due,
    decide_reconnect,
    decide_time_given_back,
    hand_over_seats,
    offline_seats,
    pause_max_ms,
)
from mudserver.tables.draft import SEED_BYTES, Draft
from mudserver.tables.game import Game
from mudserver.tables.options import parse_options
from mudserver.tables.replay import is_too_full_for_game
from mudserver.tables.seats import free_computer_name, stand_in_level
from variants.contract import Seat, Window
from variants.kit.text import join_words, quantity

if TYPE_CHECKING:
    from mudserver.tables.table import Table

Decision = tuple[list[f.AnyFact], list[f.PresenceChange]]

AUTOPASS_SET_MAX = 20  # by one seat in one game: records end, and with them a game (`folding.py`)


def decide(table: Table, request: r.Request, now_ms: int) -> Decision:
    """Facts to write and presence to note.  Raises HouseError, Refusal."""
    if table.is_closed:
        raise UserError(f"Table {table.number} is closed. tables shows the others.")
    who = request.person
    passing: list[f.PresenceChange] = []
    if not isinstance(request, r.INTERNAL_REQUESTS) and who not in table.online:
        passing.append(f.CameOnline(who))  # who asks is here
    facts: list[f.AnyFact] = []
    match request:
        case r.Open():
            facts = _open(table, request)
        case r.Configure(options=options):
            facts = _configure(table, who, options)
        case r.Sit():
            facts = _sit(table, request)
        case r.Stand() | r.Unwatch() | r.Leave():
            if who in table.watchers:
                passing = [f.StoppedWatching(who)]
            else:
                facts = _stand_or_leave(table, who, is_final=isinstance(request, r.Leave))
        case r.Watch(name=name):
            passing.append(_watch(table, who, name))
        case r.SetAutopass(is_on=is_on):
            facts = _set_autopass(table, who, is_on)
        case r.AddBot(level=level):
            facts = _add_computer(table, who, level)
        case r.RemoveBot(which=which):
            facts = _remove_computer(table, who, which)
        case r.Start(seed=seed):
            facts = _start(table, who, seed, now_ms)
        case r.Play(line=line):
            facts = _play(table, who, line, now_ms)
        case r.ReturnToSeat():
            facts = [f.CameBack(_own_seat(table, who))] if table.is_away(who) else []
        case r.ComputerPlay():
            facts = _computer_play(table, request, now_ms)
        case r.Disconnect():
            facts, passing = decide_disconnect(table, who, now_ms)
        case r.Reconnect():
            facts, passing = decide_reconnect(table, who, now_ms)
        case r.Tick():
            facts = decide_due(table, now_ms)
        case r.GiveBackTime(since_ms=since_ms):
            facts = decide_time_given_back(table, since_ms, now_ms)
        case _:
            raise TypeError(f"no table knows {type(request).__name__}")
    return facts, passing


# -- before and between games --------------------------------------------------------------------


def _open(table: Table, request: r.Open) -> list[f.AnyFact]:
    options = parse_options(table.variant, request.options)
    who, name = request.person, request.name
    opened = f.Opened(table.number, table.variant.name, who, name, request.is_guest, options)
    return [opened, f.Sat(who, name, request.is_guest, request.has_autopass)]


def _configure(table: Table, person: str, typed: Mapping[str, str]) -> list[f.AnyFact]:
    _check_not_playing(table, "The options are fixed while a game runs.")
    if person != table.host:
        raise UserError("Only who opened the table may change its options.")
    options = parse_options(table.variant, typed, before=table.options)
    if options.seats < len(table.roster):
        raise UserError(f"{len(table.roster)} sit here already; seats cannot be {options.seats}.")
    return [f.OptionsSet(options)]


def _sit(table: Table, request: r.Sit) -> list[f.AnyFact]:
    here = table.number
    if table.seat_of(request.person) is not None:
        raise UserError(f"You sit at table {here} already.")
    _check_not_playing(table, f"Table {here} is playing. You can watch it: watch {here}")
    _check_room(table, f"You can watch it: watch {here}")
    return [f.Sat(request.person, request.name, request.is_guest, request.has_autopass)]


def _watch(table: Table, person: str, name: str) -> f.PresenceChange:
    if table.seat_of(person) is not None:
        # [G-05] Who has a seat sees what the seat sees; nobody watches as a second person.
        raise UserError(f"You have a seat at table {table.number}: look shows what you see.")
    if person in table.watchers:
        raise UserError(f"You watch table {table.number} already: look shows it again.")
    if len(table.watchers) >= table.settings.watchers_max:
        watchers = quantity(len(table.watchers), "watcher")
        raise UserError(f"Table {table.number} has {watchers} and room for no more.")
    return f.StartedWatching(person, name)


def _stand_or_leave(table: Table, person: str, *, is_final: bool) -> list[f.AnyFact]:
    seat = _own_seat(table, person)
    if not table.is_playing:
        return [f.Stood(person, table.seat_name(seat))]
    if not is_final and not table.is_out(person):
        raise UserError("A game is running. To give your seat to a computer player: leave")
    return hand_over_seats(table, [seat], "left")


def _set_autopass(table: Table, person: str, is_on: bool) -> list[f.AnyFact]:
    seat = table.seats[_own_seat(table, person)]
    if table.is_playing and seat.autopass_set >= AUTOPASS_SET_MAX:
        kept = "on" if seat.has_autopass else "off"
        raise UserError(
            f"In one game your seat takes {AUTOPASS_SET_MAX} words about autopass, and had them; "
            f"there it stays {kept}. When the game is over: autopass on, or autopass off"
        )
    return [f.AutopassSet(person, is_on)]


def _add_computer(table: Table, person: str, level: int | None) -> list[f.AnyFact]:
    _own_seat(table, person)
    _check_not_playing(table, "Computer players sit down before the game starts.")
    _check_room(table, "To begin: start")
    level = level or stand_in_level(table.variant)
    if level not in table.variant.bots:
        levels = join_words([str(n) for n in sorted(table.variant.bots)]) or "none"
        raise UserError(f"There is no computer player of level {level}. Levels: {levels}.")
    return [f.ComputerSat(free_computer_name(o.name for o in table.roster), level)]


def _remove_computer(table: Table, person: str, which: str) -> list[f.AnyFact]:
    _own_seat(table, person)
    _check_not_playing(table, "A computer player stays until the game is over.")
    computers = [(n, o.name) for n, o in enumerate(table.roster) if o.person is None]
    if not computers:
        raise UserError("No computer player sits here.")
    if not which:
        return [f.ComputerLeft(*computers[-1])]
    for seat, name in computers:
        if which.casefold() in (name.casefold(), str(seat + 1)):
            return [f.ComputerLeft(seat, name)]
    raise UserError(f"No such computer player. Here are {', '.join(n for _, n in computers)}.")


def _start(table: Table, person: str, seed: bytes, now_ms: int) -> list[f.AnyFact]:
    _own_seat(table, person)
    _check_not_playing(table, "The game is running already: look shows it.")
    if is_too_full_for_game(table):
        raise UserError(
            "This table has seen so many games that it keeps no more. To go on at another: open "
            f"{table.variant.name}"
        )
    count, allowed = len(table.roster), table.variant.seats
    if count not in allowed:
        raise UserError(
            f"{table.variant.name} needs {allowed[0]} to {allowed[-1]} players; "
            f"{count} sit{'s' if count == 1 else ''} here. A computer player sits down with: bot"
        )
    assert len(seed) == SEED_BYTES, len(seed)
    number = table.game.number + 1 if table.game is not None else 1
    names = tuple(occupant.name for occupant in table.roster)
    started = f.Started(
        number, names, seed, sha256(seed).hexdigest(), table.variant.data_fingerprint
    )
    game = Game(number, table.variant, table.options, table.roster, started)
    draft = Draft(game, table.make_chance)
    draft.deal()
    draft.close_decision(now_ms, offline_seats(table, game), pause_max_ms(table))
    return [started, *draft.facts]


# -- in a game -----------------------------------------------------------------------------------


def _play(table: Table, person: str, line: str, now_ms: int) -> list[f.AnyFact]:
    game = table.game
    if game is None or not table.is_playing:
        raise UserError("No game is running here. To start one: start")
    seat = game.seat_of(person)
    if seat is None:
        raise UserError("You have no seat in this game, you watch it.")
    action = table.variant.parse(line, game.view(seat), game.names)
    draft = Draft(game, table.make_chance)
    draft.play(seat, "person", action)
    draft.close_decision(now_ms, offline_seats(table, game), pause_max_ms(table))
    return draft.facts


def _computer_play(table: Table, request: r.ComputerPlay, now_ms: int) -> list[f.AnyFact]:
    game, seat = table.game, request.seat
    if game is None or not table.is_playing or game.window is None:
        return []
    if game.window.key != request.window or seat not in game.window.seats:
        return []  # the window has closed
    by = _decided_by(game, seat, game.window)
    if not by or not game.may_act(seat):
        return []  # the owner is back, or the answer is in
    draft = Draft(game, table.make_chance)
    # [G-12] Who passes by itself passes, whatever a computer player would have done.
    action = None if by == "autopass" else request.action
    draft.play_for_computer(seat, by, action, request.seed)
    draft.close_decision(now_ms, offline_seats(table, game), pause_max_ms(table))
    return draft.facts


def _decided_by(game: Game, seat: Seat, window: Window) -> f.DecidedBy:
    """Who decides in this seat, if not its owner; "": nobody."""
    occupant = game.seats[seat]
    if occupant.is_decided_by_computer:
        return "away" if occupant.person is not None else "computer"
    return "autopass" if game.passes_itself(seat, window) else ""


# -- what must hold ------------------------------------------------------------------------------


def _own_seat(table: Table, person: str) -> Seat:
    seat = table.seat_of(person)
    if seat is None:
        hint = "" if table.is_playing else f" To take one: sit {table.number}"
        raise UserError(f"You have no seat at table {table.number}.{hint}")
    return seat


def _check_not_playing(table: Table, otherwise: str) -> None:
    if table.is_playing:
        raise UserError(otherwise)


def _check_room(table: Table, hint: str) -> None:
    if len(table.roster) >= table.options.seats:
        raise UserError(f"Table {table.number} is full. {hint}".rstrip())
