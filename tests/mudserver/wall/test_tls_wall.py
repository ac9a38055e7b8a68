"""The wall between machines: real sockets, real certificates, on loopback."""

from __future__ import annotations

import asyncio
import logging
import re
import socket
import ssl
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from mudserver.cli import check
from mudserver.config import load
from mudserver.config.consistency import find_contradictions
from mudserver.config.schema import Config, WallConfig
from mudserver.config.sources import ConfigSources
from mudserver.errors import StartError
from mudserver.wall import certificates, tls
from mudserver.wall.settings import game_addresses, shared_settings
from mudserver.wall.tls import TlsAddress, context_of
from tests.mudserver.transport.server import until
from tests.mudserver.transport.telnet_client import Client
from tests.mudserver.wall.house import WalledServer

NOW_MS = int(time.time()) * 1_000


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """An authority, with certificates for two game servers and two doors."""
    directory = tmp_path_factory.mktemp("wall")
    for names in (["game:game"], ["game:other"], ["door:1", "door:2"], ["door:9"]):
        certificates.make(directory, names, NOW_MS)
    certificates.make(directory, ["door:old"], NOW_MS - 3_651 * certificates.DAY_MS)
    return directory


def files(directory: Path, base: str) -> WallConfig:
    return WallConfig(
        ca=str(directory / "ca.crt"),
        cert=str(directory / f"{base}.crt"),
        key=str(directory / f"{base}.key"),
    )


class TlsHouse(WalledServer):
    """The door reaches the game server by TLS."""

    def __init__(self, directory: Path, made: Path, *, game: str = "game-game") -> None:
        super().__init__(directory)
        self.made, self.game_files = made, files(made, game)
        self.tls_port = 0

    async def open_game(self):
        game = await super().open_game()
        await game.open_tls(context_of(self.game_files, is_server=True), "127.0.0.1", self.tls_port)
        self.tls_port = int(game.tls.address.rpartition(":")[2])
        return game

    def address(self, base: str = "door-1", made: Path | None = None) -> TlsAddress:
        return TlsAddress(
            "127.0.0.1", self.tls_port, context_of(files(made or self.made, base), is_server=False)
        )

    async def open_door(self, *, waits: bool = True, base: str = "door-1", made=None) -> None:
        await super().open_door(waits=waits, address=self.address(base, made))

    def kill_game(self) -> None:
        self.game.tls.close()
        super().kill_game()

    async def close(self) -> None:
        await super().close()
        self.game.close("end of the test")


@pytest.fixture
async def house(tmp_path, made):
    found = TlsHouse(tmp_path, made)
    yield found
    await found.close()


async def refused(house: TlsHouse, caplog, **door: object) -> str:
    """What both sides log of a door that is not heard."""
    await house.open_game()
    with caplog.at_level(logging.INFO, "wall"):
        await house.open_door(waits=False, **door)  # type: ignore[arg-type]
        await until(lambda: "error=" in caplog.text)
        await asyncio.sleep(0.3)
    assert not house.door.is_open and not any(it.handshake for it in house.game.doors)
    return "\n".join(caplog.messages)


async def test_a_session_goes_both_ways_and_outlives_its_game_server(house):
    await house.open(telnet_wait_s=0.01)
    client = Client(*await house.raw())
    session = await house.handler()
    session.link.send(b"x" * 200_000 + b"<end>")
    await client.reads(b"<end>")
    client.send(b"play 7h\r\n")
    await until(lambda: b"play 7h\r" in session.received)
    house.kill_game()
    await until(lambda: not house.door.is_open)
    client.send(b"typed in the gap\r\n")
    await house.open_game()
    again = await house.handler(1)
    await until(lambda: b"typed in the gap\r" in again.received)
    assert again.link.visit == session.link.visit


async def test_the_last_words_of_a_game_server_that_died_are_heard(house):
    """Else a line that it had begun would be typed again."""
    await house.open(telnet_wait_s=0.01)
    client = Client(*await house.raw())
    session = await house.handler()
    house.door.walls[0].stream._transport.pause_reading()
    session.link.send(b"last words")
    await asyncio.sleep(0.1)
    house.kill_game()
    for _ in range(10):
        client.send(b"x")  # the door meets the broken socket as it writes
        await asyncio.sleep(0.02)
    await client.reads(b"last words")


async def test_what_has_left_the_door_counts_the_buffer_of_its_socket(house):
    """Rule 2 of `remote_connection` needs it: nothing is hidden in a layer of TLS."""
    await house.open(telnet_wait_s=0.01)
    stream = house.door.walls[0].stream
    assert stream is not None and stream.is_encrypted
    sock = stream.socket
    unsent = stream.unsent_bytes()
    game_end = house.game.doors[0].stream
    game_end._transport.pause_reading()
    for _ in range(200):
        stream._transport.write(b"\0" * 65_536)
    assert unsent == 0 and stream.unsent_bytes() > 1_000_000
    assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    assert tls.DEAD_MS == sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)


