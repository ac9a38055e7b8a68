"""Keys of accounts: added under a code, by whoever has them, for as many names as they like."""

from __future__ import annotations

import asyncio
import re

import pytest

from mudserver.accounts.events import KeyAdded
from mudserver.accounts.ssh_keys import parse_public_key
from mudserver.accounts.texts import CODE_NOT_VALID, KEY_UNUSABLE
from mudserver.config import schema
from mudserver.errors import JournalWriteError, UserError
from mudserver.transport.link import AuthenticatedUser
from tests.mudserver.service.test_account_service import PASSWORD, add_key, key_of, told
from tests.simulation import virtual
from tests.simulation.server import FakeLink, SimServer, new_world


def fingerprint_of(line: str) -> str:
    return parse_public_key(line)[1]


async def account(server: SimServer, name: str = "ann"):
    accounts = server.app.account_service
    return accounts, await accounts.register(name, PASSWORD, "here")


# -- one key, several names -----------------------------------------------------------------------


def test_a_strangers_public_key_squats_nothing_and_its_owner_registers():
    """With an older server eve had pasted ann's line of a .pub file: ann then landed at eve's."""

    async def scenario(server):
        accounts, eve = await account(server, "eve")
        pasted = KeyAdded(eve.id, key_of(1), fingerprint_of(key_of(1)), server.clock.now_ms())
        await accounts.streams.change(eve.id, lambda: [pasted])
        await accounts.register_key("ann", key_of(1), "there")
        return [accounts.keys.has_key(name, fingerprint_of(key_of(1))) for name in ("ann", "eve")]

    assert [True, True] == told(scenario)


def test_a_key_that_two_new_names_want_at_once_opens_one():
    async def scenario(server):
        accounts = server.app.account_service
        results = await asyncio.gather(
            accounts.register_key("ann", key_of(1), "here"),
            accounts.register_key("bob", key_of(1), "here"),
            return_exceptions=True,
        )
        with pytest.raises(UserError, match=r"Your key belongs to the account ann: ssh ann@HOST\."):
            await accounts.register_key("bob", key_of(1), "here")
        return [type(result).__name__ for result in results], accounts.name_status("bob")[0]

    assert (["Person", "UserError"], "free") == told(scenario)


def test_two_names_may_have_one_key_and_so_many_and_no_more():
    async def scenario(server):
        accounts, people = server.app.account_service, []
        for name in ("ann", "bob", "cid"):
            people.append((await account(server, name))[1])
        for person in people[:2]:
            await add_key(accounts, person, key_of(1))
        with pytest.raises(UserError, match="This key belongs to 2 accounts here already"):
            await add_key(accounts, people[2], key_of(1))
        return [accounts.keys.has_key(name, fingerprint_of(key_of(1))) for name in ("ann", "cid")]

    async def whole():
        limits = schema.PeopleLimits(accounts_per_key_max=2)
        return await scenario(await SimServer(new_world(1, people=limits)).open())

    assert [True, False] == virtual.run(whole())


def test_a_key_that_is_being_added_is_added_nowhere_else_meanwhile():
    """Otherwise names at the same moment would pass the limit."""

    async def scenario(server):
        accounts, ann = await account(server)
        _, bob = await account(server, "bob")
        typed = [
            f"{person.name}+{await accounts.issue_key_code(person, '', '', 'here')}"
            for person in (ann, bob)
        ]
        return await asyncio.gather(
            *(accounts.add_key(name, key_of(1), "here") for name in typed), return_exceptions=True
        )

    first, second = told(scenario)
    assert ("ann", "This key is being added right now. Please try again.") == (first, str(second))


