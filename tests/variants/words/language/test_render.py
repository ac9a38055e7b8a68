"""The table of a word game as one seat, or a watcher, sees it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from tests.variants.driver import ANN, BOB, CY, NAMES
from tests.variants.words.views import (
    LINEAR,
    NARROW,
    SHEETS,
    STYLES,
    WIDE,
    random_game,
    readers,
    view,
    whole,
    word,
)
from tests.variants.words.views import board as rows
from variants.contract import SeatNames
from variants.kit.text import Style
from variants.words.actions import Offer
from variants.words.data.box import CHANGES_MAX
from variants.words.events import Removal
from variants.words.view import SeatView, View

LONG = ("A-Name_of_16char", "Computer 1", "B-Name_of_16char", "Dee", "Eve", "C-Name_of_16char")
TABLE = (
    word(2, BOB, "DATES"), word(3, ANN, "EAST"), word(5, ANN, "OVER", locked=True),
    word(6, BOB, "", locked=5),
)  # fmt: skip


def text(view: View, style: Style = WIDE, names: SeatNames = NAMES) -> str:
    return whole(rows(view, style, names))


@cache
def views(seats: int, seed: int, *, every: int) -> list[View]:
    """The views of all seats, and a watcher's, through one random game of two rounds."""
    return [
        moment.view(reader)
        for number, moment in enumerate(random_game(seats, seed, max_rounds="2"))
        if number % every == 0 or moment.state.ended
        for reader in readers(seats)
    ]


@pytest.mark.parametrize("is_linear", [False, True])
@pytest.mark.parametrize("width", [20, 40, 80])
def test_no_row_is_wider_than_the_screen(width, is_linear):
    style = Style(width, is_linear=is_linear)
    for seats in (2, 6):
        for it in views(seats, seats, every=14):
            for names in (NAMES, LONG):
                assert max(map(len, rows(it, style, names))) <= width


