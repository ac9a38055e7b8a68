"""Among servers that share a journal a person has one session: that of the server heard last."""

from __future__ import annotations

from collections import deque
from functools import partial
from itertools import product
from random import Random

import pytest

from mudserver.accounts.person import Person
from mudserver.config.schema import PeopleLimits
from mudserver.journal.postgres.bus import Talk
from mudserver.service.one_session import CAME_ELSEWHERE, OneSession
from mudserver.service.online_people import OnlinePeople

PAYLOAD_BYTES_MAX = 7_000
ANN, BOB = Person("p1", "ann", False), Person("p2", "bob", False)


class Network:
    """One order of all that is told; each server hears it at its own time."""

    def __init__(self) -> None:
        self.order: list[str] = []
        self.now_ms = 1_795_600_000_000


class Server:
    """A server as `OneSession` sees it: its own bus, and who is here."""

    def __init__(self, network: Network, name: str) -> None:
        self._network, self._heard = network, 0
        self._waiting = deque[str]()
        self.talk = Talk(name, "1", self._tell)
        self.is_full, self.skew_ms = False, 0
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

    def now_ms(self) -> int:
        """The clock of this server; it goes on with each look."""
        self._network.now_ms += 1
        return self._network.now_ms + self.skew_ms

    def enter(self, person: Person = ANN, since_ms: int | None = None) -> None:
        """Args: since_ms: of a session that goes on."""
        self.online.enter(
            *(person, partial(self._end, person), "::1"),
            since_ms=self.now_ms() if since_ms is None else since_ms,
            has_seat=False,
            goes_on=since_ms is not None,
        )

    def _end(self, person: Person, *said: str, is_moving: bool = False) -> None:
        assert is_moving  # what was begun is left for the next terminal
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
@pytest.mark.parametrize("is_first_newer", [False, True])
def test_after_a_broken_bus_the_newer_session_is_left(lost, is_first_newer):
    one, other = servers = pair()
    older, newer = (other, one) if is_first_newer else (one, other)
    cut_off = [server for server, is_lost in zip(servers, lost, strict=True) if is_lost]
    older.enter()
    settle(*servers)
    newer.enter()
    for server in servers:
        if server not in cut_off:
            settle(server)
    for server in cut_off:
        server.lose()
    assert one.has() and other.has()
    for server in cut_off:
        server.talk.on_connected()
    settle(*servers)
    assert newer.has() and not older.has() and [CAME_ELSEWHERE] == older.ended


@pytest.mark.parametrize("seed", range(300))
def test_whatever_breaks_one_session_is_left_whatever_the_clocks_say(seed):
    """Two clocks that differ; payloads are lost, refused, and committed late."""
    one, other = servers = pair()
    dice, late = Random(seed), list[tuple[Server, list[str]]]()
    one.skew_ms = dice.choice((0, -20, 20))
    for _ in range(60):
        server, chance = dice.choice(servers), dice.random()
        if chance < 0.05:
            late.append((server, server.lose(dice.randint(0, 2))))
            server.talk.on_connected()
        elif chance < 0.1 and late:
            server.commit(late.pop()[1])
        elif chance < 0.2:
            server.is_full = not server.is_full
        else:
            dice.choice([server.send, server.hear, server.hear, server.enter])()
    for server in servers:
        server.is_full = False
        server.talk.on_connected()
    settle(*servers)
    assert 1 == one.has() + other.has()


@pytest.mark.parametrize("is_newer", [False, True])
def test_a_session_that_goes_on_after_a_restart_ends_an_older_one_and_no_newer_one(is_newer):
    one, other = servers = pair()
    one.enter()
    settle(*servers)
    other.enter(since_ms=other.now_ms() + (500 if is_newer else -500))
    settle(*servers)
    assert [not is_newer, is_newer] == [one.has(), other.has()]


def test_the_answer_ends_no_session_that_has_come_in_the_place_of_the_older_one():
    """And with a clock that is behind the new one is the newest all the same."""
    one, other = servers = pair()
    one.skew_ms = -20
    one.enter()
    other.enter()
    settle(other)
    one.lose()
    one.talk.on_connected()
    one.send()
    assert other.hear() and 1 == len(other._waiting), "the answer"
    one.enter()
    settle(*servers)
    assert one.has() and not other.has()


def test_a_crowd_is_told_in_parts_that_a_payload_can_hold():
    one, other = servers = pair()
    for number in range(250):
        who = Person(f"{'p' * 16}{number:04}", f"ann{number}", False)
        one.enter(who)
        other.enter(who, since_ms=0)
    for server in servers:
        server.lose()
        server.talk.on_connected()
    assert 3 == len(one._waiting) and all(len(it) < PAYLOAD_BYTES_MAX for it in one._waiting)
    settle(*servers)
    assert 250 == len(one.online) and 0 == len(other.online)


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
    one.skew_ms = 20
    one.enter()
    late = one.lose(1)
    one.talk.on_connected()
    one.commit(late)
    other.enter()
    other.send()
    settle(one, other)
    assert one.has() and not other.has(), "by the clocks it is the newer one"


def test_after_a_start_a_server_is_heard_from_the_first_number_on():
    heard = list[str]()
    talk = Talk("g1", "run2", lambda payload: True)
    talk.on_heard = lambda server, number, text: heard.append(text)
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
    texts = "no json", '["gone", {}]', '["came"]', "7", '["came", ["p1"]]', '["gone", [["p1", 1]]]'
    for count, text in enumerate(texts, 1):
        one.talk.hear(f"g2 1 {count} {text}")
    one.talk.hear('g2 5 ["came", [["p1", 1]]]')
    assert one.has()
