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
from typing import Any

from variants.contract import Refusal, Seat, Variant, may_act
from variants.kit.expectations import find_mismatch, text_matches
from variants.kit.json_values import JsonValue, to_json_value
from variants.kit.scripted_chance import PartlyScriptedChance, ScriptMismatch
from variants.kit.text import Style, plain_text
from variants.scenario_file import InvalidScenario, Scenario, Step, Viewer, parse_scenario

STYLE = Style(width=80, suits="letters")
FILE_CHARS_MAX = 100_000
PUBLIC_CARD_FIELDS = ("decks", "box")  # fields of views and events that list all cards there are


class Mismatch(Exception):
    """It came differently: the step, what was expected, what came."""


@dataclass(frozen=True)
class StepResult:
    """What one step brought."""

    title: str
    events: tuple[Any, ...]
    sentences: Mapping[Viewer, Sequence[str]]
    refusal: str
    asked_seats: tuple[Seat, ...]
    window_prompt: str


# -- playing ----------------------------------------------------------------------------------


def run_steps(scenario: Scenario) -> Iterator[StepResult]:
    """Play a scenario step by step.

    Yields:
        What each step brought, the position first, once everything expected of it has come.

    Raises:
        Malformed: The position is impossible.
        Different: The first expectation that is not met.
    """
    variant, names = scenario.variant, scenario.names
    readers: tuple[Viewer, ...] = (*(Seat(n) for n in range(len(names))), None)
    chance = PartlyScriptedChance(scenario.seed)
    state: Any = None
    for step in scenario.steps:
        chance.script = list(step.draws)
        drawn_before = chance.draw_count
        refused, events = "", tuple[Any, ...]()
        try:
            if state is None:
                events = _initial_events(scenario, chance)
            else:
                events = _apply_line(variant, names, state, step, chance)
        except Refusal as refusal:
            refused = refusal.format(names)
            if chance.draw_count > drawn_before:
                raise Mismatch(f"{step.title}: it is refused, but chance was asked") from None
        except ScriptMismatch as error:
            raise Mismatch(f"{step.title}: {error}") from None
        if chance.script:
            raise Mismatch(f"{step.title}: nothing asked for the draw {chance.script[0]!r}")
        for event in events:
            state = variant.evolve(state, event)
        told = {reader: _sentences(variant, events, reader, names) for reader in readers}
        window = variant.open_window(variant.observe(state, None))
        moment = StepResult(
            title=step.title,
            events=events,
            sentences=told,
            refusal=refused,
            asked_seats=window.seats if window else (),
            window_prompt=window.asks if window else "",
        )
        if trouble := next(_mismatches(scenario, step, state, moment), None):
            raise Mismatch(f"{step.title}: {trouble}")
        yield moment


def _initial_events(scenario: Scenario, chance: PartlyScriptedChance) -> tuple[Any, ...]:
    variant, seats = scenario.variant, len(scenario.names)
    if scenario.position is None:
        return tuple(variant.deal(seats, scenario.options, chance))
    try:
        events = tuple(variant.arrange(seats, scenario.options, scenario.position, chance))
        to_json_value(events)
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        # A variant says what is impossible; of what is no position at all it only stumbles.
        raise InvalidScenario(f"[position]: {error}") from None
    return events


def _apply_line(
    variant: Variant[Any, Any, Any, Any],
    names: Sequence[str],
    state: Any,
    step: Step,
    chance: PartlyScriptedChance,
) -> tuple[Any, ...]:
    if step.is_timeout:
        return _apply_timeouts(variant, state, step, chance)
    assert step.seat is not None, step
    action = variant.parse(step.line, variant.observe(state, step.seat), names)
    return tuple(variant.decide(state, step.seat, action, chance))


def _apply_timeouts(
    variant: Variant[Any, Any, Any, Any], state: Any, step: Step, chance: PartlyScriptedChance
) -> tuple[Any, ...]:
    """The defaults played when a clock runs out: `variants.scenario_file`, rule 3."""
    opened = variant.open_window(variant.observe(state, None))
    if opened is None:
        raise Mismatch(f"{step.title}: the game is over, no clock runs")
    if step.seat is not None:
        action = variant.default_action(variant.observe(state, step.seat), chance)
        return tuple(variant.decide(state, step.seat, action, chance))
    events: list[Any] = []
    for seat in opened.seats:
        while (window := variant.open_window(variant.observe(state, None))) is not None:
            view = variant.observe(state, seat)
            if window.key != opened.key or seat not in window.seats:
                break  # closed, at least for this seat
            if not may_act(variant, window, view):
                break  # this seat has answered a sealed window  [G-11]
            following = variant.decide(state, seat, variant.default_action(view, chance), chance)
            for event in following:
                state = variant.evolve(state, event)
            events += following
    return tuple(events)


