"""Invitations to tables: sent, accepted and declined, on whichever servers the two people are.

Rule 1: whether somebody takes an invitation is known by the server where that person is: it is
        asked before the table is.  The table keeps the invitation; the other servers are told.
Rule 2: the invited person reads of it at once, and of its end only if nobody has answered it.
Rule 3: an account that is nowhere can be invited to games by correspondence: its settings say
        whether it takes that.  It reads of it at login.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from mudserver.accounts.accounts import Accounts
from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.cluster.asking import Asking
from mudserver.cluster.directory import Directory
from mudserver.cluster.events import Access, AskToInvite, Declined, Invitation, Told
from mudserver.cluster.exchange import Exchange
from mudserver.data_messages import InvitationData, InvitationEndedData
from mudserver.errors import UserError
from mudserver.lobby import texts as lobby_texts
from mudserver.lobby.lobby import Lobby
from mudserver.messages import Message, Notice
from mudserver.outbox import Outbox
from mudserver.sanitize import sanitize
from mudserver.service import seek_texts, texts
from mudserver.service.invitations import Invitations, answers
from mudserver.service.online_people import OnlinePeople
from mudserver.service.seek_options import SeekOptions
from mudserver.tables import requests
from mudserver.tables.manager import TableManager
from mudserver.tables.summary import InvitationSummary
from mudserver.tables.texts import INVITATION_GONE, you_are_invited, your_invitation_ended
from mudserver.tables.waiting import invited_ms
from variants.kit.text import quantity

NEWS_MS = 10_000  # an invitation of another server is told that is no older
SKEW_MS = 1_000  # between the clocks of servers
DECLINED_MAX = 1_000  # at tables of other servers, which have not answered yet

FindGame = Callable[[Person], Awaitable[tuple[str, SeekOptions]]]
"""The game and its options for a match with that person.  UserError: there is none."""


class Inviting:
    """Args:
    charge_talk: Counts a line of somebody.  UserError: nothing is left.
    submit: Hands a request to the table of its person.
    """

    def __init__(
        self,
        clock: Clock,
        lobby: Lobby,
        online: OnlinePeople,
        tables: TableManager,
        outbox: Outbox,
        directory: Directory,
        exchange: Exchange,
        asking: Asking,
        accounts: Accounts,
        charge_talk: Callable[[str], None],
        submit: Callable[[requests.Request], None],
    ) -> None:
        self._clock, self._lobby, self._online, self._tables = clock, lobby, online, tables
        self._outbox, self._directory = outbox, directory
        self._exchange, self._asking, self._limits = exchange, asking, Invitations()
        self._accounts = accounts
        self._declined = set[tuple[int, str]]()  # elsewhere: (table, person)
        self._charge_talk, self._submit = charge_talk, submit
        directory.on_access = self._hear_access
        exchange.on(AskToInvite, self._hear_question)
        exchange.on(Declined, lambda server, it: self._hear_declined(it))

    def open_to(self, person: str) -> list[InvitationSummary]:
        """The open invitations of a person to tables of all servers, newest first."""
        own, now_ms = self._tables.lists.invitations_of(person), self._clock.now_ms()
        there = self._directory.invitations_of(person, now_ms)
        return sorted([*own, *there], key=lambda it: -it.since_ms) if there else own

    async def invite(self, person: Person, name: str) -> None:
        """Invite somebody to the person's table.  UserError: who takes none, or is not online."""
        self._check_account(person)
        other = self._named(person, name)
        await self._check(person, other)
        self._submit(requests.Invite(person.id, other.id, other.name))

    async def match(
        self, person: Person, name: str, find_game: FindGame, *, has_autopass: bool
    ) -> None:
        """Open a table for the person and somebody else, who is invited.

        UserError: who takes no invitation, or plays no such game; the person has to stay elsewhere.
        """
        self._check_account(person)
        other = self._found(name)
        if other.id == person.id:
            raise UserError(seek_texts.MATCH_SELF, "usage")
        variant, read = await find_game(other)
        if not read.is_slow:
            other = self._lobby.person_by_name(name, self._clock.monotonic())
        if other.is_guest and (read.is_rated or read.is_slow):
            raise UserError(seek_texts.MATCH_GUEST.format(other.name))
        self._tables.check_may_go(person.id)
        await self._check(person, other)
        number = self._tables.open_table(person, variant, read.typed, has_autopass)
        self._tables.openings.expect(number, other.id)
        self._submit(requests.Invite(person.id, other.id, other.name))

    async def _check(self, person: Person, other: Person) -> None:
        """Count an invitation.  UserError: *other* takes none, or it is one too many."""
        now = self._clock.monotonic()
        there = self._lobby.elsewhere.get(other.id)
        if self._online.get(other.id) is None and there is not None:
            await self._ask(there.server, person, other)
        elif refusal := self._refusal(other, person.id):
            raise UserError(refusal, "declined")
        self._limits.check(person.id, other.name, self.open_to(other.id), now)
        self._charge_talk(person.id)

    def chosen(self, person: Person, name: str | None) -> InvitationSummary:
        """The invitation that an answer means.  UserError: there is no such one."""
        now_ms = self._clock.now_ms()
        return self._limits.chosen(person.id, name, self.open_to(person.id), now_ms)

    def decline(self, person: Person, name: str | None) -> str:
        """Answers whose invitation was declined.  UserError: there is no such invitation."""
        chosen = self.chosen(person, name)
        if self._tables.lists.find(chosen.table) is not None:
            self._tables.submit(chosen.table, requests.Decline(person.id))
        elif not self._exchange.tell(Declined(chosen.table, person.id)):
            raise UserError(INVITATION_GONE, "expired")
        elif len(self._declined) < DECLINED_MAX:
            self._declined.add((chosen.table, person.id))
        return chosen.by_name

    def at_login(self, person: Person) -> list[Message]:
        """What somebody who comes in is told."""
        open_now = self.open_to(person.id)
        data = map(_data_of, open_now)
        if len(open_now) > 1:
            count = quantity(len(open_now), "invitation")
            return [Notice(texts.INVITATIONS_WAIT.format(count, answers(open_now))), *data]
        return [*map(_told_of, open_now), *data]

    # -- inside ----------------------------------------------------------------------------------

    def _named(self, person: Person, name: str) -> Person:
        """Whom the person means.  UserError: nobody, or nobody who can be invited now."""
        number = self._tables.table_of(person.id)
        table = None if number is None else self._tables.lists.find(number)
        if table is not None and table.options.is_correspondence:
            return self._found(name)
        return self._lobby.person_by_name(name, self._clock.monotonic())

    def _found(self, name: str) -> Person:
        """An account of exactly this name, online or not, or somebody who is here."""
        account = self._accounts.find(sanitize(name, "name", 64))
        if account is not None:
            return account.person
        return self._lobby.person_by_name(name, self._clock.monotonic())

    @staticmethod
    def _check_account(person: Person) -> None:
        if person.is_guest:
            raise UserError("Guests can't invite people. Log in with a name of your own for that.")

    def _refusal(self, other: Person, by: str) -> str:
        """Why somebody who is on no other server takes no invitation from *by*; "": none."""
        online = self._online.get(other.id)
        account = self._accounts.by_id(other.id)
        wanted = self._accounts.preference(other.id, "invitations")
        wanted = wanted if online is None else online.preference("invitations")
        is_friend = account is not None and by in account.friends
        is_off = wanted == "off" or (wanted == "friends" and not is_friend)
        if online is None:
            is_wanted = account is not None and by not in account.ignored
            return "" if is_wanted and not is_off else texts.NO_INVITATIONS.format(other.name)
        is_quiet = self._lobby.is_quiet_for(other.id, by)
        is_unwanted = is_off or is_quiet or self._lobby.is_ignoring(other.id, by)
        return texts.NO_INVITATIONS.format(other.name) if is_unwanted else ""

    async def _ask(self, server: str, person: Person, other: Person) -> None:
        """UserError: the invited person takes none, or that server does not answer."""
        told = await self._asking.ask(
            lambda number: AskToInvite(server, number, person.id, other.id)
        )
        if told is None:
            raise UserError(texts.INVITED_NOT_REACHED.format(other.name), "busy")
        if told.refusal:
            raise UserError(told.refusal, "declined")

    def _hear_question(self, server: str, ask: AskToInvite) -> None:
        if ask.server != self._exchange.own:
            return
        here = self._lobby.here(ask.whom)
        refusal = lobby_texts.JUST_LEFT if here is None else self._refusal(here.person, ask.by)
        self._asking.answer(Told(server, ask.number, refusal))

    def _hear_declined(self, declined: Declined) -> None:
        table = self._tables.lists.find(declined.table)
        if table is not None and declined.whom in table.invitations:
            self._tables.submit(declined.table, requests.Decline(declined.whom))

    def _hear_access(self, number: int, before: Access | None, now: Access | None) -> None:
        """A table of another server invites others than before."""
        was = {} if before is None else {_key(it): it for it in before.invited}
        are = {} if now is None else {_key(it): it for it in now.invited}
        now_ms = self._clock.now_ms()
        for key in are.keys() - was.keys():
            it, access = are[key], now
            since_ms = invited_ms(it.since_ms, it.until_ms)
            if access is not None and now_ms - since_ms < NEWS_MS:
                place = number, access.variant, it.by_name, it.by, since_ms, it.until_ms
                told = InvitationSummary(*place, access.options)
                self._send(it.whom, _told_of(told), _data_of(told))
        for key in was.keys() - are.keys():
            it, is_over = was[key], was[key].until_ms <= now_ms + SKEW_MS
            is_declined = (number, it.whom) in self._declined
            self._declined.discard((number, it.whom))
            has_started = before is not None and "move" in before.options and not is_declined
            if is_over or has_started:
                text = your_invitation_ended(it.by_name, number, has_started=not is_over)
                why = "expired" if is_over else "started"
                self._send(it.whom, Notice(text), InvitationEndedData(it.by_name, number, why))

    def _send(self, person: str, *messages: Message) -> None:
        for message in messages:
            self._outbox.send(person, message)


def _told_of(it: InvitationSummary) -> Message:
    return Notice(you_are_invited(it.by_name, it.table, it.variant, is_slow=it.is_slow))


def _data_of(it: InvitationSummary) -> Message:
    return InvitationData(it.by_name, it.table, it.variant, dict(it.options), it.until_ms)


def _key(it: Invitation) -> tuple[str, str, int]:
    """Another one is another invitation, whatever the two people are called by now."""
    return it.whom, it.by, it.until_ms
