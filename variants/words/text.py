"""What happened, in one sentence.

Rule 1: a sentence is made from a redacted event alone; what the event does not say is not said.
Rule 2: the one who knows a letter or a set hears the same sentence as the others, but for it;
        where several letters are drawn at once, others hear how many.
Rule 3: the sentence that asks for an answer names the same answers whatever the seat holds.  [G-12]
Rule 4: of answers in a sealed window others hear how many are missing.  [G-11]
"""

from __future__ import annotations

from variants.contract import Names, Seat
from variants.kit.people import conjugated, does, joined, who, whom, whose
from variants.kit.text import Line, Span, Style, counted, line, series
from variants.words.box import HAND_SIZE, QUIET_CIRCUITS, STILL_CIRCUITS
from variants.words.events import (
    Event,
    GameBegun,
    GameEnded,
    LetterAdded,
    LetterDiscarded,
    LetterDrawn,
    LetterRemoved,
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
    WordFormed,
    WordLocked,
    WordsRebuilt,
)
from variants.words.refusals import number_of, numeral
from variants.words.spoken import (
    ENDED,
    cards_spoken,
    may_remove,
    missing_said,
    placed,
    removed,
    scored,
    trading,
)

WARNED_CIRCUITS = 1  # so many circuits before a stalled round ends it is said  [WR-56]


def tell(event: Event, seat: Seat | None, names: Names, style: Style) -> Line | None:
    """The sentence for *seat*, or a watcher; None where the board and another sentence say it."""
    match event:
        case GameBegun(settings=settings, seats=seats):
            to = f"A game of {seats} players to {settings.target} points begins."
            rounds = f" It has {counted(settings.rounds, 'round')} at most."
            return line(to, f"{rounds} Words up to level {settings.level} of the list are valid.")
        case RoundBegun():
            return _round_begun(event, seat, names)
        case TurnStarted(player, number):
            return line((f"Turn {number}: ", "title"), whose(player, seat, names), " turn.")
        case PhaseOpened(player):
            return _phase_opened(event) if player == seat else None
        case TurnEnded():
            return _turn_ended(event, len(names))
        case RoundEnding():
            return _round_ending(event, seat, names)
        case RoundScored():
            return _round_scored(event, seat, names)
        case GameEnded():
            return _game_ended(event, seat, names)
        case PositionArranged(hands=hands):
            own = None if seat is None else hands[seat]
            if own is None:
                return line("The cards are set up.")
            return line(f"The cards are set up. Your hand: {cards_spoken(own)}.")
        case TradeAnswered(letter=letter, missing=missing):
            if not missing:  # the trade is told next
                return None
            return _answered(line("You give ", (letter, "strong"), ".") if letter else (), missing)
        case RemovalAnswered(player, removal, missing):
            if removal is not None and not missing:  # what was removed is told next
                return None
            is_own = player is not None
            return _answered(line(*removed(removal), ".") if is_own else (), missing)
    return _tell_sealed(event, seat, names) or _tell_play(event, seat, names)


# -- rounds and turns ------------------------------------------------------------------------------


def _round_begun(event: RoundBegun, seat: Seat | None, names: Names) -> Line:
    title = Span(f"Round {event.number} begins. ", "title")
    own = None if seat is None else event.hands[seat]
    dealt = "Everybody is dealt seven cards, a manifest and a bonus. "
    if own is not None:
        dealt = f"You are dealt {cards_spoken(own)}, a manifest and a bonus. "
    top = f"{series(event.discards)} is on the discard pile. "
    starts = does(event.starter, "start", seat, names)
    return line(title, dealt, top, *starts, ".")


def _phase_opened(event: PhaseOpened) -> Line | None:
    """To whose turn it is: the window, and so the board that came with it, is still the same."""
    match event.phase:
        case "main":
            return line("You may play words now; say ", ("done", "key"), " when you have finished.")
        case "settle":
            return _settling(event.cards, event.has_choice)
        case "close":
            return line("Last: ", ("end round", "key"), " or ", ("pass", "key"), ".")
    return None


