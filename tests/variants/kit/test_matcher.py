"""The matcher, on a game of two plays and a half: parcels are sent, opened or sorted."""

from __future__ import annotations

import doctest
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from variants.contract import AmbiguousInput, Refusal, Seat
from variants.kit import matcher
from variants.kit.matcher import Grammar, Meaning, Play, Slot, Table, Words, marked, player, split


@dataclass(frozen=True)
class Parcels:
    seat: Seat | None
    asks: str
    colours: tuple[str, ...]


@dataclass(frozen=True)
class Send:
    colour: str
    to: Seat
    fast: bool = False


@dataclass(frozen=True)
class Open:
    colour: str


@dataclass(frozen=True)
class Sort:
    pass


Post = Table[Parcels]
NAMES = ("Ann", "Bob", "Cy")


def colour(words: Words, at: int, table: Post) -> Iterator[Meaning]:
    begun = [c for c in table.view.colours if c.startswith(words[at])]
    yield from (Meaning(1, each) for each in begun)


def fast(words: Words, at: int, table: Post) -> Iterator[Meaning]:
    if words[at : at + 2] == ["by", "air"]:
        yield Meaning(2, True)


def others(table: Post) -> list[Seat]:
    return [Seat(seat) for seat in range(len(table.names)) if seat != table.view.seat]


COLOUR: Slot[Post] = Slot("COLOUR", colour)
FAST: Slot[Post] = Slot("", fast, lambda is_fast, *_: "air" if is_fast else "", lambda *_: [False])
FILLERS = frozenset(("the", "a", "to", "parcel"))
LEGAL = [Sort(), Open("red"), *[Send("green", Seat(to)) for to in (1, 2)], Send("red", Seat(2))]
TO: Slot[Post] = replace(player(others, FILLERS), fill=lambda table, _: others(table))
GRAMMAR: Grammar[Post, object] = Grammar(
    (
        Play("send {colour} to {to} by {fast}", Send,
             {"colour": COLOUR, "to": TO, "fast": FAST},
             words="post give", asked=("act",)),
        Play("open {colour}", Open, {"colour": COLOUR}, words="unwrap", asked=("act", "which"),
             missing="Open which parcel?"),
        Play("sort out", Sort, words="give", fillers="up", letters_min=2),
    ),
    question=lambda table: table.view.asks,
    legal_actions=lambda table: LEGAL[: 2 if table.view.asks == "quiet" else None],
    fillers=FILLERS,
    bare={"which": "open"},
)  # fmt: skip


def typed(
    line: str,
    asks: str = "act",
    names: Sequence[str] = NAMES,
    colours: tuple[str, ...] = ("red", "rose", "green", "black"),
) -> object:
    view = Parcels(Seat(0), asks, colours)
    return GRAMMAR.parse(split(line, names), Table(view, names))


def said(line: str, asks: str = "act", names: Sequence[str] = NAMES) -> str:
    with pytest.raises(Refusal) as refused:
        typed(line, asks, names)
    return refused.value.format(names)


@pytest.mark.parametrize(
    "line",
    ["send green to bob", "SEND the Green, Bob!", "send bob green", "se g b", "post gr to seat 2",
     "send a green parcel to bob", "sen bo gree"],
)  # fmt: skip
def test_parts_stand_in_any_order_and_may_be_begun(line):
    assert Send("green", Seat(1)) == typed(line)


def test_an_optional_part_is_said_or_filled_in():
    assert Send("green", Seat(2), True) == typed("send cy green by air")
    table = Table(Parcels(Seat(0), "act", ()), NAMES)
    assert "send green to cy by air" == GRAMMAR.phrase(Send("green", Seat(2), True), table)
    assert "send green to cy" == GRAMMAR.phrase(Send("green", Seat(2)), table)


def test_the_second_word_of_a_phrase_may_be_begun_or_left_out():
    assert Sort() == typed("sort out") == typed("sort ou") == typed("sort")


@pytest.mark.parametrize("line", ["send green bob now", "sort red", "open bob", "sort out out now"])
def test_a_line_with_a_word_that_says_nothing_is_never_played(line):
    assert "You can type: " in said(line) or "Sort out stands alone." in said(line)


def test_a_word_that_begins_two_plays_is_the_one_that_fits():
    assert Send("green", Seat(1)) == typed("give bob green")
    assert Sort() == typed("give up")
    assert 'I don\'t understand "in" here. You can type: send green to bob,' in said("give in")


def test_what_fits_several_plays_is_asked_back_as_it_can_be_typed():
    assert "Open which parcel? Type open red or open rose." == said("open r")
    assert "Type send green to bob or send green to cy." in said("send green")


def test_a_beginning_of_two_verbs_is_asked_back_unless_one_is_asked_for():
    assert '"so" could be' not in said("so x")  # only `sort`
    assert Open("green") == typed("o green")
    assert "s: send? Type se or send." == said("s")


def test_a_filler_that_a_slot_could_read_is_rather_read():
    assert Send("the", Seat(1)) == typed("send the bob", colours=("red", "the"))
    assert Send("red", Seat(1)) == typed("send the red bob", colours=("red", "the"))


@pytest.mark.parametrize("line", ["o", "o the parcel", "s a", "p the"])
def test_one_letter_with_nothing_but_fillers_is_asked_back(line):
    with pytest.raises(AmbiguousInput, match="Type") as asked:
        typed(line)
    assert asked.value.format(NAMES) in (
        "o: open? Type op or open.", "s: send? Type se or send.", "p: post? Type po or post."
    )  # fmt: skip


