"""Planted leaks of the word game: what its visibility table forbids, each by an exception.

Those of its windows are in `mutants_words_windows.py`, those of what people have to ask for in
`mutants_words_asked.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tests.conformance.mutants import Peephole
from tests.conformance.spoiled import Book, in_event, in_seats, in_view
from variants.contract import Seat
from variants.kit.text import styled_line
from variants.words import events as e
from variants.words.data.box import END_OF_ROUND
from variants.words.state import Player, State
from variants.words.view import SeatView, View

VOWELS = "AEIOU"


# -- hands -----------------------------------------------------------------------------


def hand_sizes_leave_out_end_of_round(v: Book) -> Book:
    """So the card can be counted: six where others have seven.  [WR-14]"""

    def letters(player: Player, shown: SeatView) -> SeatView:
        return replace(shown, cards=len([card for card in player.hand if card != END_OF_ROUND]))

    return in_seats(v, letters)


def hands_show_where_their_vowels_are(v: Book) -> Book:
    """In the order in which they came."""

    def places(player: Player, shown: SeatView) -> SeatView:
        return replace(shown, cards=sum(2**n for n, x in enumerate(player.hand) if x in VOWELS))

    return in_seats(v, places)


def a_drawn_letter_is_put_into_a_sorted_hand(v: Book) -> Book:
    """Its place among the others says what it is."""
    peep = Peephole()

    def place(full: e.LetterDrawn, known: e.LetterDrawn) -> e.LetterDrawn:
        hand = peep.state.players[full.seat].hand
        slot = len([card for card in hand if card < (full.letter or "")])
        return known if known.letter else replace(known, source=f"slot {slot}")

    return in_event(peep.in_observe(v), e.LetterDrawn, place)


def watchers_hold_the_hand_of_who_plays(v: Book) -> Book:
    def hand(state: State, seat: Seat | None, view: View) -> View:
        if seat is not None or state.turn is None:
            return view
        return replace(view, hand=state.players[state.turn].hand)

    return in_view(v, hand)


def a_manifest_is_shown_to_the_left_neighbour(v: Book) -> Book:
    def manifests(full: e.RoundBegun, known: e.RoundBegun) -> e.RoundBegun:
        own = [n for n, manifest in enumerate(known.manifests) if manifest]
        left = {(n - 1) % len(full.manifests) for n in own}
        shown = [m if n in left or known.manifests[n] else None
                 for n, m in enumerate(full.manifests)]  # fmt: skip
        return replace(known, manifests=tuple(shown))

    return in_event(v, e.RoundBegun, manifests)


def everybody_sees_the_bonus_of_who_plays(v: Book) -> Book:
    def bonus(state: State, seat: Seat | None, view: View) -> View:
        whose = state.players[state.turn or 0].indicator if state.players else None
        return replace(view, indicator=view.indicator or whose)

    return in_view(v, bonus)


def what_is_left_in_hands_is_told_at_the_reckoning(v: Book) -> Book:
    """Hands are not shown."""
    peep = Peephole()

    def tell(event: Any, seat: Any, names: Any, style: Any) -> Any:
        told = v.describe_event(event, seat, names, style)
        if not isinstance(event, e.RoundEnding) or not told:
            return told
        hands = " ".join("".join(player.hand) for player in peep.state.players)
        return (*told, *styled_line(f" Left in hands: {hands}."))

    return replace(peep.in_observe(v), describe_event=tell)


# -- piles -----------------------------------------------------------------------------


def the_next_letter_lies_open(v: Book) -> Book:
    def top(state: State, seat: Seat | None, view: View) -> View:
        return replace(view, top=view.top + "".join(state.pile[:1]))

    return in_view(v, top)


def the_pile_is_counted_without_its_vowels(v: Book) -> Book:
    def count(state: State, seat: Seat | None, view: View) -> View:
        return replace(view, pile=len([card for card in state.pile if card not in VOWELS]))

    return in_view(v, count)


def the_deal_shows_the_bottom_of_the_pile(v: Book) -> Book:
    def last(full: e.RoundBegun, known: e.RoundBegun) -> e.RoundBegun:
        assert full.pile is not None
        return replace(known, pile=full.pile[-20:])

    return in_event(v, e.RoundBegun, last)


def a_new_round_keeps_the_order_of_the_old_letters(v: Book) -> Book:
    """What lies under the pile is told by a number, as a careless cache key would be."""

    def number(full: e.RoundBegun, known: e.RoundBegun) -> e.RoundBegun:
        assert full.pile is not None
        return replace(known, pile_count=known.pile_count + sum(map(ord, full.pile[40:])) % 3)

    return in_event(v, e.RoundBegun, number)


# -- letters on the move ---------------------------------------------------------------


def a_drawn_letter_is_named(v: Book) -> Book:
    return in_event(v, e.LetterDrawn, lambda full, known: replace(known, letter=full.letter))


def a_drawn_vowel_makes_no_news(v: Book) -> Book:
    def silence(full: e.LetterDrawn, known: e.LetterDrawn) -> e.LetterDrawn | None:
        return None if known.letter is None and full.letter in VOWELS else known

    return in_event(v, e.LetterDrawn, silence)


def a_rare_letter_makes_its_line_longer(v: Book) -> Book:
    peep = Peephole()

    def tell(event: Any, seat: Any, names: Any, style: Any) -> Any:
        told, full = v.describe_event(event, seat, names, style), peep.events.get(event)
        is_rare = isinstance(full, e.LetterDrawn) and full.letter in (*"BCFGHJKMPQUVWXYZ",)
        return (*told, *styled_line(" ")) if told and is_rare else told

    return replace(peep.in_redact(v), describe_event=tell)


def an_offer_names_its_letters(v: Book) -> Book:
    """[WR-23] Partners choose without seeing them."""

    def letters(full: e.TradeOffered, known: e.TradeOffered) -> e.TradeOffered:
        return replace(known, letters=full.letters)

    return in_event(v, e.TradeOffered, letters)


def partners_look_at_the_offered_letter(v: Book) -> Book:
    def offers(state: State, seat: Seat | None, view: View) -> View:
        mine = tuple(offer for offer in state.offers if offer.to == seat)
        return replace(view, offers=view.offers or mine)

    return in_view(v, offers)


def a_trade_is_announced_with_its_letters(v: Book) -> Book:
    """[WR-26]"""

    def letters(full: e.Traded, known: e.Traded) -> e.Traded:
        return replace(known, given=full.given, got=full.got)

    return in_event(v, e.Traded, letters)


def partners_of_one_trade_see_each_others_letters(v: Book) -> Book:
    def redact(event: Any, seat: Seat | None) -> Any:
        is_partner = isinstance(event, e.Traded) and seat in event.partners
        return event if is_partner else v.redact(event, seat)

    return replace(v, redact=redact)


def a_pass_of_who_could_not_end_makes_no_news(v: Book) -> Book:
    """What anybody declined is worth telling only if it was possible."""
    peep = Peephole()

    def silence(full: e.Passed, known: e.Passed) -> e.Passed | None:
        return known if END_OF_ROUND in peep.state.players[full.seat].hand else None

    return in_event(peep.in_observe(v), e.Passed, silence)


def totals_run_ahead_of_the_reckoning(v: Book) -> Book:
    """Words count as they lie, by manifests that nobody may know yet."""

    def points(state: State, seat: Seat | None, view: View) -> View:
        seats: Sequence[SeatView] = view.seats
        now = []
        for number, (player, shown) in enumerate(zip(state.players, seats, strict=True)):
            printed = {word for words in player.manifest.sets for word in words}
            laid = [w for w in state.words if w.owner == number and w.spelling in printed]
            now.append(replace(shown, total=shown.total + len(laid)))
        return replace(view, seats=tuple(now)) if now else view

    return in_view(v, points)


MUTANTS = (
    hand_sizes_leave_out_end_of_round,
    hands_show_where_their_vowels_are,
    a_drawn_letter_is_put_into_a_sorted_hand,
    watchers_hold_the_hand_of_who_plays,
    a_manifest_is_shown_to_the_left_neighbour,
    everybody_sees_the_bonus_of_who_plays,
    what_is_left_in_hands_is_told_at_the_reckoning,
    the_next_letter_lies_open,
    the_pile_is_counted_without_its_vowels,
    the_deal_shows_the_bottom_of_the_pile,
    a_new_round_keeps_the_order_of_the_old_letters,
    a_drawn_letter_is_named,
    a_drawn_vowel_makes_no_news,
    a_rare_letter_makes_its_line_longer,
    an_offer_names_its_letters,
    partners_look_at_the_offered_letter,
    a_trade_is_announced_with_its_letters,
    partners_of_one_trade_see_each_others_letters,
    a_pass_of_who_could_not_end_makes_no_news,
    totals_run_ahead_of_the_reckoning,
)