@pytest.mark.parametrize("is_written", [True, False])
def test_a_pasted_key_becomes_proven_at_the_next_login_with_it(is_written):
    async def scenario(server):
        accounts, ann = await account(server)
        pasted = KeyAdded(ann.id, key_of(1), fingerprint_of(key_of(1)), server.clock.now_ms())
        await accounts.streams.change(ann.id, lambda: [pasted])
        if not is_written:
            server.journal.fail(keeps=False)
        seen = [accounts.keys.list(ann)[0].is_proven]
        for _ in range(3):
            proven = AuthenticatedUser("ann", "key", key_of(1), fingerprint_of(key_of(1)))
            line = server.connect(FakeLink(protocol="ssh"), proven)
            await asyncio.sleep(0.2)
            assert "Welcome back, ann." in line.text
            seen.append(accounts.keys.list(ann)[0].is_proven)
        records = server.world.disk.records["person/1"]
        return seen, sum(b'"key proven"' in each.body for each in records)

    assert ([False, is_written, True, True], 1) == told(scenario)


# -- codes ----------------------------------------------------------------------------------------


def test_a_code_adds_a_key_once_and_is_good_for_nothing_else():
    async def scenario(server):
        accounts, ann = await account(server)
        code = await accounts.issue_key_code(ann, "", "laptop", "here")
        typed = f"ANN+{code.upper()}"
        assert ann == accounts.keys.owner_of_code(typed)
        assert accounts.keys.is_awaited(typed, "SHA256:any")
        assert "ann" == await accounts.add_key(typed, key_of(1), "here")
        (kept,) = accounts.keys.list(ann)
        assert (fingerprint_of(key_of(1)), "ed25519", "laptop", True) == (
            kept.fingerprint, kept.kind, kept.label, kept.is_proven
        )  # fmt: skip
        again = await SimServer(server.world).open()
        for each in (accounts, again.app.account_service):
            assert each.keys.owner_of_code(typed) is None
            assert not each.keys.is_awaited(typed, "SHA256:any")
            assert [kept] == each.keys.list(ann)
            with pytest.raises(UserError, match=f"^{re.escape(CODE_NOT_VALID)}$"):
                await each.add_key(typed, key_of(2), "here")

    told(scenario)


def test_a_code_survives_a_restart_and_ends_after_its_time():
    async def scenario(server):
        accounts, ann = await account(server)
        typed = f"ann+{await accounts.issue_key_code(ann, '', '', 'here')}"
        again = await SimServer(server.world).open()
        keys = again.app.account_service.keys
        await asyncio.sleep(keys.code_s - 10)
        assert keys.owner_of_code(typed) == ann
        await asyncio.sleep(11)
        return keys.owner_of_code(typed)

    assert told(scenario) is None


def test_a_code_stands_in_no_record():
    async def scenario(server):
        accounts, ann = await account(server)
        code = await accounts.issue_key_code(ann, "", "", "here")
        return code, b"".join(
            each.body for records in server.world.disk.records.values() for each in records
        )

    code, written = told(scenario)
    assert b'"code issued"' in written and code.encode() not in written


def test_a_code_for_one_key_awaits_that_key():
    async def scenario(server):
        accounts, ann = await account(server)
        typed = f"ann+{await accounts.issue_key_code(ann, key_of(1), '', 'here')}"
        return [
            accounts.keys.is_awaited(typed, fingerprint_of(key_of(number))) for number in (1, 2)
        ]

    assert [True, False] == told(scenario)


def test_codes_count_as_changes_of_the_account_and_are_five_an_hour():
    async def scenario(server):
        accounts, ann = await account(server)
        for _ in range(5):
            await accounts.issue_key_code(ann, "", "", "here")
        with pytest.raises(UserError, match="You have had 5 codes within an hour"):
            await accounts.issue_key_code(ann, "", "", "here")
        again = await SimServer(server.world).open()
        with pytest.raises(UserError, match="You have had 5 codes within an hour"):
            await again.app.account_service.issue_key_code(ann, "", "", "here")

    told(scenario)