async def test_a_door_of_another_authority_is_refused_in_one_line(house, tmp_path, caplog):
    certificates.make(tmp_path / "foreign", ["door:1"], NOW_MS)
    told = await refused(house, caplog, made=tmp_path / "foreign")
    lines = [line for line in told.split("\n") if "error=" in line]
    assert any(it.startswith("no game server socket=tls:127.0.0.1:") for it in lines)
    assert "another authority" in told or "does not know our authority" in told
    assert len(lines) <= 3  # however often it has tried


async def test_a_door_with_a_certificate_of_another_name_is_refused(house, caplog):
    told = await refused(house, caplog, base="door-9")
    assert "error=a certificate for door:9, used by door:1" in told


async def test_a_certificate_of_a_game_server_is_none_of_a_door(house, caplog):
    told = await refused(house, caplog, base="game-other")
    assert "from=127.0.0.1 error=a door's certificate used by a game server, or the rev" in told
    assert "error=our certificate is for the other side (wall.cert)" in told


async def test_a_certificate_that_has_ended_is_refused_and_both_sides_say_so(house, caplog):
    told = await refused(house, caplog, base="door-old")
    assert "wall refused from=127.0.0.1 error=a certificate that has ended" in told
    assert "error=our certificate has ended (wall.cert)" in told


async def test_a_game_server_with_a_certificate_of_another_name_is_refused(tmp_path, made, caplog):
    house = TlsHouse(tmp_path, made, game="game-other")
    told = await refused(house, caplog)
    assert "error=a certificate for game:other, used by game:game" in told
    await house.close()


async def test_a_door_without_a_certificate_is_refused(house, caplog):
    await house.open_game()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    with caplog.at_level(logging.INFO, "wall"):
        reader, writer = await asyncio.open_connection("127.0.0.1", house.tls_port, ssl=context)
        with pytest.raises(OSError):
            while await reader.read(100):
                pass
            raise OSError
        writer.close()
        await until(lambda: "wall refused from=127.0.0.1 error=no certificate" in caplog.text)
    assert not house.game.doors


async def test_who_speaks_no_tls_or_says_nothing_is_gone_soon(house, caplog, monkeypatch):
    monkeypatch.setattr(tls, "HANDSHAKE_S", 0.2)
    await house.open_game()
    with caplog.at_level(logging.INFO, "wall"):
        reader, writer = await asyncio.open_connection("127.0.0.1", house.tls_port)
        writer.write(b"GET / HTTP/1.0\r\n\r\n")
        await reader.read()
        await until(lambda: "error=no TLS" in caplog.text)
        silent, _ = await asyncio.open_connection("127.0.0.1", house.tls_port)
        with pytest.raises(OSError):
            await silent.read()
            raise OSError
        await until(lambda: "error=no handshake within" in caplog.text)
    assert not house.game.doors and not house.game.tls._handshakes


async def test_only_so_many_handshakes_are_under_way(house):
    await house.open_game()
    waiting = [
        await asyncio.open_connection("127.0.0.1", house.tls_port)
        for _ in range(tls.HANDSHAKES_MAX)
    ]
    await until(lambda: len(house.game.tls._handshakes) == tls.HANDSHAKES_MAX)
    reader, writer = await asyncio.open_connection("127.0.0.1", house.tls_port)
    with pytest.raises(OSError):
        await reader.read()
        raise OSError
    writer.close()
    for _, one in waiting:
        one.close()
    await until(lambda: not house.game.tls._handshakes)


# -- settings --------------------------------------------------------------------------------------


def sentences(**wall: object) -> list[str]:
    config = Config(wall=WallConfig(**wall))  # type: ignore[arg-type]
    return [it.sentence for it in find_contradictions(config)]


def test_tls_without_its_files_is_refused_before_the_start():
    needs = "TLS needs the files wall.ca, cert and key: mudserver wall-cert"
    assert [f"wall.tls: {needs}"] == sentences(tls="10.0.0.2:4010")
    assert [f"wall.games: {needs}"] == sentences(games=("unix:/run/g1.sock", "tls:10.0.0.2:4010"))
    assert [] == sentences(games=("/run/g1.sock",))
    there = {"ca": "a", "cert": "b", "key": "c"}
    (sentence,) = sentences(games=("tls:nowhere",), **there)
    assert sentence.startswith("wall.games: 'nowhere' is no address")


def test_a_door_finds_each_game_server_where_the_settings_say(made):
    wall = replace(files(made, "door-1"), games=("/a.sock", "unix:/b.sock", "tls:10.0.0.2:4010"))
    *paths, there = game_addresses(Config(wall=wall))
    assert [Path("/a.sock"), Path("/b.sock")] == paths and "tls:10.0.0.2:4010" == str(there)
    assert (
        not {"wall.cert", "wall.games", "wall.socket"} & shared_settings(Config(wall=wall)).keys()
    )


