"""What a seat may see: everything that leaves the game leaves it here.  [G-20]

Rule 1: a view is built up from what is public and what is the seat's own; nothing is made by
        copying the state and taking things away.
Rule 2: an event is passed on as it is only if all of it is public; otherwise it is built anew
        with the secret as None, and everybody who may not know it gets the same.
Rule 3: fresh manifests are in no box that leaves the game.  [WR-10]
Rule 4: of a foreign hand the cards are counted, End of Round among them; of a foreign locked
        word, the letters.  [WR-14]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from variants.contract import Seat
from variants.words.events import (
    Event,
    GameBegun,
    LetterDrawn,
    LetterStolen,
    PositionArranged,
    RemovalAnswered,
    RoundBegun,
    TradeAnswered,
    Traded,
    TradeOffered,
    Word,
    WordFormed,
    WordLocked,
    WordsRebuilt,
    public_box,
)
from variants.words.state import State
from variants.words.view import NOT_TOLD, SeatView, View, WordView

T = TypeVar("T")


def observe(state: State, seat: Seat | None) -> View:
    """What *seat*, or a watcher (None), may see."""
    counts = [len(player.hand) for player in state.players] or [0] * state.seats
    waits_for = state.offers if state.phase == "trade" else state.removers
    view = View(
        seat=seat,
        box=public_box(state.box, state.settings),
        settings=state.settings,
        seats=tuple([SeatView(*each) for each in zip(counts, state.totals, strict=True)]),
        round=state.round,
        starter=state.starter or Seat(0),
        turn=state.turn or Seat(0),
        number=state.number,
        phase=state.phase,
        drawn=state.drawn,
        words=tuple([_seen(word, seat) for word in state.words]),
        pile=len(state.pile),
        discards=len(state.discards),
        top=state.discards[-1] if state.discards else "",
        traded=state.traded,
        stolen=state.stolen,
        added=state.added,
        changes=state.changes,
        tapped=state.tapped,
        partners=tuple([offer.to for offer in state.offers]),
        removers=state.removers,
        missing=len(waits_for) - len(state.replies),
        quiet=state.quiet,
        still=state.still,
        is_end_played=state.is_end_played,
        last=state.last,
        ended=state.ended,
    )
    return view if seat is None or not state.players else _own(view, state, seat)


def hide_missing(told: View | Event) -> View | Event:
    """Without how many answers a sealed window lacks.  [G-11]"""
    if isinstance(told, View | TradeAnswered | RemovalAnswered):
        return replace(told, missing=NOT_TOLD)
    return told


def _own(view: View, state: State, seat: Seat) -> View:
    """With what is this seat's alone."""
    player = state.players[seat]
    reply = next((reply for reply in state.replies if reply.seat == seat), None)
    return replace(
        view,
        hand=player.hand,
        manifest=player.manifest,
        indicator=player.indicator,
        offers=state.offers if seat == state.turn else (),
        answer=reply.letter if reply else "",
        removal=reply.removal if reply else None,
        has_answered=reply is not None,
    )


def _seen(word: Word, seat: Seat | None) -> WordView:
    is_known = not word.is_locked or word.owner == seat
    spelling = word.spelling if is_known else ""
    return WordView(word.number, word.owner, spelling, len(word.spelling), word.is_locked)


def redact(event: Event, seat: Seat | None) -> Event:
    """The event as *seat* may know it; its public twin for everybody else.  [G-04]"""
    match event:
        case GameBegun(box, settings):
            return replace(event, box=public_box(box, settings))
        case RoundBegun():
            return RoundBegun(
                number=event.number,
                starter=event.starter,
                hands=_only(event.hands, seat),
                manifests=_only(event.manifests, seat),
                indicators=_only(event.indicators, seat),
                pile=None,
                discards=event.discards,
                pile_count=event.pile_count,
            )
        case LetterDrawn(who, "pile", _, cards):
            return event if who == seat else LetterDrawn(who, "pile", None, cards)
        case TradeOffered(who, partners):
            return event if who == seat else TradeOffered(who, partners, (None,) * len(partners))
        case TradeAnswered(who):
            return event if who == seat else TradeAnswered(None, None, event.missing)
        case RemovalAnswered(who):
            return event if who == seat else RemovalAnswered(None, None, event.missing)
        case Traded():
            return _traded(event, seat)
        case WordFormed(word) | WordLocked(word):
            return event if word.owner == seat else replace(event, set=None)
        case LetterStolen(who):
            return event if who == seat else replace(event, set=None)
        case WordsRebuilt(who):
            return event if who == seat else replace(event, sets=None)
        case PositionArranged():
            return _arranged(event, seat)
    return event  # the others hold public facts only


def _traded(event: Traded, seat: Seat | None) -> Traded:
    """Each pair its own two letters.  [WR-26]"""
    if event.seat == seat:
        return event
    pairs = zip(event.partners, event.given, event.got, strict=True)
    known = [(given, got) if to == seat else (None, None) for to, given, got in pairs]
    return Traded(
        event.seat,
        event.partners,
        tuple([given for given, _ in known]),
        tuple([got for _, got in known]),
    )


def _arranged(event: PositionArranged, seat: Seat | None) -> PositionArranged:
    words = event.words
    return PositionArranged(
        box=public_box(event.box, event.settings),
        settings=event.settings,
        round=event.round,
        starter=event.starter,
        turn=event.turn,
        number=event.number,
        phase=event.phase,
        drawn=event.drawn,
        hands=_only(event.hands, seat),
        hand_counts=event.hand_counts,
        manifests=_only(event.manifests, seat),
        indicators=_only(event.indicators, seat),
        totals=event.totals,
        words=words,
        pile=None,
        pile_count=event.pile_count,
        discards=event.discards,
        quiet=event.quiet,
        still=event.still,
        traded=event.traded,
        stolen=event.stolen,
        added=event.added,
        changes=event.changes,
    )


def _only(secrets: Sequence[T | None], seat: Seat | None) -> tuple[T | None, ...]:
    """By seat: the own one, the others' as None."""
    return tuple([secret if other == seat else None for other, secret in enumerate(secrets)])
