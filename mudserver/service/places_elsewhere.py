"""Whether a table of another server takes somebody, asked before a place here is given up for it.

Rule 1: who is at no table has nothing to lose: the table answers when that person is there.
Rule 2: a wrong code counts here, as if the table were here.  No answer is none: it is tried.
"""

from __future__ import annotations

from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.cluster.asking import Asking
from mudserver.cluster.events import AskPlace, Told
from mudserver.cluster.exchange import Exchange
from mudserver.errors import UserError
from mudserver.service.online_people import OnlinePeople
from mudserver.service.relations import Relations
from mudserver.tables import requests
from mudserver.tables.decide import decide
from mudserver.tables.manager import TableManager
from mudserver.tables.waiting import WrongCode


class PlacesElsewhere:
    def __init__(
        self,
        clock: Clock,
        tables: TableManager,
        online: OnlinePeople,
        relations: Relations,
        exchange: Exchange,
        asking: Asking,
    ) -> None:
        self._clock, self._tables, self._online = clock, tables, online
        self._relations, self._exchange, self._asking = relations, exchange, asking
        exchange.on(AskPlace, self._hear)

    async def check(
        self,
        person: Person,
        server: str,
        table: int,
        code: str,
        *,
        watches: bool,
        seat: str | None = None,
    ) -> None:
        """UserError: the table does not take the person, who has a place here.

        Args:
            seat: That the person takes over, as typed; "": the only one; None: none.
        """
        if self._tables.table_of(person.id) is None:
            return
        source = self._online.source_of(person.id)
        if code:
            self._tables.codes.check(source)
        is_program = self._online.is_program(person.id)
        who = person.id, person.name, person.is_guest, is_program
        told = await self._asking.ask(
            lambda number: AskPlace(
                *(server, number, table, *who, watches, code),
                takes_over=seat is not None,
                seat=int(seat) if seat else None,
            )
        )
        if told is None or not told.refusal:
            return
        if told.code == "code":
            self._tables.codes.note_wrong(source)
        raise UserError(told.refusal, "not_found" if told.code == "code" else "not_allowed")

    def _hear(self, server: str, ask: AskPlace) -> None:
        if ask.server != self._exchange.own:
            return
        refusal, code = "", ""
        try:
            self._try(ask)
        except UserError as exc:
            refusal, code = str(exc), "code" if isinstance(exc, WrongCode) else ""
        self._asking.answer(Told(server, ask.number, refusal, code))

    def _try(self, ask: AskPlace) -> None:
        """UserError: the table does not take that person."""
        table, here = self._tables.lists.find(ask.table), self._tables.lists.people_at(ask.table)
        if table is None or here is None:
            return  # it has just closed, or moved: whoever comes reads so
        if ask.person not in here.players | here.absent:
            self._relations.check_may_join(ask.person, here.opener)
        request: requests.Request
        if ask.takes_over:
            self._relations.check_may_play_with(ask.person, here.players)
            request = requests.Substitute(
                *(ask.person, ask.name, ask.seat, ask.is_guest), is_program=ask.is_program
            )
        elif ask.watches:
            request = requests.Watch(ask.person, ask.name, ask.code)
        else:
            request = requests.Sit(
                *(ask.person, ask.name, ask.is_guest),
                code=ask.code,
                is_program=ask.is_program,
            )
        decide(table, request, self._clock.now_ms())
