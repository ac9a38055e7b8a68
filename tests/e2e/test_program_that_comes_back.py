"""A program that was written from docs/bots.md alone, by real ssh: it plays each game, loses its
connection in the middle, comes back, and writes every play twice.  Some games are over after a few
plays; then it plays another, until it has lost its connection often enough."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from random import Random
from threading import Timer
from typing import Any

import pytest

from tests.e2e.client import Server
from tests.e2e.clients import program, ssh_options
from tests.e2e.conftest import fresh
from tests.programs import opening
from variants.catalogue import CATALOGUE

GAME_S = 240
DROPS = (2, 5, 9)  # after so many plays the connection is cut


class Player:
    def __init__(self, server: Server, name: str, key: Path, game: str) -> None:
        self.command = [program("ssh"), "-T", *ssh_options(server, name, key), "json 2"]
        self.game, self.rng = game, Random(game)
        self.asked: dict[str, int] = {}  # how many views have shown a question, by id
        self.written: list[str] = []  # questions that were answered, in order
        self.done: dict[str, list[str | None]] = {}  # codes, by the id of the question
        self.numbers: dict[str, int] = {}  # of the last event, by game
        self.gaps: list[tuple[int, int]] = []
        self.over: dict[str, Any] | None = None

    def connect(self) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(self.command, stdin=pipe, stdout=pipe)
        self.guard = Timer(GAME_S, self.process.kill)
        self.guard.start()

    def write(self, *objects: dict[str, str]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"".join([json.dumps(it).encode() + b"\n" for it in objects]))
        self.process.stdin.flush()

    def cut(self) -> None:
        self.process.kill()
        self.process.wait()
        self.guard.cancel()

    def plays(self, drop_after: int | None) -> bool:
        """Play until the connection is cut (True), or a game is over after the last cut."""
        assert self.process.stdout is not None
        for row in self.process.stdout:
            made = json.loads(row)
            match made["type"]:
                case "place" if made["table"] is None:
                    self.write({"line": f"open {opening(self.game)}", "id": "open"})
                case "place" if not made["is_playing"]:
                    self.write({"line": "bot 1", "id": "bot"}, {"line": "ready", "id": "ready"})
                case "game":
                    known = self.numbers.setdefault(made["game"], 0)
                    self.write({"line": f"history since {known}", "id": "history"})
                case "event":
                    self.hear(made)
                case "view" if made["question"]:
                    self.asked[made["question"]] = self.asked.get(made["question"], 0) + 1
                    if made["question"] not in self.written:
                        self.answer(made)
                        if len(self.written) == drop_after:
                            self.cut()
                            return True
                case "done" if made["id"].startswith("play "):
                    question = made["id"].split()[1]
                    self.done.setdefault(question, []).append(made["code"])
                case "over":
                    self.over = made
                    self.write({"line": "quit" if drop_after is None else "ready"})
        self.guard.cancel()
        return False

    def hear(self, event: dict[str, Any]) -> None:
        last = self.numbers.get(event["game"], 0)
        if event["number"] > last + 1:
            self.gaps.append((last, event["number"]))
        self.numbers[event["game"]] = max(last, event["number"])

    def answer(self, view: dict[str, Any]) -> None:
        question = view["question"]
        self.written.append(question)
        play = {"line": self.rng.choice(view["moves"]), "question": question}
        self.write(play | {"id": f"play {question} 1"}, play | {"id": f"play {question} 2"})


@pytest.mark.parametrize("game", sorted(CATALOGUE))
def test_it_plays_to_the_end_and_never_answers_a_question_twice(shared_quick_server, key, game):
    player = Player(shared_quick_server, fresh("program"), key, game)
    for drop_after in (*DROPS, None):
        player.connect()
        assert player.plays(drop_after) == (drop_after is not None)
        # What was on its way may have arrived or not: a question that is asked again is open.
        player.written = [it for it in player.written if it in player.done]
    assert player.over is not None and sorted(player.over["places"])[0] == 1
    accepted = [codes.count(None) for codes in player.done.values()]
    assert max(accepted) == 1 and sum(accepted) >= DROPS[-1] - 1  # the last may have been lost
    codes = {code for codes in player.done.values() for code in codes}
    assert codes <= {None, "stale"} and "stale" in codes
    assert player.gaps == []
    games = {question.rsplit(".", 2)[0] for question in player.asked}
    assert player.over["game"] in games <= player.numbers.keys()
