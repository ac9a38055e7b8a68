"""What is typed and what is read."""

from __future__ import annotations

import pytest

from tests.variants.driver import ANN, BOB, CY, DEE, Game
from tests.variants.elimination.driver import DECK_50, DECK_54, NAMES, TWOS, Driver
from tests.variants.elimination.language.typed import HANDS, RICH, typed
from variants.contract import AmbiguousInput, ParseError, Refusal, Seat
from variants.elimination.actions import Clear, Draw, Force, Give, Next, Shuffle, Take
from variants.elimination.events import (
    CardDrawn,
    CardForced,
    CardGiven,
    CardTaken,
    Cleared,
    Eliminated,
    GameEnded,
    HandsShuffled,
    PairLocked,
    Passed,
    TripletLocked,
    TurnEnded,
    TurnStarted,
)
from variants.elimination.game import ELIMINATION
from variants.kit.text import Style, plain_text


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("draw", Draw()),
        ("DR", Draw()),
        ("draw a card", Draw()),
        ("shuffle hands", Shuffle()),
        ("give 7h bob", Give("7H", BOB)),
        ("give bob 7h", Give("7H", BOB)),
        ("GIVE 7 B", Give("7H", BOB)),
        ("give the seven of hearts to Bob.", Give("7H", BOB)),
        ("give 7♥ 2", Give("7H", BOB)),
        ("give 7♥ 2", Give("7H", BOB)),
        ("g h7 seat 3", Give("7H", CY)),
        ("g t d", Give("10S", DEE)),
        ("give 10 dee", Give("10S", DEE)),
        ("give ace of hearts dee", Give("AH", DEE)),
        ("give a dee", Give("AS", DEE)),  # both aces are alike to the rules
        ("give joker dee", Give("*1", DEE)),
        ("give k dee", Give("KS", DEE)),  # not held: for check to say
        ("take from cy", Take(CY)),
        ("t c", Take(CY)),
        ("take me", Take(ANN)),
        ("force dee", Force(DEE)),
        ("force dee to draw", Force(DEE)),
        ("clear joker", Clear("single")),
        ("clear single", Clear("single")),
        ("clear aces", Clear("pair")),
        ("clear pair of aces", Clear("pair")),
        ("next bob", Next(BOB)),
    ],
)
def test_a_line_is_read_forgivingly(line, action):
    assert action == typed(line)


@pytest.mark.parametrize("line", ["take", "give 7h", "force", "clear"])
def test_what_could_mean_two_plays_is_asked_back_with_the_choices(line):
    with pytest.raises(AmbiguousInput) as asked:
        typed(line)
    said = asked.value.format(NAMES)
    choices = (f"{line} bob, {line} cy or {line} dee.", "take bob or take cy.")
    assert said.endswith((*choices, "clear joker or clear pair."))


def test_two_names_that_begin_alike_are_asked_back():
    with pytest.raises(AmbiguousInput) as asked:
        typed("take bo", names=("Ann", "Bob", "Bonnie", "Dee"))
    sentence = "Several moves are possible. Type take bob or take bonnie."
    assert sentence == asked.value.format(("Ann", "Bob", "Bonnie", "Dee"))


def test_two_cards_of_a_rank_that_are_not_alike_are_asked_back():
    driver = Driver(hands={ANN: ["AS", "AH"]}, marks={ANN: {"AH": 3}})
    with pytest.raises(AmbiguousInput, match="give ah bob or give as bob"):
        typed("give ace bob", driver)


NONSENSE = ["", "xyzzy", "{0} {} {x}", "give", "give 7h zed", "take zed", "clear 7", "draw two now",
            "give " * 99, "7h", "\u00bc bob"]  # fmt: skip


@pytest.mark.parametrize("line", NONSENSE)
def test_nonsense_is_answered_with_what_could_be_typed(line):
    with pytest.raises(ParseError) as refused:
        typed(line)
    said = refused.value.format(NAMES)
    assert said.endswith((".", "Type: draw")) or "For example: give 7h bob" in said


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("give 7h zed", "give 7h bob, give 7h cy or give 7h dee."),
        ("give the 7 of hearts to zed", "give 7h bob, give 7h cy or give 7h dee."),
        ("take zed", "take bob or take cy."),
    ],
)
def test_a_name_that_nobody_has_is_answered_with_the_plays_there_are(line, right):
    with pytest.raises(ParseError) as refused:
        typed(line)
    sentence = 'I don\'t understand "zed" here. You can type: '
    assert sentence + right == refused.value.format(NAMES)


def test_what_is_missing_is_said_with_what_there_is():
    with pytest.raises(ParseError) as refused:
        typed("give", Driver(hands={ANN: ["7H", "8S"]}))
    sentence = (
        "Give which card to whom? For example: give 7h bob, give 7h cy, give 7h dee or give 8s bob"
    )
    assert sentence == refused.value.format(NAMES)


