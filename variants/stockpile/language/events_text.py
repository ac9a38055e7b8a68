"""What happened, in one sentence.

Rule 1: a sentence is made from a redacted event alone; what the event does not say is not said.
Rule 2: the one who knows a card and the others who do not hear the same sentence but for the card.
Rule 3: the sentence that asks for an answer names the same answers whatever the seat holds.  [G-12]
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from variants.contract import Seat, SeatNames
from variants.kit.english import (
    capitalize,
    conjugate,
    join_spans,
    object_name,
    possessive,
    subject,
    subject_and_verb,
)
from variants.kit.text import Span, Style, StyledLine, number_in_words, styled_line
from variants.stockpile.data.cards import IMPACT_KINDS, INFECTION, SOLD_OUT, Card, Settings
from variants.stockpile.events import (
    ActionOpened,
    CardDiscarded,
    CardDrawn,
    Countered,
    CounterSettled,
    Dealt,
    DeckEmptied,
    EffectPlayed,
    Eliminated,
    Event,
    GameBegun,
    GameEnded,
    GiveUpOpened,
    ImpactDrawn,
    IsolationEnded,
    IsolationPlayed,
    LocationOpened,
    Looted,
    NothingLost,
    Passed,
    PositionArranged,
    ReactionOpened,
    Reflected,
    Relocated,
    StartedAgain,
    StockPlayed,
    SuppliesDiscarded,
    SupplyDrawn,
    SupplyLost,
    SwapPlayed,
    Tested,
    TestKept,
    Traded,
    TurnStarted,
)
from variants.stockpile.language.card_text import (
    DECK_NAMES,
    LOCATION_NAMES,
    card_span,
    card_titles,
    cards_span,
    impact_span,
    owned_card,
    response_sentence,
    target_phrase,
    with_full_stop,
)
from variants.stockpile.view import Effect


def describe_event(
    event: Event, reader: Seat | None, names: SeatNames, style: Style
) -> StyledLine | None:
    """The sentence for *seat*, or a watcher; None where the board and another sentence say it."""
    match event:
        case ActionOpened() | LocationOpened() | GiveUpOpened():
            return None  # who is to do what stands on the board and in the status line
        case ImpactDrawn(is_harmless=True):
            return None  # the sentence that nothing is lost says it
        case GameBegun(_, seats, settings):
            return styled_line(f"A game of {seats} players begins.", *_chosen(settings))
        case Dealt(stockpiles):
            supplies, indoor, outdoor = event.counts
            return styled_line(
                f"Everybody is Indoors with {card_titles(stockpiles[0])}."
                f" The decks: {indoor} Indoor, {outdoor} Outdoor, {supplies} Supplies."
            )
        case TurnStarted(player, number):
            turn = Span(f"Turn {number}: ", "title")
            return styled_line(turn, possessive(player, reader, names), " turn.")
        case IsolationEnded(player):
            return styled_line(
                *capitalize((possessive(player, reader, names),)), " Self-Isolation ends."
            )
        case DeckEmptied(deck, is_first=False):
            return styled_line(f"The {DECK_NAMES[deck]} deck is empty, too.")
        case DeckEmptied(deck):
            what = Span("so this is the last turn", "strong")
            return styled_line(f"The {DECK_NAMES[deck]} deck is empty, ", what, ".")
        case GameEnded():
            return _game_ended(event, reader, names)
        case PositionArranged(hands=hands):
            own = None if reader is None else hands[reader]
            if own is None:
                return styled_line("The cards are set up.")
            return with_full_stop(
                styled_line(f"The cards are set up. Your hand: {card_titles(own)}")
            )
    return _tell_draw(event, reader, names) or _tell_play(event, reader, names)


def turn_begun(event: Event) -> tuple[int, Seat] | None:
    return (event.number, event.seat) if isinstance(event, TurnStarted) else None


def fold_key(event: Event) -> Hashable:
    """Cards drawn one after the other read as one draw."""
    match event:
        case CardDrawn(player, back):
            return "card", player, back
        case SupplyDrawn(player):
            return "supply", player
    return None


def describe_folded(
    events: Sequence[Event], reader: Seat | None, names: SeatNames, style: Style
) -> StyledLine | None:
    """`Milo draws 2 Outdoor cards.`, `You draw Nice Try! and Home Delivery 1.`"""
    drawn: list[Span] = []
    player, hidden, back = Seat(0), 0, ""
    for event in events:
        match event:
            case CardDrawn(player, back, None):
                hidden += 1
            case CardDrawn(player, _, card) | SupplyDrawn(player, card) if card is not None:
                what = card_span(card)
                worth = " (worth nothing)" if card.name == SOLD_OUT else ""
                drawn.append(what._replace(text=what.text + worth))
    cards = join_spans(drawn) or (Span(f"{hidden} {DECK_NAMES[back]} cards"),)
    draws = subject_and_verb(player, "draw", reader, names)
    return with_full_stop(styled_line(*draws, " ", *cards))


# -- what is drawn, and what follows from it -------------------------------------------------------


def _tell_draw(event: Event, seat: Seat | None, names: SeatNames) -> StyledLine | None:
    match event:
        case CardDrawn(player, back, card):
            called = DECK_NAMES[back]
            what = card_span(card) if card else Span(f"an {called} card")
            return with_full_stop(
                styled_line(*subject_and_verb(player, "draw", seat, names), " ", what)
            )
        case ImpactDrawn(player, card):
            draws = subject_and_verb(player, "draw", seat, names)
            if card.name == INFECTION:
                return styled_line(*draws, " an ", impact_span(card), ".")
            return styled_line(*draws, " ", impact_span(card), *_costs(card))
        case SupplyLost(player, lost):
            return styled_line(
                *subject_and_verb(player, "lose", seat, names), " ", card_span(lost), "."
            )
        case NothingLost(player, card, grace) if grace:
            draws = subject_and_verb(player, "draw", seat, names)
            nothing = f". It does nothing in the {_first_rounds(grace)}."
            return styled_line(*draws, " an ", impact_span(card), nothing)
        case NothingLost(player, card):
            has = "have" if player == seat else "has"
            none = f" {has} no {IMPACT_KINDS[card.name]}: nothing happens."
            return styled_line(subject(player, seat, names), none)
        case Relocated():
            return _relocated(event, seat, names)
        case Tested(_, None):
            return styled_line(
                "No card is left for a test, which counts as ", ("positive", "bad"), "."
            )
        case Tested(player, card, is_infected):
            assert card is not None
            result = Span("positive", "bad") if is_infected else Span("negative", "good")
            has, is_ = ("have", "you are") if player == seat else ("has", f"{names[player]} is")
            tested = f" {has} no {IMPACT_KINDS[INFECTION]}, so {is_} tested: "
            told = styled_line(
                subject(player, seat, names), tested, card_span(card), " is ", result
            )
            if is_infected:
                return styled_line(*told, ".")
            safe = " You're safe." if player == seat else f" {names[player]} is safe."
            strikes = card.sort == "impact"  # [SR-23]
            return styled_line(*told, ".", safe, *(_costs(card, " It") if strikes else ()))
        case TestKept(player, card):
            return with_full_stop(
                styled_line(*subject_and_verb(player, "keep", seat, names), " ", card_span(card))
            )
        case Eliminated() | StartedAgain():
            return _infected(event, seat, names)
        case SupplyDrawn(player, card):
            gained = " (worth nothing)." if card.name == SOLD_OUT else "."
            return styled_line(
                *subject_and_verb(player, "draw", seat, names), " ", card_span(card), gained
            )
    return None


def _costs(card: Card, it: str = ": it") -> StyledLine:
    return styled_line(f"{it} costs one {IMPACT_KINDS[card.name]}.")


def _is(player: Seat, seat: Seat | None) -> str:
    return "are" if player == seat else "is"


def _relocated(event: Relocated, seat: Seat | None, names: SeatNames) -> StyledLine:
    there = Span(LOCATION_NAMES[event.to], "strong")
    if event.why == "kept":
        return styled_line(*subject_and_verb(event.seat, "stay", seat, names), " ", there, ".")
    if event.why == "chosen":
        return styled_line(*subject_and_verb(event.seat, "go", seat, names), " ", there, ".")
    rest = ""
    if event.is_bound:
        rest = " and stay there for the whole next turn"
    elif event.skips:
        rest = " and can't choose at the end of this turn"
    if event.why == "switch":
        is_ = _is(event.seat, seat)
        return styled_line(subject(event.seat, seat, names), f" {is_} switched ", there, rest, ".")
    has = "have" if event.seat == seat else "has"
    who = "you" if event.seat == seat else names[event.seat]
    must = f" {has} none, so {who} must go "
    return styled_line(subject(event.seat, seat, names), must, there, rest, ".")


def _first_rounds(grace: int) -> str:
    return "first round" if grace == 1 else f"first {number_in_words(grace)} rounds"


def _chosen(settings: Settings) -> list[str]:
    """What is not as usual.  [SR-68] [SR-70]"""
    said = []
    if settings.grace:
        said.append(f" An Infection does nothing in the {_first_rounds(settings.grace)}.")
    if settings.infected == "restart":
        said.append(" Nobody is out: who is infected discards everything and plays on.")
    return said


def _infected(event: Eliminated | StartedAgain, seat: Seat | None, names: SeatNames) -> StyledLine:
    gone = [*event.hand, *event.stockpile]
    if event.isolation:
        gone.append(event.isolation)
    is_infected = f" {_is(event.seat, seat)} infected and "
    ends = styled_line(("out", "bad"), " of the game.")
    if isinstance(event, StartedAgain):  # [SR-70]
        ends = styled_line(conjugate("start", event.seat, seat), " again with nothing.")
    told = styled_line(subject(event.seat, seat, names), is_infected, *ends)
    return with_full_stop(styled_line(*told, f" Discarded: {card_titles(gone)}")) if gone else told


# -- what is played, and what is answered ----------------------------------------------------------


def _tell_play(event: Event, seat: Seat | None, names: SeatNames) -> StyledLine:
    match event:
        case StockPlayed(player, card) | IsolationPlayed(player, card):
            return styled_line(
                *subject_and_verb(player, "play", seat, names), " ", card_span(card), "."
            )
        case SwapPlayed(player, card, other):
            verb = conjugate("discard", player, seat)
            plays = subject_and_verb(player, "play", seat, names)
            return with_full_stop(
                styled_line(*plays, " ", card_span(card), f" and {verb} ", card_span(other))
            )
        case CardDiscarded(player, card):
            return with_full_stop(
                styled_line(*subject_and_verb(player, "discard", seat, names), " ", card_span(card))
            )
        case EffectPlayed(player, card, target, supply, give, take):
            where = target_phrase(target, supply, give, take, seat, names)
            return styled_line(
                *subject_and_verb(player, "play", seat, names), " ", card_span(card), *where, "."
            )
        case ReactionOpened(asked, card, by):
            return response_sentence(asked, card, by, seat, names)
        case Passed(player):
            return styled_line(*subject_and_verb(player, "pass", seat, names), ".")
        case Countered(player, card, against, by):
            responds = subject_and_verb(player, "respond", seat, names)
            what = owned_card(against, by, seat, names)
            return with_full_stop(styled_line(*responds, " to ", *what, " with ", card_span(card)))
        case Reflected(player, card, target, give, take):
            responds = styled_line(
                *subject_and_verb(player, "respond", seat, names), " with ", card_span(card)
            )
            turns = f" and {conjugate('turn', player, seat)} it"
            return styled_line(
                *responds, turns, *target_phrase(target, "", give, take, seat, names), "."
            )
        case CounterSettled(stands, effect, live):
            return _settled(stands, effect, live, seat, names)
        case Looted(player, victim, card):
            takes = subject_and_verb(player, "take", seat, names)
            return styled_line(
                *takes, " ", card_span(card), " from ", object_name(victim, seat, names), "."
            )
        case Traded(player, other, gave, took):
            swaps = styled_line(
                *subject_and_verb(player, "swap", seat, names), " ", card_span(gave), " for "
            )
            return styled_line(*swaps, possessive(other, seat, names), " ", card_span(took), ".")
        case SuppliesDiscarded(player, _, cards):
            loses = subject_and_verb(player, "lose", seat, names)
            return styled_line(*loses, " ", cards_span(cards), ".")
    raise AssertionError(f"no event of this game: {event!r}")


def _settled(
    stands: bool, effect: Effect, live: Effect | None, seat: Seat | None, names: SeatNames
) -> StyledLine:
    """[SR-57] [SR-58]"""
    failed = styled_line("The response is cancelled")
    if stands:
        failed = capitalize(owned_card(effect.card, effect.controller, seat, names))
        failed = styled_line(*failed, " is cancelled")
    if live is None:
        return styled_line(*failed, ".")
    again = owned_card(live.card, live.controller, seat, names)
    on = () if live.controller == seat else (" on ", object_name(live.target, seat, names))
    return styled_line(*failed, ", so ", *again, " works", *on, " after all.")


def _game_ended(event: GameEnded, seat: Seat | None, names: SeatNames) -> StyledLine:
    if event.reason == "survivor":
        wins = subject_and_verb(event.winners[0], "win", seat, names)
        return styled_line(*wins, "! Everybody else is infected.")
    called = [object_name(winner, seat, names) for winner in event.winners]
    verb = conjugate("win", event.winners[0], seat) if len(called) == 1 else "tie for first place"
    most = " with the most valuable stockpile"
    over = f"The {DECK_NAMES[event.reason]} deck has run out: "
    return styled_line(over, *join_spans(called), f" {verb}", most, ".")
