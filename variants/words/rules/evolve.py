"""Events folded into a state: the game's memory.

Rule 1: total and pure.  No chance, no refusal, no word list; the same journal gives the same
        state for ever.
Rule 2: an event says which cards; a card leaves the zone where it lies and lies in the next.
        Where a card may come from one place only, the event does not repeat it.
Rule 3: what waits for an answer (`phase`, `drawn`, `offers`, `removers`, `replies`) and what a
        turn has used up (`traded`, `stolen`, `added`, `changes`, `tapped`) follow from events.
Rule 4: words stand in the order of their numbers; a number is never given twice in a round.
        [WR-28]
Rule 5: of equal letters in a hand the oldest is used first and the latest discarded first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from variants.contract import Seat
from variants.words.actions import Offer
from variants.words.data.box import END_OF_ROUND
from variants.words.events import (
    Event,
    GameBegun,
    GameEnded,
    LetterAdded,
    LetterDiscarded,
    LetterDrawn,
    LetterRemoved,
    Letters,
    LetterStolen,
    Passed,
    PhaseOpened,
    PositionArranged,
    RemovalAnswered,
    RemovalOpened,
    RoundBegun,
    RoundEnding,
    RoundScored,
    TradeAnswered,
    Traded,
    TradeOffered,
    TurnEnded,
    TurnStarted,
    Word,
    WordFormed,
    WordLocked,
    WordsRebuilt,
)
from variants.words.lexicon.multiset import remove_latest, remove_oldest
from variants.words.state import Player, Reply, State


def evolve(state: State | None, event: Event) -> State:
    """The state after *event*.  Secret fields must be there: fold what was decided, not heard."""
    match event:
        case GameBegun(box, settings, seats):
            return State(box, settings, (), seats, (0,) * seats)
        case PositionArranged():
            return _arranged(event)
    assert state is not None, "a game begins with GameBegun or PositionArranged"
    match event:
        case RoundBegun():
            return _dealt(state, event)
        case TurnStarted(seat, number):
            return replace(
                state, turn=seat, number=number, phase="draw", drawn=0, traded=False, stolen=False,
                added=(), changes=0, tapped=False,
            )  # fmt: skip
        case LetterDrawn(seat, source, letter):
            assert letter is not None
            return _drawn(state, seat, source, letter)
        case PhaseOpened(phase=phase):
            return replace(state, phase=phase)
        case LetterDiscarded(seat, letter):
            hand = remove_latest(state.players[seat].hand, letter)
            return _discarded(_with_hand(state, seat, hand), letter)
        case TurnEnded(_, quiet, still):
            return replace(state, phase="", quiet=quiet, still=still)
        case RoundEnding(seat, "end"):
            state = _lose_cards(state, seat, (END_OF_ROUND,))
            return replace(state, phase="", is_end_played=True)
        case RoundEnding():
            return replace(state, phase="")
        case RemovalOpened(removers):
            return replace(state, phase="removal", removers=removers, replies=())
        case RemovalAnswered(seat, removal):
            assert seat is not None
            return replace(state, replies=(*state.replies, Reply(seat, removal=removal)))
        case LetterRemoved(_, word, letter):
            return _discarded(_with_words(state, word), letter)
        case RoundScored(_, sheets):
            totals = tuple([sheet.total for sheet in sheets])
            return replace(state, phase="", removers=(), replies=(), totals=totals, last=sheets)
        case GameEnded(_, reason):
            return replace(state, phase="", ended=reason)
        case Passed():
            return state
        case TradeOffered() | TradeAnswered() | Traded():
            return _traded(state, event)
        case LetterAdded() | LetterStolen() | WordFormed() | WordLocked() | WordsRebuilt():
            return replace(_changed(state, event), changes=state.changes + 1)
    raise AssertionError(f"no event of this game: {event!r}")


# -- trades ----------------------------------------------------------------------------------------


def _traded(state: State, event: TradeOffered | TradeAnswered | Traded) -> State:
    """Offered and answered cards stay in their hands until all change hands at once.  [WR-23]"""
    match event:
        case TradeOffered(_, partners, letters):
            offers = tuple([Offer(to, _known(x)) for to, x in zip(partners, letters, strict=True)])
            return replace(state, phase="trade", traded=True, offers=offers, replies=())
        case TradeAnswered(seat, letter):
            assert seat is not None
            return replace(state, replies=(*state.replies, Reply(seat, _known(letter))))
        case Traded(seat, partners, given, got):
            gives, gets = tuple(map(_known, given)), tuple(map(_known, got))
            state = _gain_cards(_lose_cards(state, seat, gives), seat, gets)
            for partner, letter, back in zip(partners, gives, gets, strict=True):
                state = _gain_cards(_lose_cards(state, partner, (back,)), partner, (letter,))
            return replace(state, phase="main", offers=(), replies=())


def _known(letter: str | None) -> str:
    assert letter is not None
    return letter


# -- words on the table ----------------------------------------------------------------------------


def _changed(
    state: State, event: LetterAdded | LetterStolen | WordFormed | WordLocked | WordsRebuilt
) -> State:
    match event:
        case LetterAdded(seat, word, letter):
            state = replace(state, added=(*state.added, word.number))
            return _with_words(_lose_cards(state, seat, (letter,)), word)
        case LetterStolen(seat, word, letter, _, made):
            state = _lose_cards(state, seat, tuple(made.spelling.replace(letter, "", 1)))
            return replace(_with_words(state, word, made), stolen=True)
        case WordFormed(word):
            return _with_words(_lose_cards(state, word.owner, tuple(word.spelling)), word)
        case WordLocked(word):
            return _with_words(state, word)
        case WordsRebuilt(seat, taken, laid, from_hand, to_hand):
            gone = {word.number for word in taken}
            left = tuple([word for word in state.words if word.number not in gone])
            state = _with_words(replace(state, words=left), *laid)
            return _gain_cards(_lose_cards(state, seat, from_hand), seat, to_hand)


def _with_words(state: State, *now: Word) -> State:
    """Each of these words as it is now; new ones are laid."""
    words = {word.number: word for word in (*state.words, *now)}
    following = max([state.next_word, *[word.number + 1 for word in now]])
    return replace(state, words=_in_order(words.values()), next_word=following)


def _in_order(words: Iterable[Word]) -> tuple[Word, ...]:
    return tuple(sorted(words, key=lambda word: word.number))


# -- cards from zone to zone -----------------------------------------------------------------------


def _drawn(state: State, seat: Seat, source: str, letter: str) -> State:
    if source == "pile":
        state = replace(state, pile=state.pile[1:], tapped=True)
    else:
        state = replace(state, discards=state.discards[:-1])
    if state.phase == "draw":
        state = replace(state, drawn=state.drawn + 1)
    return _gain_cards(state, seat, (letter,))


def _discarded(state: State, letter: str) -> State:
    return replace(state, discards=(*state.discards, letter))


def _gain_cards(state: State, seat: Seat, cards: Letters) -> State:
    return _with_hand(state, seat, (*state.players[seat].hand, *cards))


def _lose_cards(state: State, seat: Seat, cards: Letters) -> State:
    return _with_hand(state, seat, remove_oldest(state.players[seat].hand, cards))


def _with_hand(state: State, seat: Seat, hand: Letters) -> State:
    player = replace(state.players[seat], hand=hand)
    players = (*state.players[:seat], player, *state.players[seat + 1 :])
    return replace(state, players=players)


# -- a whole table ---------------------------------------------------------------------------------


def _dealt(state: State, event: RoundBegun) -> State:
    """A new round: of the one before, the totals and the last reckoning stay."""
    assert event.pile is not None
    return State(
        box=state.box,
        settings=state.settings,
        players=_players(event),
        seats=state.seats,
        totals=state.totals,
        round=event.number,
        starter=event.starter,
        turn=event.starter,
        pile=event.pile,
        discards=event.discards,
        last=state.last,
    )


def _arranged(event: PositionArranged) -> State:
    assert event.pile is not None
    return State(
        box=event.box,
        settings=event.settings,
        players=_players(event),
        seats=len(event.hands),
        totals=event.totals,
        round=event.round,
        starter=event.starter,
        turn=event.turn,
        number=event.number,
        phase=event.phase,
        drawn=event.drawn,
        pile=event.pile,
        discards=event.discards,
        words=_in_order(event.words),
        next_word=1 + max([0, *[word.number for word in event.words]]),
        traded=event.traded,
        stolen=event.stolen,
        added=event.added,
        changes=event.changes,
        quiet=event.quiet,
        still=event.still,
    )


def _players(event: RoundBegun | PositionArranged) -> tuple[Player, ...]:
    players = []
    for hand, manifest, indicator in zip(
        event.hands, event.manifests, event.indicators, strict=True
    ):
        assert hand is not None and manifest is not None and indicator is not None
        players.append(Player(manifest, indicator, hand))
    return tuple(players)
