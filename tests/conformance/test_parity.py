"""Everything said in one mode is said in the others: columns, 40 columns, and read aloud.

Two proofs, over whole games of every variant.  *Vocabulary*: the facts in the texts are the same,
counted, after the words that styles have of their own are turned into one another.  *Grafts*: where
one value of a view or an event is replaced by one of another moment, either all texts change or
none does, so that no fact can be missing from one of them, whatever the words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from random import Random
from typing import Any

import pytest

from tests.conformance.play import Step, whole_game
from tests.conformance.settings import AnyVariant, Setting, label, settings_of
from tests.conformance.vocabulary import facts, whole
from tests.counts import IS_FULL
from tests.games import games, profile_of
from tests.slow_cases import slow_cases
from variants.catalogue import CATALOGUE
from variants.contract import Seat
from variants.kit.text import Style, StyledLine, plain_text

COLUMNS, SYMBOLS = Style(80), Style(200, "symbols")
NARROW, ALOUD = Style(40), Style(40, is_linear=True)
STYLES = {"80": COLUMNS, "200": SYMBOLS, "40": NARROW, "aloud": ALOUD}
BOXES = Style(200, "symbols", has_boxes=True)
BOXED = frozenset(CATALOGUE)
HEADS = {"Your", "hand", "manifest", "pairs", "locked"}  # words over a hand
FRAMED = {"You", "can", "cancel", "it", "let", "happen", "also", "no"}
FRAMED |= {"turn", "on", "another", "player"}
"""What a response does, which the rules say elsewhere."""
GRAFTED = ("200", "40", "aloud")

SETTINGS = [
    setting
    for variant in games().values()
    for setting in {setting.seats: setting for setting in settings_of(variant)}.values()
]
"""Each number of seats once, with options that differ."""
ENDS = [settings_of(variant)[at] for variant in games().values() for at in (0, -1)]
BETWEEN = [
    label(s)
    for s in SETTINGS
    if profile_of(s.variant.name).brief and s.variant.seats[0] < s.seats < s.variant.seats[-1]
]
"""Of long games."""
BETWEEN_OF_SHORT = [
    label(s)
    for s in SETTINGS
    if not profile_of(s.variant.name).brief and 4 < s.seats < s.variant.seats[-1]
]
every_number_of_seats = pytest.mark.parametrize(
    "setting", slow_cases(SETTINGS, BETWEEN + BETWEEN_OF_SHORT, label), ids=label
)
fewest_and_most = pytest.mark.parametrize("setting", ENDS, ids=label)

Reader = Seat | None


def readers(setting: Setting) -> list[Reader]:
    return [None, *map(Seat, range(setting.seats))]


def looked_at(setting: Setting) -> Sequence[Step]:
    """Every third step of a game, of a long one every seventh, unless `make prove` takes all."""
    return whole_game(setting).steps[:: 1 if IS_FULL else 7 if is_long(setting) else 3]


def is_long(setting: Setting) -> bool:
    return bool(profile_of(setting.variant.name).brief)


def same_facts(setting: Setting, said: dict[str, Sequence[StyledLine]], what: object) -> None:
    """AssertionError: some text says what another does not."""
    rewrite = profile_of(setting.variant.name).rewrite
    found = {name: facts(whole(rows), rewrite) for name, rows in said.items()}
    first = found["80"]
    for name, others in found.items():
        lacks, adds = first - others, others - first
        assert not lacks and not adds, f"{name} lacks {dict(lacks)}, adds {dict(adds)}: {what}"


# -- vocabulary ------------------------------------------------------------------------------------


@every_number_of_seats
def test_every_view_says_the_same_facts_in_every_style(setting: Setting) -> None:
    variant, names = setting.variant, setting.names
    for step in looked_at(setting):
        for reader in readers(setting):
            view = variant.observe(step.state, reader)
            shown = {name: variant.render(view, names, style) for name, style in STYLES.items()}
            same_facts(setting, shown, view)


@fewest_and_most
def test_cards_in_boxes_say_the_same_facts_as_words(setting: Setting) -> None:
    """As sets: a deck that stands over several cards in words is said in each box."""
    variant, names, boxed = setting.variant, setting.names, 0
    rewrite = profile_of(variant.name).rewrite
    for step in looked_at(setting):
        for reader in readers(setting):
            view = variant.observe(step.state, reader)
            rows = variant.render(view, names, BOXES)
            found = set(facts(out_of_boxes(rows), rewrite)) - HEADS - FRAMED
            words = (
                set(facts(whole(variant.render(view, names, SYMBOLS)), rewrite)) - HEADS - FRAMED
            )
            assert found == words, (found - words, words - found)
            boxed += any("┌" in plain_text(row) for row in rows)
    assert boxed or variant.name not in BOXED


def out_of_boxes(rows: Sequence[StyledLine]) -> str:
    """The rows as one text, each box as the words in it from top to bottom."""
    said: list[str] = []
    boxes: dict[int, list[str]] = {}
    for row in map(plain_text, rows):
        if "│" not in row:
            said += [" ".join("".join(box).replace("-  ", "-").split()) for box in boxes.values()]
            boxes = {}
            said.append(re.sub("[┌┐└┘─]", " ", row))
            continue
        for box in re.finditer("│([^│]*)│", row):
            text = box[1].rstrip()
            boxes.setdefault(box.start(), []).append(text if text.endswith("-") else f"{text} ")
    return re.sub("(\\w+) ([♥♦♣♠])", r"\1\2", " ".join(" ".join(said).split()))


@every_number_of_seats
def test_every_event_is_told_in_every_style_or_in_none_with_the_same_facts(
    setting: Setting,
) -> None:
    variant, told = setting.variant, Counter[str]()
    for event in whole_game(setting).events:
        for reader in readers(setting):
            if (known := variant.redact(event, reader)) is None:
                continue
            said = {
                n: variant.describe_event(known, reader, setting.names, s)
                for n, s in STYLES.items()
            }
            assert 1 == len({line is None for line in said.values()}), known
            lines = {name: [line] for name, line in said.items() if line is not None}
            if lines:
                same_facts(setting, lines, known)
                told[type(known).__name__] += 1
    assert len(told) > min(5, len(variant.event_types) // 2)


@fewest_and_most
def test_every_answer_says_the_same_facts_in_every_style(setting: Setting) -> None:
    variant, names, game = setting.variant, setting.names, whole_game(setting)
    seen: dict[Reader, list[Any]] = {reader: [] for reader in readers(setting)}
    asked = [*variant.questions, *(f"table {name}" for name in names)]
    for number, step in enumerate(game.steps):
        for reader, heard in seen.items():
            heard += [e for e in (variant.redact(e, reader) for e in step.events) if e is not None]
            if number % (60 if is_long(setting) else 20) and step is not game.steps[-1]:
                continue
            view = variant.observe(step.state, reader)
            for line in asked:
                said = {n: variant.answer(line, view, heard, names, s) for n, s in STYLES.items()}
                same_facts(setting, said, (line, view))


# -- grafts ----------------------------------------------------------------------------------------


def grafts(value: Any, other: Any) -> Iterator[Any]:
    """*value* with one part of it, however deep, as it is in *other*."""
    if value == other:
        return
    if is_dataclass(value) and not isinstance(value, type) and type(value) is type(other):
        for field in fields(value):
            for part in grafts(getattr(value, field.name), getattr(other, field.name)):
                yield replace(value, **{field.name: part})
    elif _are_alike(value, other):
        for at, (one, another) in enumerate(zip(value, other, strict=True)):
            for part in grafts(one, another):
                yield (*value[:at], part, *value[at + 1 :])
    else:
        yield other


def _are_alike(value: Any, other: Any) -> bool:
    """Whether part for part can be replaced; cards that lie together are one part."""
    are_tuples = isinstance(value, tuple) and isinstance(other, tuple)
    return are_tuples and len(value) == len(other) and not any(isinstance(x, str) for x in value)


def changed_alike(before: dict[str, str], after: dict[str, str]) -> bool:
    return len({before[name] == after[name] for name in before}) == 1


def boards(variant: AnyVariant, view: Any, names: Sequence[str]) -> dict[str, str]:
    """Rows as they stand: in columns the place of a number is part of what it says."""
    return {
        name: "\n".join([plain_text(row) for row in variant.render(view, names, STYLES[name])])
        for name in GRAFTED
    }


@fewest_and_most
def test_whatever_changes_the_board_in_one_style_changes_it_in_all(setting: Setting) -> None:
    variant, names, random = setting.variant, setting.names, Random(setting.label)
    game, tried = whole_game(setting), 0
    for reader in random.sample(readers(setting), 2):
        views = [variant.observe(step.state, reader) for step in game.steps]
        for at in range(0, len(views) - 1, max(1, len(views) // 12)):
            view, before = views[at], boards(variant, views[at], names)
            for graft in grafts(view, random.choice((views[at + 1], random.choice(views)))):
                try:
                    after = boards(variant, graft, names)
                except (LookupError, ValueError, AssertionError, StopIteration):
                    continue  # such a view there is not
                assert changed_alike(before, after), (view, graft)
                tried += 1
    assert tried > 50


@fewest_and_most
def test_whatever_changes_a_sentence_in_one_style_changes_it_in_all(setting: Setting) -> None:
    variant, names, random = setting.variant, setting.names, Random(setting.label)
    by_kind: dict[str, list[Any]] = {}
    for event in whole_game(setting).events:
        by_kind.setdefault(type(event).__name__, []).append(event)
    tried, rounds = 0, 0
    while tried <= 50 and (rounds := rounds + 1) <= 20:  # a short game has few events
        for events in [some for some in by_kind.values() for _ in range(20)]:
            one, other = random.choice(events), random.choice(events)
            reader = random.choice(readers(setting))
            known = [variant.redact(event, reader) for event in (one, other)]
            if None in known:
                continue
            before = sentences(variant, known[0], reader, names)
            for graft in grafts(*known):
                try:
                    after = sentences(variant, graft, reader, names)
                except (LookupError, ValueError, AssertionError, StopIteration):
                    continue
                assert changed_alike(before, after), (known[0], graft)
                tried += 1
    assert tried > 50


def sentences(
    variant: AnyVariant, event: Any, reader: Reader, names: Sequence[str]
) -> dict[str, str]:
    told = {name: variant.describe_event(event, reader, names, STYLES[name]) for name in GRAFTED}
    return {name: "" if line is None else plain_text(line) for name, line in told.items()}


# -- the proofs see what is missing ----------------------------------------------------------------


def lossy(variant: AnyVariant) -> AnyVariant:
    """The same game, read aloud without the last row of the board and the last word of an event."""

    def render(view: Any, names: Sequence[str], style: Style) -> Sequence[StyledLine]:
        rows = variant.render(view, names, style)
        return rows[:-1] if style.is_linear else rows

    def tell(event: Any, seat: Reader, names: Sequence[str], style: Style) -> StyledLine | None:
        told = variant.describe_event(event, seat, names, style)
        return told[:-2] if style.is_linear and told is not None else told

    return replace(variant, render=render, describe_event=tell)


@pytest.mark.parametrize("variant", games().values(), ids=lambda v: v.name)
@pytest.mark.parametrize(
    "proof",
    [
        test_every_view_says_the_same_facts_in_every_style,
        test_every_event_is_told_in_every_style_or_in_none_with_the_same_facts,
        test_whatever_changes_the_board_in_one_style_changes_it_in_all,
        test_whatever_changes_a_sentence_in_one_style_changes_it_in_all,
    ],
    ids=["views", "events", "boards", "sentences"],
)
def test_a_style_that_leaves_something_out_is_found(proof: Any, variant: AnyVariant) -> None:
    with pytest.raises(AssertionError):
        for setting in settings_of(variant)[:4]:
            proof(replace(setting, variant=lossy(variant)))