def test_an_open_question_needs_no_verb():
    assert Open("green") == typed("green", "which") == typed("the green parcel", "which")
    assert Sort() == typed("sort out", "which")
    assert "You can type: open red." in said("the parcel", "which")


def test_the_whole_name_of_a_player_wins_and_a_beginning_wins_over_nothing():
    names = ("Ann", "Red", "Rosa")
    assert Send("black", Seat(1)) == typed("send black red", names=names)
    assert "rose" in said("send ro", names=names) and "rosa" in said("send green r", names=names)
    assert Send("green", Seat(0)) == typed("send green to me")  # for `check` to refuse


def test_no_filler_begins_a_name():
    names = ("Ann", "Theo", "Ada")
    assert "send green to theo or send green to ada" in said("send the green", names=names)
    assert 'I don\'t understand "send to the".' in said("send to the", names=names)


def test_a_word_that_says_nothing_is_said_with_plays_that_agree_with_all_the_rest():
    sentence = 'I don\'t understand "zed" here. You can type: '
    assert f"{sentence}send green to bob or send green to cy." == said("send green to zed")
    assert f"{sentence}send red to cy." == said("send zed red")
    assert "send: something is missing. You can type: send green to bob, " in said("send")
    assert "Sort out stands alone. Type: sort out" == said("sort green out")
    assert 'I don\'t understand "send". You can: open COLOUR' in said("send zed", "quiet")


def test_a_verb_alone_is_asked_for_the_rest_if_the_play_says_how():
    assert "Open which parcel? For example: open red" == said("open", "quiet")


def test_where_nothing_can_be_played_a_line_is_answered_with_a_wait():
    """Neither a legal action, nor a play that answers the question."""
    grammar = replace(GRAMMAR, legal_actions=lambda table: ())
    with pytest.raises(Refusal) as refused:
        grammar.parse(["send", "zed"], Table(Parcels(Seat(0), "", ()), NAMES))
    sentence = 'You can\'t do "send" now. Please wait until you are asked.'
    assert sentence == refused.value.format(NAMES)


def test_what_is_no_play_is_answered_with_the_plays_and_the_nearest():
    sentence = 'I don\'t understand "fold". You can: open COLOUR, sort out.'
    assert sentence == said("fold", "quiet")
    sentence = 'I don\'t understand "opne". Did you mean open? You can: '
    assert sentence in said("opne red", "quiet")


def test_the_ways_to_read_a_line_are_bounded():
    table = Table(Parcels(Seat(0), "act", ("red",) * 50), NAMES)
    assert matcher.WAYS_MAX >= len(
        GRAMMAR.readings(GRAMMAR.plays[1], ["r"] * 1 + ["the"] * 15, table)
    )
    assert "I don't understand" in said("send " * 99)


def test_the_marks_of_one_part_are_bounded():
    slot = marked(COLOUR, "the by")
    table = Table(Parcels(Seat(0), "act", ("red",)), NAMES)
    assert [Meaning(matcher.MARKS_MAX, "red")] == [
        *slot.read(["the"] * (matcher.MARKS_MAX - 1) + ["red"], 0, table)
    ]
    assert [] == [*slot.read(["the"] * matcher.MARKS_MAX + ["red"], 0, table)]


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("opne", "open"),
        ("opn", "open"),
        ("oppen", "open"),
        ("unwarpp", "unwrap"),
        ("srot", "sort"),
        ("opa9", ""),
        ("unload", ""),
        ("z" * 500, ""),
    ],
)
def test_what_was_probably_meant_is_one_of_the_plays_there_are_now(word, near):
    """`send` is not: no action of that kind is legal."""
    mean = f" Did you mean {near}?" if near else ""
    assert f'".{mean} You can: open COLOUR, sort out.' in said(word, "quiet")
    assert "Did you mean" not in said("sned green bob", "quiet")


def test_the_example_for_those_who_add_a_game_is_what_happens():
    guide = Path(__file__).parents[3] / "docs" / "adding-a-game.md"
    results = doctest.testfile(str(guide), module_relative=False, encoding="utf-8")
    assert 15 < results.attempted and 0 == results.failed


# -- guesses ---------------------------------------------------------------------------------------

MAIL = {"send": "mail ship", "sort": "tidy"}


def guessed(line: str, asks: str = "act") -> list[object]:
    view = Parcels(Seat(0), asks, ("red", "rose", "green", "black"))
    return GRAMMAR.guesses(split(line, NAMES), Table(view, NAMES), MAIL)


def test_of_a_line_with_other_words_that_is_guessed_for_which_most_words_speak() -> None:
    green = [Send("green", Seat(1))]
    assert green == guessed("quickly mail bob something green")
    assert green == guessed("bob shall have the green")  # without a verb, two parts
    assert [Open("red")] == guessed("unwrap that red thing") == guessed("red unwrap", "quiet")
    assert [Sort()] == guessed("tidy everything")


def test_too_little_or_too_much_strange_gives_no_guess() -> None:
    assert [] == guessed("mail it") == guessed("green") == guessed("")
    assert [] == guessed("red is what my old uncle used to unwrap on sundays")
    assert [] == guessed("mail bob the black one")  # not legal
    assert [] == guessed("mail bob green " + "x " * matcher.PARTS_MAX)
