"""What `cards` counts, of every game that has it.

Rule 1: two worlds that look alike to a reader give the same count and the same answers.
Rule 2: a watcher is told no more than any seat knows.
Rule 3: what is said to be known is so: the whole state bears it out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any

import pytest

from mudserver.service.game_questions import ROWS_MAX
from tests.conformance.knowledge import knowledge_of
from tests.conformance.observation import STYLES, heard
from tests.conformance.play import Step, play
from tests.conformance.settings import NAMES, AnyVariant, Setting, label, usual
from tests.conformance.twins import Twin, twins
from tests.games import games
from tests.variants.driver import ANN, BOB, CY
from variants.contract import Seat
from variants.elimination import events as e
from variants.elimination.counted import KnownCards
from variants.elimination.counted import counted as counted_in_elimination
from variants.elimination.data.cards import RANK_NAMES, RANK_OF
from variants.kit.text import Style
from variants.stockpile.counted import counted as counted_in_stockpile
from variants.stockpile.counted import next_card_odds
from variants.stockpile.data.cards import INDOORS, OUTDOORS, card_title
from variants.words.counted import counted as counted_in_words
from variants.words.data.box import ALPHABET, END_OF_ROUND

TWINS = 4  # of one setting
TRIES_MAX = 60
COUNTED: Mapping[str, Callable[[Any, Sequence[Any]], Any]] = {
    "elimination": counted_in_elimination,
    "stockpile": counted_in_stockpile,
    "words": counted_in_words,
}
COUNTING = [
    Setting(games()[name], seats, usual(games()[name])) for name in COUNTED for seats in (2, 4)
]
every_game = pytest.mark.parametrize("name", COUNTED)


def card_names(variant: AnyVariant, state: Any) -> list[str]:
    """All cards, as people type them."""
    match variant.name:
        case "elimination":
            return list(RANK_NAMES.values())
        case "stockpile":
            cards = state.decks.all_cards
            return list(dict.fromkeys(card_title(card).lower().rstrip("!") for card in cards))
    return [*ALPHABET.lower(), "end of round"]


def told(setting: Setting, steps: Sequence[Step], reader: Seat | None) -> tuple[Any, list[Any]]:
    """The count after the last of *steps*, and the answers to `cards` and every `card NAME`."""
    variant, state = setting.variant, steps[-1].state
    view = variant.observe(state, reader)
    seen = heard(variant, [event for step in steps for event in step.events], reader)
    lines = ["cards", *(f"card {name}" for name in card_names(variant, state))]
    answers = [variant.answer(line, view, seen, setting.names, STYLES[1]) for line in lines]
    return COUNTED[variant.name](view, seen), answers


def some_twins(setting: Setting) -> Iterator[Twin]:
    knowledge = knowledge_of(setting.variant)
    everybody = [None, *map(Seat, range(setting.seats))]
    for number in (41, 42):
        game = play(setting, number, decisions_max=60)
        found = twins(game, knowledge, Random(number), TRIES_MAX, everybody)
        yield from islice(found, TWINS // 2)


def test_every_game_that_lists_its_cards_is_proved() -> None:
    assert {name for name, variant in games().items() if variant.printed} == set(COUNTED)


@pytest.mark.parametrize("setting", COUNTING, ids=label)
def test_worlds_that_look_alike_are_counted_alike(setting: Setting) -> None:
    accepted = 0
    for twin in some_twins(setting):
        accepted += 1
        ends = {twin.since, twin.since + len(twin.steps) - 1}
        for last in ends:
            world = told(setting, twin.game.steps[: last + 1], twin.observer)
            other = told(setting, twin.whole[: last + 1], twin.observer)
            assert world == other, f"{twin.observer}, step {last}, {twin.how}"
    assert accepted >= 2, "too few twins accepted"


# -- what is known is so ---------------------------------------------------------------------------


def positions(name: str) -> Iterator[tuple[Setting, Any, Seat | None, Any, Sequence[Any]]]:
    """(setting, state, reader, view, heard) now and then in three games."""
    variant = games()[name]
    setting = Setting(variant, 4, usual(variant))
    for number in range(3):
        game = play(setting, number, decisions_max=240)
        for end in range(1, len(game.steps) + 1, 25):
            steps = game.steps[:end]
            events = [event for step in steps for event in step.events]
            for reader in (None, *map(Seat, range(setting.seats))):
                state = steps[-1].state
                view = variant.observe(state, reader)
                yield setting, state, reader, view, heard(variant, events, reader)


def test_in_elimination_known_cards_are_where_they_are_said_to_be() -> None:
    known = pairs = 0
    for _, state, reader, view, seen in positions("elimination"):
        count = counted_in_elimination(view, seen)
        assert count.deck == len(state.deck)
        hidden = Counter[str]()
        for seat, player in enumerate(state.players):
            held = [*player.hand, *(card for pair in player.pairs for card in pair)]
            ranks = Counter(RANK_OF[card] for card in held)
            if seat != reader:
                hidden += ranks
            for it in count.ranks:
                assert it.known.count(Seat(seat)) <= (ranks[it.rank] if seat != reader else 0)
        known += sum(len(it.known) for it in count.ranks)
        pairs += sum(len(set(it.known)) < len(it.known) for it in count.ranks)
        hidden += Counter(RANK_OF[card] for card in state.deck)
        assert {it.rank: it.unseen + len(it.known) for it in count.ranks} == {
            it.rank: hidden[it.rank] for it in count.ranks
        }
    assert known > 100 and pairs > 10


def elimination_heard(reader: Seat | None, *events: Any) -> Mapping[str, Any]:
    """By rank, what a reader has counted who heard *events* after a deal of 4 cards each."""
    hand = ("2S", "3S", "4S", "5S")
    hands = tuple(hand if seat == reader else None for seat in range(3))
    known = KnownCards(3, reader)
    for event in (e.Dealt(hands, None, 4, 42), *events):
        known.apply(event)
    return {card: seat for card, seat in known.hands.items() if seat != reader}


def test_the_only_card_of_a_hand_is_known_where_it_goes() -> None:
    """Bob has no card, is forced to show the queen, and Cy takes what he has."""
    forced = [e.CardForced(CY, BOB, "QS"), e.CardTaken(CY, BOB, None)]
    empty_handed = e.HandsShuffled(CY, (None, None, None), (1, 0, 3))
    assert {"QS": CY} == elimination_heard(None, empty_handed, *forced)
    assert {} == elimination_heard(None, *forced), "it may have been another card"


def test_after_a_shuffle_known_cards_are_in_the_only_other_hand() -> None:
    shown = e.CardForced(CY, BOB, "QS")
    among_two = e.HandsShuffled(BOB, (("3S", "2S"), None, None), (2, 1, 4))
    assert {} == elimination_heard(ANN, shown, among_two)
    in_one = e.HandsShuffled(BOB, (("3S", "2S"), None, None), (2, 0, 5))
    assert {"4S": CY, "5S": CY, "QS": CY} == elimination_heard(ANN, shown, in_one)


def test_in_stockpile_kept_tests_are_held_and_odds_are_of_one_card() -> None:
    kept = 0
    for _, state, reader, view, seen in positions("stockpile"):
        for counts in counted_in_stockpile(view, seen).values():
            for it in counts:
                places = it.hand + it.discarded + it.lying + len(it.kept) + len(it.unseen)
                assert places == len(it.cards), it
                kept += len(it.kept)
                for seat in set(it.kept) - {reader}:
                    titles = [card_title(card) for card in state.players[seat].hand]
                    assert it.kept.count(seat) <= titles.count(it.title)
        for deck in (INDOORS, OUTDOORS):
            if odds := next_card_odds(view, seen, deck):
                assert sum(odds.values()) == pytest.approx(1.0)
                assert all(0.0 <= chance <= 1.0 + 1e-9 for chance in odds.values())
    assert kept >= 5


def test_in_words_held_letters_are_held_and_all_others_add_up() -> None:
    held = 0
    for _, state, reader, view, seen in positions("words"):
        count = counted_in_words(view, seen)
        for each in count.held:
            letters = Counter(card for seat in each.seats for card in state.players[seat].hand)
            assert Counter(each.letters) <= letters
            held += len(each.letters)
        hands = [card for seat, player in enumerate(state.players) if seat != reader
                 for card in player.hand]  # fmt: skip
        assert count.ends == hands.count(END_OF_ROUND)
        assert count.unseen == count.pile + count.hands
    assert held > 50


@every_game
def test_a_watcher_counts_no_more_than_any_seat(name: str) -> None:
    for setting, state, reader, _, seen in positions(name):
        if reader is None:
            public = unseen(setting.variant, state, None, seen)
        else:
            own = unseen(setting.variant, state, reader, seen)
            assert all(own[card] <= public[card] for card in public), (reader, own, public)


def unseen(
    variant: AnyVariant, state: Any, reader: Seat | None, seen: Sequence[Any]
) -> Mapping[str, int]:
    """How many of each card the reader does not know the place of."""
    count = COUNTED[variant.name](variant.observe(state, reader), seen)
    match variant.name:
        case "elimination":
            return {it.rank: it.unseen for it in count.ranks}
        case "stockpile":
            return {f"{deck} {it.title}": len(it.unseen) for deck in count for it in count[deck]}
    return {it.letter: it.unseen for it in count.letters}


@every_game
def test_a_list_is_never_cut(name: str) -> None:
    """At 40 columns and read aloud at 40, whatever has happened."""
    narrow = (STYLES[1], Style(width=40, is_linear=True))
    for setting, _, _, view, seen in islice(positions(name), 0, None, 7):
        for style in narrow:
            rows = setting.variant.answer("cards", view, seen, NAMES[: setting.seats], style)
            assert len(rows) <= ROWS_MAX
