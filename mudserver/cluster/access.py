"""Who has a way to a table that no list shows, and for whom it waits, as the other servers are told
it."""

from __future__ import annotations

from mudserver.cluster.events import Access, Invitation, OwnElsewhere
from mudserver.tables.parked import Parked, slow_game
from mudserver.tables.program_data import own_game
from mudserver.tables.table import Table


def access_of(table: Table | Parked) -> Access | None:
    """None: nobody has any."""
    if isinstance(table, Parked):  # nobody is invited to it, and no guest has a seat
        variant, code_hash, left = table.summary.variant, table.code_hash, table.left
        return Access(variant, code_hash, (), {}, left, ()) if code_hash or left else None
    invited = tuple([
        Invitation(whom, it.by, table.person_name(it.by), it.until_ms, it.since_ms)
        for whom, it in table.invitations.items()
    ])  # fmt: skip
    left = tuple([it for it in table.people_left() if it])
    guests = tuple([guest.id for guest in table.seated_guests()])
    code_hash = table.options.code_hash
    if not (invited or left or guests or code_hash):
        return None
    options = table.options.by_name() if invited else {}
    return Access(table.variant.name, code_hash, invited, options, left, guests)


def own_of(table: Table | Parked) -> tuple[OwnElsewhere, ...]:
    """What each person who has a seat, and need not be there, is told of the game."""
    if isinstance(table, Parked):
        games, own = ({} if table.is_live else table.games), dict(table.own)
    else:
        seated = [o.person for o in table.seats if o.person is not None and table.is_slow]
        games = {person: slow_game(table, person) for person in seated}
        own = {person: it for person in seated if (it := own_game(table, person)) is not None}
    return tuple([
        # The number stands beside.
        OwnElsewhere(person, *game[1:-2], own.get(person), game.ends_ms, game.seek_ms)
        for person, game in games.items()
    ])  # fmt: skip