def _sentences(
    variant: Variant[Any, Any, Any, Any],
    events: Sequence[Any],
    reader: Viewer,
    names: Sequence[str],
) -> list[str]:
    redacted = (variant.redact(event, reader) for event in events)
    lines = (variant.describe_event(e, reader, names, STYLE) for e in redacted if e is not None)
    return [plain_text(line) for line in lines if line is not None]


# -- comparing ----------------------------------------------------------------------------------


def _mismatches(scenario: Scenario, step: Step, state: Any, moment: StepResult) -> Iterator[str]:
    """What is not as expected, one text each; the cheapest to understand first."""
    variant, expected = scenario.variant, step.expected

    def label(what: str, reader: Viewer) -> str:
        return f"{what}.{'watcher' if reader is None else scenario.names[reader]}"

    if moment.refusal and "refused" not in expected:
        yield f"it is refused: {moment.refusal}"
    if (wanted := expected.get("refused")) is not None:
        came = moment.refusal or "(it is accepted)"
        if not moment.refusal or not text_matches(wanted, came, is_part=True):
            yield f"refused:\n    expected {wanted}\n    came     {came}"

    in_zones = sorted(card for zone in variant.zones(state).values() for card in zone)
    if in_zones != list(variant.components(scenario.options)):
        yield f"the cards in all zones are not the cards in the box: {' '.join(in_zones)}"

    views = {reader: variant.observe(state, reader) for reader in moment.sentences}
    wholes = {
        "events": to_json_value(moment.events),
        "asked": list(moment.asked_seats),
        "asks": moment.window_prompt,
        "zones": {name: sorted(cards) for name, cards in variant.zones(state).items()},
        "outcome": to_json_value(variant.outcome(state)),
    }
    for what, came in wholes.items():
        if what in expected and (trouble := find_mismatch(expected[what], came, what)):
            yield trouble
    for reader, view in views.items():
        actions = variant.legal_actions(view)
        by_reader: dict[str, JsonValue] = {
            "told": list(moment.sentences[reader]),
            "view": to_json_value(view),
            "moves": [variant.phrase(action, view, scenario.names) for action in actions],
        }
        for what, came in by_reader.items():
            if reader in expected.get(what, ()) and (
                trouble := find_mismatch(expected[what][reader], came, label(what, reader))
            ):
                yield trouble
        for secret in expected.get("not_told", {}).get(reader, ()):
            redacted = [variant.redact(event, reader) for event in moment.events]
            screen = "\n".join(map(plain_text, variant.render(view, scenario.names, STYLE)))
            known = [*moment.sentences[reader], screen, _known_text([view, *redacted])]
            known += [moment.refusal] if reader == step.seat else []
            if found := next((text for text in known if _is_mentioned(secret, text)), None):
                yield f"{label('not_told', reader)}: {secret!r} stands in {found:.300}"


def _known_text(values: Sequence[Any]) -> str:
    """Views and redacted events as text, without the list of what is in the box: that is public."""
    plains = [to_json_value(value) for value in values if value is not None]
    return json.dumps(
        [{k: v for k, v in one.items() if k not in PUBLIC_CARD_FIELDS} for one in plains]
    )


def _is_mentioned(secret: str, text: str) -> bool:
    """A letter stands for a card, which stands alone: `variants.scenario_file`, rule 4."""
    if len(secret) > 1 or not secret.isalpha():
        return secret in text
    return re.search(rf"(?<![^\W_]){secret}(?![^\W_])", text) is not None


# -- the command --------------------------------------------------------------------------------


def run_file(path: str, on_step: Callable[[StepResult, Scenario], None] | None = None) -> str:
    """Play the scenario in a file; its name if it passes.  Raises Malformed, Different."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(FILE_CHARS_MAX + 1)
    except OSError as error:
        raise InvalidScenario(error.strerror or "cannot be read") from None
    except UnicodeDecodeError:
        raise InvalidScenario("not UTF-8") from None
    if len(text) > FILE_CHARS_MAX:
        raise InvalidScenario(f"longer than {FILE_CHARS_MAX} characters")
    scenario = parse_scenario(text)
    for moment in run_steps(scenario):
        if on_step:
            on_step(moment, scenario)
    return scenario.name


def print_step(moment: StepResult, scenario: Scenario) -> None:
    print(f"  {moment.title}")
    if moment.refusal:
        print(f"    refused: {moment.refusal}")
    for reader, told in moment.sentences.items():
        for sentence in told:
            print(f"    {'watcher' if reader is None else scenario.names[reader]}: {sentence}")
    asked = ", ".join(scenario.names[seat] for seat in moment.asked_seats)
    print(f"    ({asked} {moment.window_prompt})" if asked else "    (over)")


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
                print(f"pass  {path}: {run_file(path, print_step if is_shown else None)}")
            except Mismatch as difference:
                print(f"FAIL  {path}: {difference}")
                status = max(status, 1)
            except InvalidScenario as reason:
                print(f"BAD   {path}: {reason}", file=sys.stderr)
                status = 2
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
