"""An evening at one table by real clients, with a stranger who will not let the others play.

Rule 1: who loses a seat, or for whom a computer decides, has read it in the second person as often
        as the others read it by name.
Rule 2: a game starts when everybody who sits there has said so; nothing that a stranger types
        starts, changes, stops or ends it.
Rule 3: clocks are the shortest that the options allow; nobody sleeps, people wait for what they
        read.
"""

from __future__ import annotations

import re
import time

import pytest

from tests.e2e.client import PATIENCE_S, Client, plain
from tests.e2e.clients import ssh, telnet
from tests.e2e.conftest import come_back, come_in, quick
from tests.e2e.player import moves, without_pages
from tests.prompts import LOBBY, TABLE_1, YOUR_TURN

AWAY_S = 90.0  # two turns by clocks of 5 s, and those of the others between them
OFFLINE_S = 6.0  # in one game bob is back before it, after another he is not
TOLD = {  # what the others read of somebody, and what that person reads
    r"-- {} left the game\. \w+ \(computer\) takes over": r"You left the game\. \w+ \(computer\) "
    r"takes over",
    r"-- {} is away\. A computer player plays": r"You are away, so a computer player decides",
    r"-- {} is gone, and the seat is free": r"You were offline, so your seat at table 1 is free",
    r"-- {} is back in the game and takes over": r"You have your seat back",
}
NEWS = r"The game starts|The options are|joined|\(computer\) was removed|\bleft\b|\bowns?\b"


class Person:
    """Somebody at a client, who remembers all that was read in the evening."""

    def __init__(self, name: str, client: Client) -> None:
        self.name, self.client, self._before = name, client, ""
        without_pages(client)

    @property
    def read(self) -> str:
        """All of it, with every run of blanks and line ends as one blank."""
        return " ".join((self._before + self.client.caught_up()).split())

    def turns_page(self) -> None:
        self._before += self.client.caught_up()
        self.client.forget()

    def types(self, line: str, answer: str, timeout_s: float = PATIENCE_S) -> str:
        """Answers what was read from the line on, until *answer* came."""
        self.turns_page()
        self.client.type(line)
        return self.client.wait_heard(answer.replace(" ", r"\s+"), timeout_s)

    def reads(self, pattern: str, timeout_s: float = PATIENCE_S) -> str:
        return self.client.wait_heard(pattern.replace(" ", r"\s+"), timeout_s)

    def insists(self, line: str, answer: str, not_yet: str) -> None:
        """Type *line* again while the answer is *not_yet*: what it is about has just changed."""
        end = time.monotonic() + PATIENCE_S
        while re.search(not_yet.replace(" ", r"\s+"), self.types(line, f"{answer}|{not_yet}")):
            assert time.monotonic() < end, plain(self.client.heard)
            self.client.look(0.5)

    def loses_the_line(self) -> None:
        self.turns_page()
        self.client.hang_up()


def everybody_is_told(people: list[Person]) -> None:
    for person in people:
        for others_read, own in TOLD.items():
            by_name = others_read.format(person.name)
            others = max(len(re.findall(by_name, p.read)) for p in people if p is not person)
            assert others == len(re.findall(own, person.read)), (by_name, person.read)


def plays(person: Person, *wanted: str) -> None:
    """One move, if the person is asked: one of those *wanted* where there is one."""
    if not person.client.caught_up().endswith(YOUR_TURN):
        return
    person.turns_page()
    if offered := moves(person.client):
        chosen = [move for word in wanted for move in offered if word in move]
        person.types((chosen or offered)[0], r"> $")


@pytest.mark.prove
def test_nobody_loses_a_seat_unsaid_and_no_stranger_starts_or_spoils_a_game(tmp_path, key):
    server, since_s = quick(tmp_path, tables=f"offline_s = {OFFLINE_S}\n"), time.monotonic()
    try:
        ann = Person("ann", ssh(server, "ann", key=key))
        bob = Person("bob", come_in(telnet(server), "bob"))
        guest = Person("guest1", ssh(server, "guest"))
        a_stranger_sits_down(ann, bob, guest)
        they_leave_and_return(ann, bob, guest)
        bob_loses_the_line(ann, bob, lambda: come_back(telnet(server), "bob"))
        bob_falls_asleep(ann, bob)
        they_end_the_game(ann, bob, guest)
        they_agree_to_a_draw(ann, bob, guest)
        bob_loses_the_line_for_long(ann, bob, lambda: come_back(telnet(server), "bob"))
        they_pause(ann, bob, guest)
        everybody_is_told([ann, bob])
        assert 3 == ann.read.count("The game starts:") == bob.read.count("The game starts:")
        print(f"\nan evening of three games in {time.monotonic() - since_s:.0f} s")
    finally:
        server.stop()


