"""The table of a stockpile game as one seat, or a watcher, sees it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.variants.driver import ANN, BOB, CY, Game
from tests.variants.stockpile.driver import BOX, STOCKPILE, Driver
from variants.contract import Seat, SeatNames
from variants.kit.text import Style, join_words, plain_text
from variants.stockpile.actions import Draw, Loot, NiceTry, Reflect
from variants.stockpile.data.cards import (
    SUPPLY_KINDS,
    Cards,
    card_title,
    supplies_of_kind,
    total_value,
)
from variants.stockpile.language.card_text import (
    BRIEF_CARD_NAMES,
    LOCATION_NAMES,
    SHORT_KIND_NAMES,
    brief_name,
    short_name,
)
from variants.stockpile.view import View

NAMES = ("Ann", "Bob", "Cy", "Dee")
LONG = ("A-Name_of_16char", "Computer 1", "B-Name_of_16char", "Dee")
WIDE, NARROW, LINEAR = Style(80), Style(40), Style(80, is_linear=True)


def rows(view: View, style: Style = WIDE, names: SeatNames = NAMES) -> list[str]:
    return [plain_text(row) for row in STOCKPILE.render(view, names, style)]


def text(view: View, style: Style = WIDE, names: SeatNames = NAMES) -> str:
    """The rows as one text; what was broken into rows is whole again."""
    return " ".join(" ".join(rows(view, style, names)).split())


def views(seats: int, seed: int, *, every: int = 1) -> Iterator[View]:
    """The views of all seats, and a watcher's, through one random game."""
    game = Game(STOCKPILE, seats, seed)
    while True:
        if game.decisions % every == 0 or game.is_over:
            for reader in (None, *map(Seat, range(seats))):
                yield STOCKPILE.observe(game.state, reader)
        if game.is_over:
            return
        game.step()


@pytest.mark.parametrize("is_linear", [False, True])
@pytest.mark.parametrize("width", [20, 40, 80])
def test_no_row_is_wider_than_the_screen(width, is_linear):
    style = Style(width, is_linear=is_linear)
    for seats in (2, 4):
        for view in views(seats, seats, every=9):
            for names in (NAMES, LONG):
                assert max(map(len, rows(view, style, names))) <= width


