"""Who may come in: registration open, by invitation or closed, and guests on or off.

Rule 1: the first values are those of the settings; what staff sets is kept in `site/1`.
Rule 2: an invitation is spent with the account that it opens, both or neither.
Rule 3: what was let in stays: nothing here ends a session.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import get_args

from mudserver.accounts.codes import ALPHABET, hash_code
from mudserver.clock import Clock, format_date
from mudserver.config.schema import Config
from mudserver.errors import UserError
from mudserver.journal import Claim
from mudserver.journal.streams import SITE_STREAMS
from mudserver.moderation import texts
from mudserver.moderation.events import (
    GuestsSet,
    InviteIssued,
    InviteRevoked,
    InviteUsed,
    RegistrationMode,
    RegistrationSet,
)
from mudserver.moderation.permissions import Actor, NotPermitted
from mudserver.service.account_service import NO_OTHERS
from mudserver.service.account_streams import Decide
from mudserver.service.issued_code import IssuedCode
from mudserver.service.listed import json_time
from mudserver.service.moderation import Login, Moderation
from mudserver.service.sanction_service import SanctionService
from mudserver.service.staff_streams import Change, StaffStreams
from mudserver.source_budgets import DAY_MS
from variants.kit.text import quantity

MODES: tuple[RegistrationMode, ...] = get_args(RegistrationMode)
INVITE_CHARS = 12
INVITE_DAYS, INVITE_DAYS_MAX = 7, 365
INVITE_USES_MAX = 100


class Admission:
    def __init__(
        self, config: Config, clock: Clock, moderation: Moderation, sanctions: SanctionService,
        streams: StaffStreams, rng: Random,
    ) -> None:  # fmt: skip
        self._config, self._clock, self._moderation = config, clock, moderation
        self._sanctions, self._streams, self._rng = sanctions, streams, rng

    def reconfigure(self, config: Config) -> None:
        self._config = config

    @property
    def mode(self) -> RegistrationMode:
        return self._streams.site.registration or self._config.people.registration

    @property
    def has_guests(self) -> bool:
        chosen = self._streams.site.has_guests
        return self._config.people.guests if chosen is None else chosen

    # -- for those who come ----------------------------------------------------------------------

    def check_guests(self) -> None:
        """UserError: no guests are admitted."""
        if not self.has_guests:
            raise UserError(texts.NO_GUESTS)

    def check_source(self, source: str) -> None:
        """Banned: no new names come from there."""
        self._sanctions.check_registration(source)

    def opens_despite_ban(self, name: str, source: str) -> bool:
        """As `SanctionService.opens_despite_ban`."""
        return self._sanctions.opens_despite_ban(name, source)

    def check_registration(self, invite: str, *, is_guest: bool = False) -> None:
        """UserError: nobody new may register, or not with this invitation; "": without one.

        Args:
            is_guest: It is a guest who asks; else somebody at the prompt for a name.
        """
        if invite:
            self._streams.site.check_invite(hash_code(invite), self._clock.now_ms())
        elif self.mode != "open":
            closed = texts.REGISTRATION_CLOSED
            if self.mode == "invite":
                how = texts.INVITED_GUEST_TYPES if is_guest else texts.INVITED_TYPES
                closed = texts.REGISTRATION_BY_INVITE.format(how)
            raise UserError(closed + texts.OR_AS_GUEST * (self.has_guests and not is_guest))

    async def register(
        self,
        account_id: str,
        decide: Decide,
        claims: Sequence[Claim],
        invite: str,
        guest_source: str = "",
        others: Mapping[str, Decide] = NO_OTHERS,
    ) -> None:
        """Open an account with an invitation, which is spent, or for a guest, whose mute goes over.

        UserError: somebody was first.
        """  # fmt: skip

        def decide_all(number: int) -> Change:
            now_ms = self._clock.now_ms()
            change = Change(None, accounts={**others, account_id: decide}, claims=claims)
            if invite:
                self._streams.site.check_invite(hash_code(invite), now_ms)
                change.add(SITE_STREAMS, 1, InviteUsed(hash_code(invite), account_id, now_ms))
            if guest_source:
                self._sanctions.carry_mute(change, number, guest_source, account_id)
            return change

        await self._streams.change(decide_all)

    # -- for staff -------------------------------------------------------------------------------

    async def set_registration(self, login: Login, typed: str) -> str:
        mode = next((it for it in MODES if it == typed.lower()), None)
        if mode is None:
            raise UserError(texts.NOT_A_MODE.format(typed[:20], ", ".join(MODES)), "usage")
        chosen: RegistrationMode = mode

        def decide(number: int, actor: Actor) -> Change:
            change = self._moderation.change(number, actor, "registration", "", chosen)
            return change.add(
                SITE_STREAMS, 1, RegistrationSet(chosen, actor.id, self._clock.now_ms())
            )

        await self._moderation.act(login, "registration", "", decide)
        return texts.REGISTRATION_IS[chosen]

    async def set_guests(self, login: Login, *, is_on: bool) -> str:
        shown = "on" if is_on else "off"

        def decide(number: int, actor: Actor) -> Change:
            change = self._moderation.change(number, actor, "guests", "", shown)
            return change.add(SITE_STREAMS, 1, GuestsSet(is_on, actor.id, self._clock.now_ms()))

        await self._moderation.act(login, "guests", "", decide)
        return texts.GUESTS_ARE[shown]

    async def invite(self, login: Login, uses: int = 1, days: int = INVITE_DAYS) -> IssuedCode:
        """A code with which so many names can be registered, for so many days."""
        if not (1 <= uses <= INVITE_USES_MAX and 1 <= days <= INVITE_DAYS_MAX):
            raise UserError(texts.INVITE_HOW.format(INVITE_USES_MAX, INVITE_DAYS_MAX), "usage")
        code = "".join(self._rng.choice(ALPHABET) for _ in range(INVITE_CHARS))
        expires_ms = self._clock.now_ms() + days * DAY_MS

        def decide(number: int, actor: Actor) -> Change:
            if actor.role == "moderator" and uses > 1:
                raise NotPermitted(texts.ONE_USE)
            self._streams.site.check_room(self._clock.now_ms())
            arguments = f"uses={uses} days={days}"
            change = self._moderation.change(number, actor, "invitation", "", arguments)
            issued = InviteIssued(
                *(hash_code(code), uses, expires_ms, actor.id, change.act.at_ms), number=number
            )
            return change.add(SITE_STREAMS, 1, issued)

        number = (await self._moderation.act(login, "invitation", "", decide)).act.id
        names, until = quantity(uses, "name"), format_date(expires_ms)
        return IssuedCode(
            texts.INVITED.format(code, names, until, number),
            {"invitation": number, "code": code, "uses": uses, "expires": json_time(expires_ms)},
        )

    async def revoke(self, login: Login, which: str) -> str:
        """Withdraw an invitation.  Args: which: its number, or its code, also as `NAME+CODE`."""
        await self._moderation.check_may(login, "invitation revoke", "")
        if not which:
            raise UserError(texts.REVOKE_HOW, "usage")
        digits = which.removeprefix("#")
        is_number = digits.isascii() and digits.isdecimal() and len(digits) < INVITE_CHARS
        wanted, hashed = int(digits) if is_number else 0, hash_code(which.rpartition("+")[2])

        def decide(number: int, actor: Actor) -> Change:
            now_ms = self._clock.now_ms()
            found, made_by = self._streams.site.find_invite(wanted, hashed, now_ms)
            arguments = f"revoke #{made_by}" if made_by else "revoke"
            change = self._moderation.change(number, actor, "invitation", "", arguments)
            return change.add(SITE_STREAMS, 1, InviteRevoked(found, actor.id, now_ms))

        act = (await self._moderation.act(login, "invitation revoke", "", decide)).act
        return texts.INVITE_REVOKED.format(act.arguments.removeprefix("revoke"))
