"""Every scenario file passes; and the runner finds what is wrong with one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.variants.rulings import SCENARIOS
from variants.catalogue import CATALOGUE
from variants.kit.expectations import find_mismatch, text_matches
from variants.kit.json_values import JsonValue
from variants.scenario import Mismatch, main, run_file, run_steps
from variants.scenario_file import InvalidScenario, parse_scenario

FILES = sorted(path for game in CATALOGUE for path in (SCENARIOS / game).glob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_scenario_passes(path: Path) -> None:
    assert run_file(str(path))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_scenario_lies_with_the_others_of_its_game(path: Path) -> None:
    assert path.parent.name == parse_scenario(path.read_text(encoding="utf-8")).variant.name


# -- a scenario that is wrong is found wrong ------------------------------------------------------

GOOD = """
name = "a gift"
rulings = ["ER-08"]
variant = "elimination"
seats = ["Ann", "Bob", "Cy"]
[position]
turn = "Ann"
hands = { Ann = ["7H", "KS"], Bob = ["4S"] }
[[step]]
seat = "Ann"
line = "give 7 bob"
"""


def trouble(more: str) -> str:
    with pytest.raises(Mismatch) as found:
        list(run_steps(parse_scenario(GOOD + more)))
    return str(found.value)


def test_the_moments_of_a_scenario_are_its_position_and_its_steps() -> None:
    moments = list(run_steps(parse_scenario(GOOD)))
    assert ["start", "step 1 (Ann> give 7 bob)"] == [moment.title for moment in moments]
    assert ((1,), "to play") == (moments[-1].asked_seats, moments[-1].window_prompt)


@pytest.mark.parametrize(
    ("expectation", "difference"),
    [
        ('told.Cy = ["Ann gives you a card."]', "told.Cy:"),
        ("told.others = []", "told.Ann:"),
        ('not_told.Bob = ["7H"]', "not_told.Bob: '7H' stands in"),
        ('not_told.Cy = ["n", "a"]', "not_told.Cy: 'a' stands in Ann gives Bob a card."),
        ("view.Bob = { hand = [] }", "view.Bob.hand:"),
        ("view.Bob = { luck = 7 }", "view.Bob.luck: there is no such field, only"),
        ("view.Bob = { seats = { Cy = { cards = 5 } } }", "view.Bob.seats.2.cards:"),
        ("view.watcher = { deck = 5 }", "view.watcher.deck:"),
        ('moves.Bob = ["draw"]', "moves.Bob:"),
        ('events = ["CardTaken", "..."]', "events:"),
        ('events = [{ kind = "CardGiven", to = "Cy" }, "..."]', "events:"),
        ('asked = ["Cy"]', "asked:"),
        ('asks = "to choose"', "asks:"),
        ("zones = { deck = 1 }", "zones.deck:"),
        ("outcome = { places = [1, 1, 1] }", "outcome:"),
        ('refused = "You do not hold"', "refused:"),
        ('refused = ""', "refused:"),
        ("draws = [1]", "nothing asked for the draw 1"),
    ],
)
def test_a_wrong_expectation_is_told_with_its_step(expectation: str, difference: str) -> None:
    came = trouble(expectation)
    assert came.startswith("step 1 (Ann> give 7 bob): ")
    assert difference in came


@pytest.mark.parametrize(
    ("step", "difference"),
    [
        ('seat = "Bob"\nline = "draw"', None),
        ('seat = "Cy"\nline = "draw"', "step 2 (Cy> draw): it is refused: It's Bob's turn."),
        ('seat = "Bob"\nline = "juggle"', "step 2 (Bob> juggle): it is refused: "),
        ('seat = "Bob"\nline = "shuffle"\ndraws = [3]', "the script holds 3 where 3 cards"),
        ('seat = "Bob"\nline = "shuffle"\ndraws = [["9S"]]', "'9S' is not among the cards"),
        ('seat = "Bob"\nline = "take ann"\ndraws = [1]', "the script holds 1 where a number"),
    ],
)
def test_a_wrong_step_is_told(step: str, difference: str | None) -> None:
    text = f"\n[[step]]\n{step}\n"
    if difference is None:
        assert 3 == len(list(run_steps(parse_scenario(GOOD + text))))
    else:
        assert difference in trouble(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("name = ", "not TOML: "),
        (GOOD.replace("name =", "title ="), "the file has no `title`"),
        (GOOD.replace('name = "a gift"\n', ""), "`name` is missing"),
        (GOOD.replace('"a gift"', "7"), "`name` is no str"),
        (GOOD.replace('"elimination"', '"whist"'), "no such game: whist"),
        (GOOD.replace("[position]", "seed = -1\n[position]"), "`seed` is a number"),
        (GOOD.replace('"Cy"]', '"ANN"]'), "every seat needs a name of its own"),
        (GOOD.replace('"Cy"]', '"Watcher"]'), "every seat needs a name of its own"),
        (GOOD.replace('["Ann", "Bob", "Cy"]', '["Ann"]'), "`seats` are the names"),
        (GOOD.replace('["Ann", "Bob", "Cy"]', "[1, 2]"), "`seats` are the names"),
        (GOOD.replace("[position]", "[deal]"), r"\[deal\] has no `hands`"),
        (GOOD.replace("[position]", "[deal]\n[position]"), "either"),
        (
            GOOD.replace("[[step]]", "[start]\nrefused = ''\n[[step]]"),
            r"\[start\] has no `refused`",
        ),
        (GOOD + "time = true", "step 1 needs either `line` or `time = true`"),
        (GOOD.replace('line = "give 7 bob"', ""), "step 1 needs either"),
        (GOOD.replace('seat = "Ann"', 'seat = "Zoe"'), "step 1: `seat` is one of Ann, Bob, Cy"),
        (GOOD.replace('seat = "Ann"\n', ""), "step 1: `seat` is one of Ann, Bob, Cy"),
        (GOOD + "tell.Ann = []", "step 1 has no `tell`"),
        (GOOD + "told.Zoe = []", "step 1, `told` has no `zoe`"),
        (GOOD + "told = 3", "`told` is no dict"),
        (
            GOOD + "told = { Ann = [], Bob = [], Cy = [], watcher = [], others = [] }",
            "step 1, `told`: there are no others",
        ),
        (GOOD.replace("[position]", 'options = { deck = "53" }\n[position]'), "option deck is"),
        (GOOD.replace("[position]", 'options = { jokers = "3" }\n[position]'), "`options` has no"),
        (GOOD.replace("[position]", 'options = { twos_as_aces = "on" }\n[position]'), "twos_as"),
    ],
)
def test_a_malformed_file_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(InvalidScenario, match=reason):
        parse_scenario(text)


def test_the_value_of_an_option_may_be_a_number() -> None:
    scenario = parse_scenario(GOOD.replace("[position]", "options = { deck = 50 }\n[position]"))
    assert "50" == scenario.options["deck"]


@pytest.mark.parametrize(
    "hands", ['{ Ann = ["7H", "7H"] }', '{ Ann = ["99"] }', "7", "{ Ann = 7 }", "[]\nmarks.Ann = 1"]
)
def test_an_impossible_position_is_malformed(hands: str) -> None:
    text = GOOD.replace('{ Ann = ["7H", "KS"], Bob = ["4S"] }', hands)
    with pytest.raises(InvalidScenario, match=r"\[position\]: "):
        list(run_steps(parse_scenario(text)))


# -- patterns ---------------------------------------------------------------------------------

FOOD: JsonValue = {"kind": "Card", "id": "S08", "name": "Food", "number": 3}
EAST: JsonValue = {"kind": "Word", "number": 3, "spelling": "EAST"}
SELF_ISOLATION: JsonValue = {"kind": "Card", "id": "I29", "name": "Self-Isolation", "number": 0}


@pytest.mark.parametrize(
    ("expected", "came"),
    [
        ("...", ""),
        ("You draw...", "You draw the 7 of hearts."),
        ("... of ...", "the 7 of hearts"),
        (["...", "b", "..."], ["a", "b", "c", "d"]),
        (["...", "d"], ["a", "b", "c", "d"]),
        (["..."], []),
        ({"a": 1}, {"a": 1, "b": 2}),
        ({1: {"cards": 2}}, [{}, {"cards": [7, 8]}]),
        (3, [1, 2, 3]),
        (["Dealt", {"seat": 2}, "..."], [{"kind": "Dealt"}, {"kind": "Drawn", "seat": 2}]),
        (None, None),
        (["S08", "Food 3", "Self-Isolation"], [FOOD, FOOD, SELF_ISOLATION]),
        (["EAST", "Word"], [EAST, EAST]),
        ("TEA*", ["T", "E", "A", "*"]),
        ("T...", ["T", "E", "A"]),
        ("", []),
    ],
)
def test_what_fits(expected: JsonValue, came: JsonValue) -> None:
    assert None is find_mismatch(expected, came)


@pytest.mark.parametrize(
    ("expected", "came"),
    [
        ("You draw", "You draw the 7 of hearts."),
        ("a.c", "abc"),
        (["...", "b"], ["a", "b", "c"]),
        ([], ["a"]),
        (["a"], []),
        ({"a": 1}, {"b": 2}),
        ({2: "x"}, ["y"]),
        ({"a": 1}, None),
        (3, [1, 2]),
        (True, [1]),
        (1, True),
        (1, "1"),
        ("Food", FOOD),
        ("Food 2", FOOD),
        ("Self-Isolation 0", SELF_ISOLATION),
        ("SEAT", EAST),
        ("TEA", ["E", "A", "T"]),
        ("TEA", ["TE", "A"]),
        ("TEA", ["T", "E", "A", None]),
    ],
)
def test_what_does_not_fit(expected: JsonValue, came: JsonValue) -> None:
    assert find_mismatch(expected, came)


def test_a_refusal_may_be_given_in_part() -> None:
    assert text_matches("is out", "Bob is out, so ...", is_part=True)
    assert not text_matches("is in", "Bob is out, so ...", is_part=True)


# -- the command ------------------------------------------------------------------------------


def test_the_command_plays_a_file_and_shows_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "gift.toml"
    file.write_text(GOOD)
    assert 0 == main(["--show", str(tmp_path)])
    out = capsys.readouterr().out
    assert "  step 1 (Ann> give 7 bob)\n" in out
    assert "(Bob to play)" in out
    assert out.endswith(f"pass  {file}: a gift\n")


def test_the_command_tells_a_difference_and_a_malformed_file_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong, bad = tmp_path / "wrong.toml", tmp_path / "bad.toml"
    wrong.write_text(GOOD + 'asked = ["Cy"]')
    bad.write_bytes(b"\xff")
    assert 1 == main([str(wrong)])
    assert f"FAIL  {wrong}: step 1" in capsys.readouterr().out
    assert 2 == main([str(bad), str(wrong)])
    assert f"BAD   {bad}: not UTF-8\n" == capsys.readouterr().err
    for arguments in ([], ["--help"], [str(tmp_path / "none.toml")]):
        assert 2 == main(arguments)


def test_the_command_says_what_is_wrong_without_a_stack_trace(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "variants.scenario", str(tmp_path)]
    came = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert 2 == came.returncode
    assert f"BAD   {tmp_path}: Is a directory\n" == came.stderr