def test_nonsense_lists_the_plays_there_are_now():
    with pytest.raises(ParseError) as refused:
        typed("fold", Driver(hands={ANN: ["7"]}, deck=[]))
    sentence = 'I don\'t understand "fold". You can: give CARD NAME.'
    assert sentence == refused.value.format(NAMES)


def test_a_bare_name_answers_who_is_next():
    driver = Driver(asks="next")
    assert Next(DEE) == typed("dee", driver) == typed("d", driver) == typed("4", driver)
    assert Draw() == typed("draw", driver)  # a verb is a verb: check says what is asked


def test_a_word_that_names_nobody_is_answered_with_the_names_to_choose_from():
    with pytest.raises(ParseError) as refused:
        typed("zed", Driver(asks="next"))
    sentence = 'I don\'t understand "zed" here. You can type: next bob, next cy or next dee.'
    assert sentence == refused.value.format(NAMES)


def test_with_two_players_nobody_needs_a_name():
    driver = Driver(seats=2, hands={ANN: ["7S"], BOB: ["8S"]})
    names = ("Ann", "Bob")
    assert Take(BOB) == typed("take", driver, names)
    assert Give("7S", BOB) == typed("give 7", driver, names)


@pytest.mark.parametrize(
    "names",
    [
        NAMES,
        ("Jack", "Queen", "Joker", "Seven"),
        ("draw", "next", "give", "take"),
        ("the", "from", "card", "Hearts"),
        ("Ann", "ann-2", "Anna", "ann_"),
        ("Computer 1", "Computer 2", "Computer 12", "me"),
        ("Bob", "bob", "BOB", "2"),
    ],
)
@pytest.mark.parametrize("options", [DECK_54, DECK_50, TWOS], ids=["54", "50", "twos"])
def test_what_is_offered_can_be_typed_whatever_people_are_called(names, options):
    game = Game(ELIMINATION, 4, 1, **options)
    while not game.is_over:
        view = ELIMINATION.observe(game.state, game.state.turn)
        for action in ELIMINATION.legal_actions(view):
            line = ELIMINATION.phrase(action, view, names)
            assert action == ELIMINATION.parse(line, view, names)
        game.step()


@pytest.mark.parametrize(
    ("event", "own", "others"),
    [
        (CardDrawn(ANN, "7H"), "You draw the 7 of hearts.", "Ann draws a card."),
        (CardDrawn(ANN, "*1"), "You draw a joker.", "Ann draws a card."),
        (CardGiven(ANN, BOB, "QS"), "You give Bob the queen of spades.", "Ann gives Bob a card."),
        (CardTaken(BOB, ANN, "QS"), "Bob takes the queen of spades from you.",
         "Bob takes a card from Ann."),
        (CardForced(BOB, ANN, "6C"), "Bob makes you draw: the 6 of clubs.",
         "Bob makes Ann draw: the 6 of clubs."),
        (PairLocked(ANN, ("6S", "6C")), "You lock a pair of 6s.", "Ann locks a pair."),
        (TripletLocked(ANN, ("6S", "6C", "6D")), "You have three 6s, face up.",
         "Ann has three 6s, face up."),
        (HandsShuffled(ANN, (("7H",), ("8H", "9H"), (), ()), (1, 2, 0, 0)),
         "You shuffle all hands and deal them out again: you 1 and Bob 2. Your new cards: 7H.",
         "Ann shuffles all hands and deals them out again: Ann 1 and Bob 2."),
        (Cleared(ANN, ("*1",), ("7H",), (), 1, 0),
         "You clear with a joker and draw 1 card: 7H.",
         "Ann clears with a joker and draws 1 card."),
        (Eliminated(ANN, ("9S", "9H", "9D", "9C"), ("2S",), (), 1, 0),
         "You have four 9s and are out! The other card goes back into the deck.",
         "Ann has four 9s and is out! The other card goes back into the deck."),
        (TurnStarted(ANN, 3, "chosen", BOB), "You play next.", "Ann plays next."),
        (TurnStarted(ANN, 3, "again", None), "You play again.", "Ann plays again."),
        (Passed(ANN), "You have no move and pass.", "Ann has no move and passes."),
        (GameEnded((ANN,), "last"), "You win! Everybody else is out.",
         "Ann wins! Everybody else is out."),
    ],
)  # fmt: skip
def test_an_event_is_one_sentence_for_its_owner_and_one_for_the_others(event, own, others):
    style = Style()
    for seat, sentence in ((ANN, own), (None, others)):
        told = ELIMINATION.describe_event(ELIMINATION.redact(event, seat), seat, NAMES, style)
        assert told is not None and sentence == plain_text(told)


