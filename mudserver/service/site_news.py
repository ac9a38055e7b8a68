"""The message of the day and the news: what whoever runs the server tells everybody.

Rule 1: both are kept in `site/1`, and setting them is an act of the staff.
Rule 2: the message of the day is shown at every login.  Of the news an account is told how many it
        has not read; who reads any has seen all that are there.
"""

from __future__ import annotations

from collections.abc import Sequence

from mudserver.accounts.person import Person
from mudserver.clock import Clock, format_date
from mudserver.errors import UserError
from mudserver.journal.streams import SITE_STREAMS
from mudserver.messages import Message, Notice, Page, QuotedRow, StaffPage
from mudserver.moderation import texts
from mudserver.moderation.events import MotdSet, NewsAdded, NewsItem, NewsRemoved
from mudserver.moderation.permissions import Actor
from mudserver.sanitize import sanitize
from mudserver.service.account_streams import AccountStreams
from mudserver.service.listed import Listed, json_time
from mudserver.service.moderation import Login, Moderation, parse_number
from mudserver.service.staff_streams import Change, StaffStreams
from variants.kit.text import quantity

MOTD_BYTES_MAX, MOTD_ROWS_MAX = 2_048, 20
NEWS_BYTES_MAX, TITLE_CHARS_MAX = 1_024, 60


class SiteNews:
    def __init__(
        self,
        clock: Clock,
        moderation: Moderation,
        streams: StaffStreams,
        account_streams: AccountStreams,
    ) -> None:
        self._clock, self._moderation, self._streams = clock, moderation, streams
        self._account_streams = account_streams

    # -- reading ---------------------------------------------------------------------------------

    def at_login(self, person: Person) -> list[Message]:
        """What somebody who comes in is shown."""
        motd, unread = self.motd(), self._unread(person)
        shown: list[Message] = [motd] if motd is not None else []
        if unread:
            shown.append(Notice(texts.UNREAD_NEWS.format(quantity(unread, "piece"))))
        return shown

    def motd(self) -> StaffPage | None:
        rows = self._streams.site.motd
        return StaffPage(texts.MOTD, rows) if rows else None

    def _unread(self, person: Person) -> int:
        account = self._moderation.accounts.by_id(person.id)
        if account is None:
            return 0
        seen, since_ms = account.news_seen, account.opened_ms
        return sum(it.number > seen and it.at_ms >= since_ms for it in self._streams.site.news)

    def listed(self) -> list[Listed]:
        """The titles, the newest first."""
        newest_first = sorted(self._streams.site.news, key=lambda it: -it.number)
        return [_listed(it) for it in newest_first]

    def page(self) -> Page:
        rows = [it.row for it in self.listed()]
        return Page(texts.NEWS, (*(rows or [texts.NO_NEWS]), "", texts.NEWS_HOW))

    def item(self, number: int) -> StaffPage:
        """UserError: there is none."""
        item = self._streams.site.find_news(number)
        return StaffPage(f"{item.number}, {format_date(item.at_ms)}: {item.title}", item.rows)

    async def note_seen(self, person: Person) -> None:
        """The person has seen all that there is."""
        accounts, number = self._moderation.accounts, self._streams.site.last_news
        if accounts.by_id(person.id) is None or not self._unread(person):
            return
        await self._moderation.run_to_completion(
            self._account_streams.change(
                person.id, lambda: accounts.see_news(person.id, number, self._clock.now_ms())
            )
        )

    # -- for staff -------------------------------------------------------------------------------

    async def set_motd(self, login: Login, text: str) -> str:
        """Args: text: rows; "": none is shown any more."""
        await self._moderation.check_may(login, "motd", "")
        rows = _cleaned(text, MOTD_BYTES_MAX)

        def decide(number: int, actor: Actor) -> Change:
            change = self._moderation.change(number, actor, "motd", "")
            return change.add(SITE_STREAMS, 1, MotdSet(rows, actor.id, self._clock.now_ms()))

        await self._moderation.act(login, "motd", "", decide)
        return texts.MOTD_SET if rows else texts.MOTD_CLEARED

    async def add(self, login: Login, title: str, text: str) -> str:
        await self._moderation.check_may(login, "news", "")
        said, rows = sanitize(title, "chat"), _cleaned(text, NEWS_BYTES_MAX)
        if not said or len(said) > TITLE_CHARS_MAX or not rows:
            raise UserError(texts.NEWS_ADD_HOW.format(TITLE_CHARS_MAX), "usage")

        def decide(number: int, actor: Actor) -> Change:
            item = NewsItem(self._streams.site.last_news + 1, said, rows, self._clock.now_ms())
            change = self._moderation.change(number, actor, "news", f"news/{item.number}", "add")
            return change.add(SITE_STREAMS, 1, NewsAdded(item, actor.id, item.at_ms))

        await self._moderation.act(login, "news", "", decide)
        return texts.NEWS_ADDED.format(self._streams.site.last_news)

    async def remove(self, login: Login, which: str) -> str:
        await self._moderation.check_may(login, "news", "")
        wanted = parse_number(which)

        def decide(number: int, actor: Actor) -> Change:
            self._streams.site.find_news(wanted)
            change = self._moderation.change(number, actor, "news", f"news/{wanted}", "remove")
            removed = NewsRemoved(wanted, actor.id, self._clock.now_ms())
            return change.add(SITE_STREAMS, 1, removed)

        await self._moderation.act(login, "news", "", decide)
        return texts.NEWS_REMOVED.format(wanted)


def _listed(item: NewsItem) -> Listed:
    day = format_date(item.at_ms)
    data = {"news": item.number, "at": json_time(item.at_ms), "title": item.title}
    return Listed(QuotedRow(f"{item.number}\t{day}", day, item.title), data)


def _cleaned(text: str, bytes_max: int) -> tuple[str, ...]:
    """The rows, without empty ones at either end.  UserError: too many, or too long."""
    rows: Sequence[str] = [sanitize(row.rstrip(), "line") for row in text.splitlines()]
    cleaned = tuple("\n".join(rows).strip("\n").split("\n")) if any(rows) else ()
    if len(cleaned) > MOTD_ROWS_MAX or len("\n".join(cleaned).encode()) > bytes_max:
        raise UserError(texts.TEXT_TOO_LONG.format(bytes_max, MOTD_ROWS_MAX), "usage")
    return cleaned
