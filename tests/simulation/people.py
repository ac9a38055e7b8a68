"""Simulated people: they come, talk, play, blunder, drop and return.

Rule 1: a person knows the server only by its line: what stands on the screen and what can be
        typed.  Nobody here looks into the server.
Rule 2: what a person does follows from the own seed and the own screen, so that a run with the
        same seed does the same again.
Rule 3: a person outlives the server: the name, the password, a guest's codes and the habit of
        coming back over another kind of line.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from random import Random
from typing import Protocol

from mudserver.transport.link import AuthenticatedUser, Authenticator, Terminal
from tests.simulation.server import ANSI, FakeLink, proven_by_key
from variants.catalogue import CATALOGUE

TERMINALS = (
    ANSI,
    replace(ANSI, cols=40, rows=20, charset="ascii"),
    Terminal("vt100", 80, 24, is_character_mode=True),
    Terminal("unknown", 72, 24, charset="latin-1"),
    Terminal("MUSHCLIENT", 100, 40, is_ansi=True, colours="16", is_screen_reader=True),
)
NONSENSE = (
    "xyzzy", "give", "give 7 of clubs to nobody at all", "draw draw", "take myself", "/", "'", ":",
    "sit", "sit 999", "sit ten", "watch 1 2", "bot 9", "open", "open poker", "/open elimination x",
    "open elimination seats=99", "tell", "set width 7", "help me please", "moves now", "a" * 600,
    "\x1b[A\x1b[31mred", "ÄÖÜ ♥ 漢字", "resume abcdefgh", "key ssh-ed25519 AAAA", "record", "--",
    "pass", "nice try", "reflect", "reflect nobody food 9", "play 99", "loot", "autopass perhaps",
    "form xyzzy", "give *", "trade q with nobody", "steal", "end round", "words 99",
)  # fmt: skip
PAGES = (
    "who", "tables", "help", "commands", "about", "terminal", "rules", "rules elimination", "set",
    "set suits letters", "set width 60", "set screenreader on", "set colour off", "clear", "key",
    "rules stockpile", "autopass on", "autopass off", "autopass", "rules words", "words", "count",
)  # fmt: skip


class Entrance(Protocol):
    """Where people come in: a server, or a door."""

    @property
    def authenticator(self) -> Authenticator: ...
    def connect(self, link: FakeLink, proven: AuthenticatedUser | None = None) -> object: ...


class SimPerson:
    """One person: `live` is a day at one server, cut short when that server dies."""

    def __init__(self, name: str, number: int, seed: int) -> None:
        self.rng = Random(f"{seed}/{name}")
        self.name, self.is_guest = name, name == "guest"
        self.peer = f"198.51.100.{number}"
        self.has_key = self.rng.random() < 0.4
        self.password = f"the password of {name}"
        self.terminal = self.rng.choice(TERMINALS)
        self.others: list[str] = []
        self.link: FakeLink | None = None
        self.links: list[FakeLink] = []  # all there ever were
        self.codes: list[str] = []  # a guest's ways back into seats
        self.plays: list[str] = []  # typed before: stale by now
        self.secrets: list[tuple[str, str]] = []  # (to whom, what): told in private
        self.said: list[str] = []  # each word once
        self._codes_seen: set[str] = set()
        self.is_leaving = self.is_gone = self._has_quit = False

    async def live(self, entrance: Entrance) -> None:
        try:
            while not self.is_gone:
                await asyncio.sleep(self._pause_s())
                await self._act(entrance)
        finally:
            self._cut()

    def _cut(self) -> None:
        """The server at the other end is no more."""
        if self.link is not None:
            self.link.is_open, self.link.handler, self.link = False, None, None

    def _pause_s(self) -> float:
        rng = self.rng
        if self.is_leaving:
            return rng.uniform(0.3, 3)
        if self._is_asked:
            return rng.uniform(20, 90) if rng.random() < 0.03 else rng.expovariate(0.8)
        return rng.expovariate(1 / 6)

    # -- eyes ------------------------------------------------------------------------------------

    def _end_of_screen(self) -> str:
        link = self.link
        return link.text_since(max(0, len(link.received) - 6)).rstrip() if link else ""

    @property
    def _is_asked(self) -> bool:
        return self._end_of_screen().endswith("your turn>")

    # -- hands -----------------------------------------------------------------------------------

    def _type(self, line: str, *, is_neat: bool = False) -> None:
        link, rng = self.link, self.rng
        if link is None or not link.is_open or link.handler is None:
            return
        data = line.encode() + b"\r"
        if not is_neat and rng.random() < 0.1:  # in pieces, after a change of mind
            cut = rng.randrange(len(data))
            # A client that edits its lines keeps to itself what is cut from them.
            undone = b"never mind\x15" if link.terminal.is_character_mode else b""
            link.handler.on_data(undone + data[:cut])
            data = data[cut:]
        if not is_neat and rng.random() < 0.05:
            link.handler.on_data(b"\t\t")
        link.handler.on_data(data)

    async def _act(self, entrance: Entrance) -> None:
        link, rng = self.link, self.rng
        if link is None or not link.is_open:
            self.link = None
            if self._has_quit:
                self.is_gone = True
            elif self.is_leaving or rng.random() < 0.5:
                await self._come_in(entrance)
        elif link.is_stalled:
            (link.read_on if self.is_leaving or rng.random() < 0.7 else link.drop)()
        elif not self.is_leaving and rng.random() < 0.03:
            await self._misbehave(entrance, link)
        else:
            await self._answer(self._end_of_screen())

    async def _misbehave(self, entrance: Entrance, link: FakeLink) -> None:
        match self.rng.randrange(5):
            case 0 | 1:
                link.drop()
            case 2:
                link.is_stalled = True
            case 3 if not self.is_guest:
                await self._come_in(entrance)  # a second login; the first line ends by itself
            case _:
                link.terminal = self.terminal = self.rng.choice(TERMINALS)
                if link.handler is not None:
                    link.handler.on_resize(link.terminal)

    # -- coming in -------------------------------------------------------------------------------

    async def _come_in(self, entrance: Entrance) -> None:
        rng, logins = self.rng, entrance.authenticator
        proven: AuthenticatedUser | None = None
        standing, _ = await logins.name_status(self.name, self.peer)
        if self.is_guest:
            proven = AuthenticatedUser("guest", "guest") if rng.random() < 0.5 else None
        elif self.has_key:
            proven = proven_by_key(self.name, is_known=standing == "known")
        elif rng.random() < 0.5:  # SSH with a password, as the SSH listener asks for it
            if standing == "free":
                if await logins.register(self.name, self.password, self.peer):
                    return
                proven = AuthenticatedUser(self.name, "registered")
            else:
                if not await logins.check_password(self.name, self._password(), self.peer):
                    return
                proven = AuthenticatedUser(self.name, "password")
        link = FakeLink(self.terminal, "ssh" if proven else "telnet", self.peer)
        if self.link is not None and not self.link.is_logged_in:
            self.link.drop()  # as the listener does with who does not say a name in time
        self.links.append(link)
        self.link = link
        entrance.connect(link, proven)

    def _password(self) -> str:
        wrong = not self.is_leaving and self.rng.random() < 0.15
        return "not the password" if wrong else self.password

    async def _answer(self, asked: str) -> None:
        rng = self.rng
        if asked.endswith("Name:"):
            if self.is_leaving or rng.random() < 0.85:
                self._type(self.name)
            else:
                self._type(rng.choice(("help", "", "1x", "connect a b", "screenreader on", "root")))
        elif asked.endswith("Choose a password:"):
            self._type(self.password, is_neat=True)
        elif asked.endswith(("Password:", "Again:")):
            self._type(self._password(), is_neat=True)
        elif asked.endswith("lobby>"):
            self._in_the_lobby()
        elif asked.endswith("your turn>"):
            await self._at_turn()
        elif asked.endswith("away>"):
            self._type("leave now" if self.is_leaving else rng.choice(("", "look", "moves")))
        elif re.search(r"table \d+( \(\d+ decisions? behind\))?>$", asked):
            self._at_a_table()
        elif rng.random() < 0.3:
            self._type("")  # a row for a prompt

    # -- inside ----------------------------------------------------------------------------------

    def _in_the_lobby(self) -> None:
        rng = self.rng
        self._learn_codes()
        if self.is_leaving:
            self._has_quit = not self.codes
            self._type(f"resume {self.codes.pop()}" if self.codes else "quit")
            return
        match rng.choices(range(9), (4, 6, 4, 3, 1, 1, 1, 1, 6))[0]:
            case 8:
                self._meet()
            case 0:
                self._type(self._opening())
            case 1:
                self._type(f"sit {self._table_seen()}")
            case 2:
                self._talk()
            case 3:
                self._type(rng.choice(PAGES))
            case 4:
                self._type(rng.choice(NONSENSE))
            case 5:
                self._type(f"watch {self._table_seen()}")
            case 6:
                self._type(rng.choice(("return", f"substitute {self._table_seen()}")))
            case _ if self.codes:
                self._type(f"resume {self.codes.pop()}")
            case _:
                self._type("quit")

    def _at_a_table(self) -> None:
        rng = self.rng
        self._learn_codes()
        if self.is_leaving:
            self._type("leave now")
            return
        line = rng.choices(
            ("bot", "bot 1", "start", "look", "history", "moves", "", "stand", "leave", "unbot",
             "/record", "/tables", "unwatch", "quit", "autopass on", rng.choice(NONSENSE),
             self._stale(), "/watchers", "watch next", self._taking(), "kibitz hm"),
            (5, 2, 8, 1, 0.5, 1, 5, 0.5, 0.3, 0.3, 0.5, 0.5, 0.3, 0.2, 1, 1, 1.5,
             0.3, 0.3, 0.3, 0.3),
        )[0]  # fmt: skip
        if rng.random() < 0.2:
            self._talk("/")
        elif line:
            self._type(line)

    async def _at_turn(self) -> None:
        rng, link = self.rng, self.link
        assert link is not None
        if self.is_leaving:
            self._type("leave now")
        elif rng.random() < 0.05:
            self._talk("/")
        elif rng.random() < 0.08:
            self._type(
                rng.choice((rng.choice(NONSENSE), self._stale(), "look", "/leave", "/leave now"))
            )
        else:
            mark = len(link.received)
            self._type("moves")
            await asyncio.sleep(rng.uniform(0.05, 1))
            # Read aloud the rows have numbers, and the number is typed.
            moves = re.findall(r"(?m)^(?:- (?=\S)(.+?)\s*|(\d+)(?=: ).*)$", link.text_since(mark))
            if moves:
                play = "".join(rng.choice(moves))
                self.plays.append(play)
                self._type(play)
                if rng.random() < 0.05:
                    self._type(play)  # doubled, as an impatient hand does

    def _stale(self) -> str:
        return self.rng.choice(self.plays) if self.plays else "draw"

    def _opening(self) -> str:
        rng = self.rng
        variant = rng.choice(list(CATALOGUE.values()))
        words = [f"open {variant.name} pace={rng.choice(('instant', 'brisk', 'person'))}"]
        words += [
            f"{o.name}={rng.choice(o.samples)}" for o in variant.options if rng.random() < 0.5
        ]
        if rng.random() < 0.15:
            words.append(f"delay={rng.randint(1, 4)}")
        absence = rng.choice(("computer", "computer", "pause", "forfeit"))
        words.append(f"absence={absence}")
        if rng.random() < 0.5:
            words.append(f"seats={rng.choice(variant.seats)}")
        if absence != "pause" and rng.random() < 0.2:
            words.append("clocks=off")  # with pause it would wait for ever for a lost guest
        else:
            words += [
                f"clock.{name}={rng.choice((5, 10, 30, 60))}" for name in variant.default_clocks_s
            ]
        return " ".join(words)

    def _meet(self) -> None:
        """Offer a game, take one, propose a match, answer one, or watch somebody."""
        rng = self.rng
        other = rng.choice(self.others) if self.others else "guest1"
        game = self._opening().removeprefix("open ")
        self._type(rng.choices(
            (f"seek {game}", self._taking(), f"match {other} {game}", f"match {other}",
             rng.choice(("accept", "decline", f"accept {other}", f"decline {other} not now")),
             rng.choice(("seeks", "seek off")), rng.choice(("watch next", f"watch {other}"))),
            (4, 6, 2, 0.5, 3, 1, 2),
        )[0])  # fmt: skip

    def _taking(self) -> str:
        """The line that takes a game that somebody offers."""
        link = self.link
        seen = re.findall(r"accept (\d+)", link.text_since(-40)) if link else []
        return f"accept {self.rng.choice(seen) if seen else self.rng.randint(1, 4)}"

    def _table_seen(self) -> str:
        link = self.link
        seen = re.findall(r"(?:sit|table) (\d+)", link.text_since(-40)) if link else []
        return self.rng.choice(seen) if seen else str(self.rng.randint(1, 4))

    def _talk(self, slash: str = "") -> None:
        rng = self.rng
        word = f"w{rng.getrandbits(40):010x}"
        to = rng.choice(self.others) if self.others else "guest1"
        match rng.randrange(4):
            case 0 if not self.is_guest:
                self.secrets.append((to, word))
                self._type(f"{slash}tell {to} {word}")
            case 1:
                self._type(f"{slash}me waves {word}")
            case 2:
                self._type(f"{slash}reply ok")
            case _:
                self.said.append(word)
                self._type(f"{slash}say {word}")

    def _learn_codes(self) -> None:
        if self.is_guest and self.link is not None:
            text = re.sub(r"\s+", " ", self.link.text_since(-60))
            for code in re.findall(r"type: resume (\S{14})", text):
                if code not in self._codes_seen:
                    self._codes_seen.add(code)
                    self.codes.append(code)
