"""A whole game against a computer player, typed at a real client: it asks for moves and makes one.

Rule 1: what to type is read off the client, never known from elsewhere.
Rule 2: the plays that bring a game to its end come first; among others the dice decide.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from tests.e2e.client import Client, plain
from tests.prompts import YOUR_TURN

PROMPT = r"table \d+(, your turn)?> "
QUICK = frozenset({"draw", "pass", "done", "end round"})
TURNS_MAX = 400
FRAME_S = 0.12  # a little more than between two drawings of a full screen


def by_lines(client: Client, opening: str, rng: Random) -> str:
    """From the lobby, through the game that *opening* names, home; answers how it ended."""
    without_pages(client)
    client.type(f"open {opening}")
    client.wait_heard(PROMPT + "$")
    client.type("bot 1")
    client.wait_heard(r"joined the table \(computer")
    client.type("start")
    for _ in range(TURNS_MAX):
        text = client.wait_heard(rf"{YOUR_TURN}?$|Game over: .*\n")
        if over := re.search(r"Game over: .*", text):
            client.type("/quit")
            client.wait_heard(r"Goodbye, \w+\.")
            return over[0]
        offered = moves(client)
        if offered and "Game over: " not in plain(client.heard):
            client.forget()
            client.type(chosen(offered, rng))
    raise AssertionError(f"no end after {TURNS_MAX} turns:\n{plain(client.heard)}")


def without_pages(client: Client) -> None:
    """A long answer comes in one piece, and no page swallows the next line."""
    client.type("set pager off")
    client.wait_heard(r"pager: off\.")


def moves(client: Client) -> list[str]:
    """What `moves` lists; nothing if the turn has just passed."""
    client.forget()
    client.type("moves")
    answer = r"You can type|You can't make a move now|It's .+ turn\.|Game over: "
    text = client.wait_heard(rf"({answer})[\s\S]*{PROMPT}$")
    return re.findall(r"(?m)^- (.+?)\s*$", text)


def chosen(offered: list[str], rng: Random) -> str:
    return rng.choice([play for play in offered if play in QUICK] or offered)


def by_panes(client: Client, opening: str, rng: Random) -> str:
    """The same in the full screen, where the bar above the input says who is to act."""
    client.type(f"open {opening}")
    client.wait_for(r"No game is running here")
    client.type("bot 1")
    client.wait_for(r"joined the table \(computer")
    client.type("start")
    for _ in range(TURNS_MAX):
        shown = client.wait_for(r"(?m) You(r turn| are| may| can) ?.*\n.*> *$|The game is over")
        if "The game is over" in shown:
            client.type("/quit")
            return "Game over: " + shown
        offered = quick(shown) or listed(client)
        if offered:
            client.type(chosen(offered, rng))
            client.look(FRAME_S)
    raise AssertionError(f"no end after {TURNS_MAX} turns:\n{client.look()}")


def quick(shown: str) -> list[str]:
    """Of the words that the board names those that need no more."""
    words = re.search(r"You can: ([^│]*)", shown)
    return [] if words is None else [w for w in re.split(r",\s*", words[1].strip()) if w in QUICK]


def listed(client: Client) -> list[str]:
    """What `moves` shows in the log."""
    client.type("/clear")  # so that the list below is the one asked for
    client.wait_for(r"\A(?![\s\S]*At any time)")
    client.type("/moves")
    shown = client.wait_for(r"At any time|The game is over|─ \d+ more(?: below|:)")
    return re.findall(r"(?m)^- (.+?)\s*│", shown)  # a list too long for the log begins in it


Play = Callable[[Client, str, Random], str]
