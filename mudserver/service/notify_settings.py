"""What people choose to be told outside the server, as they type it.

Rule 1: a choice is written before it is answered.  It holds no address: the topic is a name under
        which the host's command knows where to send.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from mudserver.accounts.notify_choice import (
    NO_NOTICES,
    NotifyChoice,
    check_events,
    check_hours,
    check_topic,
)
from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.errors import UserError
from mudserver.rate_limit import KeyedTokenBuckets
from mudserver.service import notice_texts as texts
from mudserver.service.account_service import AccountService
from mudserver.service.notices import Outside, OutsideNotice

TEST_EVERY_S = 3_600
COUNTED_MAX = 10_000  # people who had a test lately


class NotifyState(NamedTuple):
    choice: NotifyChoice
    is_on: bool  # the host sends notices at all


class NotifySettings:
    def __init__(self, clock: Clock, accounts: AccountService, outside: Outside) -> None:
        self._clock, self._account_service, self._outside = clock, accounts, outside
        self._accounts = accounts.streams.accounts
        self._tests = KeyedTokenBuckets(1 / TEST_EVERY_S, 1, COUNTED_MAX)

    def state(self, person: Person) -> NotifyState:
        account = self._accounts.by_id(person.id)
        choice = NO_NOTICES if account is None else account.notify
        return NotifyState(choice, self._outside.is_on)

    async def set_topic(self, person: Person, topic: str, source: str) -> None:
        """UserError: it cannot be one, or the host sends nothing."""
        self._check_on()
        choice = replace(self.state(person).choice, topic=check_topic(topic))
        await self._save(person, choice, source)

    async def set_events(self, person: Person, typed: str, source: str) -> None:
        choice = replace(self.state(person).choice, events=check_events(typed))
        await self._save(person, choice, source)

    async def set_quiet(self, person: Person, typed: str, zone: str, source: str) -> None:
        """Args: zone: The person's time zone."""
        quiet_from, quiet_to = check_hours(typed)
        choice = self.state(person).choice
        choice = replace(choice, quiet_from=quiet_from, quiet_to=quiet_to, zone=zone)
        await self._save(person, choice, source)

    async def set_seeks(self, person: Person, games: tuple[str, ...], source: str) -> None:
        """Args: games: Offers of these are told at a table, too."""
        await self._save(person, replace(self.state(person).choice, seeks=games), source)

    async def stop(self, person: Person, source: str) -> None:
        """Send nothing more outside, and forget the topic."""
        await self._save(person, replace(self.state(person).choice, topic=""), source)

    def test(self, person: Person) -> None:
        """Send a notice now, in quiet hours too.  UserError: there was one lately, or no topic."""
        self._check_on()
        topic = self.state(person).choice.topic
        if not topic:
            raise UserError(texts.NO_TOPIC)
        if not self._tests.try_consume(person.id, self._clock.monotonic()):
            raise UserError(texts.TESTED_LATELY, "limit")
        self._outside.put(OutsideNotice(person.name, topic, "test", None, "", texts.TEST))

    def _check_on(self) -> None:
        if not self._outside.is_on:
            raise UserError(texts.NOT_HERE)

    async def _save(self, person: Person, choice: NotifyChoice, source: str) -> None:
        """UserError: too many changes."""
        accounts, service = self._accounts, self._account_service
        service.charge_change(person, source)
        await service.run_to_completion(
            service.streams.change(
                person.id, lambda: accounts.set_notify(person.id, choice, self._clock.now_ms())
            )
        )