def _settling(cards: int, has_choice: bool) -> Line:
    has = f"Your hand has {number_of(cards, 'card')}."
    if not has_choice:
        return line(f"{has} It is filled from the one pile that has cards.")
    bring = f"{has} Bring it to {numeral(HAND_SIZE)}: "
    if cards > HAND_SIZE:
        return line(bring, ("discard LETTERS", "key"), ".")
    return line(bring, ("draw", "key"), " or ", ("draw discard", "key"), ".")


def _turn_ended(event: TurnEnded, seats: int) -> Line | None:
    """Only that the round may end for lack of progress: all else stands on the board.  [WR-56]"""
    for turns, circuits, what in (
        (event.quiet, QUIET_CIRCUITS, "No card has left the draw pile and no word has changed"),
        (event.still, STILL_CIRCUITS, "No card has left the draw pile"),
    ):
        if (circuits - WARNED_CIRCUITS) * seats <= turns < circuits * seats:
            return line(f"{what} for {turns} turns; after {circuits * seats} the round ends.")
    return None


def _round_ending(event: RoundEnding, seat: Seat | None, names: Names) -> Line:
    over = Span("The round is over", "strong")
    if event.why == "end":
        plays = does(event.seat, "play", seat, names)
        return line(*plays, " ", ("End of Round", "strong"), ". ", over, ".")
    if event.why == "out":
        calls = line(*does(event.seat, "call", seat, names), " out")
        return line(*calls, ": no letter in hand, every word on the manifest. ", over, ".")
    if event.why == "pile":
        return line(over, ": the draw pile is empty.")
    words = " and no word has changed" if event.why == "quiet" else ""
    circuits = QUIET_CIRCUITS if event.why == "quiet" else STILL_CIRCUITS
    turns = circuits * len(names)
    return line(over, f": no card has left the draw pile{words} for {turns} turns.")


def _round_scored(event: RoundScored, seat: Seat | None, names: Names) -> Line:
    """Everybody's words and points; the question `reckoning` turns the manifests up."""
    told = [Span(f"Round {event.number}: ", "title")]
    for player, sheet in enumerate(event.sheets):
        words = series([scored(word) for word in sheet.words])
        name = whom(Seat(player), seat, names) if player else who(Seat(0), seat, names)
        told += [Span("; ")] if player else []
        told += line(name, f" {sheet.points}", words and f" for {words}", f", now {sheet.total}")
    return line(*told, ". ", ("reckoning", "key"), " shows the manifests and the bonuses.")


def _game_ended(event: GameEnded, seat: Seat | None, names: Names) -> Line:
    most = max(event.totals)
    winners = [Seat(player) for player, total in enumerate(event.totals) if total == most]
    is_one = len(winners) == 1 and winners[0] != seat
    won = " wins" if is_one else " win" if len(winners) == 1 else " share the win"
    called = joined([whom(winner, seat, names) for winner in winners])
    why = ENDED[event.reason]
    return line(f"{why[0].upper()}{why[1:]}: ", *called, won, f" with {most} points.")


# -- trades and removals: collected in secret ------------------------------------------------------


def _tell_sealed(event: Event, seat: Seat | None, names: Names) -> Line | None:
    match event:
        case TradeOffered():
            return _trade_offered(event, seat, names)
        case Traded():
            return _traded(event, seat, names)
        case RemovalOpened(seats):
            may = may_remove(seats, seat, names)
            if seat not in seats:
                return line(*may, ".")
            what = line(("remove LETTER from WORD", "key"), " or ", ("pass", "key"))
            return line(*may, ": ", *what, ".")
        case LetterRemoved(player, word, letter, was):
            takes = line(*does(player, "remove", seat, names), " ", (letter, "strong"))
            return line(*takes, f" from {was}, leaving ", (word.spelling, "strong"), ".")
    return None


def _answered(own: Line, missing: int) -> Line | None:
    """The own answer; and how many are missing, unless what all answered is told next.  [G-11]"""
    if not missing:
        return own or None
    return line(*own, " " if own else "", f"{missing_said(missing)}.")


