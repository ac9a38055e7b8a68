"""Accounts under races, failures and guessing."""

from __future__ import annotations

import asyncio
import base64
import gc

import pytest

from mudserver.accounts.names import claim_key
from mudserver.errors import JournalFencedError, JournalWriteError, UserError
from mudserver.journal import Claim
from mudserver.service.account_service import FAILED_LOGINS_MAX, RETRY_DELAYS_S
from mudserver.tables.summary import FinishedGame
from mudserver.transport.link import AuthenticatedUser
from tests.simulation import virtual
from tests.simulation.server import FakeLink, SimServer, new_world

PASSWORD = "correct horse"


def key_of(number: int) -> str:
    blob = b"\0\0\0\x0bssh-ed25519\0\0\0\x20" + bytes([number]) * 32
    return "ssh-ed25519 " + base64.b64encode(blob).decode()


async def add_key(accounts, person, key, source="here"):
    """Add a key as its owner does, under a code."""
    code = await accounts.issue_key_code(person, "", "", "here")
    return await accounts.add_key(f"{person.name}+{code}", key, source)


def told(scenario):
    """Run *scenario*, which is given a server."""

    async def whole():
        return await scenario(await SimServer(new_world(1)).open())

    return virtual.run(whole())


def test_one_of_two_who_take_a_name_at_once_gets_it():
    async def scenario(server):
        accounts = server.app.account_service
        names = ("ann", "ANN", "A-nn", "Anna")
        return await asyncio.gather(
            *(accounts.register(name, PASSWORD, "here") for name in names), return_exceptions=True
        )

    first, second, third, fourth = told(scenario)
    assert "ann" == first.name
    assert "Somebody else is registering ANN right now. Please choose another name." == str(second)
    assert "Somebody else is registering A-nn right now. Please choose another name." == str(third)
    assert "Anna" == fourth.name


def test_a_name_that_another_server_has_claimed_is_refused_with_the_same_sentence():
    async def scenario(server):
        await server.journal.adopt_claims([Claim("name", claim_key("A-nn"), "p77")])
        with pytest.raises(UserError, match="Somebody else is registering ann right now"):
            await server.app.account_service.register("ann", PASSWORD, "here")
        return (await server.app.account_service.register("anna", PASSWORD, "here")).name

    assert "anna" == told(scenario)


@pytest.mark.parametrize(
    ("failure", "logged"),
    [(JournalFencedError("gone"), []), (UserError("no"), []), (KeyError(1), ["change failed"])],
)
def test_of_a_change_that_fails_when_its_session_is_over_only_a_bug_is_in_the_log(
    failure, logged, caplog
):
    async def scenario(server):
        async def change():
            await asyncio.sleep(1)
            raise failure

        unheard = []
        asyncio.get_running_loop().set_exception_handler(lambda _, about: unheard.append(about))
        asking = asyncio.create_task(server.app.account_service.run_to_completion(change()))
        await asyncio.sleep(0.5)
        asking.cancel()
        await asyncio.sleep(1)
        gc.collect()  # the loop says it of a task that is gone
        return unheard

    assert [] == told(scenario)
    assert logged == [it.message[:13] for it in caplog.records if it.levelname == "ERROR"]


@pytest.mark.parametrize("how_long_s", [0.001, 0.0205, 0.1])
def test_a_line_that_drops_while_registering_leaves_a_name_taken_or_free(how_long_s):
    async def scenario(server):
        accounts = server.app.account_service
        asking = asyncio.ensure_future(accounts.register("ann", PASSWORD, "here"))
        await asyncio.sleep(how_long_s)
        asking.cancel()
        await asyncio.sleep(1)
        assert "known" == accounts.name_status("ann")[0]
        ann = accounts.person_named("ann")
        await add_key(accounts, ann, key_of(1))  # the stream goes on behind the first record
        again = await SimServer(server.world).open()
        return again.app.account_service.person_named("ann") == ann

    assert told(scenario)


def test_a_line_that_drops_while_a_setting_is_kept_keeps_the_account_writable():
    async def scenario(server):
        accounts = server.app.account_service
        ann = await accounts.register("ann", PASSWORD, "here")
        asking = asyncio.ensure_future(accounts.save_preference(ann, "width", "60"))
        await asyncio.sleep(0.0005)
        asking.cancel()
        await asyncio.sleep(1)
        await accounts.save_preference(ann, "bell", "off")
        return accounts.preference(ann, "width"), accounts.preference(ann, "bell")

    assert ("60", "off") == told(scenario)


@pytest.mark.parametrize("keeps", [True, False])
def test_a_registration_that_failed_is_looked_up_before_the_name_is_given_away(keeps):
    """A failed sync may leave the record in the file: then the name is taken after all."""

    async def scenario(server):
        accounts = server.app.account_service
        server.journal.fail(keeps=keeps)
        with pytest.raises(JournalWriteError):
            await accounts.register("ann", PASSWORD, "here")
        try:
            await accounts.register("ann", "another person", "there")
        except UserError as exc:
            result = str(exc)
        else:
            result = "it was free"
        again = await SimServer(server.world).open()
        assert len(accounts._accounts) == len(again.app.account_service._accounts) == 1
        return result, await again.app.account_service.check_password("ann", PASSWORD)

    expected = "The name ann is taken. Please choose another one." if keeps else "it was free"
    assert (expected, keeps) == told(scenario)