def test_the_idle_count_is_told_from_forty_on():
    """[ER-40]"""
    assert ELIMINATION.describe_event(TurnEnded(ANN, 39), None, NAMES, Style()) is None
    assert ELIMINATION.describe_event(TurnEnded(ANN, 40), None, NAMES, Style()) is not None


@pytest.mark.parametrize("is_linear", [False, True])
@pytest.mark.parametrize("suits", ["letters", "symbols"])
@pytest.mark.parametrize("width", [20, 40, 80])
def test_no_line_of_a_view_is_wider_than_the_screen(width, suits, is_linear):
    names = ("Ann", "Bob", "A-Name_of_16chars", "Dee", "Eve", "Fay", "Gus", "Hal")
    style = Style(width, suits, is_linear)
    game = Game(ELIMINATION, 8, 3, **DECK_54)
    while not game.is_over:
        state = game.step()
        rows = [plain_text(row) for row in ELIMINATION.render(
            ELIMINATION.observe(state, ANN), names, style)]  # fmt: skip
        assert max(map(len, rows)) <= width
        assert width < 80 or is_linear or len(rows) <= 20


@pytest.mark.parametrize("style", [Style(80), Style(40), Style(80, is_linear=True)], ids=str)
def test_a_view_is_shown_whole(style):
    driver = Driver(
        hands={ANN: ["7H", "joker"], BOB: ["K"]},
        pairs={ANN: [["3S", "3H"]], CY: [["8", "8"], ["6", "6"]]},
        triplets={BOB: [["9"] * 3]},
        marks={ANN: {"7H": 3}},
        outside=["AS", "AH"],
        out=[DEE],
        idle=43,
        turns={ANN: 2},
    )
    shown = " ".join(
        plain_text(row).strip() for row in ELIMINATION.render(driver.view(ANN), NAMES, style)
    )
    for fact in ("Ann (you, dealer)", "1 card", "2 pairs", "three 9s", "out, place 4", "2 turns",
                 "43 of 60 turns", "not yet: 7", "(this turn)", "joker", "your turn", "clear",
                 "Outside"):  # fmt: skip
        assert fact in shown, fact
    watched = " ".join(
        plain_text(row) for row in ELIMINATION.render(driver.view(None), NAMES, style)
    )
    assert "joker" not in watched and "7" not in watched and "8" not in watched


@pytest.mark.parametrize(
    ("turn", "free_at", "head"),
    [
        (ANN, 3, "not yet: 7H (this turn)"),
        (ANN, 4, "not yet: 7H (this and your next turn)"),
        (BOB, 3, "not yet: 7H (until your next turn)"),
        (BOB, 4, "not yet: 7H (your next turn)"),
    ],
)
def test_a_card_that_waits_is_shown_with_the_turn_it_waits_for(turn, free_at, head):
    """[ER-17]"""
    driver = Driver(hands={ANN: ["7H"], BOB: ["K"]}, marks={ANN: {"7H": free_at}}, turns={ANN: 2},
                  turn=turn)  # fmt: skip
    rows = [plain_text(row) for row in ELIMINATION.render(driver.view(ANN), NAMES, Style())]
    assert head in rows


def test_symbols_and_letters_stand_for_the_same_cards():
    driver = Driver(hands={ANN: ["7H", "10S"]})
    shown = {
        suits: [
            plain_text(row) for row in ELIMINATION.render(driver.view(ANN), NAMES, Style(80, suits))
        ]
        for suits in ("letters", "symbols")
    }
    assert "Your hand: 7H  10S" in shown["letters"]
    assert "Your hand: 7♥  10♠" in shown["symbols"]


def test_a_refusal_names_people_as_they_are_called():
    with pytest.raises(Refusal) as refused:
        ELIMINATION.check(RICH.view(Seat(2)), Draw())
    assert "It's Ann's turn." == refused.value.format(NAMES)


def test_the_articles_begin_nobodys_name():
    names = ("Bob", "Ann", "Theo")
    view = Driver(seats=3, hands={**HANDS, CY: ["9S"]}).view(ANN)
    for line in ("take a card", "take the card", "force a"):
        with pytest.raises(Refusal):
            ELIMINATION.parse(line, view, names)


@pytest.mark.parametrize(("line", "to"), [("give 8h a", ANN), ("give 8h an", ANN)])
def test_what_ends_a_line_that_says_more_is_no_article(line, to):
    view = Driver(seats=3, hands={BOB: ["8H"]}, turn=BOB).view(BOB)
    assert Give("8H", to) == ELIMINATION.parse(line, view, ("Ann", "Bob", "Cy"))