def _trade_offered(event: TradeOffered, seat: Seat | None, names: Names) -> Line:
    trades = trading(event.seat, event.partners, seat, names)
    if seat in event.partners:
        must = line(" You must give a letter and cannot refuse: ", ("give LETTER", "key"), ".")
        return line(*trades, ".", *must)
    offered = [
        line(letter, " to ", whom(partner, seat, names))
        for partner, letter in zip(event.partners, event.letters, strict=True)
        if letter
    ]
    rest = line(", offering ", *joined(offered)) if offered else ()
    return line(*trades, *rest, ".")


def _traded(event: Traded, seat: Seat | None, names: Names) -> Line:
    """A pair hears its own two letters; others that the exchange took place.  [WR-26]"""
    known = [
        (partner, given, got)
        for partner, given, got in zip(event.partners, event.given, event.got, strict=True)
        if given and got
    ]
    if not known:
        others = [whom(partner, seat, names) for partner in event.partners]
        return line(*joined([who(event.seat, seat, names), *others]), " have traded.")
    if event.seat == seat:
        pairs = [
            line(f"{given} to ", whom(partner, seat, names), f" for {got}")
            for partner, given, got in known
        ]
        return line(who(event.seat, seat, names), " trade ", *joined(pairs), ".")
    (_, given, got), *_ = known
    other = whom(event.seat, seat, names)
    return line(("You", "you"), f" trade {got} to ", other, f" for {given}.")


# -- what is played --------------------------------------------------------------------------------


def _tell_play(event: Event, seat: Seat | None, names: Names) -> Line | None:
    match event:
        case LetterDrawn(player, "pile", None, cards):
            what = "a letter" if cards == 1 else number_of(cards, "letter")
            return line(*does(player, "draw", seat, names), f" {what}.") if cards else None
        case LetterDrawn(player, "pile", letter):
            return line(*does(player, "draw", seat, names), " ", (letter or "", "strong"), ".")
        case LetterDrawn(player, _, letter):
            takes = does(player, "take", seat, names)
            return line(*takes, " ", (letter or "", "strong"), " from the discard pile.")
        case LetterAdded(player, word, letter, was):
            adds = line(*does(player, "add", seat, names), " ", (letter, "strong"), " to ")
            now = line(": ", (word.spelling, "strong"), ".")
            return line(*adds, whose(word.owner, seat, names), f" {was}", *now)
        case LetterStolen(player, word, letter, was, made, on):
            takes = line(*does(player, "steal", seat, names), " ", (letter, "strong"), " from ")
            left = line(whose(word.owner, seat, names), f" {was}, leaving {word.spelling}")
            locks = conjugated("lock", player, seat)
            return line(*takes, *left, f", and {locks} ", *placed(made, on), ".")
        case WordFormed(word, on):
            return line(*does(word.owner, "lay", seat, names), " ", *placed(word, on), ".")
        case WordLocked(word, on):
            return line(*does(word.owner, "lock", seat, names), " ", *placed(word, on), ".")
        case WordsRebuilt():
            return _rebuilt(event, seat, names)
        case LetterDiscarded(player, letter):
            discards = does(player, "discard", seat, names)
            return line(*discards, " ", (letter, "strong"), ".")
        case Passed(player):
            return line(*does(player, "pass", seat, names), ".")
    raise AssertionError(f"no event of this game: {event!r}")


def _rebuilt(event: WordsRebuilt, seat: Seat | None, names: Names) -> Line:
    """A word that came out as it was is not worth a word.  [WR-28]"""
    taken = [word for word in event.taken if word not in event.laid] or list(event.taken)
    sets = event.sets or (None,) * len(event.laid)
    laid = [it for it in zip(event.laid, sets, strict=True) if it[0] not in event.taken]
    up = series([word.spelling for word in taken])
    if not laid:
        sentence = line(*does(event.seat, "take", seat, names), f" up {up}")
    else:
        hand = f", with {series(event.from_hand)} from the hand," if event.from_hand else ""
        into = joined([placed(*it) for it in laid])
        sentence = line(*does(event.seat, "rebuild", seat, names), f" {up}{hand} into ", *into)
    if not event.to_hand:
        return line(*sentence, ".")
    go = "goes" if len(event.to_hand) == 1 else "go"
    return line(*sentence, f"; {series(event.to_hand)} {go} to the hand.")
