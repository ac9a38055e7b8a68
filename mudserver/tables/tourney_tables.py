"""Tables of tournaments: how their games begin, and how the end of a round ends them.  Pure.

Rule 1: the record that opens the table begins its game: there is no table without one, and nobody
        has to be ready.  Seats are drawn by lot, from the seed of the game.
Rule 2: everybody has the seat, online or not.  Who is bound to another live game has left it to a
        computer player, and may take it back as any seat that was left.  By correspondence nobody
        is taken to the table.
Rule 3: nothing else is done there: one game, its options, and the people who were drawn.
"""

from __future__ import annotations

from hashlib import sha256

from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.game import Game
from mudserver.tables.game_facts import GameFactsBuilder
from mudserver.tables.levels import free_computer_name
from mudserver.tables.options import parse_options
from mudserver.tables.seats import Occupant
from mudserver.tables.table import Table
from mudserver.tables.waiting import Decided
from variants.kit.chance import SeededChance


def open_round(table: Table, request: r.OpenRound, now_ms: int) -> Decided:
    """[rule 1]"""
    variant, options = table.variant, parse_options(table.variant, request.options)
    entrants = shuffled(request.entrants, request.seed)
    key = request.tourney, request.round, request.place
    opened = f.Opened(table.number, variant.name, "", "", False, options, *key)
    sat = [f.Sat(it.person, it.name, has_autopass=it.has_autopass) for it in entrants]
    seats = [Occupant(it.name, it.person, has_autopass=it.has_autopass) for it in entrants]
    started = f.Started(
        *(1, tuple(it.name for it in entrants), request.seed),
        *(sha256(request.seed).hexdigest(), variant.data_fingerprint),
    )
    builder = GameFactsBuilder(Game(1, variant, options, seats, started), table.make_chance)
    builder.deal()
    builder.close_decision(now_ms, (), 0)  # nobody's clock waits
    here: list[f.PresenceChange] = [
        f.CameOnline(it.person)
        for it in entrants
        if it.person not in request.elsewhere and not options.is_correspondence
    ]
    left = _left_to_computers(table, entrants, request.elsewhere)
    return [opened, *sat, started, *builder.facts, *left], here


def shuffled(entrants: tuple[r.Entrant, ...], seed: bytes) -> tuple[r.Entrant, ...]:
    """By lot, from another chance than the cards."""
    return SeededChance(sha256(b"seats" + seed).digest()).shuffled(entrants)


def _left_to_computers(
    table: Table, entrants: tuple[r.Entrant, ...], elsewhere: frozenset[str]
) -> list[f.AnyFact]:
    """[rule 2]"""
    level, names = table.variant.stand_in, [it.name for it in entrants]
    facts = list[f.AnyFact]()
    for seat, it in enumerate(entrants):
        if it.person in elsewhere:
            names.append(free_computer_name(names, level))
            facts.append(f.HandedOver(seat, names[-1], it.name, "noshow", level, person=it.person))
    return facts


def not_come(table: Table, person: str) -> list[f.AnyFact]:
    """A computer player decides for somebody who has typed nothing, until that changes."""
    seat, game = table.seat_of(person), table.game
    if seat is None or game is None or not table.is_playing:
        return []
    if table.is_away(person) or table.is_out(person) or _has_decided(game, seat):
        return []
    return [f.WentAway(seat, "time")]


def first_missed_max(table: Table, usual: int) -> int:
    """How many missed turns make somebody away who has decided nothing yet.

    By correspondence nobody is expected at the start of a round, but in the first own turn.
    """
    return 1 if table.tourney.tourney and table.is_slow else usual


def _has_decided(game: Game, seat: int) -> bool:
    """Whether the person there has: whoever asks may not know what was typed before a restart."""
    return any(
        isinstance(it, f.Played) and (it.seat, it.by) == (seat, "person") for it in game.plays
    )


def end_round(table: Table) -> list[f.AnyFact]:
    """The game ends without a result, if it still runs."""
    return [f.Aborted("tourney")] if table.is_playing else []
