"""The same script over other cards, and everything an observer receives in both.

A twin of the game (tests/conformance/twins.py) is played by the whole server: the same keys at the
same times, with the cards of the twin; who plays a hidden card types the one that is there.

Rule 1: who may know what is said by declared knowledge alone.  An observer's run is compared
        up to the first step that shows the observer a difference, or until the twin ends.
Rule 2: a computer player that may not know the difference decides for itself, and has to decide
        the same.  [SEC-11]  One that does hold other cards plays what the twin says: so it is seen
        whether its *pause* tells of its cards.  A seat that passes by itself is left alone.
Rule 3: the twin's journal has to say that it was this twin which was played; a proof that
        compares a world with itself proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.conformance.alterations import secret_acts
from tests.conformance.knowledge import Knowledge, knowledge_of
from tests.conformance.play import Step
from tests.conformance.twins import Twin, twin_of, twins
from tests.inline_bots import InlineBots
from tests.secrets.script import Eyes, Script
from tests.secrets.scripted_server import (
    DONE,
    KEPT,
    LOG,
    Act,
    Received,
    ScriptedServer,
    journal_content,
    world_for,
)
from tests.secrets.step_chance import step_chance
from tests.secrets.steps_from_journal import is_refused
from tests.simulation.virtual import run
from variants.contract import Seat
from variants.kit.chance import SeededChance

Reader = Seat | None


@dataclass(frozen=True)
class Counterpart:
    """A twin of a script, and how long who may not know of it."""

    script: Script
    twin: Twin
    steps: tuple[Step, ...]  # the twin's, from the deal on
    known_at: Mapping[Reader, int]  # the first step that reader may know to be different
    end_s: float  # until then everybody can do the same in both worlds

    def until_s(self, reader: Reader) -> float:
        step = self.known_at[reader]
        return min(self.end_s, self.script.when_s[step]) if step < len(self.steps) else self.end_s

    @property
    def observers(self) -> dict[str, float]:
        """Name -> until when that observer may not know the difference, once there is one."""
        since_s = self.script.when_s[self.twin.since]
        until = {LOG: self.until_s(None)}
        for member in self.script.cast:
            until[member.name] = self._until_s(self.script.eyes_of(member))
        return {name: until_s for name, until_s in until.items() if until_s > since_s}

    def _until_s(self, phases: Sequence[Eyes]) -> float:
        """Until when somebody may not know who sees with these eyes, one after the other.

        Who takes over a seat knows from then on all that the seat has known.
        """
        ends = [*(eyes.since_s for eyes in phases[1:]), self.end_s]
        for eyes, end_s in zip(phases, ends, strict=True):
            if (known_s := self.until_s(eyes.seat)) < end_s:
                return max(known_s, eyes.since_s)
        return self.end_s

    @property
    def is_late(self) -> bool:
        """Altered after the deal."""
        return self.twin.since > 0

    @property
    def changes_a_computer(self) -> bool:
        """Whether a computer player sees other cards while somebody else must not know."""
        first = min(
            (self.known_at[seat] for seat in self.script.computers), default=len(self.steps)
        )
        return first < len(self.steps) and any(
            until_s > self.script.when_s[first] for until_s in self.observers.values()
        )


def counterparts(script: Script, random: Random, tries: int) -> Iterator[Counterpart]:
    """The accepted twins of a script among so many *tries*."""
    knowledge = knowledge_of(script.variant)
    found = twins(script.game, knowledge, random, tries, [None, *script.people])
    yield from played(script, found, knowledge)


def in_secret(script: Script) -> Iterator[Counterpart]:
    """The twins in which people answer under a seal in another order, or otherwise."""
    knowledge = knowledge_of(script.variant)
    alterations = sorted(secret_acts(script.game, knowledge), key=lambda a: -len(a.acts))
    found = (
        twin_of(script.game, observer, alteration, knowledge)
        for alteration in alterations
        for observer in (None, *script.people)
    )
    yield from played(script, filter(None, found), knowledge)


def played(script: Script, found: Iterable[Twin], knowledge: Knowledge) -> Iterator[Counterpart]:
    """Those that the server can play."""
    for twin in found:
        if can_be_typed(script, twin):
            counterpart = of(script, twin, knowledge)
            if counterpart.until_s(twin.observer) > script.when_s[twin.since]:
                yield counterpart


def can_be_typed(script: Script, twin: Twin) -> bool:
    """Other acts than the script's are done by people, who are there at the time: a computer
    player would have to be told what to think."""
    for number, (seat, _) in twin.alteration.acts.items():
        if number < len(twin.whole) and (
            script.by[number] != "person" or not script.is_there(seat, script.when_s[number])
        ):
            return False
    return True


def of(script: Script, twin: Twin, knowledge: Knowledge) -> Counterpart:
    worlds, steps = script.game.steps, twin.whole
    if steps[-1].state == worlds[len(steps) - 1].state:  # the worlds have met again
        steps += worlds[len(steps) :]
    known_at = {
        reader: next(
            (
                i
                for i in range(twin.since, len(steps))
                if steps[i] is not worlds[i]
                and (
                    knowledge.facts(steps[i], reader) != knowledge.facts(worlds[i], reader)
                    or script.variant.outcome(steps[i].state) is not None  # all hands are shown
                )
            ),
            len(steps),
        )
        for reader in (None, *map(Seat, range(script.game.setting.seats)))
    }
    return Counterpart(script, twin, steps, known_at, _end_s(script, steps, known_at))


def _end_s(script: Script, steps: Sequence[Step], known_at: Mapping[Reader, int]) -> float:
    """Until when what was done in the script can be done in the twin."""
    variant, names = script.variant, script.names
    end_s = script.when_s[len(steps)] if len(steps) < len(script.when_s) else script.end_s
    seats = {member.name: member.seat for member in script.cast}
    for act in script.acts:
        if act.at_s >= end_s:
            break
        if b"record" in act.keys and script.is_over_at(act.at_s):
            return act.at_s  # the record of a finished game may show everything  [SEC-7]
        seat = seats.get(act.who)
        if (
            act.does == "try"
            and seat is not None
            and steps[act.step] is not script.game.steps[act.step]
            and not is_refused(variant, steps[act.step].state, Seat(seat), act.line, names)
        ):
            return act.at_s
    for i, by in enumerate(script.by[: len(steps)]):
        step = steps[i]
        is_default = by in ("time", "autopass")
        if is_default and step is not script.game.steps[i] and step.seat is not None:
            view, chance = variant.observe(steps[i - 1].state, step.seat), SeededChance(b"none")
            if variant.default_action(view, chance) != step.action or chance.draws:
                return min(end_s, script.when_s[i])
        # An exchange of equal letters also exchanges them in plays; but a computer player that
        # sees what it saw in the script has no reason to do otherwise.
        sees_no_difference = by in ("computer", "away") and i <= known_at[step.seat]
        if sees_no_difference and step.action != script.game.steps[i].action:
            return min(end_s, script.when_s[i])
    return end_s


# -- playing the twin ------------------------------------------------------------------


class Puppets(InlineBots):
    """Computer players who think for themselves while they see what they saw in the script."""

    def __init__(self, counterpart: Counterpart) -> None:
        super().__init__()
        self._counterpart = counterpart
        self.scripted: ScriptedServer | None = None
        self.thoughts: dict[int, Any] = {}  # by step: what it came to by itself, lastly

    async def choose(
        self,
        variant: str,
        level: str,
        view: Any,
        seen: Sequence[Any],
        seed: int,
        network: str = "",
        *,
        is_advice: bool = False,
    ) -> Any:
        counterpart = self._counterpart
        game = self.scripted.game if self.scripted is not None else None
        first = len(game.plays) if game is not None else 0
        # The seat's own next step: it may be asked together with others, or after them.
        mine = (n for n, step in enumerate(counterpart.steps[first:], first)
                if step.seat == view.seat)  # fmt: skip
        number = next(mine, None)
        if number is None:
            return await super().choose(variant, level, view, seen, seed)
        step = counterpart.steps[number]
        assert step.seat is not None
        if counterpart.known_at[step.seat] < number:
            return step.action
        self.thoughts[number] = await super().choose(variant, level, view, seen, seed)
        return step.action

    def thought(self, played: int) -> Iterator[tuple[int, Any]]:
        """(step, what it came to) of the *played* steps that were made of a thought: not those
        of a thought that died with the server, or whose seat's owner came back."""
        script, since = self._counterpart.script, self._counterpart.twin.since
        for number, action in self.thoughts.items():
            if since < number < played and script.by[number] in ("computer", "away"):
                yield number, action


