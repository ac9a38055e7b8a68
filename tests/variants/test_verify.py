"""The verifier proves an honest record, and finds every change in one."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from pkgutil import get_data
from typing import Any

import pytest

from mudserver.ui.encode import encode_lines
from mudserver.ui.terminal_profile import TerminalProfile
from tests.prompts import TABLE_1
from tests.variants.playthrough import played, record
from variants.catalogue import CATALOGUE, SHIPPED_FILES
from variants.contract import Option
from variants.kit.chance import SeededChance
from variants.kit.text import styled_line
from variants.verify import (
    InvalidRecord,
    Mismatch,
    decision_record,
    header_record,
    main,
    outcome_record,
    to_json_lines,
    verify,
)

GAME = CATALOGUE["elimination"]
OPTIONS = {"deck": "54", "twos_as_aces": "off"}
SEED = sha256(b"a game to prove").digest()
RECORD = record(GAME, 3, OPTIONS, SEED)


def verdict(lines: list[Any]) -> str:
    return verify(to_json_lines(lines).splitlines())


def changed(line: int, change: Callable[[dict[str, Any]], Any]) -> list[Any]:
    """The record with one line changed, a copy."""
    lines = json.loads(json.dumps(RECORD))
    change(lines[line])
    return lines


def first_with_draws() -> int:
    return next(n for n, line in enumerate(RECORD) if n > 1 and line.get("draws"))


def test_a_whole_game_is_proved() -> None:
    decisions = len(RECORD) - 3
    draws = sum(len(line["draws"]) for line in RECORD[1:-1])
    assert f"proved: {decisions} decisions, {draws} draws" == verdict(RECORD)


@pytest.mark.parametrize("options", [{"deck": "50"}, {"deck": "50", "twos_as_aces": "on"}, {}])
def test_options_that_are_missing_have_their_defaults(options: dict[str, str]) -> None:
    whole = {o.name: o.default for o in GAME.options} | options
    lines = record(GAME, 2, whole, SEED)
    lines[0]["options"] = options
    assert verdict(lines).startswith("proved: ")


def test_an_option_that_is_a_number_is_one_of_its_numbers() -> None:
    pot = Option("pot", "20", (), "what is played for", number_range=range(10, 101, 5))
    games = {"elimination": replace(GAME, options=(*GAME.options, pot))}
    for value in ("10", "100", "55"):
        lines = changed(0, lambda it, value=value: it["options"].update(pot=value))
        assert verify(to_json_lines(lines).splitlines(), games).startswith("proved: ")
    for value in ("56", "055", 55):
        lines = changed(0, lambda it, value=value: it["options"].update(pot=value))
        with pytest.raises(
            InvalidRecord, match="line 1: pot is a number from 10 to 100, in steps of"
        ):
            verify(to_json_lines(lines).splitlines(), games)


def test_a_game_that_was_broken_off_is_proved_as_far_as_it_went() -> None:
    draws = sum(len(line["draws"]) for line in RECORD[1:9])
    assert f"proved: 7 decisions, {draws} draws, broken off" == verdict(
        [*RECORD[:9], outcome_record(None)]
    )


def any_play(view: Any, chance: Any) -> Any:
    plays = GAME.legal_actions(view)
    return plays[chance.below(len(plays))]


def test_what_the_clock_chose_is_chosen_again() -> None:
    """[G-09] The draws of `default` come before those of `decide`."""
    games = {"elimination": replace(GAME, default_action=any_play)}
    lines = [header_record("elimination", 2, OPTIONS, SEED)]
    chance, state = SeededChance(SEED), None
    events = tuple(GAME.deal(2, OPTIONS, chance))
    lines.append(decision_record(None, None, chance.draws, events))
    while True:
        for event in events:
            state = GAME.evolve(state, event)
        if (window := GAME.open_window(GAME.observe(state, None))) is None:
            break
        chance.draws.clear()
        seat = window.seats[0]
        action = any_play(GAME.observe(state, seat), chance)
        events = tuple(GAME.decide(state, seat, action, chance))
        lines.append(decision_record(seat, action, chance.draws, events, by="time"))
    lines.append(outcome_record(GAME.outcome(state)))
    proof = verify(to_json_lines(lines).splitlines(), games)
    assert proof.startswith(f"proved: {len(lines) - 3} decisions, ")
    taken_as_given = [lines[0], lines[1], {**lines[2], "by": "computer"}, *lines[3:]]
    with pytest.raises(Mismatch, match="line 3: the "):
        verify(to_json_lines(taken_as_given).splitlines(), games)


def test_a_choice_that_the_clock_would_not_make_is_found() -> None:
    line = next(n for n, p in enumerate(played(GAME, 3, OPTIONS, SEED)) if p.line == "shuffle") + 1
    with pytest.raises(Mismatch, match=f"line {line + 1}: the action differ"):
        verdict(changed(line, lambda it: it.update(by="time")))


@pytest.mark.parametrize(
    ("line", "change", "found"),
    [
        (0, lambda it: it.update(seed=sha256(b"another").hexdigest()), "line 1: the seed is not"),
        (0, lambda it: it.update(commitment="00"), "line 1: the seed is not"),
        (1, lambda it: it["draws"][1].reverse(), "line 2: the draws, number 2 differ"),
        (1, lambda it: it["draws"].pop(), "line 2: the number of draws differ"),
        (1, lambda it: it["events"][1]["deck"].reverse(), "line 2: the events, number 2 differ"),
        (5, lambda it: it.update(events=[]), "line 6: the number of events differ"),
        (5, lambda it: it.update(seat=(it["seat"] + 1) % 3), "line 6: this seat was not asked"),
        (5, lambda it: it.update(seat=True), "line 6: this seat was not asked"),
        (-1, lambda it: it["outcome"].update(reason="luck"), "the outcome differ"),
        (-1, lambda it: it.update(outcome=None), "the outcome differ"),
    ],
)
def test_a_changed_record_is_found(line: int, change: Callable[[Any], Any], found: str) -> None:
    with pytest.raises(Mismatch, match=found):
        verdict(changed(line, change))


def test_every_single_draw_counts() -> None:
    line = first_with_draws()
    lines = changed(line, lambda it: it["draws"].append(0))
    with pytest.raises(Mismatch, match=f"line {line + 1}: the number of draws differ"):
        verdict(lines)


def test_a_play_against_the_rules_is_found_with_its_reason() -> None:
    action = {"kind": "Take", "victim": RECORD[2]["seat"]}
    asked = next(n for n, p in enumerate(played(GAME, 3, OPTIONS, SEED)) if p.line and n > 0) + 1
    with pytest.raises(Mismatch, match=f"line {asked + 1}: the rules refuse it: You can't take"):
        verdict(changed(asked, lambda it: it.update(action=action)))


def test_a_play_after_the_end_is_found() -> None:
    with pytest.raises(Mismatch, match="the game was over before this decision"):
        verdict([*RECORD[:-1], RECORD[-2], RECORD[-1]])


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([], "line 1: no record of a game"),
        ([{}], "line 1: no record of a game"),
        ([[]], "line 1: no record of a game"),
        (RECORD[:1], "line 1: the record ends without an outcome"),
        (RECORD[:-1], "the record ends without an outcome"),
        ([*RECORD, RECORD[-1]], "the record goes on after the outcome"),
        ([RECORD[0], RECORD[2]], "line 2: the deal has draws, events, seat"),
        ([*RECORD[:2], RECORD[1]], "line 3: a decision has action, draws, events, seat"),
        (changed(0, lambda it: it.update(variant="whist")), "line 1: no such game: 'whist'"),
        (changed(0, lambda it: it.update(seats=9)), "line 1: elimination has 2 to 8 seats"),
        (changed(0, lambda it: it.update(seats=True)), "line 1: elimination has 2 to 8 seats"),
        (changed(0, lambda it: it.update(options={"jokers": "3"})), 'line 1: "options" are deck'),
        (changed(0, lambda it: it.update(options={"deck": []})), "line 1: deck is one of 54, 50"),
        (changed(0, lambda it: it.update(options={"twos_as_aces": "on"})), "line 1: twos_as_aces"),
        (changed(0, lambda it: it.update(seed="abc")), 'line 1: "seed" is 32 bytes in hex'),
        (changed(0, lambda it: it.update(seed=7)), 'line 1: "seed" is 32 bytes in hex'),
        (changed(4, lambda it: it.update(action={"kind": "Cheat"})), "line 5: 'Cheat' is not one"),
        (changed(4, lambda it: it.update(action=None)), "line 5: expected an object"),
    ],
)
def test_what_is_no_record_is_refused_with_line_and_reason(lines: list[Any], reason: str) -> None:
    with pytest.raises(InvalidRecord, match=reason):
        verdict(lines)


@pytest.mark.parametrize(
    "text",
    ["", "nonsense", "{", "{}}", '{"a":' + "[" * 100_000 + "}", "x" * 1_000_001, "{" * 1_000_001],
)
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(InvalidRecord, match="line 1: "):
        verify([text])


def test_junk_anywhere_in_a_record_is_never_more_than_a_verdict() -> None:
    junk = [None, True, -1, 10**30, 1.5, "", "Draw", [], [[]], {}, {"kind": "Give"}]
    chance = SeededChance(SEED)
    for _ in range(150):
        lines = json.loads(json.dumps(RECORD[:8]))
        at: Any = lines
        while True:
            keys = list(at) if isinstance(at, dict) else list(range(len(at)))
            key = keys[chance.below(len(keys))]
            if not isinstance(at[key], dict | list) or not at[key] or chance.below(3) == 0:
                break
            at = at[key]
        at[key] = junk[chance.below(len(junk))]
        with pytest.raises((InvalidRecord, Mismatch)):
            verdict(lines)


@pytest.mark.parametrize("cols", [20, 79, 80, 300])
def test_what_was_copied_off_a_terminal_is_proved(cols: int) -> None:
    """Rows as the server paints them, with what stood around them."""
    lines = [styled_line(text) for text in to_json_lines(RECORD).splitlines()]
    seen = encode_lines(lines, replace(TerminalProfile(), cols=cols)).decode().splitlines()
    assert cols >= max(map(len, seen))
    before = [f"{TABLE_1}record", "The record of this game"]
    assert verdict(RECORD) == verify([*before, *seen, TABLE_1, "-- bob is here."])


def test_a_row_that_is_missing_is_found() -> None:
    rows = [
        row[at : at + 80]
        for row in to_json_lines(RECORD).splitlines()
        for at in range(0, len(row), 80)
    ]
    for gone in range(0, len(rows), 7):
        with pytest.raises((InvalidRecord, Mismatch)):
            verify(rows[:gone] + rows[gone + 1 :])


# -- the command ------------------------------------------------------------------------------


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "variants.verify", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_the_command_prints_a_verdict(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text(to_json_lines(RECORD))
    came = run(str(file))
    assert (0, "") == (came.returncode, came.stderr)
    assert came.stdout == verdict(RECORD) + "\n"


OTHER = {"stockpile": replace(GAME, name="stockpile", data_fingerprint="0123")}
"""A game whose data a server may replace, with other data than a record without any."""


def test_a_record_of_other_data_is_refused_and_told_how_to_name_them() -> None:
    lines = changed(0, lambda it: it.update(variant="stockpile"))
    with pytest.raises(InvalidRecord) as refused:
        verify(to_json_lines(lines).splitlines(), OTHER)
    assert (
        "line 1: this game of stockpile was played with other data files than these; name the "
        "file that it was played with, as in --data stockpile.decks=DATA"
    ) == str(refused.value)
    lines[0]["data"] = "0123"
    assert verify(to_json_lines(lines).splitlines(), OTHER).startswith("proved: ")


def test_the_command_reads_data_files_and_says_what_is_wrong_with_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, decks = tmp_path / "game.jsonl", tmp_path / "decks.json"
    file.write_text(to_json_lines(RECORD))
    decks.write_bytes(get_data(*SHIPPED_FILES["stockpile.decks"]) or b"")
    assert 0 == main(["--data", f"stockpile.decks={decks}", str(file)])
    decks.write_text('{"supplies": []}')
    assert 2 == main(["--data", f"stockpile.decks={decks}", str(file)])
    assert 2 == main(["--data", f"chess.board={decks}", str(file)])
    assert 2 == main(["--data", f"stockpile.decks={tmp_path}/none", str(file)])
    for wrong in (["--data", str(file)], ["--data", "stockpile.decks", str(file)]):
        assert 2 == main(wrong)
    errors = capsys.readouterr().err.splitlines()
    assert [
        "stockpile.decks: The deck indoor is missing. The file has the decks "
        "supplies, indoor and outdoor.",
        f"chess.board: no game has such a file; there is {', '.join(SHIPPED_FILES)}",
        f"{tmp_path}/none: No such file or directory",
        *["usage: python -m variants.verify [--data KEY=DATA] FILE"] * 2,
    ] == errors


def test_the_command_tells_the_three_ends_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text(to_json_lines(changed(0, lambda it: it.update(commitment="00"))))
    assert 1 == main([str(file)])
    assert "not proved: line 1: the seed is not" in capsys.readouterr().out
    file.write_bytes(b"\xff\xfe")
    assert 2 == main([str(file)])
    assert 2 == main([str(tmp_path)])
    assert 2 == main([str(tmp_path / "none")])
    assert 2 == main([])
    errors = capsys.readouterr().err.splitlines()
    assert 4 == len(errors)
    assert not any("Traceback" in line for line in errors)
