"""Which table of another server `play` takes, where none here fits.

Rule 1: as `tables/matching.py` has it, as far as a list shows it; the server of the table decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from mudserver.cluster.directory import Directory
from mudserver.data_messages import TableRow
from mudserver.lobby.elsewhere import PeopleElsewhere
from mudserver.tables import requests as r
from mudserver.tables.options import ABOUT_PEOPLE, TableOptions

OTHER_OPTIONS = {
    *(set(ABOUT_PEOPLE) - {"rated"}),
    *("preset", "pace", "absence", "between", "code", "fill"),
}
"""Options that may differ."""

Avoids = Callable[[str, Iterable[str]], bool]
"""Whether a person ignores one of those people or is ignored."""


def best_elsewhere(
    directory: Directory,
    people: PeopleElsewhere,
    request: r.Sit,
    typed: TableOptions,
    variant: str,
    avoids: Avoids,
) -> int | None:
    """The number of the table where *request* sits down best; None: there is none."""

    def suits(row: TableRow) -> bool:
        owner = people.named(row.owner)
        is_there = owner is not None and (at := people.get(owner.id)) and at.table == row.number
        return (
            row.variant == variant
            and row.phase == "waiting"
            and row.game is None
            and row.free > 0
            and bool(is_there)
            and _takes(row.options, request)
            and _game_of(row.options) == wanted
            and not avoids(request.person, _sitting(row, people))
        )

    wanted = _game_of(typed.by_name())
    found = [(-len(row.seats), row.number) for row in directory.rows() if suits(row)]
    return min(found)[-1] if found else None


def _game_of(options: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in options.items() if name not in OTHER_OPTIONS}


def _takes(options: Mapping[str, str], request: r.Sit) -> bool:
    who = "anyone" if not request.is_guest else "guest"
    allowed = {"anyone": ("anyone", "guest"), "accounts": ("anyone",)}.get(options["who"], ())
    is_rated_guest = request.is_guest and options["rated"] == "on"
    is_refused = request.is_program and options["programs"] == "off"
    return who in allowed and not is_rated_guest and not is_refused


def _sitting(row: TableRow, people: PeopleElsewhere) -> list[str]:
    """Ids of the people who sit there, as far as they are known here."""
    found = [people.named(seat.name) for seat in row.seats if seat.kind != "computer"]
    return [person.id for person in found if person is not None]
