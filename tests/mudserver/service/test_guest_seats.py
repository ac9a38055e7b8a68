"""The way back to a guest's seat: whose code opens what, and how often one may be wrong."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.errors import UserError
from mudserver.outbox import Outbox
from mudserver.service.guest_seats import GuestSeats
from mudserver.service.resume_codes import ResumeCodes
from tests.mudserver.service.test_moderation import at_one_table, cast, coming, says, told
from tests.mudserver.service.test_registering_guests import guest_of, registers

GUEST, OTHER = Person("g1", "guest1", is_guest=True), Person("g2", "guest2", is_guest=True)
ANN = Person("p1", "ann", is_guest=False)


@dataclass
class Tables:
    """Guest1's seat waits."""

    offline: list[Person] = field(default_factory=lambda: [GUEST])
    is_restored: bool = True

    @property
    def restorer(self) -> Tables:
        return self

    def check_restored(self) -> None:
        if not self.is_restored:
            raise UserError("Tables are being restored.")

    @property
    def lists(self) -> Tables:
        return self

    def seated_guests(self) -> list[Person]:
        return self.offline


def seats_of(tables: Tables, present: dict[str, Person] | None = None) -> GuestSeats:
    clock = Clock(asyncio.get_running_loop(), 0)
    known = present or {}
    others = SimpleNamespace(seated_guests=list)
    parts = ResumeCodes(b"secret"), tables, Outbox(), known.get, others
    return GuestSeats(clock, *parts)  # type: ignore[arg-type]


def refusal(seats: GuestSeats, guest: Person, code: str) -> str:
    with pytest.raises(UserError) as refused:
        seats.guest_for(guest, code, "192.0.2.1")
    return str(refused.value)


async def test_a_code_opens_the_seat_that_it_was_shown_for():
    code = ResumeCodes(b"secret").code_for("g1")
    seats = seats_of(Tables([OTHER, GUEST]))
    assert GUEST == seats.guest_for(OTHER, code, "192.0.2.1")
    assert "doesn't match" in refusal(seats, OTHER, ResumeCodes(b"secret").code_for("g3"))
    assert "doesn't match" in refusal(seats_of(Tables([])), OTHER, code)


async def test_a_code_of_who_has_registered_opens_nothing_before_the_table_knows():
    code = ResumeCodes(b"secret").code_for("g1")
    assert "doesn't match" in refusal(seats_of(Tables(), {"g1": ANN}), OTHER, code)


async def test_accounts_need_no_code_and_nobody_tries_while_tables_are_missing():
    code = ResumeCodes(b"secret").code_for("g1")
    assert "belongs to your account" in refusal(seats_of(Tables()), ANN, code)
    assert "being restored" in refusal(seats_of(Tables(is_restored=False)), OTHER, code)


def test_who_has_no_seat_or_an_account_is_shown_no_code():
    async def scenario(server):
        here = await cast(server, ann="player")
        guest = await guest_of(server)
        opened = await says(here["ann"], "open elimination")
        return opened, await says(here["ann"], "whoami"), await says(guest, "whoami")

    assert all("resume" not in each for each in told(scenario))


def test_the_resume_code_is_shown_again_and_ends_with_the_registration():
    async def scenario(server):
        here = await cast(server, ann="player")
        guest = await guest_of(server)
        await at_one_table(here["ann"], guest)
        shown = await says(guest, "whoami")
        code = re.search(r"resume (\w{4}-\w{4}-\w{4})", shown)[1]
        alone = await says(guest, "resume")
        await registers(guest, "register bob")
        guest.link.drop()
        await asyncio.sleep(1)
        thief = await guest_of(server, "192.0.2.8")
        refused = await says(thief, f"resume {code}")
        own = coming(server, "bob", "192.0.2.7", how="password")
        await asyncio.sleep(0.5)
        return code, alone, refused, own.text

    code, alone, refused, own = told(scenario)
    assert code in alone and "doesn't match" in refused
    assert "You have a seat at table 1" in own


def test_a_source_has_ten_wrong_resume_codes_a_minute():
    async def scenario(server):
        here = await cast(server, ann="player")
        guest, thief = await guest_of(server), await guest_of(server, "192.0.2.8")
        await at_one_table(here["ann"], guest)
        code = re.search(r"resume (\S+)", await says(guest, "whoami"))[1]
        guest.link.drop()
        wrong = [await says(thief, "resume aaaa-bbbb-cccc", 0.2) for _ in range(11)]
        right = await says(thief, f"resume {code}")
        other = await guest_of(server, "192.0.2.9")
        elsewhere = await says(other, f"resume {code.replace('-', '').upper()}")
        return wrong, right, elsewhere

    wrong, right, elsewhere = told(scenario)
    assert all("doesn't match" in each for each in wrong[:10])
    assert "Too many wrong codes. Please wait a minute." in wrong[10]
    assert "Too many wrong codes." in right and "You have a seat" in elsewhere
