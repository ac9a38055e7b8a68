"""How people stand to each other: whom they ignore, who their friends are, what they say of
themselves.

Rule 1: of accounts all of it is kept in the account, by id, so it survives restarts.  Guests
        ignore, and are ignored, for a session.
Rule 2: friends are one's own affair: nobody learns whose friend somebody is.
Rule 3: friends read who comes at once, and who has left only GONE_S later: a connection that drops
        is silent.  Of one friend they read at most one pair in PAIR_S, not twice running that the
        friend has left, and nothing of who ignores them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial

import msgspec

from mudserver.accounts import texts as account_texts
from mudserver.accounts.account import Account
from mudserver.accounts.accounts import Accounts
from mudserver.accounts.events import AccountEvent
from mudserver.accounts.names import claim_key
from mudserver.accounts.person import Person
from mudserver.accounts.roles import STAFF
from mudserver.clock import Clock, TimerHandle
from mudserver.data_messages import PlayerKind
from mudserver.data_people import FriendRow, FriendsData, PeopleData, PersonData, PersonRow
from mudserver.errors import JournalWriteError, UserError
from mudserver.lobby import texts as lobby_texts
from mudserver.lobby.ignore_list import ALL_GUESTS
from mudserver.lobby.lobby import WHO_ROWS_MAX, Lobby
from mudserver.messages import Announcement, Message, Notice, Page, PresenceMessage, QuotedNotice
from mudserver.outbox import Deliveries, Outbox
from mudserver.sanitize import sanitize
from mudserver.service import pages, texts
from mudserver.service.account_service import AccountService
from mudserver.service.online_people import OnlinePeople
from mudserver.source_budgets import LOCAL

GONE_S = 60.0
PAIR_S = 300.0
WHO_S = 1.0  # how long one list of everybody is shown
TOLD_MAX = 10_000  # people of whose coming is remembered when it was told


class Relations:
    def __init__(
        self,
        clock: Clock,
        account_service: AccountService,
        lobby: Lobby,
        online: OnlinePeople,
        outbox: Outbox,
    ) -> None:
        self._clock, self._account_service, self._lobby = clock, account_service, lobby
        self._online, self._outbox = online, outbox
        # By friend: those here who want to know, and whether they read last that the friend left.
        self._waiting: dict[str, dict[str, bool]] = {}
        self._leaving: dict[str, TimerHandle] = {}  # by who has left a moment ago
        self._everybody: tuple[float, Page | None] = 0.0, None  # until when it is shown
        self._told_s: OrderedDict[str, float] = OrderedDict()  # by who came, oldest first

    @property
    def _accounts(self) -> Accounts:
        return self._account_service.streams.accounts

    # -- coming and going ------------------------------------------------------------------------

    def on_enter(self, person: Person, announced: Deliveries) -> Deliveries:
        """Somebody is here now.

        Args:
            announced: What the lobby says of it.

        Returns:
            What is told: friends read that it is a friend, in place of it.
        """
        account = self._accounts.by_id(person.id)
        if account is None:
            return self.wanted(announced)
        self._lobby.load_ignored(person.id, self._names(account.ignored))
        for friend in account.friends:
            self._waiting.setdefault(friend, {})[person.id] = False
        if self._lobby.elsewhere.is_known(person.id):
            return self.wanted(announced)  # friends know already
        return self._with_friends(person, announced)

    def _with_friends(self, person: Person, announced: Deliveries) -> Deliveries:
        if (timer := self._leaving.pop(person.id, None)) is not None:
            timer.cancel()  # friends have not read that this person was gone
            return self.wanted(announced)
        told = self._tell_friends(person, texts.FRIEND_CAME)
        reached = {listener for listener, _ in told}
        return [*told, *(it for it in self.wanted(announced) if it[0] not in reached)]

    def hear_of(self, person: Person, announced: Deliveries, *, is_here: bool) -> Deliveries:
        """Somebody has come in on another server, or has left it; as `on_enter` and `on_leave`."""
        if not is_here:
            self._note_leaving(person)
            return self.wanted(announced)
        return self._with_friends(person, announced)

    def note_elsewhere(self, account_id: str) -> None:
        """Another server has written whom the account ignores, or who its friends are."""
        account = self._accounts.by_id(account_id)
        if account is None or self._online.get(account_id) is None:
            return
        self._lobby.load_ignored(account_id, self._names(account.ignored))
        wanted = [friend for friend, wishes in self._waiting.items() if account_id in wishes]
        for friend in set(wanted) - set(account.friends):
            self._forget_wish(friend, account_id)
        for friend in account.friends:
            self._waiting.setdefault(friend, {}).setdefault(account_id, False)

    def on_leave(
        self, person: Person, announced: Deliveries, *, is_silent: bool = False
    ) -> Deliveries:
        """Somebody has left; returns what is told now.

        Args: is_silent: the session goes on at another server, so that no friend has left.
        """
        account = self._accounts.by_id(person.id)
        for friend in account.friends if account is not None else ():
            self._forget_wish(friend, person.id)
        is_gone = not is_silent and self._lobby.presence_of(person.id) is None
        if account is not None and is_gone:
            self._note_leaving(person)
        return self.wanted(announced)

    def _note_leaving(self, person: Person) -> None:
        if person.id in self._waiting and person.id not in self._leaving:
            self._leaving[person.id] = self._clock.call_later(
                GONE_S, lambda: self._note_gone(person)
            )

    def _note_gone(self, person: Person) -> None:
        del self._leaving[person.id]
        if self._lobby.presence_of(person.id) is not None:
            return  # without a word, on another server
        self._outbox.send_each(self._to_friends(person, texts.FRIEND_LEFT, is_here=False))

    def _tell_friends(self, person: Person, text: str) -> Deliveries:
        now_s, last_s = self._clock.monotonic(), self._told_s.get(person.id)
        if person.id not in self._waiting or (last_s is not None and now_s - last_s < PAIR_S):
            return []
        self._told_s[person.id] = now_s
        self._told_s.move_to_end(person.id)
        if len(self._told_s) > TOLD_MAX:
            self._told_s.popitem(last=False)
        return self._to_friends(person, text, is_here=True)

    def _to_friends(self, person: Person, text: str, *, is_here: bool) -> Deliveries:
        said = Announcement(text.format(person.name))
        data = PresenceMessage(person.name, is_here)
        waiting = self._waiting.get(person.id, {})
        told = [
            listener
            for listener, has_read_left in sorted(waiting.items())
            if (is_here or not has_read_left)
            and self._notices(listener) != "off"
            and listener not in self._lobby.quiet
            and not self._lobby.is_ignoring(person.id, listener)
            and not self._lobby.is_ignoring(listener, person.id)
        ]
        waiting.update(dict.fromkeys(told, not is_here))
        return [(listener, message) for listener in told for message in (said, data)]

    def wanted(self, announced: Deliveries) -> Deliveries:
        """Those of the lobby's announcements that are for people who want them."""
        return [it for it in announced if self._notices(it[0]) == "all"]

    def _notices(self, person_id: str) -> str:
        online = self._online.get(person_id)
        return "off" if online is None else online.preference("notices") or "all"

    def _forget_wish(self, friend: str, person_id: str) -> None:
        wishes = self._waiting.get(friend, {})
        wishes.pop(person_id, None)
        if not wishes:
            self._waiting.pop(friend, None)

    # -- ignoring --------------------------------------------------------------------------------

    async def ignored_names(self, person: Person) -> list[str]:
        await self._drop_former(person)
        return self._lobby.ignored_names(person.id)

    async def ignore(self, person: Person, name: str) -> str:
        """Stop hearing somebody, or all guests; returns the full name.

        UserError: nobody has that name.
        """
        other = ALL_GUESTS if name.lower() == ALL_GUESTS.name else self._find(name)
        self._lobby.check_may_ignore(person.id, other)
        if not (person.is_guest or other.is_guest):
            await self._change(
                person,
                lambda at_ms: self._accounts.ignore(person.id, other.id, other.name, at_ms),
            )
        self._lobby.ignore(person.id, other)
        return other.name

    async def unignore(self, person: Person, name: str) -> str:
        """Hear somebody again; returns the full name.  UserError: that person is not ignored."""
        others = self._lobby.find_ignored(person.id, name)
        if not person.is_guest:
            await self._change(
                person, lambda at_ms: self._accounts.unignore(person.id, others, at_ms)
            )
        self._lobby.unignore(person.id, others)
        return next(iter(others.values()))

    def ignored_by(self, person_id: str) -> tuple[str, ...]:
        """The ids of the accounts that ignore the person, online or not."""
        owners = self._lobby.who_ignores(person_id)
        return tuple(it for it in owners if self._accounts.by_id(it) is not None)

    async def keep_ignored(self, person: Person) -> None:
        """A guest has registered: the accounts that ignored the guest keep that."""
        for owner in self.ignored_by(person.id):
            at_ms = self._clock.now_ms()
            decide = partial(self._accounts.ignore, owner, person.id, person.name, at_ms)
            with suppress(UserError, JournalWriteError):  # else it ends with the owner's session
                await self._account_service.streams.change(owner, decide)

    def is_ignoring(self, person_id: str, other_id: str) -> bool:
        """Whether a person ignores another one, also while not here."""
        account = self._accounts.by_id(person_id)
        is_kept = account is not None and other_id in account.ignored
        return is_kept or self._lobby.is_ignoring(person_id, other_id)

    def check_may_join(self, person_id: str, opener: str) -> None:
        """UserError: who opened the table ignores the person."""
        if self.is_ignoring(opener, person_id):
            raise UserError(texts.CANNOT_JOIN, "declined")

    def check_may_play_with(self, person_id: str, players: Iterable[str]) -> None:
        """UserError: one of *players* ignores the person, who comes to their game."""
        if any(self.is_ignoring(player, person_id) for player in players):
            raise UserError(texts.CANNOT_JOIN, "declined")

    def _names(self, stored: Mapping[str, str]) -> dict[str, str]:
        """The present names, by id; of who has been erased none."""
        return {each: self._name(each) for each in stored if self._is_known(each)}

    def _is_known(self, person_id: str) -> bool:
        return person_id == ALL_GUESTS.id or self._accounts.by_id(person_id) is not None

    def _name(self, account_id: str, otherwise: str = "") -> str:
        if account_id == ALL_GUESTS.id:
            return ALL_GUESTS.name
        account = self._accounts.by_id(account_id)
        return otherwise if account is None else account.name

    def _find(self, name: str) -> Person:
        """Somebody who is here, or an account of exactly this name."""
        account = self._accounts.find(sanitize(name, "name", 64))
        return account.person if account else self._lobby.person_by_name(name, self._now())

    def may_disturb(self, listener_id: str, speaker_id: str) -> bool:
        """Whether somebody who is quiet hears that speaker: a friend, or one of the staff."""
        listener, speaker = self._accounts.by_id(listener_id), self._accounts.by_id(speaker_id)
        is_friend = listener is not None and speaker_id in listener.friends
        return is_friend or (speaker is not None and speaker.role in STAFF)

    # -- friends ---------------------------------------------------------------------------------

    async def befriend(self, person: Person, name: str) -> str:
        """Be told of somebody's coming; returns the full name."""
        other = self._find(name)
        await self._change(person, lambda at_ms: self._accounts.befriend(person.id, other, at_ms))
        self._waiting.setdefault(other.id, {})[person.id] = False
        return other.name

    async def unfriend(self, person: Person, name: str) -> str:
        account = self._account(person)
        other = next((it for it in account.friends if self._is_called(it, name)), "")
        await self._change(
            person, lambda at_ms: self._accounts.unfriend(person.id, other, name, at_ms)
        )
        self._forget_wish(other, person.id)
        return self._name(other, name)

    def _is_called(self, account_id: str, name: str) -> bool:
        return self._name(account_id).casefold() == name.casefold()

    async def friends(self, person: Person) -> FriendsData:
        """By name: each friend, and where that friend is."""
        await self._drop_former(person)
        rows = []
        for friend in self._account(person).friends:
            here = self._lobby.presence_of(friend)
            place = here is not None, None if here is None else here.table
            rows.append(FriendRow(self._name(friend), friend, *place))
        return FriendsData(tuple(sorted(rows, key=lambda row: row.name.lower())))

    def who_page(self, person: Person, whom: str) -> Page:
        """Who is here.

        Args:
            whom: `friends`, `staff`, `table 5`, or how the names begin; "": everybody.
        """
        if not whom:
            return self._who_everybody()
        ids = self._ids_of(person, whom.lower())
        if not any(self._lobby.presence_of(it) for it in ids):
            raise UserError(lobby_texts.NONE_OF_THEM, "not_found")
        return self._who(ids)

    def _ids_of(self, person: Person, whom: str) -> Collection[str]:
        account = self._accounts.by_id(person.id)
        if whom == "friends":
            return account.friends if account is not None else ()
        if whom == "staff":
            return [it.id for it in self._accounts.staff()]
        word, _, number = whom.partition(" ")
        if number:
            return self._lobby.people_at(int(number))
        return [it for name, it in self._lobby.names_of_all().items() if name.startswith(word)]

    def _who_everybody(self) -> Page:
        """One page for all who ask within a second, where there are many people."""
        now, (until, page) = self._now(), self._everybody
        if page is None or now >= until or self._lobby.count_all() <= WHO_ROWS_MAX:
            page = self._who()
            self._everybody = now + WHO_S, page
        return page

    def _who(self, ids: Collection[str] | None = None) -> Page:
        page = self._lobby.who_page(self._now(), ids, self.is_program)
        listed, total = self._lobby.listed(ids)
        rows = [
            PersonRow(it.person.name, it.person.id, self.kind_of(it.person.id, it.person.is_guest),
                      self._role_of(it.person.id), it.table, it.away)
            for it in listed
        ]  # fmt: skip
        return msgspec.structs.replace(page, data=PeopleData(tuple(rows), total))

    def is_program(self, person_id: str) -> bool:
        """Whether the person has said to be a program, or speaks JSON now."""
        account = self._accounts.by_id(person_id)
        is_declared = account is not None and account.is_program
        if is_declared or self._online.is_program(person_id):
            return True
        return self._lobby.elsewhere.is_program(person_id)

    async def declare_program(self, person: Person, *, is_on: bool) -> None:
        """UserError: the account has played as a program, and stays one."""
        await self._change(
            person,
            lambda at_ms: self._accounts.declare_program(person.id, at_ms, is_on=is_on),
        )

    def kind_of(self, person_id: str, is_guest: bool) -> PlayerKind:
        """As lists show a person."""
        if self.is_program(person_id):
            return "program"
        return "guest" if is_guest else "account"

    def _role_of(self, person_id: str) -> str:
        account = self._accounts.by_id(person_id)
        return "player" if account is None else account.role

    # -- what people say of themselves -----------------------------------------------------------

    async def set_profile(self, person: Person, text: str) -> None:
        """Args: text: "": nothing any more."""
        said = sanitize(text, "chat")
        await self._change(person, lambda at_ms: self._accounts.set_profile(person.id, said, at_ms))

    def finger(self, name: str) -> Sequence[Message]:
        """What is public about a person who is here or has an account."""
        account = self._accounts.find(sanitize(name, "name", 64))
        if account is None and (former := self._accounts.former(name)) is not None:
            was = former.held[claim_key(name)].name
            return [Notice(account_texts.IS_CALLED_NOW.format(was, former.name))]
        if account is None:
            presence = self._lobby.presence_by_name(name, self._now())
            person = self._lobby.person_by_name(presence.name, self._now())
            data = PersonData(
                *(presence.name, person.id, self.kind_of(person.id, True), "player", None),
                *(True, presence.table, presence.away, ""),
            )
            page = pages.guest_profile_page(presence, is_program=self.is_program(person.id))
            found: list[Message] = [msgspec.structs.replace(page, data=data)]
            return found + _away(presence.name, presence.away)
        here = self._lobby.presence_of(account.id)
        data = PersonData(
            *(account.name, account.id, self.kind_of(account.id, False), account.role),
            *(account.opened_ms, here is not None, None if here is None else here.table),
            *("" if here is None else here.away, account.profile),
        )
        page = pages.account_profile_page(account, here, is_program=self.is_program(account.id))
        shown: list[Message] = [msgspec.structs.replace(page, data=data)]
        if account.profile:
            head = texts.PROFILE_OF.format(account.name)
            shown.append(QuotedNotice(head, account.name, account.profile))
        return shown + _away(account.name, here.away if here is not None else "")

    # -- inside ----------------------------------------------------------------------------------

    async def _drop_former(self, person: Person) -> None:
        """Take those off the lists whose accounts are erased; a failure leaves it to the next."""
        account = self._accounts.by_id(person.id)
        listed = () if account is None else (*account.ignored, *account.friends)
        gone = [other for other in listed if not self._is_known(other)]
        if not gone:
            return
        with suppress(UserError, JournalWriteError):
            await self._account_service.run_to_completion(
                self._account_service.streams.change(
                    person.id,
                    lambda: self._accounts.drop(person.id, gone, self._clock.now_ms()),
                )
            )
        self._lobby.unignore(person.id, gone)

    def _account(self, person: Person) -> Account:
        account = self._accounts.by_id(person.id)
        assert account is not None, person
        return account

    async def _change(self, person: Person, decide: Callable[[int], list[AccountEvent]]) -> None:
        source = self._online.source_of(person.id) or LOCAL
        decide(self._clock.now_ms())  # a refusal costs nothing
        self._account_service.charge_change(person, source)
        await self._account_service.run_to_completion(
            self._account_service.streams.change(person.id, lambda: decide(self._clock.now_ms()))
        )

    def _now(self) -> float:
        return self._clock.monotonic()


def _away(name: str, text: str) -> list[Message]:
    return [QuotedNotice(texts.IS_AWAY.format(name), name, text)] if text else []
