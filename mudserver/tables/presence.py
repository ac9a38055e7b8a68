"""How a change of presence changes a table: who is here, watches, or has been told something.

Rule 1: nothing of it is written.  After a restart everybody counts as offline until they are back.
"""

from __future__ import annotations

from mudserver.tables import records as f
from mudserver.tables.table import ALONE_WARNING_MS, Table


def apply_presence(table: Table, change: f.PresenceChange, at_ms: int) -> None:
    match change:
        case f.CameOnline(person=person):
            if table.match is not None and not table.online.intersection(table.seated):
                table.match.begin_pause(at_ms)
            table.online.add(person)
            table.offline_since_ms.pop(person, None)
            if table.game is not None:
                table.game.note_back(person)
        case f.LeftRoom(person=person):
            table.online.discard(person)
        case f.WentOffline(person=person):
            table.online.discard(person)
            table.watchers.pop(person, None)
            if any(o.person == person for o in table.roster):
                table.offline_since_ms[person] = at_ms
        case f.CameFrom(person=person, source=source):
            table.guest_sources[person] = source
        case f.CodeMade(code=code):
            table.code = code
        case f.WantsToGoOn(person=person):
            table.going_on.add(person, at_ms)
        case f.WantedTooLong(person=person):
            table.going_on.forget(person)
        case f.CountdownStopped() if table.match is not None:
            table.match.is_stopped = True
        case f.CountdownStopped() if table.countdown is not None:
            table.countdown.is_stopped = True
        case f.ToldOfNobody() if table.countdown is not None:
            table.countdown.is_nobody_told = True
        case f.WarnedOfWaiting():
            table.readiness.is_hurry_told = True
        case f.StartedWatching(person=person, name=name):
            table.watchers[person] = name
        case f.StoppedWatching(person=person):
            table.watchers.pop(person, None)
        case f.PlansLookedUp():
            table.looked_up_ms = at_ms
        case f.SeatOffered(seat=seat):
            table.offered[seat] = table.seats[seat].left_ms
        case f.WarnedOfClosing():
            table.alone_until_ms, table.is_closing_told = at_ms + ALONE_WARNING_MS, True
