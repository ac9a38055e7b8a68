"""What somebody reads who comes in, and what the log says of coming and going."""

from __future__ import annotations

import logging
from itertools import chain
from typing import Literal, Protocol

from mudserver import messages as m
from mudserver import metrics
from mudserver.accounts.person import Person
from mudserver.protocols import ProtocolName
from mudserver.service.game_service import GameService
from mudserver.session.attachment import Attachment
from mudserver.session.context import SessionContext
from mudserver.session.keeper import log_resumed
from mudserver.transport.link import LostReason

log = logging.getLogger("session")


class Entering(Protocol):
    """The session of who comes in."""

    id: str
    is_program: bool
    protocol: ProtocolName
    attachment: Attachment


def log_entry(session: Entering, person: Person, source: str, *, is_resumed: bool) -> None:
    """Args: source: "-": addresses are not logged."""
    if is_resumed:
        log_resumed(session.id, person.id, session.protocol)
        return
    metrics.LOGINS.increment(session.protocol)
    log.info("session started session=%s person=%s name=%s protocol=%s from=%s", session.id,
             person.id, person.name, session.protocol, source)  # fmt: skip


def log_end(
    session: Entering, person: Person, duration_s: float, lost_why: LostReason | None
) -> None:
    """Args: lost_why: None: the session ended by itself."""
    log.info("session ended session=%s person=%s duration_s=%.0f why=%s", session.id, person.id,
             duration_s, lost_why or "ended")  # fmt: skip


def tell_at_login(
    context: SessionContext, person: Person, how: Literal["key", "password"], key: str
) -> None:
    """What the owner of an account is told once, after the welcome.

    Args:
        key: Its fingerprint, if it was a key.
    """
    service, news = context.service, context.account_service.note_login(person, how, key)
    for message in (*map(m.Notice, news), *service.moderation.unread_warnings(person)):
        service.send_to(person.id, message)


def welcome(service: GameService, session: Entering, person: Person, notice: str) -> bool:
    """Send all that is read at entry.  Returns whether the person is new here.

    Args:
        notice: What is said first to who has just registered; "": nobody has.
    """
    is_first = service.is_first_visit(person, is_registered=bool(notice))
    if notice:
        service.send_to(person.id, m.Notice(notice))
    greeting = session.attachment.greeting(person)
    if greeting is not None:
        service.send_to(person.id, greeting)
    has_pages, is_greeted = not session.is_program, greeting is not None
    service.send_welcome(person, is_first=is_first, has_pages=has_pages, is_greeted=is_greeted)
    parts = (service.inviting, service.deletion, service.news, service.mail)
    earlier = service.channels.history.at_login(person, session.attachment.shown_until_ms)
    for message in (*chain.from_iterable(part.at_login(person) for part in parts), *earlier):
        service.send_to(person.id, message)
    return is_first
