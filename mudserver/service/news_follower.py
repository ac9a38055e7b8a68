"""What other servers write about people is in force here: followed, applied, and told.

Rule 1: it is applied as a start applies it, by the same code; here is only what follows from it
        for those who are here, as where it was done.
Rule 2: what happens twice harms nobody; what cannot be read now is read later; a bug in what
        follows from one record costs a line in the log, and the next ones are followed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from mudserver import metrics
from mudserver.accounts import events as e
from mudserver.accounts import texts as account_texts
from mudserver.errors import JournalCorruptError, JournalWriteError
from mudserver.journal import Journal
from mudserver.journal.streams import (
    ACCOUNT_STREAMS,
    MAILBOX_STREAMS,
    REPORT_STREAMS,
    SANCTION_STREAMS,
    STAFF_STREAMS,
    TOURNEY_STREAMS,
    stream_kind,
)
from mudserver.logs import raise_location
from mudserver.mail.events import MailEvent, MailSent
from mudserver.messages import Notice
from mudserver.moderation import texts
from mudserver.moderation.events import StaffAct, StaffEvent
from mudserver.service.account_deletion import AccountDeletion
from mudserver.service.account_service import AccountService
from mudserver.service.account_streams import Before
from mudserver.service.channel_service import ChannelService
from mudserver.service.mail_service import MailService
from mudserver.service.mail_streams import MailStreams
from mudserver.service.moderation import Moderation
from mudserver.service.names import Names
from mudserver.service.relations import Relations
from mudserver.service.report_service import ReportService
from mudserver.service.role_news import role_message, with_article
from mudserver.service.sanction_service import SanctionService
from mudserver.service.sanction_texts import warning_messages
from mudserver.service.staff_streams import StaffStreams
from mudserver.service.tourney_streams import TourneyStreams

RETRY_S = 1.0  # after the journal could not be read

log = logging.getLogger(__name__)

Follow = Callable[[str, int], Awaitable[None]]


class Tellers(NamedTuple):
    """Who tell people what has been followed."""

    account_service: AccountService
    moderation: Moderation
    sanctions: SanctionService
    reports: ReportService
    names: Names
    deletion: AccountDeletion
    relations: Relations
    mail: MailService
    channels: ChannelService


class NewsFollower:
    def __init__(
        self,
        journal: Journal,
        staff: StaffStreams,
        mail: MailStreams,
        tourneys: TourneyStreams,
        tellers: Tellers,
    ) -> None:
        self._journal, self._tellers = journal, tellers
        accounts = tellers.account_service.streams
        accounts.on_news, staff.on_news = self._on_account_news, self._on_staff_news
        mail.on_news = self._on_mail_news
        self._follow: dict[str, Follow] = {
            ACCOUNT_STREAMS.prefix: accounts.follow,
            MAILBOX_STREAMS.prefix: mail.follow,
            TOURNEY_STREAMS.prefix: tourneys.follow,
            **{kind.prefix: staff.follow for kind in STAFF_STREAMS},
        }

    async def run(self) -> None:
        """As long as others can write."""
        async for stream, sequence in self._journal.follow():
            kind = stream_kind(stream)
            if kind is not None and (follow := self._follow.get(kind.prefix)) is not None:
                await self._follow_one(follow, stream, sequence)

    async def _follow_one(self, follow: Follow, stream: str, sequence: int) -> None:
        while True:
            try:
                await follow(stream, sequence)
                return
            except JournalWriteError:
                await asyncio.sleep(RETRY_S)
            except JournalCorruptError as exc:
                log.error("not followed stream=%s err=%s", stream, exc)
                return
            except Exception as exc:  # a bug, see rule 2
                metrics.INTERNAL_ERRORS.value += 1
                log.error("following failed stream=%s seq=%s err=%s at=%s", stream, sequence,
                          type(exc).__name__, raise_location(exc))  # fmt: skip
                return

    # -- what follows for those who are here -----------------------------------------------------

    def _on_account_news(
        self, account_id: str, before: Before, events: Sequence[e.AccountEvent]
    ) -> None:
        tellers, was, codes = self._tellers, "", {before.recovery} - {""}
        for event in events:
            match event:
                case e.AccountOpened():
                    was = event.was
                case e.CodeIssued(purpose="recover"):
                    codes.add(event.hash)
                case e.CodeEnded(why="used") if event.hash in codes:
                    recovery = tellers.account_service.recovery
                    recovery.end_session(account_id, account_texts.RECOVERED_ELSEWHERE)
                case e.Erased():
                    tellers.deletion.leave(account_id)
                case _:
                    self._tell_account(account_id, event)
        tellers.names.note_elsewhere(account_id, before.name, was)
        lists = (e.Ignored, e.Unignored, e.Befriended, e.Unfriended, e.AccountSnapshot)
        if any(isinstance(event, lists) for event in events):
            tellers.relations.note_elsewhere(account_id)

    def _tell_account(self, account_id: str, event: e.AccountEvent) -> None:
        """What its owner, if here, is told of what somebody else did to the account."""
        moderation, deletion = self._tellers.moderation, self._tellers.deletion
        accounts = moderation.accounts
        match event:
            case e.Warned(number=number, reason=reason):
                for message in warning_messages(number, reason):
                    moderation.tell(account_id, message)
                moderation.tell(account_id, Notice(texts.TO_CONFIRM))
            case e.RoleSet(role=role):
                moderation.tell(account_id, Notice(texts.YOUR_ROLE.format(with_article(role))))
            case e.RoleNoted(note=note) if account_id not in (note.by, note.about):
                zone = accounts.preference(account_id, "timezone")
                moderation.tell(account_id, role_message(note, moderation.name, zone))
            case e.DeletionAsked(by=by) if by != account_id:
                if (account := accounts.by_id(account_id)) is not None:
                    moderation.tell(account_id, deletion.status(account.person))
            case e.DeletionWithdrawn(by=by) if by != account_id:
                moderation.tell(account_id, Notice(texts.YOURS_IS_KEPT))

    def _on_staff_news(self, stream: str, events: Sequence[StaffEvent]) -> None:
        if SANCTION_STREAMS.owns(stream):
            self._tellers.sanctions.note_elsewhere(SANCTION_STREAMS.number(stream), events)
        elif REPORT_STREAMS.owns(stream):
            self._tellers.reports.note_elsewhere(REPORT_STREAMS.number(stream), events)
        for event in events:
            if isinstance(event, StaffAct):
                self._tellers.moderation.note_elsewhere(event)
                self._tellers.channels.note_elsewhere(event)

    def _on_mail_news(self, account_id: str, events: Sequence[MailEvent]) -> None:
        for event in events:
            if isinstance(event, MailSent):
                self._tellers.mail.tell_of(account_id, event.sender, event.sender_name)
