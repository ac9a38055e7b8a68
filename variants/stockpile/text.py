"""What happened, in one sentence.

Rule 1: a sentence is made from a redacted event alone; what the event does not say is not said.
Rule 2: the one who knows a card and the others who do not hear the same sentence but for the card.
Rule 3: the sentence that asks for an answer names the same answers whatever the seat holds.  [G-12]
"""

from __future__ import annotations

from variants.contract import Names, Seat
from variants.kit.people import began, conjugated, does, joined, who, whom, whose
from variants.kit.text import Line, Span, Style, line
from variants.stockpile.cards import IMPACTS, INFECTION, SOLD_OUT
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
from variants.stockpile.view import Effect
from variants.stockpile.words import (
    DECK_CALLED,
    PLACE,
    aim,
    cards_spoken,
    may_answer,
    played,
    stop,
    the,
)


def tell(event: Event, seat: Seat | None, names: Names, style: Style) -> Line | None:
    """The sentence for *seat*, or a watcher; None where the board and another sentence say it."""
    match event:
        case ActionOpened() | LocationOpened() | GiveUpOpened():
            return None  # who is to do what stands on the board and in the status line
        case GameBegun(_, seats):
            return line(f"A game of {seats} players begins.")
        case Dealt(stockpiles):
            supplies, indoor, outdoor = event.counts
            return line(
                f"Everybody is Indoors with {cards_spoken(stockpiles[0])}."
                f" The decks: {indoor} Indoor, {outdoor} Outdoor, {supplies} Supplies."
            )
        case TurnStarted(player, number):
            turn = Span(f"Turn {number}: ", "title")
            return line(turn, whose(player, seat, names), " turn.")
        case IsolationEnded(player):
            return line(*began((whose(player, seat, names),)), " Self-Isolation ends.")
        case DeckEmptied(deck):
            what = Span("this turn is the last", "strong")
            return line(f"The {DECK_CALLED[deck]} deck is empty: ", what, ".")
        case GameEnded():
            return _game_ended(event, seat, names)
        case PositionArranged(hands=hands):
            own = None if seat is None else hands[seat]
            if own is None:
                return line("The cards are set up.")
            return stop(line(f"The cards are set up. Your hand: {cards_spoken(own)}"))
    return _tell_draw(event, seat, names) or _tell_play(event, seat, names)


# -- what is drawn, and what follows from it -------------------------------------------------------


def _tell_draw(event: Event, seat: Seat | None, names: Names) -> Line | None:
    match event:
        case CardDrawn(player, back, card):
            called = DECK_CALLED[back]
            what = the(card) if card else Span(f"an {called} card")
            return stop(line(*does(player, "draw", seat, names), " ", what))
        case ImpactDrawn(player, card):
            what = Span(card.name, "bad" if card.name == INFECTION else "strong")
            takes = f": it takes a card of {IMPACTS[card.name]}."
            return line(*does(player, "draw", seat, names), " ", what, takes)
        case SupplyLost(player, lost):
            return line(*does(player, "give", seat, names), " up ", the(lost), ".")
        case NothingLost(player, card):
            has = "have" if player == seat else "has"
            none = f" {has} no {IMPACTS[card.name]}: nothing happens."
            return line(who(player, seat, names), none)
        case Relocated():
            return _relocated(event, seat, names)
        case Tested(_, None):
            return line("No card is left for a test, which counts as ", ("positive", "bad"), ".")
        case Tested(player, card, is_infected):
            assert card is not None
            result = Span("positive", "bad") if is_infected else Span("negative", "good")
            none = "have none and are" if player == seat else "has none and is"
            tested = line(who(player, seat, names), f" {none} tested: ", the(card))
            strikes = card.sort == "impact" and not is_infected  # [SR-23]
            then = f" It takes a card of {IMPACTS[card.name]}." if strikes else ""
            return line(*tested, f" ({card.test}), ", result, ".", then)
        case TestKept(player, card):
            return stop(line(*does(player, "keep", seat, names), " ", the(card)))
        case Eliminated():
            return _eliminated(event, seat, names)
        case SupplyDrawn(player, card):
            gained = ": nothing gained." if card.name == SOLD_OUT else "."
            return line(*does(player, "draw", seat, names), " ", the(card), gained)
    return None


def _is(player: Seat, seat: Seat | None) -> str:
    return "are" if player == seat else "is"


