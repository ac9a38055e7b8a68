"""What `mudserver admin` can ask of the running server, over the control socket.

Rule 1: whoever can open the socket administers the machine, and acts as `console:UID`.
Rule 2: every act is one of `Moderation`, with the checks, the journal and the audit of the staff's.
Rule 3: lists show public facts, and of people the address they come from; never what somebody at a
        table has, is asked, or when that person last typed.
Rule 4: an answer is one JSON object; its keys are documented in `docs/moderation.md` and only added
        to.  Lists come in pages of PAGE_MAX.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any, Protocol

from mudserver.accounts.account import Account
from mudserver.accounts.person import Person
from mudserver.clock import format_date, parse_date
from mudserver.errors import UserError
from mudserver.lobby.presence import PresenceSummary
from mudserver.moderation import texts
from mudserver.service.account_deletion import AccountDeletion
from mudserver.service.account_export import AccountExport
from mudserver.service.account_service import AccountService
from mudserver.service.admission import Admission
from mudserver.service.channel_service import ChannelService
from mudserver.service.issued_code import IssuedCode
from mudserver.service.listed import Listed
from mudserver.service.moderation import Login, Moderation
from mudserver.service.names import Names
from mudserver.service.online_people import OnlinePeople
from mudserver.service.report_service import ReportService
from mudserver.service.results import Results
from mudserver.service.sanction_service import SanctionService
from mudserver.service.site_news import SiteNews
from mudserver.service.table_lists import TableLists

PAGE_MAX = 500  # people in one answer
DIGITS_MAX = 9  # of the id of an account

Answer = dict[str, Any]
Places = Mapping[str, int | None]
"""Of everybody who is here, by name: the table, None: the lobby."""


class AdminService(Protocol):
    """What is needed of `GameService`."""

    @property
    def export(self) -> AccountExport: ...
    @property
    def deletion(self) -> AccountDeletion: ...
    @property
    def results(self) -> Results: ...
    @property
    def table_lists(self) -> TableLists: ...
    def list_people(self) -> list[PresenceSummary]: ...
    def online_count(self) -> int: ...


class AdminVerbs:
    def __init__(
        self,
        service: AdminService,
        account_service: AccountService,
        moderation: Moderation,
        sanctions: SanctionService,
        reports: ReportService,
        admission: Admission,
        news: SiteNews,
        online: OnlinePeople,
        names: Names,
        channels: ChannelService,
    ) -> None:
        self._reports_service, self._admission = reports, admission
        self._service, self._moderation, self._online = service, moderation, online
        self._sanction_service, self._news = sanctions, news
        self._accounts = account_service.streams.accounts
        self._verbs: dict[str, Callable[..., Any]] = {
            "people": self._people,
            "person": self._person,
            "tables": self._tables,
            "owner": self._owner,
            "role": self._moderation.set_role,
            "recover": self._moderation.recover,
            "export": self._export,
            "delete": service.deletion.ask_for,
            "keep": service.deletion.keep_for,
            "erase": service.deletion.erase_for,
            "rename": names.rename_by_staff,
            "lookup": self._moderation.lookup,
            "warn": self._moderation.warn,
            "mute": sanctions.mute,
            "unmute": sanctions.unmute,
            "purge": channels.purge,
            "kick": sanctions.kick,
            "ban": sanctions.ban,
            "ban-key": sanctions.ban_key,
            "ban-network": sanctions.ban_network,
            "unban": sanctions.unban,
            "sanction": sanctions.change_sanction,
            "sanctions": self._sanctions,
            "close-table": self._moderation.close_table,
            "void": service.results.void_games.void,
            "announce": self._announce,
            "shutdown": self._moderation.shut_down,
            "reports": self._reports,
            "report": self._report,
            "report-decide": self._reports_service.decide,
            "registration": admission.set_registration,
            "guests": self._guests,
            "invite": admission.invite,
            "invite-revoke": admission.revoke,
            "motd": self._motd,
            "news list": self._list_news,
            "news add": self._add_news,
            "news remove": news.remove,
            "audit": self._audit,
        }

    async def answer(self, command: str, arguments: dict[str, Any], uid: int) -> Answer:
        """Do one command of `mudserver admin`.  UserError: it is refused."""
        verb = self._verbs.get(command)
        if verb is None:
            raise UserError(f"There is no command {command[:40]}.", "not_found")
        login = Login(f"console:{uid}", "the console", has_key=True, source="")
        try:
            inspect.signature(verb).bind(login, **arguments)
        except TypeError as exc:
            raise UserError(f"Wrong arguments: {exc}.", "usage") from None
        found = verb(login, **arguments)
        if inspect.isawaitable(found):
            found = await found
        if isinstance(found, IssuedCode):
            return found.to_json()
        return {"text": found} if isinstance(found, str) else found

    # -- lists -----------------------------------------------------------------------------------

    def _people(self, login: Login, here: bool = False, after: str = "") -> Answer:
        """Who is here, or all accounts, by number; `after` is the last id of the page before."""
        if here:
            places = self._places()
            own = {it.person: it.source for it in self._online.all()}
            all_here = {**dict.fromkeys(self._moderation.elsewhere.people(), ""), **own}
            return {"people": [self._row(it, all_here[it], places) for it in all_here]}
        number = _number_of(after)
        page, places = self._accounts.after(number, PAGE_MAX), self._places()
        return {"people": [self._account_row(account, places) for account in page]}

    def _person(self, login: Login, name: str) -> Answer:
        account = self._accounts.find(name)
        if account is not None:
            warnings = [
                {"id": it.number, "reason": it.reason, "is_read": it.is_read,
                 "report": it.report or None}
                for it in account.warnings
            ]  # fmt: skip
            return {**self._account_row(account, self._places()), "warnings": warnings}
        target = self._moderation.target(name)
        guest = Person(target.id, target.name, is_guest=True)
        return self._row(guest, target.source, self._places())

    def _row(self, person: Person, source: str, places: Places) -> Answer:
        if account := self._accounts.by_id(person.id):
            return self._account_row(account, places)
        return {"id": person.id, "name": person.name, "role": "guest",
                "source": source, **_place(places, person.name)}  # fmt: skip

    def _account_row(self, account: Account, places: Places) -> Answer:
        return {
            "id": account.id,
            "name": account.name,
            "role": account.role,
            "registered": format_date(account.opened_ms),
            "last_seen": format_date(account.seen_ms or account.opened_ms),
            "keys": len(account.keys),
            "source": self._online.source_of(account.id),
            **_place(places, account.name),
        }

    def _places(self) -> Places:
        return {it.name: it.table for it in self._service.list_people()}

    def _tables(self, login: Login) -> Answer:
        return {"tables": [
            {"table": it.number, "game": it.variant, "phase": it.phase, "people": it.people,
             "is_private": it.is_private}
            for it in self._service.table_lists.all()
        ]}  # fmt: skip

    # -- acts ------------------------------------------------------------------------------------

    async def _owner(self, login: Login, name: str) -> str:
        return await self._moderation.set_role(login, name, "owner", "made owner at the console")

    async def _export(self, login: Login, name: str) -> Answer:
        account_id = await self._moderation.note_export(login, name)
        document = await self._service.export.document(account_id)
        return {"text": texts.EXPORTED.format(document["account"]["name"]), "export": document}

    async def _announce(self, login: Login, text: str) -> str:
        await self._moderation.announce(login, text)
        return f"{self._service.online_count()} people read it."

    async def _sanctions(self, login: Login, name: str | None = None) -> Answer:
        return _list("sanctions", await self._sanction_service.listed(login, name))

    async def _guests(self, login: Login, mode: str) -> str:
        if mode not in {"on", "off"}:
            raise UserError(texts.ON_OR_OFF.format(mode[:20]), "usage")
        return await self._admission.set_guests(login, is_on=mode == "on")

    async def _reports(self, login: Login) -> Answer:
        return _list("reports", await self._reports_service.listed(login))

    async def _report(self, login: Login, number: int) -> Answer:
        report, state, lines = await self._reports_service.whole(login, str(number))
        return {"report": report.to_json(), "state": state, **_list("evidence", lines)}

    async def _motd(
        self, login: Login, file: str | None = None, clear: bool = False
    ) -> Answer | str:
        """The message of the day; with a text it is set, and cleared if asked for."""
        if clear and file is not None:
            raise UserError(texts.MOTD_EITHER)
        if clear or file is not None:
            return await self._news.set_motd(login, file or "")
        motd = self._news.motd()
        return {"motd": [] if motd is None else list(motd.rows)}

    def _list_news(self, login: Login) -> Answer:
        return _list("news", self._news.listed())

    async def _add_news(self, login: Login, title: str, file: str) -> str:
        return await self._news.add(login, title, file)

    async def _audit(self, login: Login, about: str = "", since: str = "") -> Answer:
        since_ms = parse_date(since) if since else 0
        if since_ms is None:
            raise UserError(texts.NOT_A_DATE.format(since[:20]), "usage")
        acts = await self._moderation.list_acts(login, about, since_ms, PAGE_MAX)
        return _list("acts", acts)


def _number_of(after: str) -> int:
    """UserError: *after* is the id of no account."""
    digits = after.removeprefix("p")
    if after and not (digits.isascii() and digits.isdecimal() and len(digits) <= DIGITS_MAX):
        raise UserError(f'"{after[:20]}" is no id of an account. Ids are typed so: p12', "usage")
    return int(digits or 0)


def _place(places: Places, name: str) -> Answer:
    """Where somebody is; nothing of what that person does there."""
    return {"is_here": name in places, "table": places.get(name)}


def _list(name: str, found: Iterable[Listed]) -> Answer:
    return {name: [it.to_json() for it in islice(found, PAGE_MAX)]}
