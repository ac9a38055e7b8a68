"""Why a move is advised.

Rule 1: a reason follows from the own view and from what the reader can count (`counted.py`), and is
        true of the position, whoever advises the move.  [G-14]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from variants.contract import Seat
from variants.elimination.actions import Action, Clear, Draw, Force, Give, Next, Shuffle, Take
from variants.elimination.counted import Count, counted
from variants.elimination.data.cards import RANK_OF, ends_when, rank_name
from variants.elimination.events import (
    CardDrawn,
    CardForced,
    CardGiven,
    CardTaken,
    Cleared,
    Eliminated,
    Event,
    HandsShuffled,
)
from variants.elimination.language.card_text import three_of_rank
from variants.elimination.legal_actions import legal_actions
from variants.elimination.view import View, next_candidates
from variants.kit.reasons import ONLY_MOVE, REASONS_MAX, Reason
from variants.kit.text import join_words, quantity

PUTS_OUT = "{0} has {1}, so this puts {0} out, and you play again."
ENDS_GAME = "{0} has {1}, so this puts {0} out and ends the game."
DANGER_NEXT = "{} plays next with {} face up, and the fourth may come."
FEWER_CARDS = "The fewer cards you hold, the fewer can lock."
NO_RISK = "No card that can come puts you out."
ODDS = "Of {} unseen cards {} would put you out."
CHOOSES_NEXT = "You choose who plays next."
FORCE_ODDS = "Of {1} unseen cards {2} would put {0} out."
FORCE_SHOWS = "{} gets a card that everybody sees, and you get none."
LIFTS_WAITS = "You can give all your cards again."
MIXES_HANDS = "Nobody knows any more who holds what."
CLEARS_TRIPLET = "It takes {} away from you, and with them the danger of the fourth."
CLEARS_PAIRS = "It takes {} away from you, before a third card comes."
NEW_HAND = "You get four new cards."
YOU_WENT_OUT = "You went out on the fourth {{1}}: {}."
DREW, SHUFFLED, NEW_HAND_CAME = "you drew it", "a shuffle brought it", "your new hand brought it"
GAVE, TOOK, FORCED = "{0} gave it to you", "you took it from {0}", "{0} made you draw it"
STAYED_IN = "You stayed in: {} went out last, on the fourth {}."
MOST_CARDS = "{} holds {}, more than anybody else you can choose."


def explain(view: View, seen: Sequence[Event], action: Action) -> tuple[Reason, ...]:
    """Reasons for *action*, the weightiest first; empty where none of these fits."""
    if len(legal_actions(view)) == 1:
        return (ONLY_MOVE,)
    return tuple(islice(_reasons(view, counted(view, seen), action), REASONS_MAX))


def explain_end(view: View, seen: Sequence[Event]) -> tuple[Reason, ...]:
    """How the reader went out, or who did in the reader's place."""
    outs = [event for event in seen if isinstance(event, Eliminated)]
    if not view.ended or not outs:
        return ()
    own = [event for event in outs if event.seat == view.seat]
    if not own:
        last = outs[-1]
        return (Reason("stayed_in", STAYED_IN, (last.seat, rank_name(RANK_OF[last.cards[0]]))),)
    before = seen[: [event is own[0] for event in seen].index(True)]
    how, by = next(came for event in reversed(before) if (came := _came(event)))
    rank = rank_name(RANK_OF[own[0].cards[0]])
    return (Reason("went_out", YOU_WENT_OUT.format(how), (by, rank)),)


def _came(event: Event) -> tuple[str, Seat] | None:
    """How cards came with an event, and through whom; None: none did."""
    match event:
        case CardGiven(by):
            return GAVE, by
        case CardTaken(_, victim):
            return TOOK, victim
        case CardForced(by):
            return FORCED, by
        case CardDrawn(by):
            return DREW, by
        case HandsShuffled(by):
            return SHUFFLED, by
        case Cleared(by):
            return NEW_HAND_CAME, by
    return None


def _reasons(view: View, count: Count, action: Action) -> Iterator[Reason]:
    match action:
        case Give(card, to):
            if RANK_OF[card] in _triplets(view, to):
                fourth = three_of_rank(RANK_OF[card])
                out = 1 + sum(not it.is_in for it in view.seats)
                is_end = out >= ends_when(view.until, len(view.seats))
                yield Reason("completes_four", ENDS_GAME if is_end else PUTS_OUT, (to, fourth))
                return
            yield from _plays_next(view, to)
            yield Reason("fewer_cards", FEWER_CARDS)
        case Take(victim):
            yield from _risk(view, count, victim)
            yield from _plays_next(view, victim)
        case Draw():
            yield from _risk(view, count, None)
            if len(next_candidates(view.seats, view.turn)) > 1:
                yield Reason("chooses_next", CHOOSES_NEXT)
        case Force(to):
            if fatal := _unseen_of(count, _triplets(view, to)):
                about = (to, str(count.deck + count.hands), str(fatal))
                yield Reason("force_odds", FORCE_ODDS, about)
            yield Reason("force_shows", FORCE_SHOWS, (to,))
        case Shuffle():
            if view.marks:
                yield Reason("mixes_hands", LIFTS_WAITS)
            if sum(it.is_in and it.cards > 0 for it in view.seats) > 2:
                yield Reason("mixes_hands", MIXES_HANDS)
        case Clear():
            yield from _cleared(view)
        case Next(seat):
            yield from _plays_next(view, seat)
            held = {other: view.seats[other].cards for other in view.candidates}
            if sum(cards >= held[seat] for cards in held.values()) == 1:
                yield Reason("most_cards", MOST_CARDS, (seat, quantity(held[seat], "card")))


def _plays_next(view: View, seat: Seat) -> Iterator[Reason]:
    if ranks := _triplets(view, seat):
        lying = join_words([three_of_rank(rank) for rank in ranks])
        yield Reason("danger_next", DANGER_NEXT, (seat, lying))


def _risk(view: View, count: Count, victim: Seat | None) -> Iterator[Reason]:
    """Of a card that comes from the deck, or out of the hand of *victim*."""
    assert view.seat is not None
    ranks = _triplets(view, view.seat)
    fatal = _unseen_of(count, ranks)
    is_known = any(victim in it.known for it in count.ranks if it.rank in ranks)
    if not fatal and not is_known:
        yield Reason("no_risk", NO_RISK)
    elif not is_known:
        yield Reason("draw_odds", ODDS, (str(count.deck + count.hands), str(fatal)))


def _cleared(view: View) -> Iterator[Reason]:
    assert view.seat is not None
    if ranks := _triplets(view, view.seat):
        lost = join_words([three_of_rank(rank) for rank in ranks])
        yield Reason("clears_locked", CLEARS_TRIPLET, (lost,))
    elif view.pairs:
        yield Reason("clears_locked", CLEARS_PAIRS, (quantity(len(view.pairs), "pair"),))
    else:
        yield Reason("clears_locked", NEW_HAND)


def _triplets(view: View, seat: Seat) -> list[str]:
    return [RANK_OF[cards[0]] for cards in view.seats[seat].triplets]


def _unseen_of(count: Count, ranks: Sequence[str]) -> int:
    return sum(it.unseen for it in count.ranks if it.rank in ranks)
