"""A door with several game servers: who gets which, and how a session goes from one to another."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.clock import Clock
from mudserver.wall.bodies import DOOR_PROTOCOLS, GAME_PROTOCOLS, Handshake
from mudserver.wall.door import DoorClient
from mudserver.wall.game import WallServer
from tests.mudserver.transport.server import FakeHandler, until
from tests.mudserver.transport.telnet_client import Client
from tests.mudserver.wall.house import WalledServer


class Session(FakeHandler):
    """Of one game server; what it types is settled at once."""

    def __init__(self, link, proven) -> None:
        super().__init__(link, proven)
        self.errands: list[tuple[bytes, int]] = []
        self.has_moved = 0
        link.on_errand, link.on_moved = self._on_errand, self._on_moved
        link.send(b"here\r\n" if link.walk != "comes" else b"")
        link.mark_logged_in("ann", is_regular=True)

    def _on_errand(self, errand: bytes, hops: int) -> None:
        self.errands.append((errand, hops))
        self.link.send(b"done: " + errand + b"\r\n")

    def _on_moved(self) -> None:
        self.has_moved += 1


class Game:
    """A game server of its own name, with the sessions that it has had."""

    def __init__(self, name: str, house: WalledServer) -> None:
        self.name, self.sessions = name, list[Session]()
        self.may_come, self.asked = True, 0
        self.server = WallServer(
            house.wall_config, Clock(asyncio.get_running_loop()), self._open,
            house.authenticator,  # type: ignore[arg-type]
            handshake=lambda: Handshake(*GAME_PROTOCOLS, "0.5.0", name, name, 1, state="active"),
            status=lambda: {"NAME": name}, on_failure=lambda *failed: None,
            on_door=lambda door: None, on_draining=lambda visits, seconds: None,
        )  # fmt: skip
        self.server.may_come = self._may_come

    def _open(self, link, proven) -> Session:
        self.sessions.append(Session(link, proven))
        return self.sessions[-1]

    async def _may_come(self, link) -> bool:
        self.asked += 1
        await until(lambda: self.may_come is not None)
        return self.may_come

    def kill(self) -> None:
        self.server._server.close()
        for door in list(self.server.doors):
            door.stream.close("killed")


class House(WalledServer):
    async def open_all(self, *names: str, **options) -> House:
        self.games = {name: Game(name, self) for name in names}
        self.paths = [self.path.with_name(f"{name}.sock") for name in names]
        for game, path in zip(self.games.values(), self.paths, strict=True):
            await game.server.open(path)
        clock = Clock(asyncio.get_running_loop())
        self.door = DoorClient(
            self.wall_config, clock,
            lambda: Handshake(*DOOR_PROTOCOLS, "0.5.0", "1", "d1", 2, redirects=True), self.paths,
        )  # fmt: skip
        self.make_handler, self.asked = self.door.open_connection, self.door.authenticator
        await self.door.start()
        await until(lambda: all(wall.is_open for wall in self.door.walls))
        await super(WalledServer, self).open(None, telnet_wait_s=0.01)
        return self

    async def close(self) -> None:
        for game in self.games.values():
            game.server.close("end of the test")
        await super().close()


@pytest.fixture
async def house(tmp_path):
    made = House(tmp_path)
    await made.open_all("g1", "g2")
    yield made
    await made.close()


async def came(house: House) -> tuple[Client, Session]:
    """Ann, at g1."""
    client = Client(*await house.raw())
    one = house.games["g1"]
    await until(lambda: one.sessions)
    await client.reads(b"here")
    client.send(b"sit 12\r\n")
    await until(lambda: b"sit 12\r" in one.sessions[0].received)
    return client, one.sessions[0]


async def four_came(house: House) -> list[Client]:
    """One after the other."""
    clients = []
    for number in range(1, 5):
        clients.append(Client(*await house.raw()))
        await until(lambda: number == sum(len(it.sessions) for it in house.games.values()))  # noqa: B023
    return clients


def go(session: Session, server: str = "g2") -> None:
    assert session.link.may_redirect
    session.link.keep(b"ann", b"")
    session.link.redirect(server, 12, b"sit 12", 1)
    session.link.send(b"too late")


async def test_new_connections_go_where_fewest_are(house):
    clients = await four_came(house)
    assert [2, 2] == [len(game.sessions) for game in house.games.values()]
    for client in clients:
        client.writer.close()


async def test_the_errand_is_done_at_the_other_server_and_the_first_forgets(house):
    client, first = await came(house)
    client.send(b"half a li")
    await until(lambda: first.received.endswith(b"li"))
    go(first)
    client.send(b"ne\r\n")
    heard = await client.reads(b"done: sit 12\r\n")
    there = house.games["g2"].sessions[0]
    assert ([(b"sit 12", 1)], b"ann", "comes", 12) == (
        there.errands, there.link.capsule, there.link.walk, there.link.walked_to,
    )  # fmt: skip
    await until(lambda: b"\r" in there.received)
    assert b"half a line" == there.received.rstrip()  # what had not begun, once
    await until(lambda: first.has_moved)
    assert (1, 0, False) == (first.has_moved, first.was_lost, b"too late" in heard)
    assert not there.link.is_line_uncertain
    assert [0, 1] == [len(wall.connections) for wall in house.door.walls]
    client.writer.close()
    await until(lambda: there.was_lost)
    doors = [door for game in house.games.values() for door in game.server.doors]
    await until(lambda: not any(door.connections for door in doors))


@pytest.mark.parametrize("why", ["not there", "itself", "refuses", "does not answer", "dies"])
async def test_who_does_not_get_there_is_back_with_what_was_typed(house, why, monkeypatch):
    monkeypatch.setattr("mudserver.wall.door_connection.WALK_S", 0.1)
    client, first = await came(house)
    other = house.games["g2"]
    other.may_come = {"refuses": False}.get(why)
    client.send(b"look\r\nhal")
    await until(lambda: first.received.endswith(b"hal"))
    go(first, {"not there": "g3", "itself": "g1"}.get(why, "g2"))
    if why == "dies":
        await until(lambda: other.asked)
        other.kill()
    one = house.games["g1"]
    await until(lambda: 2 == len(one.sessions))
    client.send(b"f\r\n")
    again = one.sessions[1]
    await until(lambda: b"\r" in again.received)
    assert b"half" == again.received.rstrip()
    assert ("failed", 12, b"ann") == (again.link.walk, again.link.walked_to, again.link.capsule)
    await until(lambda: first.has_moved)
    again.link.send(b"you are where you were\r\n")
    await client.reads(b"you are where you were")
    other.may_come = True
    await asyncio.sleep(0.05)
    assert not other.sessions and not again.was_lost
    client.writer.close()
    await until(lambda: again.was_lost)


@pytest.mark.parametrize("hangs_up", [False, True])
async def test_the_session_that_went_away_ends_though_the_next_one_waits_for_tables(
    house, hangs_up
):
    client, first = await came(house)
    one, other = house.games.values()
    other.may_come, pending = None, [77]
    one.server.is_taking_over = lambda: bool(pending)
    go(first)
    await until(lambda: other.asked)
    other.kill()
    await until(lambda: not one.server.doors[0].connections[1].is_redirected)
    if hangs_up:
        client.writer.close()
        await until(lambda: not one.server.doors[0].connections)
    pending.clear()
    await until(lambda: first.has_moved)
    assert [2, 1][hangs_up] == len(one.sessions)
    client.writer.close()


async def test_when_both_die_any_other_server_has_the_session(tmp_path, monkeypatch):
    monkeypatch.setattr("mudserver.wall.door_connection.WALK_S", 5)
    house = await House(tmp_path).open_all("g1", "g2", "g3")
    client, first = await came(house)
    house.games["g2"].may_come = None
    go(first)
    await until(lambda: house.games["g2"].asked)
    house.games["g1"].kill()
    house.games["g2"].kill()
    third = house.games["g3"]
    await until(lambda: third.sessions)
    assert b"ann" == third.sessions[0].link.capsule
    client.writer.close()
    await house.close()


async def test_the_first_may_die_on_the_way(house):
    client, first = await came(house)
    house.games["g2"].may_come = None
    go(first)
    await until(lambda: house.games["g2"].asked)
    house.games["g1"].kill()
    await until(lambda: not house.door.walls[0].is_open)
    house.games["g2"].may_come = True
    await client.reads(b"done: sit 12\r\n")
    client.writer.close()


async def test_who_hangs_up_on_the_way_is_gone_from_both(house):
    client, first = await came(house)
    house.games["g2"].may_come = None
    go(first)
    await until(lambda: house.games["g2"].asked)
    client.writer.close()
    await until(lambda: first.was_lost)
    house.games["g2"].may_come = True
    await until(lambda: not house.door.connections)
    await asyncio.sleep(0.05)
    assert not house.games["g2"].sessions


async def test_a_server_that_stays_away_loses_its_people_to_the_others(house, monkeypatch):
    monkeypatch.setattr("mudserver.wall.door.MOVE_S", 0.2)
    client, first = await came(house)
    first.link.keep(b"kept", b"wait")
    await asyncio.sleep(0.05)
    house.games["g1"].kill()
    await until(lambda: house.games["g2"].sessions)
    there = house.games["g2"].sessions[0]
    assert (b"kept", "", True) == (there.link.capsule, there.link.walk, there.link.is_again)
    assert b"wait" not in await client.reads(b"here")
    late = Client(*await house.raw())  # nobody waits for the one that is gone
    await until(lambda: 2 == len(house.games["g2"].sessions))
    for each in (client, late):
        each.writer.close()


async def test_who_comes_from_a_server_that_is_gone_waits_until_its_tables_are_there(
    house, monkeypatch
):
    monkeypatch.setattr("mudserver.wall.door.MOVE_S", 0.05)
    clients = await four_came(house)
    one, other = house.games.values()
    pending = [77]
    other.server.is_taking_over = lambda: bool(pending)
    one.kill()
    await until(lambda: 4 == len(other.server.doors[0].connections))
    new = Client(*await house.raw())  # takes no longer than ever
    await new.reads(b"here")
    clients[0].writer.close()  # it waited, too
    await until(lambda: 4 == len(house.door.connections))
    clients[2].send(b"draw\r\n")
    await asyncio.sleep(0.05)
    assert 3 == len(other.sessions)
    pending.clear()
    await until(lambda: 4 == len(other.sessions) and b"draw\r" in other.sessions[-1].received)
    assert other.sessions[-1].link.holder.is_again
    for each in (*clients, new):
        each.writer.close()


async def test_a_server_that_is_back_soon_has_its_people_again(house):
    client, _ = await came(house)
    house.games["g1"].kill()
    await until(lambda: not house.door.walls[0].is_open)
    await house.games["g1"].server.open(house.paths[0])
    await until(lambda: 2 == len(house.games["g1"].sessions))
    assert not house.games["g2"].sessions
    client.writer.close()


async def test_a_question_is_asked_again_at_a_server_that_is_there(house):
    class Silent:
        async def name_status(self, name, peer):
            await asyncio.sleep(60)

    house.games["g1"].server.authenticator = Silent()
    asked = asyncio.create_task(house.door.authenticator.name_status("cid", "127.0.0.1"))
    await asyncio.sleep(0.05)
    house.games["g1"].kill()
    assert "free" == (await asyncio.wait_for(asked, 3))[0]


async def test_each_server_of_another_release_is_one_line_however_often_they_are_met(house, caplog):
    later = [Handshake(90, 91, "9.0.0", name, name, 1) for name in ("g1", "g2")]
    for game, path in zip([*later, *later], [*house.paths, *house.paths], strict=True):
        house.door.note_refused(game, path, game.name)
    assert 2 == caplog.text.count("restart the door")


async def test_a_door_that_does_not_know_walks_is_not_asked_for_them(house):
    house.door._handshake = lambda: Handshake(*DOOR_PROTOCOLS, "0.5.0", "1", "d2", 2)
    house.games["g1"].kill()
    await until(lambda: not house.door.walls[0].is_open)
    await house.games["g1"].server.open(house.paths[0])
    await until(lambda: house.door.walls[0].is_open)
    client = Client(*await house.raw())
    await until(lambda: house.games["g1"].sessions)
    assert not house.games["g1"].sessions[0].link.may_redirect
    client.writer.close()


async def test_mssp_is_that_of_all_game_servers(house):
    one, other = (house.games[name].server for name in ("g1", "g2"))
    one.status = lambda: {"NAME": "town", "PLAYERS": "1", "TABLES": "0", "UPTIME": "9"}
    other.status = lambda: {"NAME": "town", "PLAYERS": "7", "TABLES": "2", "UPTIME": "5"}
    for server in (one, other):
        server.doors[0]._send_listing()
    town = {"NAME": "town", "PLAYERS": "7", "TABLES": "2", "UPTIME": "5"}
    await until(lambda: house.door.status() == town)
    house.games["g2"].kill()
    await until(lambda: house.door.status()["PLAYERS"] == "1")
