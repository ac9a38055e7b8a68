"""Leaks planted on purpose: rule books that are honest but for one hole each.

Rule 1: a mutant changes one function of a variant.  Its games are those of the honest one.
Rule 2: words and grammar get no state, and neither do their mutants: what such a hole needs is
        carried past the keyhole in a `Peephole`, as a careless cache or global would.
Rule 3: the list only grows.  A leak that was ever found in a game gets its mutant here.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from tests.conformance.play import packed
from tests.games import AnyVariant, Mutation
from variants.contract import IllegalAction, ParseError, Refusal, Seat
from variants.kit.text import styled_line

FIRST = Seat(0)


@dataclass
class Peephole:
    """The last state somebody looked at, and the full events behind redacted ones."""

    state: Any = None
    events: dict[Any, Any] = field(default_factory=dict)

    @property
    def number(self) -> int:
        """A number that depends on every hidden card."""
        return sha256(packed(self.state)).digest()[0]

    def in_observe(self, variant: AnyVariant) -> AnyVariant:
        def observe(state: Any, seat: Any) -> Any:
            self.state = state
            return variant.observe(state, seat)

        return replace(variant, observe=observe)

    def in_redact(self, variant: AnyVariant) -> AnyVariant:
        def redact(event: Any, seat: Any) -> Any:
            known = variant.redact(event, seat)
            self.events[known] = event
            return known

        return replace(variant, redact=redact)

    def card(self, variant: AnyVariant) -> str:
        """A card from the fullest zone."""
        return max(variant.zones(self.state).values(), key=len)[0]


def everything_is_told_to_all(v: AnyVariant) -> AnyVariant:
    return replace(v, redact=lambda event, seat: event)


def news_are_redacted_for_the_wrong_seat(v: AnyVariant) -> AnyVariant:
    return replace(v, redact=lambda event, seat: v.redact(event, FIRST))


def watchers_look_over_a_shoulder(v: AnyVariant) -> AnyVariant:
    return replace(v, observe=lambda state, seat: v.observe(state, FIRST if seat is None else seat))


def some_hidden_cards_make_no_news(v: AnyVariant) -> AnyVariant:
    def redact(event: Any, seat: Any) -> Any:
        known = v.redact(event, seat)
        is_odd = sha256(packed(event)).digest()[0] % 2
        return None if known != event and is_odd else known

    return replace(v, redact=redact)


def a_sentence_grows_with_what_it_hides(v: AnyVariant) -> AnyVariant:
    peep = Peephole()

    def tell(event: Any, seat: Any, names: Any, style: Any) -> Any:
        told = v.describe_event(event, seat, names, style)
        longer = sha256(packed(peep.events.get(event))).digest()[0] % 3
        return told and (*told, *styled_line(" " * longer))

    return replace(peep.in_redact(v), describe_event=tell)


def the_screen_carries_a_hash_of_the_state(v: AnyVariant) -> AnyVariant:
    peep = Peephole()

    def render(view: Any, names: Any, style: Any) -> Any:
        return [*v.render(view, names, style), styled_line((f"game {peep.number:02x}", "dim"))]

    return replace(peep.in_observe(v), render=render)


def a_window_has_a_key_that_follows_the_cards(v: AnyVariant) -> AnyVariant:
    peep = Peephole()

    def asked(view: Any) -> Any:
        window = v.open_window(view)
        return window and replace(window, key=f"{window.key} {peep.number % 4}")

    return replace(peep.in_observe(v), open_window=asked)


def a_window_is_shorter_for_some_hands(v: AnyVariant) -> AnyVariant:
    peep, clocks = Peephole(), sorted(v.default_clocks_s)

    def asked(view: Any) -> Any:
        window = v.open_window(view)
        return window and replace(window, clock_name=clocks[peep.number % len(clocks)])

    return replace(peep.in_observe(v), open_window=asked)


def more_seats_are_asked_if_the_cards_say_so(v: AnyVariant) -> AnyVariant:
    peep = Peephole()

    def asked(view: Any) -> Any:
        window = v.open_window(view)
        return window and replace(window, seats=(*window.seats, Seat(peep.number % 2)))

    return replace(peep.in_observe(v), open_window=asked)


def everybody_is_offered_the_plays_of_who_is_asked(v: AnyVariant) -> AnyVariant:
    peep = Peephole()

    def legal_actions(view: Any) -> Any:
        window = v.open_window(v.observe(peep.state, None))
        return v.legal_actions(v.observe(peep.state, window.seats[0])) if window else ()

    return replace(peep.in_observe(v), legal_actions=legal_actions)


def the_number_of_plays_is_shown_to_all(v: AnyVariant) -> AnyVariant:
    peep = Peephole()

    def render(view: Any, names: Any, style: Any) -> Any:
        window = v.open_window(v.observe(peep.state, None))
        seats = window.seats if window else ()
        number = sum(len(v.legal_actions(v.observe(peep.state, seat))) for seat in seats)
        return [*v.render(view, names, style), styled_line(f"{number} plays")]

    return replace(peep.in_observe(v), render=render)


def a_refusal_quotes_a_hidden_card(v: AnyVariant) -> AnyVariant:
    peep = Peephole()

    def check(view: Any, action: Any) -> None:
        try:
            v.check(view, action)
        except IllegalAction as refusal:
            template = f"{refusal.template} Not even {peep.card(v)}."
            raise IllegalAction(template, *refusal.values) from None

    return replace(peep.in_observe(v), check=check)


def the_rules_refuse_by_what_they_know(v: AnyVariant) -> AnyVariant:
    def decide(state: Any, seat: Any, action: Any, chance: Any) -> Any:
        if sha256(packed(state)).digest()[0] % 2:
            raise IllegalAction("Not with these cards.")
        return v.decide(state, seat, action, chance)

    return replace(v, decide=decide)


def what_is_not_understood_is_completed_with_hidden_words(v: AnyVariant) -> AnyVariant:
    peep = Peephole()

    def parse(text: str, view: Any, names: Any) -> Any:
        try:
            return v.parse(text, view, names)
        except Refusal as refusal:
            said = refusal.format(names).replace("{", "{{").replace("}", "}}")
            raise ParseError(f"{said} Did you mean {peep.card(v)}?") from None

    return replace(peep.in_observe(v), parse=parse)


def a_time_out_knows_the_cards(v: AnyVariant) -> AnyVariant:
    peep = Peephole()

    def default(view: Any, chance: Any) -> Any:
        listed = v.legal_actions(view)
        return listed[peep.number % len(listed)]

    return replace(peep.in_observe(v), default_action=default)


def a_computer_player_knows_the_cards(v: AnyVariant) -> AnyVariant:
    peep = Peephole()

    def bot(view: Any, seen: Any, chance: Any, /) -> Any:
        listed = v.legal_actions(view)
        return listed[peep.number % len(listed)]

    return replace(peep.in_observe(v), bots={"easy": bot})


def sampled_worlds_hold_a_true_card(v: AnyVariant) -> AnyVariant:
    peep = Peephole()

    def worlds(view: Any, seen: Any, chance: Any) -> Any:
        sampled = v.sample_states(view, seen, chance)
        yield next(sampled)
        yield peep.state

    return replace(peep.in_observe(v), sample_states=worlds)


IN_PASSING: tuple[Mutation, ...] = (
    everything_is_told_to_all,
    news_are_redacted_for_the_wrong_seat,
    watchers_look_over_a_shoulder,
    some_hidden_cards_make_no_news,
    a_sentence_grows_with_what_it_hides,
    a_window_has_a_key_that_follows_the_cards,
    a_window_is_shorter_for_some_hands,
    more_seats_are_asked_if_the_cards_say_so,
    everybody_is_offered_the_plays_of_who_is_asked,
)
"""Holes that any variant could have, in what everybody is sent."""

ON_DEMAND: tuple[Mutation, ...] = (
    the_screen_carries_a_hash_of_the_state,
    the_number_of_plays_is_shown_to_all,
    a_refusal_quotes_a_hidden_card,
    the_rules_refuse_by_what_they_know,
    what_is_not_understood_is_completed_with_hidden_words,
    a_time_out_knows_the_cards,
    a_computer_player_knows_the_cards,
    sampled_worlds_hold_a_true_card,
)
"""The same, in what somebody has to ask for."""
