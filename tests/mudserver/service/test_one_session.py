"""Among servers that share a journal a person has one session: that of the server heard last."""

from __future__ import annotations

import json
from collections import deque
from itertools import product
from random import Random

import pytest

from mudserver.accounts.person import Person
from mudserver.config.schema import PeopleLimits
from mudserver.journal.postgres.bus import Talk
from mudserver.service.one_session import CAME_ELSEWHERE, OneSession
from mudserver.service.online_people import OnlinePeople

ANN, BOB = Person("p1", "ann", False), Person("p2", "bob", False)


class Network:
    """One order of all that is told; each server hears it at its own time."""

    def __init__(self) -> None:
        self.order: list[str] = []


class Server:
    """A server as `OneSession` sees it: its own bus, and who is here."""

    def __init__(self, network: Network, name: str) -> None:
        self._network, self._heard = network, 0
        self._waiting = deque[str]()
        self.talk = Talk(name, "1", self._tell)
        self.is_full = False
        self.ended: list[str] = []
        self.online = OnlinePeople(PeopleLimits(), None, lambda: None)  # type: ignore[arg-type]
        self.sessions = OneSession(self.talk, self.online)

    def _tell(self, text: str) -> bool:
        if not self.is_full:
            self._waiting.append(text)
        return not self.is_full

    def send(self) -> None:
        """What was told first gets its place in the order."""
        if self._waiting:
            self._network.order.append(self._waiting.popleft())

    def hear(self) -> bool:
        """The next thing, if there is one."""
        if self._heard == len(self._network.order):
            return False
        self._heard += 1
        self.talk.hear(self._network.order[self._heard - 1])
        return True

    def lose(self, late: int = 0) -> list[str]:
        """The bus was broken: nothing that waits is told, nothing that was told is heard.

        Returns:
            The first *late* of what waits: the transaction goes on, and may `commit` later.
        """
        told = list(self._waiting)[:late]
        self._waiting.clear()
        self._heard = len(self._network.order)
        return told

    def commit(self, told: list[str]) -> None:
        self._network.order += told

    def enter(self, person: Person = ANN) -> None:
        self.online.enter(person, lambda *said: self._end(person, *said), "::1", has_seat=False)

    def _end(self, person: Person, *said: str) -> None:
        self.ended += said
        self.online.leave(person.id)

    def has(self, person: Person = ANN) -> bool:
        return self.online.get(person.id) is not None


def pair() -> tuple[Server, Server]:
    network = Network()
    return Server(network, "g1"), Server(network, "g2")


def settle(*servers: Server) -> None:
    for _ in range(20):
        for server in servers:
            server.send()
            while server.hear():
                pass


def test_the_session_before_ends_with_a_sentence_and_others_stay():
    one, other = pair()
    one.enter(BOB)
    one.enter()
    settle(one, other)
    other.enter()
    settle(one, other)
    assert [CAME_ELSEWHERE] == one.ended and [] == other.ended
    assert not one.has() and other.has() and one.has(BOB)


@pytest.mark.parametrize("seed", range(200))
def test_whatever_the_order_one_session_is_left_of_those_who_came_in(seed):
    one, other = servers = pair()
    dice = Random(seed)
    for _ in range(40):
        server = dice.choice(servers)
        dice.choice([server.send, server.hear, server.hear, server.enter])()
    settle(*servers)
    last = next((it.split()[0] for it in reversed(one._network.order)), "")
    assert {"g1": [True, False], "g2": [False, True], "": [False, False]}[last] == [
        one.has(), other.has()
    ]  # fmt: skip


@pytest.mark.parametrize("lost", [it for it in product((False, True), repeat=2) if any(it)])
def test_after_a_broken_bus_one_session_is_left(lost):
    one, other = servers = pair()
    one.enter()
    other.enter()
    for server, is_lost in zip(servers, lost, strict=True):
        if is_lost:
            server.lose()
    settle(*servers)
    for server, is_lost in zip(servers, lost, strict=True):
        if is_lost:
            server.talk.on_connected()
    settle(*servers)
    assert 1 == one.has() + other.has()


def test_a_payload_that_is_late_counts_for_nothing():
    """The connection breaks while it is told; it is committed after all was told again."""
    one, other = pair()
    one.enter()
    late = one.lose(1)
    one.talk.on_connected()
    one.send()
    other.enter()
    other.send()
    one.commit(late)
    settle(one, other)
    assert not one.has() and other.has()


def test_a_late_payload_is_not_taken_for_the_one_that_is_waited_for():
    one, other = pair()
    one.enter()
    late = one.lose(1)
    one.talk.on_connected()
    one.commit(late)
    other.enter()
    other.send()
    settle(one, other)
    assert one.has() and not other.has(), "the words of the first are the last"


def test_after_a_start_a_server_is_heard_from_the_first_number_on():
    heard = list[str]()
    talk = Talk("g1", "run2", lambda payload: True)
    talk.on_heard = lambda is_own, number, text: heard.append(text)
    told = "g2 a 1 one", "g2 a 3 three", "g2 a 2 late", "g2 b 1 again", "g3 a 1 third", "g1 a 9 own"
    for payload in told:
        talk.hear(payload)
    assert ["one", "three", "again", "third", "own"] == heard


def test_what_was_dropped_is_not_waited_for():
    one, other = pair()
    one.is_full = True
    one.enter()
    other.enter()
    settle(one, other)
    assert not one.has() and other.has()


def test_what_a_later_release_tells_is_passed_over():
    one, other = pair()
    one.enter()
    settle(one, other)
    texts = "no json", json.dumps(["gone", {}]), json.dumps(["came"]), json.dumps(7)
    for count, text in enumerate(texts, 1):
        one.talk.hear(f"g2 1 {count} {text}")
    one.talk.hear('g2 5 ["came", ["p1"]]')
    assert one.has()
