"""What happened, in one sentence.

Rule 1: a sentence is made from a redacted event alone; what the event does not say is not said.
Rule 2: the two who know a card and the others who do not hear the same sentence but for the card.
Rule 3: cards are spoken in words, lists of cards are short.
"""

from __future__ import annotations

from variants.contract import Seat, SeatNames
from variants.elimination.data.cards import (
    PACKS,
    RANK_OF,
    STALEMATE_SHOWN_FROM_TURNS,
    STALEMATE_TURNS,
    are_out,
    end_clause,
    ends_when,
)
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
from variants.elimination.language.card_text import card_row, card_with_article, rank_plural
from variants.kit.english import conjugate, join_spans, object_name, subject, subject_and_verb
from variants.kit.text import Span, Style, StyledLine, quantity, styled_line


def describe_event(
    event: Event, reader: Seat | None, names: SeatNames, style: Style
) -> StyledLine | None:
    """The sentence for *seat*, or a watcher; None where another sentence says it already."""
    match event:
        case GameBegun():
            return _game_begun(event, reader, names)
        case Misdealt():
            return styled_line("Somebody was dealt four of a rank. The cards are dealt again.")
        case Dealt(hands):
            own = None if reader is None else hands[reader]
            if own is None:
                return styled_line(f"Everybody is dealt {quantity(event.hand_count, 'card')}.")
            return styled_line("You are dealt: ", *card_row(own, style), ".")
        case PairLocked(actor, cards):
            of = f" of {rank_plural(RANK_OF[cards[0]])}" if cards else ""
            return styled_line(*subject_and_verb(actor, "lock", reader, names), f" a pair{of}.")
        case TripletLocked(actor, cards):
            has = " have " if actor == reader else " has "
            what = Span(f"three {rank_plural(RANK_OF[cards[0]])}", "strong")
            return styled_line(subject(actor, reader, names), has, what, ", face up.")
        case Eliminated():
            return _eliminated(event, reader, names)
        case TurnStarted():
            return _turn_started(event, reader, names)
        case TurnEnded(_, idle) if idle >= STALEMATE_SHOWN_FROM_TURNS:
            return styled_line(
                f"Nothing has changed for {idle} turns; at {STALEMATE_TURNS} the game is a draw.",
            )
        case TurnEnded() | ChoiceOpened():
            return None
        case Passed(actor):
            has, passes = "have" if actor == reader else "has", conjugate("pass", actor, reader)
            return styled_line(subject(actor, reader, names), f" {has} no move and {passes}.")
        case GameEnded():
            return _game_ended(event, reader, names)
        case PositionArranged(hands=hands):
            own = None if reader is None else hands[reader]
            if own is None:
                return styled_line("The cards are set up.")
            return styled_line("The cards are set up. Your hand: ", *card_row(own, style), ".")
    return _tell_action(event, reader, names, style)


def turn_begun(event: Event) -> tuple[int, Seat] | None:
    return (event.number, event.seat) if isinstance(event, TurnStarted) else None


def _game_begun(event: GameBegun, seat: Seat | None, names: SeatNames) -> StyledLine:
    cards = f"A game begins with {len(PACKS[event.pack].cards)} cards. "
    deals = subject_and_verb(event.dealer, "deal", seat, names)
    ends = ""
    if event.until != "last":  # [ER-51]
        ends = f" The game ends when {are_out(ends_when(event.until, event.seats))}."
    return styled_line(cards, *deals, ".", ends)


