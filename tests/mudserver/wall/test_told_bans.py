"""A door knows the networks that are banned hard, as the game server has told it."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import asyncssh
import pytest

from mudserver.wall.bodies import (
    BAN_CHARS_MAX,
    BANS_MAX,
    BANS_PER_FRAME,
    Bans,
    NetworkBan,
    encode_body,
)
from mudserver.wall.frames import BODY_MAX, FROM_GAME, OPTIONAL_KINDS, FrameError, Kind
from mudserver.wall.game import DoorPeer
from mudserver.wall.told_bans import ToldBans
from tests.mudserver.transport.server import until
from tests.mudserver.transport.telnet_client import Client
from tests.mudserver.wall.house import WalledServer

NOW_MS = 1_800_000_000_000
TEXT = "You are banned (#7). Reason: flooding"
HERE = NetworkBan("127.0.0.0/8", None, TEXT)
STAFF = asyncssh.generate_private_key("ssh-ed25519")
ANN = asyncssh.generate_private_key("ssh-ed25519")


def told(*bans: NetworkBan, now_ms: int = NOW_MS) -> ToldBans:
    found = ToldBans(SimpleNamespace(now_ms=lambda: now_ms))  # type: ignore[arg-type]
    found.note(Bans(bans))
    return found


@pytest.fixture
async def house(tmp_path):
    server = WalledServer(tmp_path)
    yield server
    await server.close()


async def opened(house: WalledServer, *bans: NetworkBan) -> WalledServer:
    await house.open_game()
    house.game.bans = lambda: bans
    await house.open_door()
    await super(WalledServer, house).open(telnet_wait_s=0.01)
    house.gate.ban_of = house.door.ban_text
    house.authenticator.banned_from = {"127.0.0.1"} if bans else set()
    house.authenticator.keys |= {
        "ann": {ANN.get_fingerprint()},
        "staff": {STAFF.get_fingerprint()},
    }
    return house


async def read_by_telnet(house: WalledServer) -> bytes:
    """All that somebody reads until the connection ends."""
    reader, writer = await house.raw()
    read = await asyncio.wait_for(reader.read(-1), 3)
    writer.close()
    return read


# -- the list -------------------------------------------------------------------------------------


def test_a_source_is_one_of_the_network_and_an_end_is_judged_when_somebody_comes():
    bans = told(
        NetworkBan("203.0.113.0/24", NOW_MS, "over"),
        NetworkBan("203.0.0.0/16", NOW_MS + 1, "wide"),
        NetworkBan("2001:db8::/32", None, "six"),
    )
    sources = "203.0.113.9", "203.0.112.9", "203.1.0.1", "2001:db8:0:7::/64", "2001:db9::/64", "-"
    assert ["wide", "wide", "", "six", "", ""] == [bans.text_for(each) for each in sources]


def test_the_first_part_replaces_what_was_told_and_others_go_on():
    bans = told(HERE)
    bans.note(Bans((NetworkBan("203.0.113.0/24", None, "a"),)))
    bans.note(Bans((NetworkBan("198.51.100.0/24", None, "b"),), is_first=False))
    sources = "127.0.0.1", "203.0.113.9", "198.51.100.9"
    assert ["", "a", "b"] == [bans.text_for(each) for each in sources]


def test_too_many_networks_and_what_is_none_end_the_wall():
    bans = told()
    part = Bans(tuple([HERE] * BANS_PER_FRAME), is_first=False)
    for _ in range(BANS_MAX // BANS_PER_FRAME):
        bans.note(part)
    with pytest.raises(FrameError, match="BANS of more than 200"):
        bans.note(Bans((HERE,), is_first=False))
    assert BANS_MAX == len(bans)
    with pytest.raises(FrameError, match="which is no network"):
        bans.note(Bans((NetworkBan("somewhere", None, ""),)))


def test_the_longest_list_fits_its_frames_also_for_a_door_that_does_not_know_it():
    longest = NetworkBan("2001:db8:aaaa:bbbb::/64", 2**62, "x" * BAN_CHARS_MAX)
    assert len(encode_body(Bans(tuple([longest] * BANS_PER_FRAME)))) < BODY_MAX
    assert Kind.BANS >= OPTIONAL_KINDS and Kind.BANS in FROM_GAME


# -- at the door ----------------------------------------------------------------------------------


async def test_telnet_reads_it_at_once_and_no_session_begins(house):
    await opened(house, HERE)
    assert f"{TEXT}\r\n".encode() == await read_by_telnet(house)
    assert [] == house.handlers and 1 == house.gate.counters.refused_banned


async def test_a_client_that_speaks_first_reads_it_too(house):
    await opened(house, HERE)
    for _ in range(20):
        reader, writer = await house.raw()
        writer.write(b"guest\r\n" * 50)
        assert f"{TEXT}\r\n".encode() == await asyncio.wait_for(reader.read(-1), 3)
        writer.close()


class Listening(asyncssh.SSHClient):
    def __init__(self) -> None:
        self.banners: list[str] = []

    def auth_banner_received(self, msg: str, lang: str) -> None:
        self.banners.append(msg)


@pytest.mark.parametrize("name", ["ann", "nobody", "guest", "admin", "ann+goodcode"])
async def test_over_ssh_every_name_reads_the_same_once_and_opens_with_no_key(house, name):
    await opened(house, HERE)
    client = Listening()
    with pytest.raises(asyncssh.PermissionDenied):
        await house.ssh_as(
            name, client_keys=[STAFF, ANN], client_factory=lambda: client, password="open sesame"
        )
    assert [f"{TEXT}\r\n"] == client.banners
    assert [] == house.handlers and 0 == house.authenticator.checks


async def test_a_key_of_the_staff_opens_and_a_password_does_not(house):
    await opened(house, HERE)
    house.authenticator.passwords["staff"] = "open sesame"
    client = await house.ssh_as("staff", client_keys=[ANN, STAFF])
    await client.create_process(encoding=None)
    assert "staff" == (await house.handler()).proven.name
    client.abort()
    with pytest.raises(asyncssh.PermissionDenied):
        await house.ssh_as("staff", password="open sesame")


# -- as time goes ---------------------------------------------------------------------------------


async def test_what_changes_is_told_at_once(house):
    await opened(house)
    client = Client(*await house.raw())
    await client.reads(b"Welcome.")
    house.game.bans = lambda: (HERE,)
    house.game.tell_bans()
    await until(lambda: len(house.door.walls[0].bans) == 1)
    assert TEXT.encode() in await read_by_telnet(house)
    house.game.bans = lambda: ()
    house.game.tell_bans()
    await until(lambda: not len(house.door.walls[0].bans))
    again = Client(*await house.raw())
    await again.reads(b"Welcome.")
    client.writer.close()
    again.writer.close()


async def test_a_long_list_comes_whole_and_of_a_longer_one_the_newest(house):
    many = [NetworkBan(f"203.{n}.0.0/16", None, "x" * BAN_CHARS_MAX) for n in range(BANS_MAX + 9)]
    await opened(house, *many)
    await until(lambda: len(house.door.walls[0].bans) == BANS_MAX)
    assert house.door.walls[0].bans.text_for("203.0.0.1") and house.door.walls[0].bans.text_for(
        "203.199.0.1"
    )
    assert not house.door.walls[0].bans.text_for("203.200.0.1") and house.door.is_open


async def test_without_a_game_server_the_list_stays_and_an_older_one_has_none(house, monkeypatch):
    await opened(house, HERE)
    await until(lambda: len(house.door.walls[0].bans) == 1)
    house.kill_game()
    await until(lambda: not house.door.is_open)
    assert TEXT.encode() in await read_by_telnet(house)
    monkeypatch.setattr(DoorPeer, "tell_bans", lambda self: None)
    await house.open_game()
    await until(lambda: house.door.is_open and not len(house.door.walls[0].bans))


async def test_a_door_that_does_not_know_bans_goes_on_without(house, monkeypatch):
    old = {kind for kind in FROM_GAME if kind < OPTIONAL_KINDS}
    monkeypatch.setattr("mudserver.wall.game_wall.FROM_GAME", old)
    await opened(house, *[HERE] * BANS_PER_FRAME)
    client = Client(*await house.raw())
    await client.reads(b"Welcome.")
    assert house.door.is_open and not len(house.door.walls[0].bans)
    client.writer.close()
