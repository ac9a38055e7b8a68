"""A door as its operator sees it: `mudserver status --door`, also while no game server runs."""

from __future__ import annotations

import asyncio
import json
import logging
import re

import pytest

from mudserver.__main__ import main
from mudserver.clock import Clock
from mudserver.config.schema import Config, ServerConfig, WallConfig
from mudserver.errors import DataError, StartError
from mudserver.source_budgets import Kind
from mudserver.wall.door_process import DoorProcess
from tests.mudserver.transport.server import until
from tests.mudserver.wall.house import WalledServer


@pytest.fixture
async def house(tmp_path):
    """A door in `tmp_path/door`, started and not yet connected, and a game server that may come."""
    game = WalledServer(tmp_path)
    starting: list[asyncio.Task[DoorProcess]] = []

    def start_door(name: str = "1") -> asyncio.Task[DoorProcess]:
        config = Config(
            server=ServerConfig(ssh="127.0.0.1:0", telnet="", data=str(tmp_path / "door")),
            wall=WallConfig(socket=str(tmp_path / "game.sock")),
        )
        starting.append(asyncio.ensure_future(DoorProcess.start(config, {}, name)))
        return starting[-1]

    game.start_door = start_door
    yield game
    for task in starting:
        if task.done():
            if task.exception() is None:
                await task.result().stop()
        else:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
    await game.close()


async def ask(tmp_path, capsys, *words: str) -> tuple[int, str]:
    capsys.readouterr()
    status = await asyncio.to_thread(main, [*words, "--data", str(tmp_path / "door")])
    heard = capsys.readouterr()
    return status, heard.out + heard.err


async def test_a_door_answers_also_while_no_game_server_runs(house, tmp_path, capsys):
    task = house.start_door()
    await until(lambda: (tmp_path / "door" / "door-1.sock").exists())
    status, said = await ask(tmp_path, capsys, "status", "--door", "door-1")
    assert (0, True) == (status, "game server       none yet\n" in said), said
    await house.open_game()
    await task
    _, said = await ask(tmp_path, capsys, "status", "--door", "1")
    assert "game server       game, 0 connections, version 0.5.0, protocol 1, process 1\n" in said
    assert "people            0; 0 connections, 0 before login\n" in said
    assert "restarts          none since the doors started\n" in said
    house.kill_game()
    await until(lambda: not task.result().client.is_open)
    _, said = await ask(tmp_path, capsys, "status", "--door", "1", "--json")
    found = json.loads(said)
    assert (None, True, "1") == (found["game"], found["gap_s"] >= 0, found["name"])
    _, said = await ask(tmp_path, capsys, "status", "--door", "1")
    assert re.search(r"game server       none for \d+ s; connections wait\n", said), said


async def test_two_doors_of_one_name_are_refused_and_a_leftover_is_not(house, tmp_path, capsys):
    await house.open_game()
    first = await house.start_door()
    with pytest.raises(StartError, match=r"a door 1 runs already in .*: choose another name"):
        await house.start_door()
    await house.start_door("2")
    assert 1 == (await ask(tmp_path, capsys, "status", "--door", "3"))[0]
    await first.control.close()
    (tmp_path / "door" / "door-1.sock").touch()  # as a door leaves it that was killed
    await house.start_door()


async def test_a_door_remembers_from_where_people_log_in(house, tmp_path):
    await house.open_game()
    first = await house.start_door()
    first.listeners.gate.known_networks.add("198.51.100.0/24")
    await first.stop()
    assert "198.51" not in (tmp_path / "door" / "networks").read_text()
    door = await house.start_door()
    assert "198.51.100.0/24" in door.listeners.gate.known_networks
    assert "203.0.113.0/24" not in door.listeners.gate.known_networks


async def test_a_door_that_people_know_makes_no_new_host_key(house, tmp_path):
    await house.open_game()
    (tmp_path / "door").mkdir()
    (tmp_path / "door" / "networks").touch()
    with pytest.raises(DataError, match="the host key is missing"):
        await house.start_door()


async def test_a_door_counts_connections_and_the_game_server_people(house):
    await house.open_game()
    budgets = (await house.start_door()).budgets
    budgets.take(Kind.ARRIVALS, "198.51.100.1")
    with pytest.raises(KeyError):
        budgets.take(Kind.REGISTRATIONS, "198.51.100.1")


@pytest.mark.parametrize("name", ["", "../x", "a b", "-x", "x" * 25, "door-"])
def test_a_name_that_no_door_can_have_is_refused(name, capsys):
    with pytest.raises(SystemExit):
        main(["door", f"--name={name}"])
    assert "is no name of a door: letters, digits" in capsys.readouterr().err


async def test_no_door_runs_there(tmp_path, capsys):
    (tmp_path / "door").mkdir()
    status, said = await ask(tmp_path, capsys, "status", "--door", "1")
    assert (1, f"mudserver: no door 1 runs in {tmp_path}/door\n") == (status, said)


async def test_a_door_without_a_control_socket_holds_connections_all_the_same(
    house, tmp_path, caplog
):
    caplog.set_level(logging.ERROR)
    (tmp_path / "door" / "door-1.sock" / "x").mkdir(parents=True)  # no socket can have the name
    (tmp_path / "door").chmod(0o700)
    await house.open_game()
    await house.start_door()
    assert "control socket unavailable" in caplog.text


@pytest.mark.parametrize("games", [(), ("/g1.sock",), ("/g1.sock", "/g2.sock")])
async def test_only_a_door_that_knows_several_game_servers_takes_people_to_others(games):
    """Else `evacuate` would leave its people waiting."""
    clock, config = Clock(asyncio.get_running_loop()), Config(wall=WallConfig(games=games))
    door = DoorProcess(config, clock, "SHA256:none", "1")
    assert (len(games) > 1) is door.client.handshake().redirects
