"""Play golden scenarios: `python -m variants.scenario [--show] FILE-OR-DIRECTORY...`

`variants.scenario_file` says what a file holds.  One line a file tells whether it passes, and if
not, at which step and how.  `--show` prints what everybody hears: write the steps, read on.

Rule 1: a step is typed text through `parse`, or the clock through `default`, then `decide`.
Rule 2: a step that is refused says so (`refused`), and then chance was not asked.  [G-03]
Rule 3: after every step each card of the box lies in exactly one zone.  [G-19]

Exit status: 0 all pass, 1 one does not, 2 a file is malformed or cannot be read.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from glob import glob
from typing import Any, TypeVar

from variants.contract import Refusal, Seat, Variant, may_act
from variants.kit.chance import SeededChance
from variants.kit.expect import ANY, misfit, text_fits
from variants.kit.plain import Plain, to_plain
from variants.kit.text import Style, plain
from variants.scenario_file import Malformed, Reader, Scenario, Step, read

T = TypeVar("T")

STYLE = Style(width=80, suits="letters")
FILE_CHARS_MAX = 100_000
IN_THE_BOX = ("decks", "box")  # fields of views and events that list all cards there are


class Different(Exception):
    """It came differently: the step, what was expected, what came."""


class ScriptedOut(Exception):
    """The rules asked for another draw than the script holds."""


class ChosenChance:
    """Chance by script first, then by seed; see `variants.scenario_file`, rule 1."""

    def __init__(self, seed: int) -> None:
        self._seeded = SeededChance(seed.to_bytes(32, "big"))
        self.script: list[Plain] = []
        self.asked = 0  # how many draws there were

    def _take(self) -> Plain:
        self.asked += 1
        return self.script.pop(0) if self.script else ANY

    def below(self, n: int, /) -> int:
        draw = self._take()
        if draw == ANY:
            return self._seeded.below(n)
        if type(draw) is not int or not 0 <= draw < n:
            raise ScriptedOut(f"the script holds {draw!r} where a number below {n} is drawn")
        return draw

    def shuffled(self, items: Sequence[T], /) -> tuple[T, ...]:
        draw = self._take()
        if draw == ANY:
            return self._seeded.shuffled(items)
        draw = list(draw) if isinstance(draw, str) else draw
        if not isinstance(draw, list):
            raise ScriptedOut(f"the script holds {draw!r} where {len(items)} cards are shuffled")
        left, first = list(items), []
        for wanted in draw:
            found = next((i for i in left if misfit(wanted, to_plain(i)) is None), None)
            if found is None:  # a rank alone is the first card of that rank
                found = next((i for i in left if str(i).startswith(str(wanted))), None)
            if found is None:
                raise ScriptedOut(f"{wanted!r} is not among the cards shuffled: {left}")
            left.remove(found)
            first.append(found)
        return (*first, *self._seeded.shuffled(left))


@dataclass(frozen=True)
class Moment:
    """What one step brought."""

    title: str
    events: tuple[Any, ...]
    told: Mapping[Reader, Sequence[str]]
    refused: str
    asked: tuple[Seat, ...]
    asks: str


# -- playing ----------------------------------------------------------------------------------


def play(scenario: Scenario) -> Iterator[Moment]:
    """Play a scenario step by step.

    Yields:
        What each step brought, the position first, once everything expected of it has come.

    Raises:
        Malformed: The position is impossible.
        Different: The first expectation that is not met.
    """
    variant, names = scenario.variant, scenario.names
    readers: tuple[Reader, ...] = (*(Seat(n) for n in range(len(names))), None)
    chance = ChosenChance(scenario.seed)
    state: Any = None
    for step in scenario.steps:
        chance.script = list(step.draws)
        drawn_before = chance.asked
        refused, events = "", tuple[Any, ...]()
        try:
            if state is None:
                events = _set_up(scenario, chance)
            else:
                events = _decided(variant, names, state, step, chance)
        except Refusal as refusal:
            refused = refusal.say(names)
            if chance.asked > drawn_before:
                raise Different(f"{step.title}: it is refused, but chance was asked") from None
        except ScriptedOut as error:
            raise Different(f"{step.title}: {error}") from None
        if chance.script:
            raise Different(f"{step.title}: nothing asked for the draw {chance.script[0]!r}")
        for event in events:
            state = variant.evolve(state, event)
        told = {reader: _told(variant, events, reader, names) for reader in readers}
        window = variant.asked(variant.observe(state, None))
        moment = Moment(
            title=step.title,
            events=events,
            told=told,
            refused=refused,
            asked=window.seats if window else (),
            asks=window.asks if window else "",
        )
        if trouble := next(_troubles(scenario, step, state, moment), None):
            raise Different(f"{step.title}: {trouble}")
        yield moment


def _set_up(scenario: Scenario, chance: ChosenChance) -> tuple[Any, ...]:
    variant, seats = scenario.variant, len(scenario.names)
    if scenario.position is None:
        return tuple(variant.deal(seats, scenario.options, chance))
    try:
        events = tuple(variant.arrange(seats, scenario.options, scenario.position, chance))
        to_plain(events)
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        # A variant says what is impossible; of what is no position at all it only stumbles.
        raise Malformed(f"[position]: {error}") from None
    return events


def _decided(
    variant: Variant[Any, Any, Any, Any],
    names: Sequence[str],
    state: Any,
    step: Step,
    chance: ChosenChance,
) -> tuple[Any, ...]:
    if step.is_time:
        return _expired(variant, state, step, chance)
    assert step.seat is not None, step
    action = variant.parse(step.line, variant.observe(state, step.seat), names)
    return tuple(variant.decide(state, step.seat, action, chance))


def _expired(
    variant: Variant[Any, Any, Any, Any], state: Any, step: Step, chance: ChosenChance
) -> tuple[Any, ...]:
    """The defaults that the house plays when a clock runs out: `variants.scenario_file`, rule 3."""
    opened = variant.asked(variant.observe(state, None))
    if opened is None:
        raise Different(f"{step.title}: the game is over, no clock runs")
    if step.seat is not None:
        action = variant.default(variant.observe(state, step.seat), chance)
        return tuple(variant.decide(state, step.seat, action, chance))
    events: list[Any] = []
    for seat in opened.seats:
        while (window := variant.asked(variant.observe(state, None))) is not None:
            view = variant.observe(state, seat)
            if window.key != opened.key or seat not in window.seats:
                break  # closed, at least for this seat
            if not may_act(variant, window, view):
                break  # this seat has answered a sealed window  [G-11]
            following = variant.decide(state, seat, variant.default(view, chance), chance)
            for event in following:
                state = variant.evolve(state, event)
            events += following
    return tuple(events)


def _told(
    variant: Variant[Any, Any, Any, Any],
    events: Sequence[Any],
    reader: Reader,
    names: Sequence[str],
) -> list[str]:
    redacted = (variant.redact(event, reader) for event in events)
    lines = (variant.tell(e, reader, names, STYLE) for e in redacted if e is not None)
    return [plain(line) for line in lines if line is not None]


# -- comparing ----------------------------------------------------------------------------------


def _troubles(scenario: Scenario, step: Step, state: Any, moment: Moment) -> Iterator[str]:
    """What is not as expected, one text each; the cheapest to understand first."""
    variant, expected = scenario.variant, step.expected

    def label(what: str, reader: Reader) -> str:
        return f"{what}.{'watcher' if reader is None else scenario.names[reader]}"

    if moment.refused and "refused" not in expected:
        yield f"it is refused: {moment.refused}"
    if (wanted := expected.get("refused")) is not None:
        came = moment.refused or "(it is accepted)"
        if not moment.refused or not text_fits(wanted, came, is_part=True):
            yield f"refused:\n    expected {wanted}\n    came     {came}"

    in_zones = sorted(card for zone in variant.zones(state).values() for card in zone)
    if in_zones != list(variant.components(scenario.options)):
        yield f"the cards in all zones are not the cards in the box: {' '.join(in_zones)}"

    views = {reader: variant.observe(state, reader) for reader in moment.told}
    wholes = {
        "events": to_plain(moment.events),
        "asked": list(moment.asked),
        "asks": moment.asks,
        "zones": {name: sorted(cards) for name, cards in variant.zones(state).items()},
        "outcome": to_plain(variant.outcome(state)),
    }
    for what, came in wholes.items():
        if what in expected and (trouble := misfit(expected[what], came, what)):
            yield trouble
    for reader, view in views.items():
        actions = variant.legal_actions(view)
        by_reader: dict[str, Plain] = {
            "told": list(moment.told[reader]),
            "view": to_plain(view),
            "moves": [variant.phrase(action, view, scenario.names) for action in actions],
        }
        for what, came in by_reader.items():
            if reader in expected.get(what, ()) and (
                trouble := misfit(expected[what][reader], came, label(what, reader))
            ):
                yield trouble
        for secret in expected.get("not_told", {}).get(reader, ()):
            redacted = [variant.redact(event, reader) for event in moment.events]
            screen = "\n".join(map(plain, variant.render(view, scenario.names, STYLE)))
            known = [*moment.told[reader], screen, _known([view, *redacted])]
            known += [moment.refused] if reader == step.seat else []
            if found := next((text for text in known if _stands_in(secret, text)), None):
                yield f"{label('not_told', reader)}: {secret!r} stands in {found:.300}"


def _known(values: Sequence[Any]) -> str:
    """Views and redacted events as text, without the list of what is in the box: that is public."""
    plains = [to_plain(value) for value in values if value is not None]
    return json.dumps([{k: v for k, v in one.items() if k not in IN_THE_BOX} for one in plains])


def _stands_in(secret: str, text: str) -> bool:
    """A letter stands for a card, which stands alone: `variants.scenario_file`, rule 4."""
    if len(secret) > 1 or not secret.isalpha():
        return secret in text
    return re.search(rf"(?<![^\W_]){secret}(?![^\W_])", text) is not None


# -- the command --------------------------------------------------------------------------------


def run(path: str, show: Callable[[Moment, Scenario], None] | None = None) -> str:
    """Play the scenario in a file; its name if it passes.  Raises Malformed, Different."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(FILE_CHARS_MAX + 1)
    except OSError as error:
        raise Malformed(error.strerror or "cannot be read") from None
    except UnicodeDecodeError:
        raise Malformed("not UTF-8") from None
    if len(text) > FILE_CHARS_MAX:
        raise Malformed(f"longer than {FILE_CHARS_MAX} characters")
    scenario = read(text)
    for moment in play(scenario):
        if show:
            show(moment, scenario)
    return scenario.name


def show(moment: Moment, scenario: Scenario) -> None:
    print(f"  {moment.title}")
    if moment.refused:
        print(f"    refused: {moment.refused}")
    for reader, told in moment.told.items():
        for sentence in told:
            print(f"    {'watcher' if reader is None else scenario.names[reader]}: {sentence}")
    asked = ", ".join(scenario.names[seat] for seat in moment.asked)
    print(f"    ({asked} {moment.asks})" if asked else "    (over)")


def main(arguments: Sequence[str]) -> int:
    is_shown = "--show" in arguments
    places = [argument for argument in arguments if argument != "--show"]
    if not places or any(place.startswith("-") for place in places):
        print("usage: python -m variants.scenario [--show] FILE-OR-DIRECTORY...", file=sys.stderr)
        return 2
    status = 0
    for place in places:
        inside = sorted(glob("**/*.toml", root_dir=place, recursive=True))
        for path in [f"{place}/{name}" for name in inside] or [place]:
            try:
                print(f"pass  {path}: {run(path, show if is_shown else None)}")
            except Different as difference:
                print(f"FAIL  {path}: {difference}")
                status = max(status, 1)
            except Malformed as reason:
                print(f"BAD   {path}: {reason}", file=sys.stderr)
                status = 2
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