@pytest.mark.parametrize(
    "wall, base, sentence",
    [
        ('tls = "10.0.0.2:4010"', "game-other", ""),
        ('tls = "10.0.0.2:4010"', "absent", r"wall.cert .*absent.crt: no such file"),
        ('tls = "10.0.0.2:4010"', "door-1", r"is for door:1 door:2, not for a game: make one with"),
        ('games = ["tls:g2:1"]', "door-9", ""),
        ('games = ["tls:g2:1"]', "game-game", r"is for game:game, not for a door: make one with"),
        ('games = ["tls:g2:1"]', "door-old", r"has ended on 20\d\d-\d\d-\d\d: make one with mud"),
        ('games = ["tls:g2:1"]', "foreign/door-7", r"was made by another authority than wall.ca"),
        ('games = ["unix:/g.sock"]', "door-9", ""),  # an option may name another address
        ('games = ["unix:/g.sock"]', "absent", r"wall.cert .*absent.crt: no such file"),
    ],
)
def test_check_config_opens_the_certificates(made, tmp_path, capsys, wall, base, sentence):
    one = files(made, base)
    if base.startswith("foreign"):
        certificates.make(tmp_path / "foreign", ["door:7"], NOW_MS)
        one = replace(files(tmp_path, base), ca=one.ca)
    file = tmp_path / "mudserver.toml"
    lines = [f'{name} = "{getattr(one, name)}"' for name in ("ca", "cert", "key")]
    file.write_text("\n".join(["[wall]", wall, *lines]))
    loaded, faults = load.examine(ConfigSources(file, {}))
    assert not faults
    if sentence:
        with pytest.raises(StartError, match=sentence):
            check.wall_certificate(loaded.config)
    else:
        told = check.wall_certificate(loaded.config)
        assert re.search(r" is for (door|game):\w+, until 20\d\d-", told[0])


# -- files -----------------------------------------------------------------------------------------


def test_a_certificate_is_for_its_names_and_for_ten_years(made):
    names, ends_ms = certificates.names_of((made / "door-1.crt").read_bytes())
    assert {"door:1", "door:2"} == names
    assert 3_649 <= (ends_ms - NOW_MS) / 86_400_000 <= 3_650
    assert 0o600 == (made / "door-1.key").stat().st_mode & 0o777
    own = str(made / "door-1.crt")
    with pytest.raises(StartError, match=r"is for door:1 door:2, not for door:3: make one with"):
        certificates.check_own(own, "door:3", NOW_MS)
    with pytest.raises(StartError, match="has ended on 20"):
        certificates.check_own(own, "door:1", ends_ms)


def test_doors_and_game_servers_warn_before_their_certificate_ends(made, caplog):
    own, days_ms = str(made / "door-1.crt"), 86_400_000
    ends_ms = certificates.names_of(Path(own).read_bytes())[1]
    certificates.check_own(own, "door:2", ends_ms - 60 * days_ms)
    assert not caplog.messages
    certificates.check_own(own, "door:2", ends_ms - 60 * days_ms + 1)
    assert [f"wall.cert {own} ends in 59 days"] == caplog.messages


def test_nothing_that_is_there_is_replaced(made):
    before = {path: path.read_bytes() for path in made.iterdir()}
    with pytest.raises(StartError, match=r"door-9.crt is there already: remove it"):
        certificates.make(made, ["door:9"], NOW_MS)
    with pytest.raises(StartError, match="no name: type door:1 or game:g1"):
        certificates.make(made, ["window:1"], NOW_MS)
    assert before == {path: path.read_bytes() for path in made.iterdir()}


@pytest.mark.parametrize(
    "broken, sentence",
    [
        ("ca", r"wall.ca .*: no such file"),
        ("cert", r"wall.cert .*: no such file"),
        ("key", r"wall.key .*: no such file"),
    ],
)
def test_a_file_that_is_missing_is_named(made, tmp_path, broken, sentence):
    config = files(made, "door-1")
    wrong = WallConfig(**{
        name: str(tmp_path / "none") if name == broken else getattr(config, name)
        for name in ("ca", "cert", "key")
    })  # fmt: skip
    with pytest.raises(StartError, match=sentence):
        context_of(wrong, is_server=False)


def test_files_that_do_not_fit_are_named(made):
    mixed = WallConfig(
        ca=str(made / "ca.crt"), cert=str(made / "door-1.crt"), key=str(made / "door-9.key")
    )
    with pytest.raises(StartError, match="are not a certificate and its private key"):
        context_of(mixed, is_server=True)
    no_authority = WallConfig(ca=str(made / "ca.key"), cert=mixed.cert, key=mixed.key)
    with pytest.raises(StartError, match="has no certificate, in PEM"):
        context_of(no_authority, is_server=True)
