"""Who has a way to a table that no list shows, as the other servers are told it."""

from __future__ import annotations

from mudserver.cluster.events import Access, Invitation
from mudserver.tables.program_data import options_data
from mudserver.tables.table import Table


def access_of(table: Table) -> Access | None:
    """None: nobody has any."""
    invited = tuple([
        Invitation(whom, it.by, table.person_name(it.by), it.until_ms)
        for whom, it in table.invitations.items()
    ])  # fmt: skip
    left = tuple([it for it in table.people_left() if it])
    guests = tuple([guest.id for guest in table.seated_guests()])
    code_hash = table.options.code_hash
    if not (invited or left or guests or code_hash):
        return None
    options = options_data(table.options) if invited else {}
    return Access(table.variant.name, code_hash, invited, options, left, guests)
