"""One run of the server, made up as it goes and kept so that it can be repeated.

People and computer players play; somebody watches, somebody sits in the lobby.  People also look
things up, press Tab, leave words half typed, mistype, let the clock run out or their seat pass by
itself, lose their line and come back, and now and then the server dies.

Rule 1: a run follows from its number (and from the server, which may be a mutant).
Rule 2: what people do besides playing is not chosen by what they hold; only a play that is to be
        refused is first asked of the rule book, so that the game goes on as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from random import Random
from typing import Any, Literal, NamedTuple

from mudserver.commands.families import VERBS
from mudserver.tables import records as f
from mudserver.tables.game import Game
from tests.conformance import play as p
from tests.conformance.play import Step
from tests.conformance.settings import AnyVariant, Setting, fits, option_sets
from tests.games import profile_of
from tests.secrets.behaviour import (
    AMONG_PEOPLE,
    ANSWERS,
    AUTOPASS,
    FORGET,
    HALVES,
    OF_STAFF,
    OTHERS,
    PRIVATE,
    TABLES,
    TABS,
    TELLING,
    WHO_IS_AWAY,
    cast_of,
)
from tests.secrets.scripted_server import (
    Act,
    Member,
    Received,
    ScriptedServer,
    has_door,
    journal_content,
    world_for,
)
from tests.secrets.step_chance import step_chance
from tests.secrets.steps_from_journal import is_refused, steps_of
from tests.simulation.server import WALL_MS
from tests.simulation.virtual import run
from variants.catalogue import CATALOGUE
from variants.contract import Seat

TABS_BEFORE_PLAYS = 0.3  # of the plays: somebody wants one completed just before
SOCIAL_LINES = 3  # in an evening of people, between two decisions


class Eyes(NamedTuple):
    """What somebody sees from a time on: what a seat sees, or (None) what everybody may."""

    since_s: float
    seat: Seat | None


@dataclass(frozen=True)
class Script:
    """Everything that was done and heard, and the game as the rule book saw it."""

    number: int
    cast: tuple[Member, ...]
    acts: tuple[Act, ...]
    end_s: float
    game: p.Game
    names: tuple[str, ...]  # by seat
    by: tuple[str, ...]  # who decided, by step
    when_s: tuple[float, ...]  # by step: nothing of it was to be seen before
    received: Received
    seed: bytes
    kinds: frozenset[type[f.Fact]] = frozenset()  # of the facts in the journal
    names_at: Mapping[int, tuple[str, ...]] = field(default_factory=dict)  # by step of a play
    eyes: Mapping[str, tuple[Eyes, ...]] = field(default_factory=dict)  # of those with several

    def eyes_of(self, member: Member) -> tuple[Eyes, ...]:
        """With whose eyes somebody sees, one after the other."""
        seat = None if member.seat is None else Seat(member.seat)
        return self.eyes.get(member.name, (Eyes(0.0, seat),))

    @property
    def variant(self) -> AnyVariant:
        return self.game.setting.variant

    @property
    def people(self) -> list[Seat]:
        return [Seat(member.seat) for member in self.cast if member.seat is not None]

    @property
    def computers(self) -> list[Seat]:
        return [Seat(s) for s in range(self.game.setting.seats) if s not in self.people]

    def is_over_at(self, at_s: float) -> bool:
        return self.variant.outcome(self.game.state) is not None and at_s > self.when_s[-1]

    def is_there(self, seat: Seat, at_s: float) -> bool:
        """Whether somebody sits in that seat, whose line holds at that time."""
        names = {member.seat: member.name for member in self.cast}
        for name, phases in self.eyes.items():
            if [eyes.seat for eyes in phases if eyes.since_s <= at_s][-1] == seat:
                names[seat] = name
        comings = [act for act in self.acts if act.at_s < at_s and act.who == names.get(seat, "")
                   and act.does in ("come", "drop")]  # fmt: skip
        return bool(comings) and comings[-1].does == "come"

    def typed_by(self, act: Act, steps: Sequence[Step]) -> Act:
        """*act* as it is done where *steps* are played: another may answer first."""
        if act.does != "play" or steps[act.step].seat == self.game.steps[act.step].seat:
            return act
        names = self.names_at.get(act.step, self.names)
        return replace(act, who=names[steps[act.step].seat or 0], keys=FORGET)

    def line(self, steps: Sequence[Step], number: int) -> str:
        """What is typed to make step *number* of *steps*, the world's own or a twin's."""
        step = steps[number]
        assert step.seat is not None
        view = self.variant.observe(steps[number - 1].state, step.seat)
        names = self.names_at.get(number, self.names)
        return self.variant.phrase(step.action, view, names)


Absence = Literal["", "idle", "leaves", "substituted"]
"""What becomes of the last of the people: stays, decides nothing until away and back again, leaves
the game and takes the seat back, or leaves it, watches, and somebody else takes the seat over."""


def script(
    number: int,
    decisions_max: int = 40,
    of: tuple[str, Mapping[str, str]] | None = None,
    absence: Absence = "",
    *,
    is_social: bool = False,
) -> Script:
    """Args:
    of: Which game with which options; None: any with any.
    is_social: People do more with each other, and somebody of the staff keeps order.
    """
    return run(ScriptWriter(number, decisions_max, of, absence, is_social).write())


def variant_of(number: int) -> AnyVariant:
    """The game of script *number*."""
    return Random(f"game of {number}").choice(list(CATALOGUE.values()))


def sealed_scripts(first: int, *, is_social: bool = False) -> Iterator[Script]:
    """Runs of three people or more, at games in which several answer in secret."""
    for number in count(first):
        people, _ = TABLES[number % len(TABLES)]
        if people > 2 and profile_of(variant_of(number).name).is_sealed:
            yield script(number, decisions_max=30, is_social=is_social)


def social_scripts(first: int) -> Iterator[Script]:
    """Runs in which people do more with each other."""
    return (script(number, decisions_max=24, is_social=True) for number in count(first))


class ScriptWriter:
    """Makes up one script while the server runs."""

    def __init__(
        self,
        number: int,
        decisions_max: int,
        of: tuple[str, Mapping[str, str]] | None,
        absence: Absence = "",
        is_social: bool = False,
    ) -> None:
        self.number, self.decisions_max, self.is_social = number, decisions_max, is_social
        self.random = Random(number)
        variant = CATALOGUE[of[0]] if of else variant_of(number)
        self.levels: tuple[int, ...]
        people, self.levels = TABLES[number % len(TABLES)]
        people = min(people, variant.seats[-1] - len(self.levels))
        self.cast = cast_of(number, people)
        if absence == "substituted":  # nobody of a player's address takes over a seat
            self.cast = tuple(
                replace(member, name="Winnie") if member.name == "Wim" else member
                for member in self.cast
            )
        self.eyes: dict[str, tuple[Eyes, ...]] = {}
        *self.players, self.watcher, self.bystander = self.cast
        self.variant = variant
        seats = people + len(self.levels)
        fitting = [chosen for chosen in option_sets(variant) if fits(variant, seats, chosen)]
        self.options = of[1] if of else self.random.choice(fitting)
        self.acts: list[Act] = []
        self.world = world_for(number, step_chance())
        self.scripted = ScriptedServer(self.cast, self.world)
        self.now_s = 0.0005
        self.plays_typed: list[str] = []  # by anybody so far
        self.names_at: dict[int, tuple[str, ...]] = {}  # by step of a play
        self.half: set[str] = set()  # who has words before the cursor
        self.gone: dict[str, float] = {}  # who is off line, and until when
        self.absence, self.absent_since = absence, 0  # step
        self.has_clocks = absence != "substituted"  # else a minute passes in which nobody decides
        self.dies_at = self.random.randrange(decisions_max) if number % 3 == 0 else -1

    async def write(self) -> Script:
        await self.scripted.open()
        with self.scripted.listening_to_the_log():
            await self._sit_down()
            await self._play()
            await self._wait(1.0)
            end_s = self.now_s
        content = journal_content(self.world, self.variant)
        assert self.scripted.game is not None
        names = self.scripted.game.names
        setting = Setting(self.variant, len(names), dict(content.options))
        steps = tuple(steps_of(setting, content))
        kept = len(steps)
        by = tuple(getattr(fact, "by", "") for _, fact in content.plays[:kept])
        when = [(at_ms - WALL_MS) / 1000 - 0.001 for at_ms, _ in content.plays]
        for act in self.acts:
            if act.does == "play":
                fact = content.plays[act.step][1]
                assert getattr(fact, "by", "") == "person", f"{act} was not what was played"
                when[act.step] = act.at_s
        if kept < len(when):
            end_s = when[kept]
        return Script(
            self.number, self.cast, tuple(self.acts), end_s, p.Game(setting, steps), names, by,
            tuple(when[:kept]), self.scripted.received, content.seed, frozenset(content.kinds),
            self.names_at, self.eyes,
        )  # fmt: skip

    # -- time and acts -------------------------------------------------------------------------

    async def _wait(self, seconds: float) -> None:
        """To an odd half millisecond some seconds on."""
        self.now_s = round(self.now_s + seconds, 3) // 0.001 * 0.001 + 0.0005
        await self.scripted.until(self.now_s)

    async def _do(self, who: str, does: Any, **how: Any) -> None:
        act = Act(self.now_s, who, does, **how)
        self.acts.append(act)
        await self.scripted.do(act, lambda step: self._line)
        await self._wait(0.001)  # no two acts at one time

    async def _type(self, who: Member, line: str) -> None:
        await self._clear(who)
        await self._do(who.name, "keys", keys=line.encode() + b"\r")
        await self._wait(0.2)

    async def _clear(self, who: Member) -> None:
        if who.name in self.half:
            self.half.discard(who.name)
            await self._do(who.name, "keys", keys=FORGET)

    # -- the run -------------------------------------------------------------------------------

    async def _sit_down(self) -> None:
        for member in self.cast:
            await self._come(member)
        if self.is_social:
            await self._do(self.bystander.name, "serve")
        options = " ".join(f"{name}={value}" for name, value in self.options.items())
        pace = self.random.choice(("person", "brisk"))
        absence = self.random.choice(("computer", "pause"))
        host, *others = self.players
        clocks = "" if self.has_clocks else " clocks=off"
        table = f"{self.variant.name} {options}{clocks} pace={pace} absence={absence}"
        await self._type(host, f"open {table}")
        for member in others:
            await self._type(member, "sit 1")
        for level in self.levels:
            await self._type(host, f"bot {min(level, len(self.variant.bots))}")
        await self._type(self.watcher, "watch 1")
        await self._let_pass()
        for member in (*others, host):
            await self._type(member, "start")

    async def _let_pass(self) -> None:
        """Some have their seat pass by itself where a game only asks whether it reacts."""
        random = Random(f"who passes in {self.number}")
        for member in self.players:
            if random.random() < AUTOPASS:
                await self._type(member, "autopass on")

    async def _play(self) -> None:
        random, dawdles = self.random, False
        tabs, verbs = Random(f"who presses Tab in {self.number}"), sorted(self.variant.verbs)
        while (game := self.scripted.game) is not None and game.result is None:
            step = len(game.plays)
            if step > self.decisions_max:
                break
            if step == self.dies_at:
                await self._die()
                continue
            for name in [name for name, back_s in self.gone.items() if back_s < self.now_s]:
                await self._come_back(name)
            if self.absence:
                await self._be_absent(game, step)
            await self._wait(random.uniform(0.3, 0.9))
            if game.result is not None:
                break  # a script is one game: nobody starts another
            if game.window is not None and not game.window.counts_timeouts:
                await self._press_tab(random.choice(self.cast), random.choice(ANSWERS))
            if random.random() < 0.4:
                await self._besides()
            for _ in range(SOCIAL_LINES * self.is_social):
                await self._be_social()
            if self.is_social and game.window is not None and game.window.is_sealed:
                await self._be_away(game.window.seats)
            game = self.scripted.game
            if game is None or game.result is not None or len(game.plays) != step:
                dawdles = False
                continue
            # In a sealed window several are asked, and some have answered already.
            owing = [n for n in game.window.seats if game.may_act(n)] if game.window else []
            asked = owing[0] if owing else None
            if asked is None or asked >= len(self.players) or dawdles:
                continue
            if game.window is not None and game.passes_itself(asked, game.window):
                continue
            if random.random() < 0.02 and self.has_clocks:
                dawdles = True  # the clock plays
                continue
            member = self.players[asked]
            if game.seats[asked].person is None or (self.absence and member is self.players[-1]):
                continue
            if member.name not in self.gone and not game.seats[asked].is_away:
                await self._wait(random.uniform(0.5, 1.2))
                if tabs.random() < TABS_BEFORE_PLAYS:
                    await self._press_tab(tabs.choice(self.cast), f"{tabs.choice(verbs)} ")
                if len(game.plays) == step:
                    await self._make(game, member, Seat(asked))

    async def _be_absent(self, game: Game, step: int) -> None:
        """The last of the people goes on being absent, or is back after some decisions."""
        absent, occupant = self.players[-1], game.seats[len(self.players) - 1]
        is_absent = occupant.is_away or occupant.person is None
        is_due = step >= 3 or not self.has_clocks  # without a clock all would wait for the absent
        if not is_absent and self.absence in ("leaves", "substituted") and is_due:
            seat, since_s = Seat(len(self.players) - 1), self.now_s
            await self._type(absent, "leave now")
            if self.absence == "substituted":
                self.eyes[absent.name] = Eyes(0.0, seat), Eyes(since_s, None)
                await self._type(absent, "watch 1")
        if is_absent and not self.absent_since:
            self.absent_since = step
        if is_absent and self.absence == "substituted":
            await self._substitute(absent, Seat(len(self.players) - 1))
            return
        if is_absent and step >= self.absent_since + 4 and absent.name not in self.gone:
            await self._type(absent, "return" if self.absence == "leaves" else "moves")
            self.absence = ""

    async def _substitute(self, absent: Member, seat: Seat) -> None:
        """Who watches takes over the seat that was left, and plays on."""
        self.absence = ""
        await self._wait(61.0)
        if self.watcher.name in self.gone:
            await self._come_back(self.watcher.name)
        since_s, game = self.now_s, self.scripted.game
        await self._type(self.watcher, "substitute 1")
        if game is not None and game.seats[seat].is_substitute:
            self.eyes[self.watcher.name] = Eyes(0.0, None), Eyes(since_s, seat)
            self.players[-1] = self.watcher

    async def _make(self, game: Game, member: Member, seat: Seat) -> None:
        step = len(game.plays)
        action = p.by_kind(self.variant, game.state, seat, self.random)
        view = game.view(seat)
        self._line = self.variant.phrase(action, view, game.names)
        self.names_at[step] = game.names
        self.plays_typed.append(self._line)
        await self._clear(member)
        if len(game.plays) == step:  # nobody was quicker
            await self._do(member.name, "play", step=step)

    async def _die(self) -> None:
        self.dies_at = -1
        if has_door(self.number):  # nobody loses the connection, or what is half typed
            await self._do("", "restart" if self.number % 2 else "hand over")
            await self._wait(0.2)
            return
        self.half.clear()
        self.gone.clear()
        await self._do("", "restart")
        await self._wait(0.2)
        for member in self.cast:
            await self._come(member)
        await self._type(self.watcher, "watch 1")

    async def _come(self, member: Member) -> None:
        await self._do(member.name, "come")
        await self._wait(0.2)
        if not member.presses_keys:  # who reads objects is told of tables
            await self._type(member, "feed tables on")

    async def _come_back(self, name: str) -> None:
        del self.gone[name]  # what is half typed is there again
        await self._come(next(member for member in self.cast if member.name == name))
        if name == self.watcher.name:
            await self._type(self.watcher, "watch 1")

    # -- besides the game ----------------------------------------------------------------------

    async def _besides(self) -> None:
        """Somebody does something that is no play."""
        random = self.random
        member = random.choice([m for m in self.cast if m.name not in self.gone])
        match random.randrange(15):
            case 0:
                await self._leave_for_a_while(member)
            case 1 if member.presses_keys:
                await self._clear(member)
                self.half.add(member.name)
                half = random.choice((*HALVES, self._beginning()))
                await self._do(member.name, "keys", keys=half.encode())
            case 2 | 3 | 4 | 5:
                verb = self._beginning().partition(" ")[0] + " "
                tab = random.choice((random.choice(TABS), self._beginning(), verb))
                await self._press_tab(member, tab)
            case 6 | 7 | 8 if member.seat is not None:
                await self._try(member, Seat(member.seat))
            case _:
                lines = (*TELLING, *PRIVATE, *OTHERS, *self.variant.questions)
                await self._type(member, random.choice(lines))

    async def _be_social(self) -> None:
        """Somebody says something, writes, looks somebody up, or keeps order."""
        member = self.random.choice([m for m in self.cast if m.name not in self.gone])
        lines = (*AMONG_PEOPLE, *OF_STAFF) if member is self.bystander else AMONG_PEOPLE
        await self._type(member, self.random.choice(lines))

    async def _be_away(self, seats: Sequence[Seat]) -> None:
        """Several answer in secret: others see who of them is away, and all who are asked go
        away, whether they have answered or not."""
        here = [member for member in self.cast if member.name not in self.gone]
        asked = [member for member in here if member.seat in seats]
        for line in WHO_IS_AWAY if asked else ():
            await self._type(self.random.choice(here), line.format(self.random.choice(asked).name))
        for member in asked:
            await self._type(member, "/away Tea")

    async def _press_tab(self, member: Member, beginning: str) -> None:
        if member.presses_keys and member.name not in self.gone:
            await self._clear(member)
            self.half.add(member.name)
            await self._do(member.name, "keys", keys=beginning.encode() + b"\t\t")

    def _beginning(self) -> str:
        """Of a play that somebody has typed before."""
        whole = self.random.choice(self.plays_typed or ["rules"])
        return whole[: self.random.randint(1, len(whole))]

    async def _leave_for_a_while(self, member: Member) -> None:
        if self.random.random() < 0.3:
            await self._do(member.name, "come")  # from somewhere else: the older visit ends
            await self._wait(0.2)
            return
        self.gone[member.name] = self.now_s + self.random.uniform(0.5, 6.0)
        await self._do(member.name, "drop")

    async def _try(self, member: Member, seat: Seat) -> None:
        """A play that the rules or the grammar turn away."""
        game = self.scripted.game
        if game is None or game.result is not None or game.window is None:
            return
        view = game.view(next(n for n in game.window.seats if game.may_act(n)))
        actions = self.variant.legal_actions(view)
        words = self.variant.phrase(self.random.choice(actions), view, game.names).split()
        verb = words[0]
        if len(words) > 1 and self.random.random() < 0.5:
            cards = self.variant.components(self.options)
            words[self.random.randrange(1, len(words))] = self.random.choice((*game.names, *cards))
        line = " ".join(words)
        is_play = verb not in VERBS or any(v.startswith(verb) for v in self.variant.verbs)
        if is_play and is_refused(self.variant, game.state, seat, line, game.names):
            await self._clear(member)
            await self._do(member.name, "try", line=line, step=len(game.plays) - 1)
            await self._wait(0.2)
