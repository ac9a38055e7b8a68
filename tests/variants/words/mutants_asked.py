"""Planted leaks of the word game in what people have to ask for: offers, refusals, answers.

Rule 1: each knows more than the own view, as a helper would that was handed the game.  [G-12]
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from tests.conformance.mutants import Peephole
from tests.conformance.spoiled import Book
from tests.variants.words.mutants_windows import holds_end
from variants.contract import IllegalAction, ParseError, Refusal
from variants.kit.text import styled_line
from variants.words import actions as a
from variants.words.data.box import END_OF_ROUND
from variants.words.state import State
from variants.words.view import View


def others_hold(state: State, view: View) -> str:
    """The letters in the hands of all others."""
    return "".join(
        card
        for seat, player in enumerate(state.players)
        if seat != view.seat
        for card in player.hand
    )


def spellable(words: Iterable[str], letters: str) -> list[str]:
    return [word for word in words if all(word.count(x) <= letters.count(x) for x in set(word))]


def printed(state: State) -> list[str]:
    return sorted({w for card in state.box.manifests for words in card.sets for w in words})


# -- offers ----------------------------------------------------------------------------


def a_word_is_offered_that_only_another_hand_allows(v: Book) -> Book:
    """Completion of a word knows the letters of all."""
    peep = Peephole()

    def parse(text: str, view: View, names: Any) -> Any:
        try:
            return v.parse(text, view, names)
        except Refusal as refusal:
            said = refusal.format(names).replace("{", "{{").replace("}", "}}")
            offered = spellable(printed(peep.state), others_hold(peep.state, view))[:6]
            raise ParseError(f"{said} Did you mean {' '.join(offered)}?") from None

    return replace(peep.in_observe(v), parse=parse)


def words_names_what_others_could_spell(v: Book) -> Book:
    peep = Peephole()

    def answer(text: str, view: View, seen: Any, names: Any, style: Any) -> Any:
        rows = v.answer(text, view, seen, names, style)
        if not text.startswith("words"):
            return rows
        threat = spellable(printed(peep.state), others_hold(peep.state, view))
        return [*rows, styled_line(f"Others could lay {len(threat)} words.")]

    return replace(peep.in_observe(v), answer=answer)


def count_counts_the_pile_alone(v: Book) -> Book:
    """What is unseen and in a hand counts as seen."""
    peep = Peephole()

    def answer(text: str, view: View, seen: Any, names: Any, style: Any) -> Any:
        rows = v.answer(text, view, seen, names, style)
        if text != "count":
            return rows
        vowels = len([card for card in peep.state.pile if card in "AEIOU"])
        return [*rows, styled_line(f"{vowels} vowels are in the pile.")]

    return replace(peep.in_observe(v), answer=answer)


def manifest_says_who_holds_what_is_missing(v: Book) -> Book:
    peep = Peephole()

    def answer(text: str, view: View, seen: Any, names: Any, style: Any) -> Any:
        rows = v.answer(text, view, seen, names, style)
        if text != "manifest" or view.manifest is None:
            return rows
        elsewhere = set(others_hold(peep.state, view))
        wanted = sorted(set(view.manifest.sets[3][3]) & elsewhere)
        return [*rows, styled_line("Somebody holds " + " ".join(wanted))]

    return replace(peep.in_observe(v), answer=answer)


def the_discard_pile_is_listed_with_what_comes_next(v: Book) -> Book:
    peep = Peephole()

    def answer(text: str, view: View, seen: Any, names: Any, style: Any) -> Any:
        rows = v.answer(text, view, seen, names, style)
        return [*rows, styled_line(" ".join(peep.state.pile[:2]))] if text == "discards" else rows

    return replace(peep.in_observe(v), answer=answer)


def reckoning_reckons_ahead(v: Book) -> Book:
    """What all would score now, by manifests that lie face down."""
    peep = Peephole()

    def answer(text: str, view: View, seen: Any, names: Any, style: Any) -> Any:
        rows = v.answer(text, view, seen, names, style)
        if text != "reckoning":
            return rows
        cards = [player.manifest.id for player in peep.state.players]
        return [*rows, styled_line(" ".join(cards[:1]))]

    return replace(peep.in_observe(v), answer=answer)


# -- refusals --------------------------------------------------------------------------


def a_refusal_tells_whether_somebody_holds_the_letter(v: Book) -> Book:
    peep = Peephole()

    def check(view: View, action: Any) -> None:
        try:
            v.check(view, action)
        except IllegalAction as refusal:
            wanted = getattr(action, "letter", "") or getattr(action, "spelling", "")[:1]
            holders = [seat for seat, player in enumerate(peep.state.players)
                       if wanted in player.hand and seat != view.seat]  # fmt: skip
            more = f" Seat {holders[0]} holds it." if holders else ""
            raise IllegalAction(refusal.template + more, *refusal.values) from None

    return replace(peep.in_observe(v), check=check)


def a_printed_word_is_a_word_only_while_somebody_has_the_card(v: Book) -> Book:
    """[WR-02] Then a refusal tells which cards are out."""
    peep = Peephole()

    def check(view: View, action: Any) -> None:
        spelling = getattr(action, "spelling", "")
        dealt = {
            w for player in peep.state.players for words in player.manifest.sets for w in words
        }
        if spelling in printed(peep.state) and spelling not in dealt:
            raise IllegalAction("{} spells nothing.", spelling)
        v.check(view, action)

    return replace(peep.in_observe(v), check=check)


def a_trade_is_refused_with_who_holds_end_of_round(v: Book) -> Book:
    """[WR-25] So that nobody is asked for a card that cannot be given."""
    peep = Peephole()

    def check(view: View, action: Any) -> None:
        for offer in action.offers if isinstance(action, a.Trade) else ():
            if offer.to < len(peep.state.players) and holds_end(peep.state, offer.to):
                raise IllegalAction("{} may have no letter to trade.", offer.to)
        v.check(view, action)

    return replace(peep.in_observe(v), check=check)


# -- time-outs, phrases, screens, computers --------------------------------------------


def a_time_out_discards_what_nobody_else_wants(v: Book) -> Book:
    peep = Peephole()

    def default(view: View, chance: Any) -> Any:
        action = v.default_action(view, chance)
        if not isinstance(action, a.Discard):
            return action
        hand = [card for card in view.hand if card != END_OF_ROUND]
        others = others_hold(peep.state, view)
        return a.Discard(tuple(sorted(hand, key=others.find)[: len(action.letters)]))

    return replace(peep.in_observe(v), default_action=default)


def a_time_out_draws_the_better_letter(v: Book) -> Book:
    peep = Peephole()

    def default(view: View, chance: Any) -> Any:
        action = v.default_action(view, chance)
        is_bad = peep.state.pile[:1] and peep.state.pile[0] not in "AEIOU"
        return a.Draw("discard") if isinstance(action, a.Draw) and is_bad else action

    return replace(peep.in_observe(v), default_action=default)


def the_screen_marks_who_could_end_the_round(v: Book) -> Book:
    peep = Peephole()

    def render(view: View, names: Any, style: Any) -> Any:
        able = [name for seat, name in enumerate(names) if holds_end(peep.state, seat)]
        return [*v.render(view, names, style), styled_line("Could end: " + ", ".join(able))]

    return replace(peep.in_observe(v), render=render)


def a_computer_knows_whether_the_next_could_end_the_round(v: Book) -> Book:
    peep = Peephole()

    def bot(view: View, seen: Any, chance: Any, /) -> Any:
        listed = v.legal_actions(view)
        in_danger = holds_end(peep.state, (view.turn + 1) % len(view.seats))
        return listed[0] if in_danger else listed[-1]

    return replace(peep.in_observe(v), bots={"easy": bot})


MUTANTS = (
    a_word_is_offered_that_only_another_hand_allows,
    words_names_what_others_could_spell,
    count_counts_the_pile_alone,
    manifest_says_who_holds_what_is_missing,
    the_discard_pile_is_listed_with_what_comes_next,
    reckoning_reckons_ahead,
    a_refusal_tells_whether_somebody_holds_the_letter,
    a_printed_word_is_a_word_only_while_somebody_has_the_card,
    a_trade_is_refused_with_who_holds_end_of_round,
    a_time_out_discards_what_nobody_else_wants,
    a_time_out_draws_the_better_letter,
    the_screen_marks_who_could_end_the_round,
    a_computer_knows_whether_the_next_could_end_the_round,
)
"""Holes in what somebody has to ask for."""