@pytest.mark.parametrize("keeps", [True, False])
def test_an_account_goes_on_after_a_record_that_failed(keeps):
    async def scenario(server):
        accounts = server.app.account_service
        ann = await accounts.register("ann", PASSWORD, "here")
        server.journal.fail(keeps=keeps)
        with pytest.raises(JournalWriteError):
            await accounts.save_preference(ann, "width", "60")
        await accounts.save_preference(ann, "bell", "off")
        return accounts.preference(ann, "width"), accounts.preference(ann, "bell")

    assert ("60" if keeps else "auto", "off") == told(scenario)


def test_guessing_is_slowed_down_without_end_and_the_owner_still_comes_in():
    async def scenario(server):
        accounts, loop = server.app.account_service, asyncio.get_running_loop()
        await accounts.register("ann", PASSWORD, "here")
        for _ in range(1_200):
            assert not await accounts.check_password("ann", "guess")
        began = loop.time()
        assert await accounts.check_password("ann", PASSWORD)
        waited = loop.time() - began
        began = loop.time()
        assert await accounts.check_password("ann", PASSWORD)
        return waited <= RETRY_DELAYS_S[-1] + 0.1, loop.time() - began < 0.1

    assert (True, True) == told(scenario)


def test_guesses_side_by_side_are_slowed_down_too():
    async def scenario(server):
        accounts, loop = server.app.account_service, asyncio.get_running_loop()
        await accounts.register("ann", PASSWORD, "here")
        await asyncio.gather(*(accounts.check_password("ann", "guess") for _ in range(12)))
        return loop.time() >= RETRY_DELAYS_S[-1]

    assert told(scenario)


def test_failures_of_ever_new_names_are_forgotten():
    async def scenario(server):
        accounts = server.app.account_service
        for start in range(0, FAILED_LOGINS_MAX + 500, 500):
            await asyncio.gather(
                *(accounts.check_password(f"n{start + n}", "guess") for n in range(500))
            )
        return len(accounts._failures)

    assert FAILED_LOGINS_MAX == told(scenario)


def test_no_lock_stays_behind_a_write():
    async def scenario(server):
        accounts = server.app.account_service
        for n in range(20):
            await accounts.register(f"ann{n}", PASSWORD, "here")
        return len(accounts.streams._locks), len(accounts._tasks), len(accounts._reserved)

    assert (0, 0, 0) == told(scenario)


def test_registrations_of_one_source_are_few_an_hour():
    async def scenario(server):
        accounts, made = server.app.account_service, 0
        for n in range(60):
            try:
                await accounts.register(f"ann{n}", PASSWORD, "192.0.2.1")
                made += 1
            except UserError as exc:
                assert "Too many registrations from your address." in str(exc)
        await accounts.register("bob", PASSWORD, "192.0.2.2")
        return made

    assert 40 == told(scenario)  # four times ten: there is room


def test_a_64_is_one_source_for_registrations():
    async def scenario(server):
        said = ""
        for n in range(41):
            said = await server.app.authenticator.register(f"ann{n}", PASSWORD, f"2001:db8::{n:x}")
        return said

    assert "Too many registrations" in told(scenario)


def test_a_second_session_on_the_connection_of_a_new_key_is_at_home():
    async def scenario(server):
        proven = AuthenticatedUser("ann", "newkey", key_of(1), _fingerprint(key_of(1)))
        first = server.connect(FakeLink(protocol="ssh"), proven)
        await asyncio.sleep(0.5)
        assert '"ann" is now registered with your SSH key' in first.text
        first.drop()
        await asyncio.sleep(0.5)
        second = server.connect(FakeLink(protocol="ssh"), proven)
        await asyncio.sleep(0.5)
        return second.is_open, "Welcome back, ann." in second.text

    assert (True, True) == told(scenario)


def test_a_key_that_was_taken_away_opens_nothing_on_a_connection_that_is_still_open():
    async def scenario(server):
        ann = await server.app.account_service.register_key("ann", key_of(1), "here")
        await add_key(server.app.account_service, ann, key_of(2))
        heard = []
        for _ in range(2):
            proven = AuthenticatedUser("ann", "key", key_of(1), _fingerprint(key_of(1)))
            heard.append(server.connect(FakeLink(protocol="ssh"), proven))
            await asyncio.sleep(0.5)
            if len(heard) == 1:
                await server.app.account_service.remove_key(ann, "1", "here")
        assert "Welcome back, ann." in heard[0].text
        return heard[1].is_open, "This key was removed from the account." in heard[1].text

    assert (False, True) == told(scenario)


def _fingerprint(line: str) -> str:
    from mudserver.accounts.ssh_keys import parse_public_key

    return parse_public_key(line)[1]


def test_an_account_is_new_for_an_hour_or_until_it_has_finished_a_game():
    async def scenario(server):
        for name in ("Ann", "Bob"):
            server.person(name)
        await asyncio.sleep(1.0)
        accounts = server.app.account_service
        ann, bob = accounts.person_named("Ann"), accounts.person_named("Bob")
        seen = [accounts.is_new(ann)]
        finished = FinishedGame("elimination", ("easy",), 9, 1, "easy", 2, 0, {ann.id: 1})
        await accounts.streams.append_with([], accounts.memories(finished))
        seen += [accounts.is_new(ann), accounts.is_new(bob)]
        await asyncio.sleep(3_600.0)
        return [*seen, accounts.is_new(bob), accounts.is_new(accounts.new_guest(9))]

    assert [True, False, True, False, True] == told(scenario)
