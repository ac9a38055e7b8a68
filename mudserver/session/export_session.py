"""One answer to `ssh name@host export` or `game 1042 cast`: a document, and the end.

Rule 1: it opens no session of the person and takes none over; nobody sees that somebody was here.
Rule 2: the document alone goes to standard output.  A refusal goes to the error stream.
"""

from __future__ import annotations

import asyncio
import logging

from mudserver.accounts.person import Person
from mudserver.errors import JournalWriteError, UserError
from mudserver.logs import log_exception
from mudserver.service.sanction_service import Banned
from mudserver.session import texts
from mudserver.session.context import SessionContext
from mudserver.source_budgets import source_of
from mudserver.transport.link import AuthenticatedUser, Link, Terminal

PIECE_BYTES = 32_768
BACKLOG_S = 0.05  # between two looks at what is still queued

log = logging.getLogger("session")


class ExportSession:
    """A `LinkHandler`."""

    copies_input = False

    def __init__(self, context: SessionContext, link: Link, proven: AuthenticatedUser) -> None:
        self._context, self._link, self._proven = context, link, proven
        link.mark_logged_in("", is_regular=False)  # it ends by itself
        self._work = asyncio.ensure_future(self._answer())

    def on_data(self, data: bytes) -> None:
        """Nothing is read."""

    def on_resize(self, terminal: Terminal) -> None:
        """There is no terminal."""

    def on_gmcp(self, package: str, data: object) -> None:
        """Only telnet has it."""

    def on_login_timeout(self, message: str) -> None:
        """The login is over."""

    def on_disconnect(self) -> None:
        self._work.cancel()

    async def _answer(self) -> None:
        try:
            text = await self._document()
        except UserError as exc:
            self._link.refuse(str(exc))
        except JournalWriteError:
            self._link.refuse(texts.CANNOT_READ)
        except Exception as bug:  # else the shell would wait for ever
            self._link.refuse(texts.BUG_APOLOGY.format(log_exception(log, "document failed", bug)))
        else:
            await self._send(text.encode() + b"\n")
            self._link.close()

    async def _send(self, data: bytes) -> None:
        """As fast as it is read: more than a link may queue would end the connection."""
        sent = 0
        while sent < len(data):
            if self._link.backlog() > PIECE_BYTES:
                await asyncio.sleep(BACKLOG_S)
                continue
            self._link.send(data[sent : sent + PIECE_BYTES])
            sent += PIECE_BYTES

    async def _document(self) -> str:
        """UserError: who asks has none, has had it lately, or is kept out."""
        proven, context = self._proven, self._context
        accounts = context.account_service
        if proven.method not in ("key", "password", "registered"):
            is_game = self._link.wanted_game
            raise UserError(texts.GAME_NEEDS_ACCOUNT if is_game else texts.EXPORT_NEEDS_ACCOUNT)
        if proven.key and not accounts.keys.has_key(proven.name, proven.fingerprint):
            raise UserError(texts.KEY_REMOVED_MEANWHILE)
        person = accounts.person_named(proven.name.partition("+")[0])
        try:
            source = source_of(self._link.peer)
            context.service.sanctions.check_login(person, proven.fingerprint, source)
        except Banned as banned:
            if not banned.is_of_account or self._link.wanted_game:
                raise
        if self._link.wanted_game:
            return await self._game(person, source)
        return await context.service.export.own_text(person)

    async def _game(self, person: Person, source: str) -> str:
        """`game NUMBER FORM [SEAT]`.  UserError: as for `GameExports.rows`, or it names no form."""
        _, number, form, eyes = [*self._link.wanted_game.split(" ", 3), "", ""][:4]
        exports = self._context.service.exports
        rows = [row async for row in exports.rows(person, source, number, form, eyes)]
        return "\n".join(rows)