def _tell_action(
    event: Event, seat: Seat | None, names: SeatNames, style: Style
) -> StyledLine | None:
    match event:
        case CardDrawn(actor, card):
            what = card_with_article(card, style) if card else styled_line("a card")
            return styled_line(*subject_and_verb(actor, "draw", seat, names), " ", *what, ".")
        case CardGiven(actor, to, card):
            what = card_with_article(card, style) if card else styled_line("a card")
            receiver = object_name(to, seat, names)
            return styled_line(
                *subject_and_verb(actor, "give", seat, names), " ", receiver, " ", *what, "."
            )
        case CardTaken(actor, victim, card):
            what = card_with_article(card, style) if card else styled_line("a card")
            giver = object_name(victim, seat, names)
            return styled_line(
                *subject_and_verb(actor, "take", seat, names), " ", *what, " from ", giver, "."
            )
        case CardForced(actor, to, card):
            forced = object_name(to, seat, names)
            says = subject_and_verb(actor, "make", seat, names)
            return styled_line(*says, " ", forced, " draw: ", *card_with_article(card, style), ".")
        case HandsShuffled(actor, hands, counts):
            sizes = [
                styled_line(object_name(Seat(other), seat, names), f" {count}")
                for other, count in enumerate(counts)
                if count
            ]
            own = None if seat is None else hands[seat]
            new = styled_line(" Your new cards: ", *card_row(own, style), ".") if own else ()
            says = subject_and_verb(actor, "shuffle", seat, names)
            return styled_line(*says, " all hands and ", conjugate("deal", actor, seat),
                        " them out again: ", *join_spans(sizes), ".", *new)  # fmt: skip
        case Cleared(actor, used, hand):
            pair = (Span("a pair, "), *card_row(used, style), Span(","))
            spent = pair if used[1:] else card_with_article(used[0], style)
            count = quantity(event.hand_count, "card") if event.hand_count else "nothing"
            new = styled_line(": ", *card_row(hand, style)) if hand else ()
            says = subject_and_verb(actor, "clear", seat, names)
            draws = f" and {conjugate('draw', actor, seat)} {count}"
            return styled_line(*says, " with ", *spent, draws, *new, ".")
    raise AssertionError(f"no event of this game: {event!r}")


def _eliminated(event: Eliminated, seat: Seat | None, names: SeatNames) -> StyledLine:
    ranks = list(dict.fromkeys(RANK_OF[card] for card in event.cards))
    fours = join_spans([Span(f"four {rank_plural(rank)}", "strong") for rank in ranks])
    has, is_out = (" have ", " and are ") if event.seat == seat else (" has ", " and is ")
    rest = ""
    if event.returned_count == 1:
        rest = " The other card goes back into the deck."
    elif event.returned_count:
        rest = f" The other {event.returned_count} cards go back into the deck."
    return styled_line(
        subject(event.seat, seat, names), has, *fours, is_out, ("out", "bad"), "!", rest
    )


def _turn_started(event: TurnStarted, seat: Seat | None, names: SeatNames) -> StyledLine | None:
    """Why somebody plays; that it is so is what the view says anyway."""
    if event.why == "again":
        return styled_line(*subject_and_verb(event.seat, "play", seat, names), " again.")
    if event.by is not None:
        return styled_line(*subject_and_verb(event.seat, "play", seat, names), " next.")
    return None


_DRAWN = {
    "idle": f"Nothing has changed for {STALEMATE_TURNS} turns",
    "dead": "No card can be drawn or moved any more",
}


def _game_ended(event: GameEnded, seat: Seat | None, names: SeatNames) -> StyledLine:
    if event.reason == "last":
        return styled_line(
            *subject_and_verb(event.survivors[0], "win", seat, names), "! Everybody else is out."
        )
    if event.reason in _DRAWN:
        return styled_line(f"{_DRAWN[event.reason]}: the game is a draw.")
    called = [object_name(other, seat, names) for other in event.survivors]
    out = [Seat(other) for other in range(len(names)) if other not in event.survivors]
    why = styled_line(end_clause(event.reason, len(out)))
    if event.reason == "first" and len(out) == 1:
        is_out = " are out" if out[0] == seat else " is out"
        why = styled_line(object_name(out[0], seat, names), is_out)
    return styled_line("The game ends between ", *join_spans(called), ": ", *why, ".")