def _relocated(event: Relocated, seat: Seat | None, names: Names) -> Line:
    there = Span(PLACE[event.to], "strong")
    if event.why == "kept":
        return line(*does(event.seat, "stay", seat, names), " ", there, ".")
    if event.why == "chosen":
        return line(*does(event.seat, "go", seat, names), " ", there, ".")
    rest = ""
    if event.is_bound:
        rest = " and stay there for the whole next turn"
    elif event.skips:
        rest = " and may not choose at the end of this turn"
    if event.why == "switch":
        is_ = _is(event.seat, seat)
        return line(who(event.seat, seat, names), f" {is_} switched ", there, rest, ".")
    has = "have" if event.seat == seat else "has"
    must = f" {has} none and must go "
    return line(who(event.seat, seat, names), must, there, rest, ".")


def _eliminated(event: Eliminated, seat: Seat | None, names: Names) -> Line:
    gone = [*event.hand, *event.stockpile]
    if event.isolation:
        gone.append(event.isolation)
    is_out = f" {_is(event.seat, seat)} infected and "
    told = line(who(event.seat, seat, names), is_out, ("out", "bad"), ".")
    return stop(line(*told, f" Discarded: {cards_spoken(gone)}")) if gone else told


# -- what is played, and what is answered ----------------------------------------------------------


def _tell_play(event: Event, seat: Seat | None, names: Names) -> Line:
    match event:
        case StockPlayed(player, card) | IsolationPlayed(player, card):
            return line(*does(player, "play", seat, names), " ", the(card), ".")
        case SwapPlayed(player, card, other):
            verb = conjugated("discard", player, seat)
            plays = does(player, "play", seat, names)
            return stop(line(*plays, " ", the(card), f" and {verb} ", the(other)))
        case CardDiscarded(player, card):
            return stop(line(*does(player, "discard", seat, names), " ", the(card)))
        case EffectPlayed(player, card, target, supply, give, take):
            where = aim(target, supply, give, take, seat, names)
            return line(*does(player, "play", seat, names), " ", the(card), *where, ".")
        case ReactionOpened(asked, card, by):
            return may_answer(asked, card, by, seat, names)
        case Passed(player):
            return line(*does(player, "pass", seat, names), ".")
        case Countered(player, card, against, by):
            answers = does(player, "answer", seat, names)
            what = played(against, by, seat, names)
            return stop(line(*answers, " ", *what, " with ", the(card)))
        case Reflected(player, card, target, give, take):
            answers = line(*does(player, "answer", seat, names), " with ", the(card))
            turns = f" and {conjugated('turn', player, seat)} it"
            return line(*answers, turns, *aim(target, "", give, take, seat, names), ".")
        case CounterSettled(stands, effect, live):
            return _settled(stands, effect, live, seat, names)
        case Looted(player, victim, card):
            takes = does(player, "take", seat, names)
            return line(*takes, " ", the(card), " from ", whom(victim, seat, names), ".")
        case Traded(player, other, gave, took):
            swaps = line(*does(player, "swap", seat, names), " ", the(gave), " for ")
            return line(*swaps, whose(other, seat, names), " ", the(took), ".")
        case SuppliesDiscarded(player, _, cards):
            loses = does(player, "lose", seat, names)
            return line(*loses, " ", (cards_spoken(cards), "strong"), ".")
    raise AssertionError(f"no event of this game: {event!r}")


def _settled(
    stands: bool, effect: Effect, live: Effect | None, seat: Seat | None, names: Names
) -> Line:
    """[SR-57] [SR-58]"""
    failed = line("The answer is turned away")
    if stands:
        failed = began(played(effect.card, effect.controller, seat, names))
        failed = line(*failed, " is cancelled")
    if live is None:
        return line(*failed, ".")
    again = played(live.card, live.controller, seat, names)
    target = whom(live.target, seat, names)
    return line(*failed, ": ", *again, " is live against ", target, " again.")


def _game_ended(event: GameEnded, seat: Seat | None, names: Names) -> Line:
    if event.reason == "survivor":
        wins = does(event.winners[0], "win", seat, names)
        return line(*wins, ": nobody else is free of infection.")
    called = [whom(winner, seat, names) for winner in event.winners]
    verb = " wins" if len(called) == 1 and event.winners[0] != seat else " win"
    most = " with the most valuable stockpile"
    over = f"The {DECK_CALLED[event.reason]} deck has run out: "
    return line(over, *joined(called), verb, most, ".")
