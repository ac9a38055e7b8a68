"""Everything one observer receives from a rule book, channel by channel.

Rule 1: a channel has a name, so that a leak is reported as "told" or "screen", not as a diff of
        two states.
Rule 2: a seat sits among watchers and can talk to one, so every seat also gets the watcher's
        channels.
Rule 3: channels that need many calls (`far`) are looked at less often than those that change
        with every step (`near`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any

from tests.conformance.knowledge import knowledge_of
from tests.conformance.play import Game, Step, packed
from tests.conformance.settings import AnyVariant
from tests.conformance.twins import Twin
from variants.contract import Refusal, Seat
from variants.kit.chance import SeededChance
from variants.kit.text import Style

STYLES = (
    Style(),
    Style(width=40, suits="symbols"),
    Style(width=60, is_linear=True),
)
CHANCE = b"the same chance in both worlds"
Channels = dict[str, Any]


def heard(variant: AnyVariant, events: Sequence[Any], seat: Seat | None) -> tuple[Any, ...]:
    """The events as *seat* may know them; one that is silent for it is not even counted."""
    return tuple(known for event in events if (known := variant.redact(event, seat)) is not None)


def near(variant: AnyVariant, names: Sequence[str], step: Step, seat: Seat | None) -> Channels:
    """What changes with every step, from the step's events and the state after it."""
    public = variant.observe(step.state, None)
    own = variant.observe(step.state, seat)
    own_events = heard(variant, step.events, seat)
    public_events = heard(variant, step.events, None)
    return {
        "view": own,
        "watcher's view": public,
        "heard": own_events,
        "watcher heard": public_events,
        "told": [variant.describe_event(event, seat, names, STYLES[0]) for event in own_events],
        "watcher told": [
            variant.describe_event(event, None, names, STYLES[1]) for event in public_events
        ],
        "asked": variant.open_window(public),
        "moves": tuple(variant.legal_actions(own)),
        "watcher's moves": tuple(variant.legal_actions(public)),
        "outcome": variant.outcome(step.state),
    }


def far(
    variant: AnyVariant,
    names: Sequence[str],
    steps: Sequence[Step],
    seat: Seat | None,
    lines: Sequence[str],
) -> Channels:
    """What a person can call up after the last of *steps*: screens, answers to *lines*, help,
    time-out plays, computer players, sampled worlds."""
    state = steps[-1].state
    public = variant.observe(state, None)
    own = variant.observe(state, seat)
    seen = heard(variant, [event for step in steps for event in step.events], seat)
    window = variant.open_window(public)
    listed = tuple(variant.legal_actions(own))
    channels: Channels = {
        "screen": [variant.render(own, names, style) for style in STYLES],
        "watcher's screen": [variant.render(public, names, style) for style in STYLES],
        "phrases": [variant.phrase(action, own, names) for action in listed],
        "reasons": [variant.explain(own, seen, action) for action in listed],
        "reasons at the end": variant.explain_end(own, seen),
        "view in bytes": (packed(own), repr(own)),
        "answers": [answer(variant, names, state, seat, line) for line in lines],
        "questions": asked_at_the_table(variant, names, own, seen, lines),
        "worlds": [
            packed(w) for w in islice(variant.sample_states(own, seen, SeededChance(CHANCE)), 2)
        ],
    }
    if listed and window is not None and seat in window.seats:
        if variant.better_action is not None:
            channels["review"] = [variant.better_action(own, seen, it) for it in listed[:4]]
        channels["time-out"] = variant.default_action(own, SeededChance(CHANCE))
        for level, bot in variant.bots.items():
            channels[f"computer player {level}"] = bot(own, seen, SeededChance(CHANCE))
    return channels


def answer(
    variant: AnyVariant, names: Sequence[str], state: Any, seat: Seat | None, line: str
) -> str:
    """What *seat* hears at once when it types *line*: a refusal's words, or "accepted"."""
    try:
        view = variant.observe(state, seat)
        action = variant.parse(line, view, names)
        variant.check(view, action)
        if seat is not None:
            variant.decide(state, seat, action, SeededChance(CHANCE))
    except Refusal as refusal:
        return f"{type(refusal).__name__}: {refusal.format(names)}"
    return f"accepted: {action}"


def asked_at_the_table(
    variant: AnyVariant, names: Sequence[str], view: Any, seen: Sequence[Any], lines: Sequence[str]
) -> list[Any]:
    """What answers each question that is no play, asked bare and about the words of *lines*."""
    abouts = dict.fromkeys(("", *(word for line in lines for word in line.split()), "5"))
    found = []
    for question in variant.questions:
        for about in abouts:
            try:
                typed = f"{question} {about}".strip()
                found.append((typed, variant.answer(typed, view, seen, names, STYLES[1])))
            except Refusal as refusal:
                found.append((typed, refusal.format(names)))
    return found


def lines_for(game: Game, random: Random, number: int) -> list[str]:
    """Things people type: plays of this game in other moments, and the same with words changed."""
    names, variant = game.setting.names, game.setting.variant
    actors = [(i, step) for i, step in enumerate(game.steps) if step.seat is not None]
    lines: list[str] = []
    for i, step in random.sample(actors, min(number, len(actors))):
        assert step.seat is not None
        view = variant.observe(game.steps[i - 1].state, step.seat)
        lines.append(variant.phrase(step.action, view, names))
    words = sorted({word for line in lines for word in line.split()})
    words += [*names, *random.sample(sorted(variant.components(game.setting.options)), 8)]
    for line in tuple(lines):
        parts = line.split()
        parts[random.randrange(len(parts))] = random.choice(words)
        lines.append(" ".join(parts))
    return [*lines, *knowledge_of(variant).typed(game, random)]


# -- comparing -------------------------------------------------------------------------


def leaks(variant: AnyVariant, twin: Twin, random: Random) -> Iterator[str]:
    """Where *twin* looks different from its world: "step 12, told: ... / ..."; none if it is safe.

    *variant* may be another one than the game was played with: a mutant that leaks.
    """
    yield from near_leaks(variant, twin)
    yield from far_leaks(variant, twin, random)


def near_leaks(variant: AnyVariant, twin: Twin) -> Iterator[str]:
    """At every step of the twin."""
    names, seat = twin.game.setting.names, twin.observer
    for i, world_step, twin_step in twin.pairs:
        world = near(variant, names, world_step, seat)
        yield from _differences(i, world, near(variant, names, twin_step, seat))


def far_leaks(variant: AnyVariant, twin: Twin, random: Random) -> Iterator[str]:
    """After the last step of the twin, where both worlds have gone furthest apart."""
    names, seat = twin.game.setting.names, twin.observer
    lines = lines_for(twin.game, random, 4)
    last = twin.since + len(twin.steps)
    world = far(variant, names, twin.game.steps[:last], seat, lines)
    yield from _differences(last - 1, world, far(variant, names, twin.whole, seat, lines))


def _differences(step: int, world: Channels, twin: Channels) -> Iterator[str]:
    for channel in sorted(world.keys() | twin.keys()):
        one, other = world.get(channel), twin.get(channel)
        if one != other:
            yield f"step {step}, {channel}: {str(one)[:600]} / {str(other)[:600]}"
