"""What happened, in one sentence.

Rule 1: a sentence is made from a redacted event alone; what the event does not say is not said.
Rule 2: the two who know a card and the others who do not hear the same sentence but for the card.
Rule 3: cards are spoken in words, lists of cards are short.
"""

from __future__ import annotations

from variants.contract import Names, Seat
from variants.elimination.data import PACKS, RANK, REASONS, STALEMATE_SHOWN_FROM, STALEMATE_TURNS
from variants.elimination.events import (
    CardDrawn,
    CardForced,
    CardGiven,
    CardTaken,
    ChoiceOpened,
    Cleared,
    Dealt,
    Eliminated,
    Event,
    GameBegun,
    GameEnded,
    HandsShuffled,
    Misdealt,
    PairLocked,
    Passed,
    PositionArranged,
    TripletLocked,
    TurnEnded,
    TurnStarted,
)
from variants.elimination.words import cards_line, plural, the_card
from variants.kit.people import conjugated, does, joined, who, whom
from variants.kit.text import Line, Span, Style, counted, line


def tell(event: Event, seat: Seat | None, names: Names, style: Style) -> Line | None:
    """The sentence for *seat*, or a watcher; None where another sentence says it already."""
    match event:
        case GameBegun(pack, _, dealer):
            cards = f" with {len(PACKS[pack].cards)} cards. "
            return line("A game begins", cards, *does(dealer, "deal", seat, names), ".")
        case Misdealt():
            return line("Somebody was dealt four of a rank. The cards are dealt again.")
        case Dealt(hands):
            own = None if seat is None else hands[seat]
            if own is None:
                return line(f"Everybody is dealt {counted(event.hand_count, 'card')}.")
            return line("You are dealt: ", *cards_line(own, style), ".")
        case PairLocked(actor, cards):
            of = f" of {plural(RANK[cards[0]])}" if cards else ""
            return line(*does(actor, "lock", seat, names), f" a pair{of}.")
        case TripletLocked(actor, cards):
            has = " have " if actor == seat else " has "
            what = Span(f"three {plural(RANK[cards[0]])}", "strong")
            return line(who(actor, seat, names), has, what, ", face up.")
        case Eliminated():
            return _eliminated(event, seat, names)
        case TurnStarted():
            return _turn_started(event, seat, names)
        case TurnEnded(_, idle) if idle >= STALEMATE_SHOWN_FROM:
            return line(
                f"No progress for {idle} turns; at {STALEMATE_TURNS} the game is drawn.",
            )
        case TurnEnded() | ChoiceOpened():
            return None
        case Passed(actor):
            passes = conjugated("pass", actor, seat)
            return line(who(actor, seat, names), f" can do nothing and {passes}.")
        case GameEnded():
            return _game_ended(event, seat, names)
        case PositionArranged(hands=hands):
            own = None if seat is None else hands[seat]
            if own is None:
                return line("The cards are set up.")
            return line("The cards are set up. Your hand: ", *cards_line(own, style), ".")
    return _tell_action(event, seat, names, style)


def _tell_action(event: Event, seat: Seat | None, names: Names, style: Style) -> Line | None:
    match event:
        case CardDrawn(actor, card):
            what = the_card(card, style) if card else line("a card")
            return line(*does(actor, "draw", seat, names), " ", *what, ".")
        case CardGiven(actor, to, card):
            what = the_card(card, style) if card else line("a card")
            receiver = whom(to, seat, names)
            return line(*does(actor, "give", seat, names), " ", receiver, " ", *what, ".")
        case CardTaken(actor, victim, card):
            what = the_card(card, style) if card else line("a card")
            giver = whom(victim, seat, names)
            return line(*does(actor, "take", seat, names), " ", *what, " from ", giver, ".")
        case CardForced(actor, to, card):
            forced = whom(to, seat, names)
            says = does(actor, "force", seat, names)
            return line(*says, " ", forced, " to draw: ", *the_card(card, style), ".")
        case HandsShuffled(actor, hands, counts):
            sizes = [
                line(whom(Seat(other), seat, names), f" {count}")
                for other, count in enumerate(counts)
                if count
            ]
            own = None if seat is None else hands[seat]
            new = line(" Your new cards: ", *cards_line(own, style), ".") if own else ()
            says = does(actor, "shuffle", seat, names)
            return line(*says, " all hands and ", conjugated("deal", actor, seat),
                        " them out again: ", *joined(sizes), ".", *new)  # fmt: skip
        case Cleared(actor, used, hand):
            pair = (Span("a pair, "), *cards_line(used, style), Span(","))
            spent = pair if used[1:] else the_card(used[0], style)
            count = counted(event.hand_count, "card") if event.hand_count else "nothing"
            new = line(": ", *cards_line(hand, style)) if hand else ()
            says = does(actor, "clear", seat, names)
            draws = f" and {conjugated('draw', actor, seat)} {count}"
            return line(*says, " with ", *spent, draws, *new, ".")
    raise AssertionError(f"no event of this game: {event!r}")


def _eliminated(event: Eliminated, seat: Seat | None, names: Names) -> Line:
    ranks = list(dict.fromkeys(RANK[card] for card in event.cards))
    fours = joined([Span(f"four {plural(rank)}", "strong") for rank in ranks])
    has, is_out = (" have ", " and are ") if event.seat == seat else (" has ", " and is ")
    rest = ""
    if event.returned_count == 1:
        rest = " The other card is shuffled into the deck."
    elif event.returned_count:
        rest = f" The other {event.returned_count} cards are shuffled into the deck."
    return line(who(event.seat, seat, names), has, *fours, is_out, ("out", "bad"), ".", rest)


def _turn_started(event: TurnStarted, seat: Seat | None, names: Names) -> Line | None:
    """Why somebody plays; that it is so is what the view says anyway."""
    if event.why == "again":
        return line(*does(event.seat, "play", seat, names), " again.")
    if event.by is not None:
        chosen = whom(event.seat, seat, names)
        says = does(event.by, "choose", seat, names)
        turn = ": it is your turn." if event.seat == seat else " to play next."
        return line(*says, " ", chosen, turn)
    return None


def _game_ended(event: GameEnded, seat: Seat | None, names: Names) -> Line:
    called = [whom(other, seat, names) for other in event.survivors]
    if event.reason == "last":
        return line(*does(event.survivors[0], "win", seat, names), ": all the others are out.")
    return line("The game ends between ", *joined(called), f": {REASONS[event.reason]}.")