@pytest.mark.parametrize("seed", range(4))
def test_four_players_fit_on_a_screen_of_24_rows(seed):
    sizes = sorted(len(rows(view)) for view in views(4, seed, every=3))
    assert sizes[len(sizes) // 2] <= 16 and sizes[-1] <= 23


def counted(name: str, times: int) -> str:
    return f"{name} x{times}" if times > 1 else name


def facts(view: View, names: SeatNames, style: Style) -> Iterator[str]:
    """All that any board must say."""
    if not view.ended:
        yield f"Turn {view.number}: "
        yield "your turn" if view.turn == view.seat else f"{names[view.turn]}'s turn"
    for seat, it in enumerate(view.seats):
        if not it.is_in:
            yield "infected"
            continue
        yield LOCATION_NAMES[it.location]
        yield from [f"{n} {deck}" for n, deck in ((it.indoor, "Indoor"), (it.outdoor, "Outdoor"))
                    if n]  # fmt: skip
        if it.isolation:
            yield "in Self-Isolation"
        if it.is_bound:
            yield "stays there for "
        numbers = [
            sorted(card.number for card in supplies_of_kind(it.stockpile, kind))
            for kind in SUPPLY_KINDS
        ]
        if style.width < 80:  # the whole row of the seat
            yield ", ".join([
                f"{called} {' '.join(map(str, values)) or '-'}"
                for called, values in zip(SHORT_KIND_NAMES.values(), numbers, strict=True)
            ]) + f", total {total_value(it.stockpile)}"  # fmt: skip
        elif style.is_linear:
            whose = "Your" if seat == view.seat else f"{names[seat]}'s"
            yield f"{whose} stockpile: "
            for kind, values in zip(SUPPLY_KINDS, numbers, strict=True):
                yield f"{kind} {values[0]}" if values else f"no {kind}"
            yield f"total {total_value(it.stockpile)}"
        else:
            yield " ".join([
                *[" ".join(map(str, values)) or "-" for values in numbers],
                str(total_value(it.stockpile)),
            ])  # fmt: skip
    for card in view.hand:
        yield card_title(card) if style.is_linear else f"{short_name(card)} ({card.test})"


@pytest.mark.parametrize("style", [WIDE, NARROW, LINEAR], ids=["80", "40", "linear"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_board_says_everything_at_any_width(style, seats):
    for view in views(seats, 10 + seats, every=5):
        shown = text(view, style).replace("(positive)", "(+)").replace("(negative)", "(-)")
        for fact in facts(view, NAMES, style):
            assert " ".join(fact.split()) in shown, (fact, shown)


def lying(pile: Cards) -> str:
    return "1 card" if len(pile) == 1 else f"{len(pile)} cards"


@pytest.mark.parametrize("style", [WIDE, NARROW, LINEAR], ids=["80", "40", "linear"])
def test_every_card_of_a_discard_pile_can_be_read_with_the_top_one_first(style):
    for view in views(4, 7, every=9):
        shown = text(view, style)
        for pile, left in zip(view.discards, (view.supplies, view.indoor, view.outdoor),
                              strict=True):  # fmt: skip
            if not pile:
                continue
            called = card_title if style.is_linear else brief_name
            names = [called(card) for card in reversed(pile)]
            listed = [counted(name, names.count(name)) for name in dict.fromkeys(names)]
            if pile[0].deck == "supplies":
                kinds = []
                for kind, name in SHORT_KIND_NAMES.items():
                    values = [
                        str(n) for n in sorted(card.number for card in supplies_of_kind(pile, kind))
                    ]
                    said = (
                        f"{kind} {join_words(values)}"
                        if style.is_linear
                        else " ".join([name, *values])
                    )
                    kinds += [said] if values else []
                kinds += [name for name in listed if name.startswith("Sold Out")]
                head = f"Supplies deck {left}, discards {len(pile)}, top {short_name(pile[-1])}: "
                if style.is_linear:
                    head = f"has {lying(pile)}, {card_title(pile[-1])} on top: "
                assert head + ("; " if style.is_linear else ", ").join(kinds) in shown
            else:
                assert ", ".join(listed) in shown


def test_the_board_at_80_columns():
    driver = Driver(
        hands={ANN: ["Nice Try! -", "Stock Up 2 +"], BOB: ["Reflection"] * 2},
        stockpiles={ANN: ["Food 3", "Food 1", "Toilet Paper 1", "P2", "P2"]},
        locations={BOB: "outdoor"},
        isolation=[BOB],
        bound=[CY],
        discards=["Infection", "Snack Attack +", "Stock Up 1 -", "Stock Up 1 +", "F2", "Sold Out"],
        number=7,
        action=2,
    )
    assert rows(driver.view(ANN)) == [
        "Turn 7: your turn, action 2 of 3.",
        "             Location  Hand                Food  Paper  Prevention  Total",
        "> Ann (you)  Indoors   1 Indoor 1 Outdoor  1 3   1      2 2         9",
        "  Bob        Outdoors  2 Indoor            1     1      2           4",
        "    in Self-Isolation",
        "  Cy         Outdoors  -                   1     1      2           4",
        "    stays there for the whole next turn",
        "Supplies deck 22, discards 2, top Sold Out: Food 2, Sold Out",
        "Indoor deck 29, discards 2 (2+ 0-), top first: Snack, Infection",
        "Outdoor deck 32, discards 2 (1+ 1-), top first: Stock Up 1 x2",
        "Your Indoor cards: 1 Nice Try! (negative)",
        "Your Outdoor cards: 2 Stock Up 2 (positive)",
        "You can: draw, stock up 2",
    ]


def test_a_watcher_sees_the_same_table_without_a_hand():
    for view in views(3, 5):
        if view.seat is None or not view.seats[view.seat].is_in or view.asked == view.seat:
            continue
        own = rows(view)
        watched = rows(replace(view, seat=None, hand=()))
        hand = [row for row in own if row.startswith(("Your hand", "Your Indoor", "Your Outdoor"))]
        assert hand and not any(row.startswith("Your ") for row in watched)
        assert len(watched) <= len(own) - len(hand)


def test_the_table_reads_the_same_whatever_the_asked_seat_holds():
    """[G-12] For the others; the own rows say what the seat can really do."""
    boards = {}
    for held in ("Nice Try! +", "Reflection +", "Self-Isolation +"):
        driver = Driver(
            hands={ANN: ["Loot Food"], BOB: [held]},
            stockpiles={BOB: ["F3"], CY: ["F1"]},
            indoor_top=["Snack Attack"],
        )
        driver.when(ANN, Loot(driver.held(ANN, "Loot Food"), BOB, driver.owned(BOB, "Food 3")))
        boards[held] = [text(driver.view(reader)) for reader in (None, ANN, CY)]
        shown = text(driver.view(BOB))
        assert "Respond to Ann's Loot Food with nice try, reflect or pass." in shown
        assert "Played: Ann's Loot Food on you, for your Food 3" in shown
        can = {"Nice Try! +": "pass, nice try", "Reflection +": "pass, reflect NAME VALUE",
               "Self-Isolation +": "pass"}[held]  # fmt: skip
        assert shown.endswith(f"You can: {can}")
    for board in boards.values():
        assert "Waiting for Bob's response to Ann's Loot Food." in board[0]
        assert boards["Nice Try! +"] == board


@pytest.mark.parametrize("style", [WIDE, NARROW, LINEAR], ids=["80", "40", "linear"])
def test_what_waits_for_an_answer_is_shown_from_first_to_last(style):
    driver = Driver(hands={ANN: ["Loot Food"], BOB: ["Reflection", "Nice Try!"], CY: ["Nice Try!"]},
                  stockpiles={BOB: ["F3"], CY: ["F2"]})  # fmt: skip
    driver.when(ANN, Loot(driver.held(ANN, "Loot Food"), BOB, driver.owned(BOB, "Food 3")))
    driver.when(BOB, Reflect(driver.held(BOB, "Reflection"), CY, take=driver.owned(CY, "Food 2")))
    driver.when(CY, NiceTry(driver.held(CY, "Nice Try!")))
    shown = text(driver.view(ANN), style).replace("; ", " Played: ")
    waiting = [
        "Played: your Loot Food on Bob, for Bob's Food 3",
        "Played: Bob's Reflection on Cy, for Cy's Food 2",
        "Played: Cy's Nice Try!",
    ]
    assert " ".join(waiting) in shown
    assert "Waiting for Bob's response to Cy's Nice Try!" in shown


def test_linear_marks_who_is_to_act_in_words():
    driver = Driver(hands={BOB: ["Nice Try!"]})
    shown = rows(driver.view(ANN), LINEAR)
    assert "Ann (you): Indoors, no cards in hand, to act" in shown
    assert "Bob: Indoors, 1 Indoor card in hand" in shown
    assert "Your stockpile: Food 1, Toilet Paper 1, Infection Prevention 2, total 4" in shown
    assert not any(row.startswith(">") or "  " in row for row in shown)


def test_linear_numbers_the_cards_of_the_hand_as_they_are_typed():
    driver = Driver(hands={ANN: ["Stock Up 2 +", "Nice Try! -"]})
    assert [
        "Your card 1: Stock Up 2, Outdoor, test positive",
        "Your card 2: Nice Try!, Indoor, test negative",
    ] == rows(driver.view(ANN), LINEAR)[-3:-1]


@pytest.mark.parametrize(
    ("position", "fact"),
    [
        ({"bound": [BOB]}, "Bob: Outdoors, stays there for the whole next turn"),
        ({"bound": [ANN]}, "Ann (you): Outdoors, stays there for this whole turn"),
        ({"isolation": [BOB]}, "Bob: Indoors, in Self-Isolation"),
        ({"out": [BOB]}, "Bob: infected"),
        ({"supplies": []}, "This is the last turn: the Supplies deck is empty."),
    ],
)
def test_what_binds_a_seat_or_the_table_is_said(position, fact):
    view = Driver(**position).view(ANN)
    assert fact in text(view, LINEAR)
    assert fact in text(view, NARROW)
    assert fact.split(", ")[-1].split(": ")[-1] in text(view)


def test_the_own_choices_are_spelt_as_they_are_typed():
    """Those without a word in capitals can be typed as they stand."""
    tried = 0
    for seed in range(3):
        for view in views(3, 20 + seed):
            last = rows(view, Style(1000))[-1]
            if not last.startswith("You can: "):
                continue
            legal = STOCKPILE.legal_actions(view)
            for form in last.removeprefix("You can: ").split(", "):
                if form == form.lower():
                    assert STOCKPILE.parse(form, view, NAMES) in legal, form
                    tried += 1
    assert tried > 100


def test_who_gives_up_a_supply_is_asked_which_and_the_others_read_so():
    """[SR-12]"""
    driver = Driver(stockpiles={ANN: ["F1", "F3"]}, indoor_top=["Snack Attack"])
    driver.when(ANN, Draw())
    own, other = text(driver.view(ANN)), text(driver.view(BOB))
    assert "You must give up a Food card for Snack Attack. Which one?" in own
    assert own.endswith("You can: food 1, food 3")
    assert "Ann is choosing a Food card for Snack Attack." in other


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_finished_game_shows_why_it_ended_and_the_places(seats):
    reasons = set()
    for seed in range(8):
        *_, view = views(seats, seed, every=1000)
        game = Game(STOCKPILE, seats, seed)
        while not game.is_over:
            game.step()
        outcome = STOCKPILE.outcome(game.state)
        assert outcome is not None
        reasons.add(outcome.reason)
        for style in (WIDE, NARROW, LINEAR):
            shown = text(view, style)
            assert f"The game is over: {outcome.reason}." in shown
            for name, place, score in zip(NAMES, outcome.places, outcome.scores, strict=False):
                got = f" with {score}." if score is not None else ", infected."
                assert f"Place {place}: {name}{got}" in shown
            assert "You can" not in shown
    assert len(reasons) > 1


def test_brief_names_are_told_apart():
    names: dict[str, set[str]] = {}
    for card in BOX.all_cards:
        names.setdefault(brief_name(card), set()).add(card_title(card))
    assert all(len(titles) == 1 for titles in names.values())
    assert BRIEF_CARD_NAMES.keys() <= {card.name for card in BOX.all_cards}


def test_the_own_hand_is_shown_by_its_backs_with_the_numbers_to_type():
    driver = Driver(hands={ANN: ["indoor Location Switch", "outdoor Swap Shop", "Nice Try! +"]})
    shown = rows(driver.view(ANN))
    assert "Your Indoor cards: 1 Location Switch (negative)  3 Nice Try! (positive)" in shown
    assert "Your Outdoor cards: 2 Swap Shop (positive)" in shown
