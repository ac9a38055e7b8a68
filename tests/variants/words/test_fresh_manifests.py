"""With `manifests=fresh` nobody knows a card but its holder, until it is turned up.  [WR-10]"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from tests.conformance.observation import leaks
from tests.conformance.play import Game, by_kind, play
from tests.conformance.settings import Setting
from tests.conformance.twins import Twin, twin_of
from tests.games import AnyVariant
from tests.slow_cases import slow_cases
from tests.variants.driver import ANN, BOB, CY
from tests.variants.driver import Game as PlayedGame
from tests.variants.playthrough import record
from tests.variants.words import knowledge
from tests.variants.words.driver import BOX, Driver, shipped_lexicon, words_game
from tests.variants.words.paired import dealt, other_cards, paired_decks
from variants.contract import ParseError, Seat
from variants.kit.chance import SeededChance
from variants.kit.text import Style, plain_text
from variants.verify import Mismatch, to_json_lines, verify
from variants.words.bots.estimate import SeatKnowledge
from variants.words.data.box import Manifest
from variants.words.events import GameBegun, RoundBegun, RoundScored, Sheet
from variants.words.lexicon.dictionary import dictionary
from variants.words.manifests.maker import maker_for
from variants.words.public_knowledge import known_manifests
from variants.words.rules import setup
from variants.words.rules.sample_states import sample_states
from variants.words.state import State
from variants.words.view import View

FRESH = {"manifests": "fresh", "max_rounds": "2", "target": "50"}
READERS = (None, ANN, BOB, CY)


def cards_in(value: Any) -> Iterator[Manifest]:
    """Every manifest that an event or a view holds, wherever it lies."""
    if isinstance(value, Manifest):
        yield value
    elif isinstance(value, tuple | list):
        for each in value:
            yield from cards_in(each)
    elif is_dataclass(value):
        for field in fields(value):
            yield from cards_in(getattr(value, field.name))


def told(events: Sequence[Any], seat: Seat | None) -> list[Any]:
    return [words_game().redact(event, seat) for event in events]


def test_nobody_is_shown_a_card_before_it_is_turned_up() -> None:
    """No view and no event of a whole game holds one; state and journal hold all twenty."""
    game = PlayedGame(words_game(), 3, 5, **FRESH)
    heard_by: dict[Seat | None, set[Manifest]] = {reader: set() for reader in READERS}
    while True:
        assert len(BOX.manifests) == len(game.state.box.manifests)
        for reader in READERS:
            for event in told(game.last, reader):
                if isinstance(event, RoundScored):
                    heard_by[reader] |= {sheet.manifest for sheet in event.sheets}
                own = set[Manifest | None]()
                if isinstance(event, RoundBegun):
                    own = {card for seat, card in enumerate(event.manifests) if seat == reader}
                assert set(cards_in(event)) <= heard_by[reader] | own, event
            view = words_game().observe(game.state, reader)
            own = set() if reader is None else {game.state.players[reader].manifest}
            assert set(cards_in(view)) <= heard_by[reader] | own
            assert (True, ()) == (view.settings.has_fresh, view.box.manifests)
        if game.is_over:
            break
        game.step()
    assert len(heard_by[None]) > 3, "two rounds were scored"


def test_no_answer_about_the_cards_names_a_word_of_the_deck() -> None:
    """`cards`, all its forms, and `card LETTER`, before a round is scored and after one."""
    for game in (PlayedGame(words_game(), 3, 5, **FRESH), in_round_2()[0]):
        for reader in READERS:
            view, seen = words_game().observe(game.state, reader), told(game.events, reader)
            turned_up = known_manifests(view, seen)
            hidden = {word for card in set(game.state.box.manifests) - {*turned_up}
                      for words in card.sets for word in words}  # fmt: skip
            hidden -= {word for card in turned_up for words in card.sets for word in words}
            said = []
            for line in ("cards", "cards manifests", "cards 1", "card e", "card end"):
                with suppress(ParseError):
                    said += words_game().answer(line, view, seen, ("Ann", "Bob", "Cy"), Style())
            assert said and not hidden & set(" ".join(map(plain_text, said)).split())


def test_the_printed_cards_stay_public() -> None:
    game = PlayedGame(words_game(), 2, 1, max_rounds="1")
    begun = game.events[0]
    assert isinstance(begun, GameBegun) and begun == words_game().redact(begun, None)
    view = words_game().observe(game.state, None)
    assert (False, BOX) == (view.settings.has_fresh, view.box)


def test_an_older_game_goes_on_with_the_box_that_everybody_saw() -> None:
    """Its settings do not say that the cards are fresh."""
    begun, *_ = words_game().deal(2, FRESH, SeededChance(b"older"))
    older = replace(begun, settings=replace(begun.settings, has_fresh=False))
    assert older == words_game().redact(older, ANN)
    view = words_game().observe(words_game().evolve(None, older), None)
    assert older.box == view.box


# -- the twins: other cards in other hands, and in the box -------------------------------------


def games(seats: int, numbers: range) -> list[Game]:
    setting = Setting(words_game(), seats, FRESH)
    with paired_decks():
        return [play(setting, number, by_kind) for number in numbers]


def twins_of(game: Game) -> Iterator[Twin]:
    """For each observer: all cards but the own ones are others; all that nobody is dealt are."""
    for observer in (None, *map(Seat, range(game.setting.seats))):
        own = dealt(game, observer) if observer is not None else set[str]()
        for kept in (own, dealt(game)):
            with paired_decks():
                twin = twin_of(game, observer, other_cards(game, kept), knowledge)
            if twin is not None:
                yield twin


def first_leak(game: Game, variant: AnyVariant) -> str:
    with paired_decks():
        found = (leak for twin in twins_of(game) for leak in leaks(variant, twin, Random(1)))
        return next(found, "")


@pytest.mark.parametrize("number", slow_cases(range(2), ["1"]))
def test_worlds_with_other_cards_look_the_same_to_who_has_not_seen_them(number: int) -> None:
    """Views, events, screens, answers, refusals, both computer players, sampled worlds."""
    rounds, twins = set[int](), 0
    for game in games(3, [number]):
        for twin in twins_of(game):
            twins += 1
            rounds.add(twin.whole[-1].state.round)
            with paired_decks():
                for leak in leaks(words_game(), twin, Random(twins)):
                    pytest.fail(f"{twin.observer}, {twin.how}: {leak}")
    assert 8 == twins and {1, 2} <= rounds


def box_in_the_view(v: AnyVariant) -> AnyVariant:
    """As it was: the view held the whole box of the game."""

    def observe(state: State, seat: Seat | None) -> View:
        view: View = v.observe(state, seat)
        return replace(view, box=state.box)

    return replace(v, observe=observe)


def box_in_the_news(v: AnyVariant) -> AnyVariant:
    def redact(event: Any, seat: Seat | None) -> Any:
        return event if isinstance(event, GameBegun) else v.redact(event, seat)

    return replace(v, redact=redact)


def a_computer_player_that_reads_the_box(v: AnyVariant) -> AnyVariant:
    """It knows whose card is whose by one word."""
    whole: list[State] = []

    def observe(state: State, seat: Seat | None) -> View:
        whole[:] = [state]
        return v.observe(state, seat)

    def choose(view: View, seen: Sequence[Any], chance: Any) -> Any:
        printed = replace(view, box=whole[0].box, settings=replace(view.settings, has_fresh=False))
        return v.bots["master"](printed, seen, chance), known_manifests(printed, seen)

    return replace(v, observe=observe, bots={"master": choose})


@pytest.mark.parametrize(
    "planted",
    slow_cases(
        [box_in_the_view, box_in_the_news, a_computer_player_that_reads_the_box],
        ["a_computer_player_that_reads_the_box"],
        lambda planted: planted.__name__,
    ),
)
def test_a_planted_leak_of_the_cards_is_found(
    planted: Callable[[AnyVariant], AnyVariant],
) -> None:
    assert first_leak(games(3, range(1))[0], planted(words_game()))


# -- what a player knows -----------------------------------------------------------------------


def in_round_2() -> tuple[PlayedGame, list[Manifest]]:
    """A fresh game after its first round, and the cards that were turned up, by seat."""
    game = PlayedGame(words_game(), 3, 5, **FRESH)
    while game.state.round < 2:
        game.step()
    scored = next(event for event in game.events if isinstance(event, RoundScored))
    return game, [sheet.manifest for sheet in scored.sheets]


def test_cards_are_known_from_the_round_on_at_whose_end_they_were_turned_up() -> None:
    game = PlayedGame(words_game(), 3, 5, **FRESH)
    view = words_game().observe(game.state, ANN)
    assert () == known_manifests(view, told(game.events, ANN))
    game, turned_up = in_round_2()
    for reader in READERS:
        view, seen = words_game().observe(game.state, reader), told(game.events, reader)
        assert tuple(turned_up) == known_manifests(view, seen) == known_manifests(view, [])
    printed = words_game().observe(PlayedGame(words_game(), 2, 1).state, None)
    assert BOX.manifests == known_manifests(printed, [])


def test_validity_follows_from_the_list_alone_and_all_fresh_games_share_its_dictionary() -> None:
    views = [
        words_game().observe(PlayedGame(words_game(), 2, seed, **FRESH).state, seat)
        for seed, seat in ((1, ANN), (2, BOB), (2, None))
    ]
    tables = [dictionary(shipped_lexicon(), view.box, view.settings.level) for view in views]
    assert tables[0] is tables[1] is tables[2]
    assert not tables[0]._printed


def figures(view: View, seen: Sequence[Any] = ()) -> SeatKnowledge:
    return SeatKnowledge(shipped_lexicon(), view, seen)


def test_a_computer_player_guesses_from_what_was_turned_up_and_from_the_word_alone() -> None:
    game, (_, card, *_) = in_round_2()
    view = words_game().observe(game.state, ANN)
    first = words_game().observe(PlayedGame(words_game(), 3, 5, **FRESH).state, ANN)
    hidden = next(c for c in game.state.box.manifests if c not in {*known_manifests(view, [])}
                  and c != view.manifest)  # fmt: skip
    for set_ in range(4):
        short, *longer = hidden.sets[set_]
        assert [0.35, 0.75, 0.75, 0.75] == [figures(first).printed_odds(BOB, word)
                                            for word in (short, *longer)]  # fmt: skip
    odds = figures(view).printed_odds
    assert [0.35, 0.75] == [odds(BOB, "NEW"), odds(BOB, "WORLD")]
    assert 0.0 == odds(BOB, "ZAX"), "no card has so rare a word"
    assert 0.0 == odds(BOB, card.sets[0][-1]), "of a known card, and Bob shows no other of it"
    assert 0.0 == odds(BOB, "OUTSIDE"), "no card has so long a word"
    assert view.manifest and 0.0 == odds(BOB, view.manifest.sets[0][2]), "it is the own one"
    assert 0.75 * 1.25 * 15 - 0.25 * 15 == figures(first).expected_points(BOB, "WORLD")


def test_a_word_of_a_turned_up_card_betrays_it() -> None:
    driver = Driver(options=FRESH, words={BOB: ["OVER"]})
    view, card = driver.view(ANN), BOX.manifests[3]
    sheet = Sheet(card, BOX.indicators[0], (), 0, 0)
    word = replace(view.words[0], spelling=card.sets[1][3], length=6)
    known = figures(replace(view, words=(word,)), [RoundScored(1, (sheet, sheet, sheet))])
    assert [1.0] * 4 == [known.printed_odds(BOB, each) for each in card.sets[0]]
    assert 0.0 == known.printed_odds(CY, card.sets[0][0])


# -- sampled worlds ----------------------------------------------------------------------------


def test_a_sampled_world_has_the_known_cards_and_new_ones_for_the_others() -> None:
    game, turned_up = in_round_2()
    view, seen = words_game().observe(game.state, ANN), told(game.events, ANN)
    assert view.manifest is not None
    drawn = sample_states(BOX, shipped_lexicon(), view, seen, SeededChance(b"worlds"))
    own = {word for words in view.manifest.sets for word in words}
    boxes = []
    for world in islice(drawn, 3):
        cards = world.box.manifests
        boxes.append(cards)
        assert len(BOX.manifests) == len(cards) == len({card.id for card in cards})
        assert {*turned_up, view.manifest} <= set(cards)
        assert {player.manifest for player in world.players} <= set(cards)
        made = set(cards) - {*turned_up, view.manifest}
        assert not own & {word for card in made for words in card.sets for word in words}
        assert not made & set(game.state.box.manifests)
    assert len(set(boxes)) == 3


def test_a_word_that_lies_there_gives_no_seat_a_card_in_a_sampled_world() -> None:
    """A card that was turned up is as likely in one hand as in another, or in none."""
    driver, card = Driver(options=FRESH, words={BOB: ["OVER"]}), BOX.manifests[3]
    word = replace(driver.view(ANN).words[0], spelling=card.sets[1][3], length=6)
    sheets = [Sheet(card, BOX.indicators[0], (), 0, 0) for card in BOX.manifests[1:]]
    view = replace(driver.view(ANN), words=(word,), pile=driver.view(ANN).pile - 2)
    drawn = sample_states(
        BOX, shipped_lexicon(), view, [RoundScored(1, tuple(sheets))], SeededChance(b"hands")
    )
    held = [[player.manifest for player in world.players] for world in islice(drawn, 300)]
    holders = [cards.index(card) for cards in held if card in cards]
    assert ANN not in holders and len(holders) < 60
    assert min(holders.count(BOB), holders.count(CY)) >= 8


# -- records -----------------------------------------------------------------------------------


@pytest.mark.parametrize("manifests", ["fresh", "standard"])
def test_a_record_has_all_cards_and_is_proved_also_if_it_is_older_than_their_secrecy(
    manifests: str,
) -> None:
    lines = record(words_game(), 2, {**FRESH, "manifests": manifests}, bytes(32))
    begun = lines[1]["events"][0]
    assert len(BOX.manifests) == len(begun["box"]["manifests"])
    for has_fresh in ({}, {"has_fresh": False}, {"has_fresh": manifests == "fresh"}):
        settings = {key: of for key, of in begun["settings"].items() if key != "has_fresh"}
        begun["settings"] = settings | has_fresh
        assert verify(to_json_lines(lines).splitlines()).startswith("proved: ")
    for key, value in (("has_fresh", manifests != "fresh"), ("level", 70), ("more", 1)):
        if (key, value) != ("has_fresh", False):
            begun["settings"] = settings | {key: value}
            with pytest.raises(Mismatch, match="the events, number 1 differ"):
                verify(to_json_lines(lines).splitlines())


class _Earlier:
    """A maker that makes other cards of a seed."""

    def deck(self, seed: int, number: int) -> tuple[Manifest, ...]:
        return maker_for(shipped_lexicon(), BOX).deck(seed // 2 + 1, number)


def test_the_cards_of_an_earlier_edition_are_taken_from_its_record(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, options = words_game(), FRESH | {"max_rounds": "1"}
    with monkeypatch.context() as patch:
        patch.setattr(setup, "maker_for", lambda lexicon, box: _Earlier())
        lines = record(game, 3, options, bytes(32))
    with pytest.raises(Mismatch):
        verify(to_json_lines(lines).splitlines())
    lines[0]["data"] = game.earlier_data[0]
    verdict = verify(to_json_lines(lines).splitlines())
    assert verdict.startswith("proved: ")
    assert verdict.endswith(
        " draws. These manifests were made by an earlier version; their cards are in the record"
        " and were not made again."
    )
    lines[1]["events"][-1]["number"] = 7
    with pytest.raises(Mismatch, match="the events"):
        verify(to_json_lines(lines).splitlines())


def test_with_printed_manifests_all_editions_deal_alike() -> None:
    game = words_game()
    lines = record(game, 2, {"max_rounds": "1"}, bytes(32))
    lines[0]["data"] = game.earlier_data[0]
    assert verify(to_json_lines(lines).splitlines()).endswith(" draws")