@dataclass(frozen=True)
class Rerun:
    """What came of a run."""

    received: Received
    events: list[tuple[Any, ...]]  # by step
    thoughts: dict[int, Any]  # what computer players came to by themselves, by step


def everything(act: Act) -> bool:
    return True


def repeated(
    script: Script,
    counterpart: Counterpart | None = None,
    keeps: Callable[[Act], bool] = everything,
) -> Rerun:
    """The script once more: with the cards of *counterpart* or its own, and the acts it *keeps*."""
    return run(_repeated(script, counterpart, keeps))


async def _repeated(
    script: Script, counterpart: Counterpart | None, keeps: Callable[[Act], bool]
) -> Rerun:
    steps = counterpart.steps if counterpart else script.game.steps
    end_s = max(counterpart.observers.values()) if counterpart else script.end_s
    draws = [[drawn.draw for drawn in step.drawn] for step in steps]
    world = world_for(script.number, step_chance(draws if counterpart else ()))
    puppets = Puppets(counterpart) if counterpart else None
    scripted = ScriptedServer(script.cast, world, puppets)
    if puppets is not None:
        puppets.scripted = scripted
    await scripted.open()
    with scripted.listening_to_the_log():
        for act in filter(keeps, script.acts):
            if act.at_s >= end_s:
                break
            await scripted.until(act.at_s)
            await scripted.do(script.typed_by(act, steps), lambda step: script.line(steps, step))
        await scripted.until(end_s)
    events = [fact.events for _, fact in journal_content(world, script.variant).plays]
    thoughts = dict(puppets.thought(len(events))) if puppets else {}
    return Rerun(scripted.received, events, thoughts)


