"""A tournament of eight by real clients, whose server is killed in the middle of a round.

Rule 1: four come by ssh with a key, four by telnet with a password.  What they type is read off
        their clients.
Rule 2: after SIGKILL everybody comes back by the same client, and plays on at the same table.
"""

from __future__ import annotations

import re
import time
from pathlib import Path
from random import Random

import pytest

from tests.e2e.client import Client, Server, wait_for_any
from tests.e2e.clients import ssh, ssh_full, telnet
from tests.e2e.conftest import come_back, come_in, quick
from tests.e2e.player import chosen, moves, without_pages
from tests.prompts import LOBBY, YOUR_TURN

BY_SSH, BY_TELNET = ("ann", "bob", "cid", "dee"), ("eli", "fay", "gus", "hal")
OPENING = "tourney open elimination Winter Cup seats=4 rounds=2 break=1 until=first deck=50"
ROUND_S = 240.0  # of two tables on a busy machine
BREAK_S = 120.0  # a minute, and the start of the round


class Entrant:
    """Somebody who plays in it."""

    def __init__(self, name: str, server: Server, key: Path | None) -> None:
        self.name, self._server, self._key = name, server, key
        if key is None:
            self.client = come_in(telnet(server), name)
        else:
            self.client = ssh(server, name, key=key)
            self.client.wait_for(LOBBY)
        without_pages(self.client)

    def returns(self) -> None:
        """After the server was killed."""
        self.client.hang_up()
        if self._key is None:
            self.client = come_back(telnet(self._server), self.name)
        else:
            self.client = ssh(self._server, self.name, key=self._key)
        self.client.wait_heard(r"You play at table \d+")

    def types(self, line: str, answer: str) -> str:
        """What was heard from the line to the *answer*, on one line."""
        self.client.forget()
        self.client.type(line)
        heard = self.client.wait_heard(answer.replace(" ", r"\s+") + r"[\s\S]*> $")
        return " ".join(heard.split())


def of_this_game(heard: str) -> str:
    """What was heard since the last start of a game."""
    return heard.rpartition("The game starts:")[2]


def play(people: list[Entrant], rng: Random, turns: int = 10_000) -> None:
    """Everybody plays what `moves` offers, until all games are over or *turns* were taken."""
    taken, end, running = 0, time.monotonic() + ROUND_S, list(people)
    while running and taken < turns:
        assert time.monotonic() < end, [it.client.caught_up()[-400:] for it in running]
        wait_for_any([it.client for it in running])
        for person in list(running):
            client = person.client
            text = of_this_game(client.caught_up())
            if "Game over: " in text:
                over = of_this_game(client.wait_heard(r"What comes next: tourney 1"))
                assert "rematch" not in over, over
                running.remove(person)
            elif text.endswith(YOUR_TURN) and (offered := moves(client)):
                if "Game over: " in of_this_game(client.caught_up()):  # meanwhile, behind the list
                    continue
                client.forget()
                client.type(chosen(offered, rng))
                client.wait_heard(r"(?m)^.*\S.*\n[\s\S]*> $")
                taken += 1


def tables(person: Entrant) -> list[tuple[str, str]]:
    """The number of each table of the round, and who plays there."""
    heard = person.types("tourney 1 round", r"Tournament 1: Winter Cup, round")
    return re.findall(r"table (\d+) ((?:\w{3}, ){3}\w{3})", heard)


def standings(client: Client) -> list[tuple[str, str, str]]:
    """Place, name and points, as they stand on the screen."""
    client.type("tourney 1 standings")
    shown = client.wait_for(r"Tournament 1: Winter Cup, the end[\s\S]*hal [\d.]+[\s\S]*> *")
    rows = shown[shown.rindex("Winter Cup, the end") :]
    return re.findall(r"(\d+) +(\w{3}) ([\d.]+)(?: |$)", rows, re.MULTILINE)


@pytest.mark.prove
def test_eight_people_play_a_tournament_to_its_end_though_the_server_is_killed(tmp_path, make_key):
    server, rng = quick(tmp_path, tables="offline_s = 600\n"), Random(1)
    try:
        people = [Entrant(it, server, make_key(it)) for it in BY_SSH]
        people += [Entrant(it, server, None) for it in BY_TELNET]
        ann = people[0]
        ann.types(OPENING, r"You have opened tournament 1\.")
        for person in people:
            person.types("tourney 1 join", r"You play in tournament 1\.")
            person.client.forget()
        ann.client.type("tourney 1 start")
        for person in people:
            person.client.wait_heard(r"Round 1 of tournament 1 \(Winter Cup\)\s+has\s+begun")
        drawn = tables(ann)
        assert 2 == len(drawn) and {*BY_SSH, *BY_TELNET} == {
            name for _, names in drawn for name in names.split(", ")
        }
        play(people, rng, turns=8)

        server.kill()
        server.start()
        for person in people:
            person.returns()
        assert drawn == tables(ann)

        play(people, rng)
        for person in people:
            person.client.wait_heard(
                r"Round 2 of tournament 1 \(Winter Cup\)\s+has\s+begun", BREAK_S
            )
        play(people, rng)
        for person in people:
            person.client.wait_heard(r"Tournament 1 \(Winter Cup\)\s+is\s+over\.")
        ida = ssh_full(server, "ida", key=make_key("ida"))
        ida.wait_for(r"\w")
        found = [standings(client) for client in (*(it.client for it in people), ida)]
        assert all(rows == found[0] for rows in found), found
        assert {*BY_SSH, *BY_TELNET} == {name for _, name, _ in found[0]}
        # Two rounds of two tables of four: 60, 40, 20 and 0, shared or not.
        assert 480 == pytest.approx(sum(float(points) for _, _, points in found[0]), abs=1)
        assert "Traceback" not in server.log_text() and " ERROR " not in server.log_text()
    finally:
        server.stop()