def test_a_key_is_used_here_or_not():
    async def scenario(server):
        keys = server.app.account_service.keys
        keys.check_usable(key_of(1))
        for line in (key_of(0), "ssh-dss AAAA", ""):
            with pytest.raises(UserError, match=f"^{KEY_UNUSABLE}$"):
                keys.check_usable(line)
        keys.check_opens_nothing(fingerprint_of(key_of(1)))
        await server.app.account_service.register_key("ann", key_of(1), "here")
        with pytest.raises(UserError, match="Your key belongs to the account ann"):
            keys.check_opens_nothing(fingerprint_of(key_of(1)))
        assert not keys.has_key("nobody", fingerprint_of(key_of(1)))

    told(scenario)


# -- what the owner does --------------------------------------------------------------------------


def test_a_guest_has_no_keys_and_a_key_is_called_what_its_owner_says():
    async def scenario(server):
        accounts, ann = await account(server)
        assert [] == accounts.keys.list(accounts.new_guest(1))
        await add_key(accounts, ann, key_of(1))
        said = [await accounts.label_key(ann, which, f"no {which}", "here") for which in ("1",)]
        said.append(accounts.keys.list(ann)[0].label)
        await accounts.label_key(ann, fingerprint_of(key_of(1)), "phone", "here")
        return [*said, accounts.keys.list(ann)[0].label]

    assert [fingerprint_of(key_of(1)), "no 1", "phone"] == told(scenario)


def test_two_keys_taken_away_at_once_leave_one_way_in():
    async def scenario(server):
        accounts = server.app.account_service
        ann = await accounts.register_key("ann", key_of(1), "here")
        await add_key(accounts, ann, key_of(2))
        results = await asyncio.gather(
            accounts.remove_key(ann, "1", "here"),
            accounts.remove_key(ann, "2", "here"),
            return_exceptions=True,
        )
        assert "Another of your keys is being removed right now. Please try again." == str(
            results[1]
        )
        with pytest.raises(UserError, match="your only way to log in"):
            await accounts.remove_key(ann, "1", "here")
        again = await SimServer(server.world).open()
        return [x.app.account_service.keys.has_key("ann", results[0]) for x in (server, again)]

    assert [False, False] == told(scenario)


def test_a_key_whose_removal_failed_on_the_disk_counts_as_gone_if_it_is():
    """A failed sync may leave the record in the file: the last way in is not taken away then."""

    async def scenario(server):
        accounts = server.app.account_service
        ann = await accounts.register_key("ann", key_of(1), "here")
        await add_key(accounts, ann, key_of(2))
        server.journal.fail(keeps=True)
        with pytest.raises(JournalWriteError):
            await accounts.remove_key(ann, "1", "here")
        with pytest.raises(UserError, match='You have no key "2"'):
            await accounts.remove_key(ann, "2", "here")  # it is the first of one by now
        with pytest.raises(UserError, match="your only way to log in"):
            await accounts.remove_key(ann, "1", "here")
        return [key.fingerprint for key in accounts.keys.list(ann)]

    assert [fingerprint_of(key_of(2))] == told(scenario)


def test_a_key_that_may_have_been_added_is_looked_up_before_the_code_is_used_again():
    """A failed sync may leave the record in the file: then the key is there, and the code used."""

    async def scenario(server):
        accounts, ann = await account(server)
        typed = f"ann+{await accounts.issue_key_code(ann, '', '', 'here')}"
        server.journal.fail(keeps=True)
        with pytest.raises(JournalWriteError):
            await accounts.add_key(typed, key_of(1), "here")
        with pytest.raises(UserError, match=f"^{re.escape(CODE_NOT_VALID)}$"):
            await accounts.add_key(typed, key_of(2), "here")
        return [key.fingerprint for key in accounts.keys.list(ann)]

    assert [fingerprint_of(key_of(1))] == told(scenario)


@pytest.mark.parametrize("which", ["0", "2", "9999", "\u0662", "SHA256:nothing", "my laptop"])
def test_a_key_that_is_not_there_is_named(which):
    async def scenario(server):
        ann = await server.app.account_service.register_key("ann", key_of(1), "here")
        with pytest.raises(UserError, match=f'You have no key "{which}"'):
            await server.app.account_service.remove_key(ann, which, "here")

    told(scenario)