def a_stranger_sits_down(ann: Person, bob: Person, guest: Person) -> None:
    ann.types("open elimination action=5 next=5 pace=instant", TABLE_1)
    ann.types("bot", r"Juno joined the table")
    for line in ("start", "bot", "set table seats=3", "unseat ann"):
        guest.types(line, r"You aren't at a table")
    bob.types("sit 1", TABLE_1)
    bob.types("ready", r"You are ready\. Waiting for ann\.")
    guest.types("sit 1", TABLE_1)
    bob.reads(r"The table has changed: guest1 joined\. Type ready again\.")
    bob.types("ready", r"You are ready\. Waiting for ann and guest1\.")
    ann.turns_page()
    for line in (
        *("bot", "bot easy", "unbot", "unbot juno", "options pace=brisk", "set table seats=3"),
        *("unseat bob", "unseat ann", "owner bob", "invite bob"),
    ):
        guest.types(line, r"Only ann can|Only registered players|Guests can't")
    guest.types("start", r"You are ready\. Waiting for ann\.")
    guest.types("start", r"You are ready\. Waiting for ann\.")
    told = ann.reads(r"guest1 is ready to start \(2 of 3 ready\)")
    assert not re.search(NEWS, told), told
    ann.types("unseat guest1", r"guest1 left the table")
    guest.reads(r"The owner of table 1 has asked you to leave it\.")
    guest.types("sit 1", r"You can join it again in 10 min")
    # Nobody plays with other people than those who were ready for it.
    bob.reads(r"The table has changed: guest1 left\. Type ready again\.")
    ann.types("start", r"You are ready\. Waiting for bob\.")
    bob.types("ready", r"Seal: ")
    ann.reads(r"Seal: ")


def they_leave_and_return(ann: Person, bob: Person, guest: Person) -> None:
    guest.types("sit 1", r"in the middle of a game")
    guest.types("watch 1", r"Table 1, elimination\. Players")
    strangers_move_nothing(guest, "draw", "offer abort", "start", "bot", "options pace=brisk")
    bob.types("leave", r"Leave this game\?[\s\S]*Type leave again within 30 s")
    bob.types("leave", r"You left the game\. \w+ \(computer\) takes over")
    bob.reads(f"{LOBBY}$")
    ann.reads(r"bob left the game\.")
    bob.types("return", r"You have your seat back\.")
    ann.reads(r"bob is back in the game")


def strangers_move_nothing(guest: Person, *lines: str) -> None:
    refused = r"You are watching|You have no seat|Nobody has invited you|No game is paused"
    for line in lines:
        guest.types(line, refused)


def bob_loses_the_line(ann: Person, bob: Person, connect) -> None:
    """For a moment: the seat is still his."""
    bob.loses_the_line()
    ann.reads(r"bob lost the connection\.")
    bob.client = connect()
    bob.reads(r"You have a seat at table 1; here is your game\.")
    ann.reads(r"bob is connected again\.")


def bob_falls_asleep(ann: Person, bob: Person) -> None:
    end = time.monotonic() + AWAY_S
    while "You are away" not in bob.read:
        assert time.monotonic() < end, bob.read
        ann.client.look(0.1)
        plays(ann, "draw", "bob")
    assert "You missed a turn. Miss another and a computer player takes over" in bob.read
    if "bob is away. A computer player plays for bob for now." not in ann.read:
        ann.reads(r"bob is away\.")
    bob.reads(r"table 1, away> $")
    bob.types("", r"You are back\.")
    ann.reads(r"bob is back\.")


def they_end_the_game(ann: Person, bob: Person, guest: Person) -> None:
    bob.types("offer draw", r"A draw needs people on all seats that are still in\.")
    bob.types("offer abort", r"You offer to end the game without a result\. Waiting for ann\.")
    ann.reads(r"bob offers to end the game without a result\. Type accept or decline")
    strangers_move_nothing(guest, "accept", "decline")
    ann.insists("accept", r"The game is aborted", r"bob has just offered")
    bob.reads(r"The game is aborted")


def both_start(ann: Person, bob: Person, guest: Person) -> None:
    strangers_move_nothing(guest, "start", "rematch", "ready", "unseat bob", "bot", "unbot")
    ann.types("start", r"You are ready\. Waiting for bob\.")
    bob.insists("ready", r"Seal: ", r"The table has changed")
    ann.reads(r"Seal: ")


def they_agree_to_a_draw(ann: Person, bob: Person, guest: Person) -> None:
    ann.types("unbot", r"Juno \(computer\) was removed")
    ann.types("options clocks=off", r"The options are now")
    both_start(ann, bob, guest)
    ann.types("offer draw", r"You offer a draw\. Waiting for bob\.")
    bob.reads(r"ann offers a draw\. Type accept or decline")
    strangers_move_nothing(guest, "accept", "decline")
    bob.insists("accept", r"Game over: ", r"ann has just offered")
    ann.reads(r"Game over: .*")
    assert "everybody has agreed to a draw" in ann.read


def bob_loses_the_line_for_long(ann: Person, bob: Person, connect) -> None:
    """Between two games: the seat is somebody else's to take."""
    bob.loses_the_line()
    ann.reads(r"bob is gone, and the seat is free\.")
    bob.client = connect()
    bob.reads(r"You were offline, so your seat at table 1 is free now\.")
    without_pages(bob.client)
    bob.types("sit 1", TABLE_1)


def they_pause(ann: Person, bob: Person, guest: Person) -> None:
    both_start(ann, bob, guest)
    bob.types("offer pause", r"You offer a pause of at most 60 min\. Waiting for ann\.")
    ann.reads(r"bob offers a pause")
    ann.insists("accept", r"The game is paused", r"bob has just offered")
    bob.reads(r"The game is paused")
    strangers_move_nothing(guest, "resume", "draw")
    for person in (ann, bob):
        person.types("draw", r"The game is paused\. Type resume to go on\.")
    ann.types("resume", r"Waiting for bob\. The game goes on in 60 s at the latest\.")
    bob.reads(r"ann wants to go on\. Type resume")
    bob.types("resume", r"The game goes on in 10 s\.")
    for person in (ann, bob):
        person.reads(r"The game goes on\.\s", timeout_s=20.0)
