"""Who is told of games that others offer: the lobby once, and at tables who wants to.

Rule 1: who ignores the person, or is quiet, is told nothing of the offer.
Rule 2: somebody at a table is told of offers once in EVERY_S; what came meanwhile is told together,
        as far as it is still open, and as that person wants to be told then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from mudserver.accounts.accounts import Accounts
from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.data_messages import SeekData, SeekGoneData, SeekRow
from mudserver.lobby.lobby import Lobby
from mudserver.lobby.seek import Seek
from mudserver.messages import Announcement
from mudserver.outbox import Outbox
from mudserver.service import seek_texts as texts
from mudserver.service.online_people import OnlinePeople

EVERY_S = 60.0
WAITING_MAX = 5  # offers that wait for one person; the oldest is dropped

Offered = Callable[[Seek], tuple[Person, SeekRow] | None]
"""Who offers a game now, and its row; None: it stands no more."""


class SeekNews:
    def __init__(
        self,
        clock: Clock,
        lobby: Lobby,
        online: OnlinePeople,
        outbox: Outbox,
        accounts: Accounts,
        offered: Offered,
    ) -> None:
        self._clock, self._lobby, self._online = clock, lobby, online
        self._outbox, self._accounts, self._offered = outbox, accounts, offered
        self._told_s: dict[str, float] = {}  # who was told at a table in the last EVERY_S
        self._waiting: dict[str, list[Seek]] = {}  # for these people, oldest first

    def tell(self, person: Person, seek: Seek, row: SeekRow) -> None:
        """*person* offers a game now."""
        text = _sought(person, seek)
        self._send(self._wanted(self._lobby.in_lobby, person), text, row)
        for listener in self._wanted(self._wishing(seek), person):
            if self._may_tell(listener):
                self._send([listener], text, row)
            else:
                self._keep(listener, seek)

    def tell_gone(self, seek: Seek, person_id: str) -> None:
        """The offer of that person is open no more."""
        readers = {*self._lobby.in_lobby, *self._wishing(seek), person_id}
        self._outbox.send_all(sorted(readers), SeekGoneData(seek.number))

    # -- inside ----------------------------------------------------------------------------------

    def _send(self, listeners: Iterable[str], text: Announcement, row: SeekRow) -> None:
        data = seek_data(row)
        for listener in listeners:
            self._outbox.send(listener, text)
            self._outbox.send(listener, data)

    def _wanted(self, ids: Iterable[str], person: Person) -> list[str]:
        """Those of *ids* who are to read of an offer of *person*."""
        others = [it for it in ids if it != person.id and it not in self._lobby.quiet]
        return list(self._lobby.listeners(others, person))

    def _wishing(self, seek: Seek) -> list[str]:
        """Those at tables who want to read of such offers."""
        return [it.person.id for it in self._online.all() if self._wishes(it.person.id, seek)]

    def _wishes(self, listener: str, seek: Seek) -> bool:
        return listener not in self._lobby.in_lobby and self._has_asked(listener, seek)

    def _has_asked(self, listener: str, seek: Seek) -> bool:
        account = self._accounts.by_id(listener)
        return account is not None and seek.variant in account.notify.seeks

    def _may_tell(self, listener: str) -> bool:
        now_s = self._clock.monotonic()
        self._told_s = {it: at for it, at in self._told_s.items() if now_s - at < EVERY_S}
        if listener in self._told_s or listener in self._waiting:
            return False
        self._told_s[listener] = now_s
        return True

    def _keep(self, listener: str, seek: Seek) -> None:
        waiting = self._waiting.setdefault(listener, [])
        if not waiting:
            wait_s = self._told_s[listener] + EVERY_S - self._clock.monotonic()
            self._clock.call_later(wait_s, lambda: self._tell_waiting(listener))
        waiting.append(seek)
        del waiting[:-WAITING_MAX]

    def _tell_waiting(self, listener: str) -> None:
        asked = [it for it in self._waiting.pop(listener) if self._has_asked(listener, it)]
        found = [(seek, self._offered(seek)) for seek in asked]
        still = [(s, *it) for s, it in found if it is not None and self._wanted([listener], it[0])]
        if not still or not self._outbox.has_inbox(listener):
            return
        self._told_s[listener] = self._clock.monotonic()
        if len(still) == 1:
            [(seek, person, _)] = still
            text = _sought(person, seek)
        else:
            sought = [f"{seek.number} {seek.text} ({person.name})" for seek, person, _ in still]
            text = Announcement(texts.SOUGHT_SEVERAL.format(", ".join(sought)))
        self._outbox.send(listener, text)
        for _, _, row in still:
            self._outbox.send(listener, seek_data(row))


def _sought(person: Person, seek: Seek) -> Announcement:
    return Announcement(texts.SOUGHT.format(person.name, seek.text, seek.number))


def seek_data(row: SeekRow) -> SeekData:
    return SeekData(row.seek, row.person, row.name, row.variant, row.options, row.rated, row.until)
