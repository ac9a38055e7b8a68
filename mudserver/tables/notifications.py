"""Facts in words: what everybody at a table is told besides the game's own events.

Rule 1: these sentences are public; they hold names and options, never a card or the seed of a
        running game.
Rule 2: the commitment is told before the first card is, the seed after the last.  [G-02]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mudserver.messages import Announcement, GameOver, Message
from mudserver.tables import records as f
from mudserver.tables.options import parse_options
from mudserver.tables.result import game_over_text, result_rows
from mudserver.tables.seats import Occupant, with_distinct_names

if TYPE_CHECKING:
    from mudserver.tables.table import Table


def describe_fact(table: Table, fact: f.AnyFact) -> list[str]:
    """What *fact* makes the table say; *table* stands as it was before."""
    match fact:
        case f.OptionsSet(options=options):
            return [f"The options are now: {options.describe()}"]
        case f.Sat(name=name):
            return [*_rename_sentences(table, name), f"{name} sits down."]
        case f.Stood(name=name, is_gone=is_gone):
            return [f"{name} is gone, and the seat is free." if is_gone else f"{name} gets up."]
        case f.ComputerSat(name=name, level=level):
            return [f"{name} sits down, a computer player of level {level}."]
        case f.ComputerLeft(name=name):
            return [f"{name} (computer) gets up."]
        case f.Started():
            return [
                _start_sentence(table, fact),
                f"The cards are fixed: sha256(seed) = {fact.commitment}",
            ]
        case f.ClockStopped(seat=seat):
            return [f"The clock waits for {table.seat_name(seat)}."]
        case f.ClockRuns():
            return ["The clock runs again."]
        case f.WentAway(seat=seat):
            return [f"{table.seat_name(seat)} is away. A computer player decides in the meantime."]
        case f.CameBack(seat=seat):
            return [f"{table.seat_name(seat)} is back."]
        case f.HandedOver(left=left, name=name, why="forfeit"):
            return [f"{left} was away too long and forfeits. {name} (computer) plays on."]
        case f.HandedOver(left=left, name=name):
            return [f"{left} leaves. {name} (computer) plays on."]
        case f.Gone(name=name):
            return [f"{name} leaves."]
        case f.Abandoned():
            return ["Nobody is left at this table. The game is abandoned without a result."]
        case f.Closed(why="fault", ref=ref):
            return [
                "Something went wrong on our side and this table cannot go on. "
                f"The rest of the house is well. (ref {ref})"
            ]
        case f.Closed(why="full"):
            return [
                f"Table {table.number} has kept as much as a table can and is closed"
                + ("; the game ends without a result. " if table.is_playing else ". ")
                + f"To go on at another: open {table.variant.name}"
            ]
        case f.Closed():
            return [f"Table {table.number} is closed."]
        case _:
            return []


def describe_presence_change(table: Table, fact: f.PresenceChange) -> list[str]:
    """Who of the seated people comes and goes in a running game."""
    if not table.is_playing or table.seat_of(fact.person) is None:
        return []
    match fact:
        case f.WentOffline(person=person):
            return [f"{table.person_name(person)} is off line."]
        case f.CameOnline(person=person) if person not in table.online:
            return [f"{table.person_name(person)} is on line again."]
        case _:
            return []


def records_warning(table: Table) -> str:
    """That the table comes to an end of its own, in time to bring the game to one."""
    left = max(1, table.settings.records_max - table.sequence)
    unit = 10 ** (len(str(left)) - 1)
    some = -(-left // unit) * unit  # the last figures would tell how much private was written
    return (
        f"This table has kept nearly all that a table can. After some {some:,} more plays it "
        "closes, and a game that is not over ends without a result."
    )


def missing_answers(answers: int) -> str:
    """Of a sealed window nobody hears more while it is open.  [G-11]"""
    return "1 answer is missing" if answers == 1 else f"{answers} answers are missing"


def autopass_text(is_on: bool) -> str:
    """What who has set it is told, and nobody else."""
    if not is_on:
        return "autopass is now off. Where a game asks whether you react, it waits for you."
    return (
        "autopass is now on. Where a game asks whether you react you pass by yourself after a "
        "moment, whatever you hold; you may still type first. To end it: autopass off"
    )


def end_messages(table: Table, ended: f.Ended) -> list[Message]:
    """The result, and the seed that proves the cards."""
    game = table.game
    assert game is not None
    seed = f"The seed was {game.seed.hex()}. record proves the cards by it; start plays again."
    text, rows = game_over_text(ended, game.seats), result_rows(ended, game.seats)
    over = GameOver(table.number, text, rows, game.names, ended.places, ended.scores, ended.reason)
    return [over, Announcement(seed)]


def lobby_announcement(table: Table, fact: f.AnyFact) -> str:
    """What the whole house may hear of a table; "" for most things."""
    match fact:
        case f.Opened(name=name):
            here = table.number
            return f"{name} opens table {here}: {table.variant.title}. To join: sit {here}"
        case f.Ended() if table.game is not None:
            return f"Table {table.number}: {game_over_text(fact, table.game.seats)}"
        case _:
            return ""


def describe_table(table: Table) -> str:
    """A table in one line, for who comes to it."""
    who = list_occupants(table.seats) or "nobody"
    odd = table.options.describe(usual=parse_options(table.variant, {}))
    about = f"Table {table.number}: {table.variant.title}. At the table: {who}."
    if odd:
        about += f" Options: {odd}."
    if not table.is_playing:
        about += " From a seat, bot adds a computer player and start begins."
    return about


def list_occupants(seats: Sequence[Occupant]) -> str:
    return ", ".join(f"{o.name} (computer)" if o.is_computer else o.name for o in seats)


def _rename_sentences(table: Table, name: str) -> list[str]:
    """A computer player gives its name to the person who brings it along."""
    return [
        f"{old.name} (computer) is now called {new.name}."
        for old, new in zip(table.roster, with_distinct_names(table.roster, name), strict=True)
        if old.name != new.name
    ]


def _start_sentence(table: Table, fact: f.Started) -> str:
    return (
        f"Game {fact.game} at table {table.number}: {table.variant.title}. "
        f"{', '.join(fact.names)}. Options: {table.options.describe()}"
    )
