"""Nobody learns of a ban of an account who has not proved to be its owner."""

from __future__ import annotations

import asyncio

import pytest

from tests.mudserver.service.test_moderation import cast, told
from tests.simulation.server import ANSI, FakeLink, SimServer

PASSWORD = "correct horse battery"


async def tries(server: SimServer, name: str, password: str) -> list[tuple[float, bytes]]:
    """What a login by telnet shows, piece by piece, and when."""
    loop, began = asyncio.get_running_loop(), asyncio.get_running_loop().time()
    link = FakeLink(ANSI, "telnet", "198.51.100.9")
    shown: list[tuple[float, bytes]] = []
    link_send = link.send

    def send(data: bytes) -> None:
        shown.append((round(loop.time() - began, 6), bytes(data)))
        link_send(data)

    link.send = send  # type: ignore[method-assign]
    server.connect(link)
    for line in (name, password):
        await asyncio.sleep(2)
        assert link.handler is not None
        link.handler.on_data(f"{line}\r\n".encode())
    await asyncio.sleep(20)
    link.drop()
    return shown


@pytest.mark.parametrize("is_right", [False, True])
def test_a_banned_name_shows_the_same_bytes_at_the_same_times_until_the_right_password(is_right):
    async def scenario(server):
        here = await cast(server, mia="moderator", cid="player", ann="player")
        accounts = server.app.account_service
        for name in ("cid", "ann"):
            await accounts.set_password(accounts.person_named(name), PASSWORD, "198.51.100.1")
            here[name].link.drop()
        here["mia"].type("ban cid 1d flooding")
        await asyncio.sleep(60)
        typed = PASSWORD if is_right else "wrong horse battery"
        found = {}
        for name in ("cid", "ann"):
            found[name] = await tries(server, name, typed)
            await asyncio.sleep(600)
        return found

    found = told(scenario)
    banned, other = ([(at, data.replace(n, b"NAME")) for at, data in found[n.decode()]]
                     for n in (b"cid", b"ann"))  # fmt: skip
    assert len(banned) > 2 and (banned == other) is not is_right
    is_told = any(b"You are banned" in data for _, data in banned)
    assert is_told is is_right
    before = [pair for pair in banned if pair[0] < 4.0]  # until the password is typed
    assert before and before == [pair for pair in other if pair[0] < 4.0]


def test_over_ssh_the_questions_before_the_proof_have_the_same_answers():
    async def scenario(server):
        here = await cast(server, mia="moderator", cid="player", ann="player")
        here["mia"].type("ban cid 1d flooding")
        await asyncio.sleep(5)
        asked, peer, answers = server.app.authenticator, "198.51.100.9", {}
        for name in ("cid", "ann"):
            (own,) = server.app.account_service.streams.accounts.find(name).fingerprints
            answers[name] = [
                await asked.name_status(name, peer),
                await asked.has_key(name, own, peer),
                await asked.has_key(name, "SHA256:other", peer),
                await asked.check_password(name, "wrong horse", peer),
                await asked.other_keys(name),
            ]
        return answers

    answers = told(scenario)
    assert answers["cid"] == answers["ann"]
    assert [("known", ""), True, False, False, 0] == answers["ann"]