# -- comparing -------------------------------------------------------------------------


def leaks(counterpart: Counterpart) -> list[str]:
    """What gives the twin away: "Wim: (12.345, ...) / ..."; nothing if it is safe."""
    return leaks_of(counterpart, repeated(counterpart.script, counterpart))


def leaks_of(counterpart: Counterpart, rerun: Rerun) -> list[str]:
    script = counterpart.script
    found = [
        f"step {number}: a computer player does {action}"
        for number, action in rerun.thoughts.items()
        if action != counterpart.steps[number].action
    ]
    for name, until_s in counterpart.observers.items():
        one, other = (heard(of[name], until_s) for of in (script.received, rerun.received))
        found += first_difference(name, one, other)
    if not found:
        _assert_played(counterpart, rerun)
    return found


def heard(received: Sequence[tuple[float, bytes]], until_s: float) -> list[tuple[float, bytes]]:
    """Up to a time; what is later may be anything.

    Of the capsules of one moment the last alone: whether two timers that are due at once fall into
    one turn of the loop or two depends on the last bit of a sum.  So does whether the door is told
    at a look or at the next one that a line of one's own is done, where something else is due at
    the table at that very moment; nobody but the door reads it.
    """
    found = list[tuple[float, bytes]]()
    kept_s = None  # of the last capsule, from behind
    for at_s, data in reversed(
        [(round(at_s, 6), data) for at_s, data in received if at_s < until_s]
    ):
        if data.startswith(DONE):
            continue
        if data.startswith(KEPT):
            if at_s == kept_s:
                continue
            kept_s = at_s
        found.append((at_s, data))
    return found[::-1]


def first_difference(name: str, one: list[Any], other: list[Any]) -> Iterator[str]:
    if one == other:
        return
    i = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    i = min(len(one), len(other)) if i is None else i
    a, b = (of[i] if i < len(of) else "nothing more" for of in (one, other))
    yield f"{name}: {str(a)[:500]} / {str(b)[:500]}"


def _assert_played(counterpart: Counterpart, rerun: Rerun) -> None:
    """Every step whose time had come before the last observer was done with."""
    end_s = max(counterpart.observers.values())
    due = [s for s, at_s in zip(counterpart.steps, counterpart.script.when_s, strict=False)
           if at_s < end_s - 0.01]  # fmt: skip
    played = rerun.events[: len(due)]
    assert played == [step.events for step in due], counterpart.twin.how
