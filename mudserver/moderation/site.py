"""What staff says of the whole place: who may come in, the message of the day, the news.

Rule 1: `apply` accepts every event and is the only method that changes anything.
Rule 2: what was never set is as the settings have it.
Rule 3: of an invitation only the SHA-256 is kept.  It is spent in one transaction with the account.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from mudserver.accounts.texts import CODE_NOT_VALID
from mudserver.errors import UserError
from mudserver.moderation import texts
from mudserver.moderation.events import (
    GuestsSet,
    InviteIssued,
    InviteRevoked,
    InviteUsed,
    LoginsNoted,
    MotdSet,
    NewsAdded,
    NewsItem,
    NewsRemoved,
    OwnersSet,
    RegistrationMode,
    RegistrationSet,
    SiteSnapshot,
    StaffEvent,
)

INVITES_MAX = 200  # live at once
NEWS_MAX = 50  # then the oldest goes


@dataclass(frozen=True, slots=True)
class Invite:
    uses_left: int
    expires_ms: int
    number: int = 0  # of the act that made it; 0: an older server's

    def is_live(self, now_ms: int) -> bool:
        return self.uses_left > 0 and now_ms < self.expires_ms


class Site:
    def __init__(self) -> None:
        self.registration: RegistrationMode | None = None  # None: as the settings say
        self.has_guests: bool | None = None  # None: as the settings say
        self._invites: dict[str, Invite] = {}  # by hash
        self.motd: tuple[str, ...] = ()  # rows
        self.news: tuple[NewsItem, ...] = ()  # oldest first
        self.last_news = 0  # the highest number so far
        self.owners: tuple[str, ...] | None = None  # ids; None: as the accounts' roles say
        self.logins_noted_ms: int | None = None  # UTC; None: not yet

    def check_invite(self, hashed: str, now_ms: int) -> None:
        """UserError: no live invitation has this hash."""
        invite = self._invites.get(hashed)
        if invite is None or not invite.is_live(now_ms):
            raise UserError(CODE_NOT_VALID, "not_found")

    def check_room(self, now_ms: int) -> None:
        """UserError: too many invitations are live."""
        if sum(it.is_live(now_ms) for it in self._invites.values()) >= INVITES_MAX:
            raise UserError(texts.TOO_MANY_INVITES.format(INVITES_MAX), "limit")

    def find_invite(self, number: int, hashed: str, now_ms: int) -> tuple[str, int]:
        """Hash and number of the live one with that number or hash.  UserError: there is none."""
        for each, invite in self._invites.items():
            is_meant = each == hashed or (number and invite.number == number)
            if is_meant and invite.is_live(now_ms):
                return each, invite.number
        raise UserError(texts.NO_INVITE, "not_found")

    def find_news(self, number: int) -> NewsItem:
        """UserError: there is none of that number."""
        for item in self.news:
            if item.number == number:
                return item
        raise UserError(texts.NO_NEWS_ITEM.format(number), "not_found")

    def snapshot(self) -> SiteSnapshot:
        """One event that replaces all before it."""
        invites = {k: (it.uses_left, it.expires_ms) for k, it in self._invites.items()}
        return SiteSnapshot(
            *(self.registration, self.has_guests, invites, self.motd, self.news, self.last_news),
            *(self.owners, self.logins_noted_ms),
            invite_numbers={k: it.number for k, it in self._invites.items() if it.number},
        )

    def apply(self, event: StaffEvent) -> None:
        match event:
            case SiteSnapshot():
                self.registration, self.has_guests = event.registration, event.has_guests
                self._invites = {
                    k: Invite(*stored, event.invite_numbers.get(k, 0))
                    for k, stored in event.invites.items()
                }
                self.motd, self.news, self.last_news = event.motd, event.news, event.last_news
                self.owners, self.logins_noted_ms = event.owners, event.logins_noted_ms
            case OwnersSet(ids=ids):
                self.owners = ids
            case LoginsNoted(at_ms=at_ms):
                self.logins_noted_ms = at_ms
            case RegistrationSet(mode=mode):
                self.registration = mode
            case MotdSet(rows=rows):
                self.motd = rows
            case NewsAdded(item=item):
                self.news, self.last_news = (*self.news, item)[-NEWS_MAX:], item.number
            case NewsRemoved(number=number):
                self.news = tuple(it for it in self.news if it.number != number)
            case GuestsSet(is_on=is_on):
                self.has_guests = is_on
            case InviteIssued():
                self._forget_spent(event.at_ms)
                self._invites[event.hash] = Invite(event.uses, event.expires_ms, event.number)
            case InviteRevoked(hash=hashed):
                self._invites.pop(hashed, None)
            case InviteUsed(hash=hashed):
                invite = self._invites[hashed]
                self._invites[hashed] = replace(invite, uses_left=invite.uses_left - 1)

    def _forget_spent(self, now_ms: int) -> None:
        self._invites = {k: it for k, it in self._invites.items() if it.is_live(now_ms)}