@pytest.mark.parametrize("seed", range(3))
def test_six_players_fit_on_a_screen_of_24_rows_with_room_for_what_happens(seed):
    sizes = sorted(len(rows(it)) for it in views(6, seed, every=7))
    assert sizes[len(sizes) // 2] <= 14 and sizes[-1] <= 22


def facts(view: View, names: SeatNames, style: Style) -> Iterator[str]:
    """All that any board in the middle of a round must say."""
    yield f"Round {view.round}"
    yield f"Draw pile {view.pile}."
    yield f"Discard pile {view.discards}, {view.top} on top." if view.top else "Discard pile empty."
    yield f"Target {view.settings.target}."
    for seat, it in enumerate(view.seats):
        own = [word for word in view.words if word.owner == seat]
        if style.width < 80 or style.is_linear:
            you = " (you)" if seat == view.seat else ""
            yield f"{names[seat]}{you}: {it.cards} card{'s' * (it.cards != 1)}, {it.total} points"
        else:
            yield f" {it.cards} {it.total} {'' if own else '-'}"
        for each in own:
            back = f"[{each.spelling or '.' * each.length}]" if each.is_locked else each.spelling
            if not style.is_linear:
                yield f"{each.number} {back}"
            elif not each.is_locked:
                yield f"word {each.number} {each.spelling}"
            elif each.spelling:
                yield f"word {each.number} {each.spelling}, locked"
            else:
                yield f"word {each.number}, a locked word of {each.length} letters"
    if view.seat is not None:
        letters = [card for card in view.hand if card != "*"]
        yield (", " if style.is_linear else " ").join(letters)
        yield "End of Round" if "*" in view.hand else ""
        assert view.manifest is not None and view.indicator is not None
        for number, words in enumerate(view.manifest.sets, 1):
            laid = {word.spelling for word in view.words if word.owner == view.seat}
            if style.is_linear:
                said = [f"{w} (on the table)" if w in laid else w + mark(w, view.hand, True)
                        for w in words]  # fmt: skip
                times = f" times {view.indicator.multiplier}"
                bonus = times if number == view.indicator.set else ""
                yield f"set {number}{bonus}: {', '.join(said)}."
            else:
                times = f" (x{view.indicator.multiplier})"
                bonus = times if number == view.indicator.set else ""
                said = [f"*{w}" if w in laid else f"{w}{mark(w, view.hand)}" for w in words]
                yield f"{number}{bonus} {' '.join(said)}"


def mark(word, hand, is_spoken=False):
    """What stands behind a word that the hand spells, or all but one letter of it."""
    lacks = list((Counter(word) - Counter(hand)).elements())
    if len(lacks) > 1:
        return ""
    if is_spoken:
        return f" (lacks {lacks[0]})" if lacks else " (ready)"
    return f" +{lacks[0]}" if lacks else " ready"


@STYLES
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_a_board_says_everything_at_any_width(style, seats):
    for it in views(seats, 10 + seats, every=10):
        if it.ended:
            continue
        shown = text(it, style)
        for fact in facts(it, NAMES, style):
            assert " ".join(fact.split()) in shown, (fact, shown)


def test_the_board_at_80_columns():
    it = view(words=TABLE, seats=(SeatView(7, 40), SeatView(7, -5), SeatView(7, 0)), stolen=True)
    assert rows(it) == [
        "Round 1, turn 5: your turn, to play.",
        "Draw pile 58.  Discard pile 4, X on top.  Target 200.  This turn: stole.",
        "             Cards  Points  Words",
        "> Ann (you)  7      40      3 EAST 20  5 [OVER] 10",
        "  Bob        7      -5      2 DATES  6 [.....]",
        "  Cy         7      0       -",
        "Your hand: D A T E O V  End of Round",
        "Your manifest: 1 (x2) SEA +S *EAST DATES +S TASTED  2 ACE +C EACH CACHE CHANCE",
        "    3 ADS +S SAID IDEAS ADVISE  4 ORE +R *OVER VOTER +R VORTEX",
        "You can: form WORD, add LETTER to WORD, lock WORD, rebuild WORD+LETTERS as WORD,",
        "    take up WORD, done, trade LETTER with NAME",
    ]


def test_the_board_at_40_columns():
    it = view(words=TABLE, seats=(SeatView(7, 40), SeatView(7, -5), SeatView(7, 0)))
    assert rows(it, NARROW)[:6] == [
        "Round 1, turn 5: your turn, to play.",
        "Draw pile 58.  Discard pile 4, X on top.",
        "    Target 200.",
        "> Ann (you): 7 cards, 40 points,",
        "    3 EAST 20, 5 [OVER] 10",
        "  Bob: 7 cards, -5 points, 2 DATES,",
    ]


def test_the_board_in_linear_text():
    it = view(words=TABLE, seats=(SeatView(7, 40), SeatView(7, -5), SeatView(7, 0)))
    shown = rows(it, LINEAR)
    assert shown[:10] == [
        "Round 1, turn 5: your turn, to play.",
        "Draw pile 58.",
        "Discard pile 4, X on top.",
        "Target 200.",
        "Ann (you): 7 cards, 40 points, to act",
        "Your words: word 3 EAST, 20 points; word 5 OVER, locked, 10 points",
        "Bob: 7 cards, -5 points",
        "Bob's words: word 2 DATES; word 6, a locked word of 5 letters",
        "Cy: 7 cards, 0 points",
        "Cy has no words.",
    ]
    manifest = " ".join(" ".join(shown[10:]).split())
    assert manifest.startswith(
        "Your hand: D, A, T, E, O, V, End of Round Your manifest, set 1 times 2: SEA (lacks S),"
        " EAST (on the table), DATES (lacks S), TASTED. Your manifest, set 2: ACE (lacks C),"
        " EACH, CACHE, CHANCE. Your manifest, set 3: ADS (lacks S), SAID, IDEAS, ADVISE."
        " Your manifest, set 4: ORE (lacks R), OVER (on the table), VOTER (lacks R), VORTEX."
    )
    assert not any(row.startswith(">") or "  " in row.strip() for row in shown)


POINTS = re.compile(r"(?<=[A-Z]), -?\d+ points")  # behind a word


def test_a_watcher_sees_the_same_table_without_cards():
    """But for the word "you", and spelling and points of own words."""
    compared = 0
    for it in views(3, 5, every=3):
        if it.seat is None or it.ended or it.phase not in ("main", "close") or it.turn == it.seat:
            continue
        if any(word.owner == it.seat and word.is_locked for word in it.words):
            continue
        watched = rows(replace(it, seat=None, hand=(), manifest=None, indicator=None), LINEAR)
        name = NAMES[it.seat]
        for foreign, own in ((f"{name}:", f"{name} (you):"), (f"{name}'s words", "Your words"),
                             (f"{name} has no words", "You have no words")):  # fmt: skip
            watched = [row.replace(foreign, own) for row in watched]
        mine = [POINTS.sub("", row) for row in rows(it, LINEAR)]
        assert mine[: len(watched)] == watched
        assert all(row.startswith(("Your hand", "Your manifest")) for row in mine[len(watched) :])
        compared += 1
    assert compared > 10


@STYLES
def test_the_public_part_is_the_same_whatever_the_seat_holds(style):
    """[G-12] Only the own rows, which come last, differ."""
    boards = []
    for hand in ("DATEOV*", "XXXXXXX"):
        for phase in ("main", "close"):
            it = view(BOB, phase=phase, words=TABLE[:2], hand=tuple(hand))
            shown = rows(it, style)
            own = next(n for n, row in enumerate(shown) if row.startswith("Your hand"))
            boards.append((phase, shown[:own]))
    assert boards[:2] == boards[2:]


@pytest.mark.parametrize(
    ("changed", "can"),
    [
        ({"phase": "draw"}, "draw, draw discard"),
        ({"phase": "draw", "discards": 0, "top": ""}, "draw"),
        ({"phase": "draw", "pile": 0}, "draw discard"),
        ({}, "form WORD, trade LETTER with NAME, done"),
        ({"traded": True}, "form WORD, done"),
        ({"traded": True, "hand": ("*",)}, "done"),
        ({"traded": True, "hand": ("*",), "words": (word(1, ANN, "SEA"),)},
         "lock WORD, rebuild WORD+LETTERS as WORD, take up WORD, out, done"),
        ({"traded": True, "hand": (), "words": (word(1, ANN, "NOTE"),)},
         "lock WORD, rebuild WORD+LETTERS as WORD, take up WORD, done"),
        ({"traded": True, "hand": (), "words": (word(1, ANN, "OVER", locked=True),)}, "out, done"),
        ({"traded": True, "words": (word(1, BOB, "SEA"),)}, "form WORD, add LETTER to WORD, done"),
        ({"traded": True, "words": (word(1, BOB, "EAST"),)},
         "form WORD, add LETTER to WORD, steal LETTER from WORD making WORD, done"),
        ({"traded": True, "stolen": True, "added": (1,), "words": (word(1, BOB, "EAST"),)},
         "form WORD, done"),
        ({"traded": True, "words": (word(1, BOB, "", locked=4),)}, "form WORD, done"),
        ({"changes": CHANGES_MAX}, "trade LETTER with NAME, done"),
        ({"phase": "settle", "hand": tuple("DATEOVER"), "seats": (SeatView(8, 0),) * 3},
         "discard LETTERS"),
        ({"phase": "settle", "hand": tuple("DATE"), "seats": (SeatView(4, 0),) * 3},
         "draw, draw discard"),
        ({"phase": "close", "words": (word(1, ANN, "EAST"),)}, "end round, pass"),
        ({"phase": "close", "words": (word(1, ANN, "NOTE"),)}, "pass"),
        ({"phase": "close", "words": (word(1, ANN, "EAST"),), "hand": tuple("DATEOVE")}, "pass"),
        ({"phase": "removal", "removers": (ANN,), "missing": 1}, "remove LETTER from WORD, pass"),
    ],
)  # fmt: skip
def test_what_is_still_open_to_the_own_seat_is_said(changed, can):
    it = view(**changed)
    assert text(it).endswith(f"You can: {can}")
    assert "You can" not in text(view(BOB, **changed))


@STYLES
@pytest.mark.parametrize(
    ("changed", "fact"),
    [
        ({"phase": "draw"}, "your turn, to draw 2 cards."),
        ({"phase": "draw", "drawn": 1}, "your turn, to draw one more card."),
        ({"phase": "settle", "seats": (SeatView(9, 0),) * 3}, "to discard 2 cards."),
        ({"phase": "settle", "seats": (SeatView(4, 0),) * 3}, "to pick up 3 cards."),
        ({"phase": "settle", "seats": (SeatView(4, 0),) * 3, "pile": 1, "discards": 0, "top": ""},
         "to pick up 1 card."),
        ({"phase": "close"}, "to end the round or pass."),
        ({"traded": True, "stolen": True, "added": (3, 5)},
         "This turn: traded, stole, added to word 3 and word 5."),
        ({"changes": CHANGES_MAX}, "changed words 60 times, which is the limit."),
        ({"quiet": 9}, "For 9 turns no card drawn from the pile and no word changed:"
         " after 12 the round ends."),
        ({"still": 33}, "For 33 turns no card drawn from the pile: after 36 the round ends."),
    ],
)  # fmt: skip
def test_what_goes_on_is_said_to_everybody(changed, fact, style):
    assert fact in text(view(**changed), style)
    assert fact.replace("your", "Ann's") in text(view(None, **changed), style)


@STYLES
def test_a_trade_shows_who_must_give_and_how_many_answers_are_missing(style):
    """[WR-24] [G-11]"""
    trade = {"phase": "trade", "partners": (BOB, CY), "missing": 2, "traded": True}
    own = text(view(ANN, offers=(Offer(BOB, "E"), Offer(CY, "O")), **trade), style)
    assert "You trade with Bob and Cy. Waiting for 2 more players." in own
    assert own.endswith("You offer E to Bob and O to Cy.")
    asked = text(view(BOB, **trade), style)
    assert "Ann trades with you and Cy. Waiting for 2 more players." in asked
    assert asked.endswith("Which letter do you give Ann? You can: give LETTER")
    done = text(view(BOB, answer="S", has_answered=True, **{**trade, "missing": 1}), style)
    assert done.endswith("You give S.") and "Waiting for one more player." in done
    watched = text(view(None, **trade), style)
    assert (
        "Ann trades with Bob and Cy. Waiting for 2 more players." in watched
        and "E to" not in watched
    )


@STYLES
def test_a_removal_shows_who_may_remove_and_the_own_answer_alone(style):
    """[WR-45] [G-11]"""
    ending = {"phase": "removal", "removers": (ANN, BOB), "missing": 1}
    own = text(view(ANN, removal=Removal(3, "B", "EAST"), has_answered=True, **ending), style)
    assert "You and Bob can each remove one letter from one exposed word of your own." in own
    assert own.endswith("You remove B from word 3, leaving EAST.")
    none = text(view(ANN, has_answered=True, **ending), style)
    assert none.endswith("You remove nothing.")
    other = text(view(CY, **ending), style)
    assert "Ann and Bob can each remove one letter from one exposed word of their own." in other
    assert "Waiting for one more player." in other and "You can" not in other


@STYLES
def test_the_last_round_is_shown_when_the_next_one_begins(style):
    first = view(round=2, number=1, phase="draw", last=SHEETS)
    shown = text(first, style)
    for fact in (
        "Round 1 was:",
        "Ann (you): 0, total 40, bonus set 1 x2, SEA 10 (set 1), NOTE -10",
        "Bob: 30, total 215, bonus set 3 x2, FOAMS 30 (set 3)",
        "Cy: 0, total 215, bonus set 3 x2, no words",
    ):
        assert fact in shown
    assert "Round 1 was" not in text(replace(first, number=2), style)
    assert "Round 1 was" not in text(replace(first, last=()), style)


@STYLES
def test_a_finished_game_shows_why_it_ended_the_places_and_the_last_round(style):
    over = view(phase="", ended="target", round=4, last=SHEETS,
                seats=(SeatView(7, 40), SeatView(7, 215), SeatView(7, 215)))  # fmt: skip
    for it in (over, replace(over, seat=None, hand=(), manifest=None, indicator=None)):
        shown = text(it, style)
        for fact in (
            "The game is over: the target is reached.", "Place 1: Bob with 215.",
            "Place 1: Cy with 215.", "Place 3: Ann with 40.", "Round 4 was:", "FOAMS 30 (set 3)",
        ):  # fmt: skip
            assert fact in shown
        assert "You can" not in shown and "Your hand" not in shown


def test_many_words_flow_under_their_column():
    many = tuple(word(number, BOB, "TASTED") for number in range(90, 102))
    shown = rows(view(words=many))
    places = [row.index(first) for row, first in zip(shown[4:7], ("90", "94", "98"), strict=True)]
    assert [28, 28, 28] == places


@STYLES
def test_the_locked_word_of_another_is_its_length_and_nothing_else(style):
    backs = {text(view(words=(word(6, BOB, "", locked=length),)), style) for length in (3, 4, 5)}
    assert 3 == len(backs)
    for length in (3, 4, 5):
        back = f"a locked word of {length} letters" if style.is_linear else f"[{'.' * length}]"
        assert 1 == sum(back in board for board in backs)


def test_colour_never_says_what_the_words_do_not():
    """Every mark is text."""
    assert "*EAST" in text(view(words=TABLE)) and "*EAST" not in text(view())
    asked = {seat: [row for row in rows(view(turn=seat)) if row.startswith("> ")]
             for seat in (ANN, BOB)}  # fmt: skip
    assert [1, 1] == [len(found) for found in asked.values()]
