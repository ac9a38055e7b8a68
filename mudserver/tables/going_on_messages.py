"""What people read when somebody wants to go on with a paused or adjourned game."""

from __future__ import annotations

from mudserver.messages import Announcement, Message, Notice, RingingAnnouncement
from mudserver.outbox import Deliveries
from mudserver.tables import offer_texts as texts
from mudserver.tables.pause_state import FIRST_MS
from mudserver.tables.table import Table


def going_on_messages(table: Table, person: str) -> tuple[Message, Notice | None]:
    """To the others, and to *person*, who is not noted yet; None: nobody is missing any more."""
    game, known = table.game, table.going_on.people
    assert game is not None and game.pause is not None
    missing = {*table.waited_for()} - {person}
    left_s = FIRST_MS // 1000 if not known else _seconds_to_go_on(table)
    left_s = min(left_s, -(-(game.pause.until_ms - table.at_ms) // 1000))
    name = table.person_name(person)
    told: Message = Announcement(texts.wants_to_go_on_too(name))
    names = [table.person_name(each) for each in sorted(missing)]
    own = texts.you_want_to_go_on(names, left_s)
    if table.is_adjourned:
        told = _call(table, name) if not known else told
        own = texts.you_wait(names)
    elif not known:
        told = RingingAnnouncement(texts.wants_to_go_on(name, left_s))
    return told, Notice(own) if missing else None


def called_back(table: Table, person: str) -> Deliveries:
    """To those for whom an adjourned game waits and who are elsewhere: *person* wants to go on."""
    if not table.is_adjourned or not table.going_on.may_call(person, table.at_ms):
        return []
    here, call = {person, *table.people_in_room()}, _call(table, table.person_name(person))
    return [(each, call) for each in table.waited_for() if each not in here]


def _call(table: Table, name: str) -> RingingAnnouncement:
    return RingingAnnouncement(texts.wants_to_go_on_together(name, table.number))


def _seconds_to_go_on(table: Table) -> int:
    goes_on_ms = table.goes_on_ms
    return 0 if goes_on_ms is None else max(0, -(-(goes_on_ms - table.at_ms) // 1000))
