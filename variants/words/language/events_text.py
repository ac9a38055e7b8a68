"""What happened, in one sentence.

Rule 1: a sentence is made from a redacted event alone; what the event does not say is not said.
Rule 2: the one who knows a letter or a set hears the same sentence as the others, but for it;
        where several letters are drawn at once, others hear how many.
Rule 3: the sentence that asks for an answer names the same answers whatever the seat holds.  [G-12]
Rule 4: of answers in a sealed window others hear how many are missing.  [G-11]
Rule 5: which role a card or a word has is said here alone, for the board and answers too.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence

from variants.contract import Seat, SeatNames
from variants.kit.english import (
    conjugate,
    join_spans,
    object_name,
    possessive,
    subject,
    subject_and_verb,
)
from variants.kit.text import Span, Style, StyledLine, join_words, quantity, styled_line
from variants.words.check import count_text, counted
from variants.words.data.box import (
    END_OF_ROUND,
    HAND_SIZE,
    QUIET_CIRCUITS,
    STILL_CIRCUITS,
    Box,
)
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
    Removal,
    RemovalAnswered,
    RemovalOpened,
    RoundBegun,
    RoundEnding,
    RoundScored,
    Scored,
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
from variants.words.language import texts
from variants.words.language.texts import waiting_for
from variants.words.view import NOT_TOLD, WordView

END_CARD_NAME = "End of Round"
END_REASONS = {"target": "the target is reached", "rounds": "the last round is played"}
"""Why a game ended, as a clause, by GameEnded.reason."""


# -- cards -----------------------------------------------------------------------------------------


def card_name(card: str) -> str:
    """A card of the hand: `E`, `End of Round`."""
    return END_CARD_NAME if card == END_OF_ROUND else card


def card_list(cards: Iterable[str]) -> str:
    """`D, A and End of Round`; "nothing" if there are none."""
    return join_words([card_name(card) for card in cards]) or "nothing"


def card_span(card: str) -> Span:
    """A card in a sentence."""
    return Span(card_name(card), "strong")


def hand_spans(hand: Sequence[str], style: Style) -> list[Span]:
    """The letters in one piece, then End of Round."""
    letters = [card for card in hand if card != END_OF_ROUND]
    others = [card_span(card) for card in hand if card == END_OF_ROUND]
    row = Span((", " if style.is_linear else " ").join(letters), "strong")
    return [row, *others] if letters else others


# -- words -----------------------------------------------------------------------------------------


def word_span(spelling: str) -> Span:
    """A word in a sentence."""
    return Span(spelling, "strong")


def laid_word_span(spelling: str) -> Span:
    """A word of the own manifest that lies on the table."""
    return Span(spelling, "good")


def scored_span(word: Scored) -> Span:
    """`SEA 20 (set 1)`, `NOTE -10`: the role only says again what the sign says."""
    if word.set:
        return Span(f"{describe_scored(word)} (set {word.set})", "good")
    return Span(describe_scored(word), "bad")


def describe_scored(word: Scored) -> str:
    """`OVER 10`, `NOTE -10`: one word of the reckoning."""
    return f"{word.spelling} {word.points}"


def describe_new_word(word: Word, set_: int | None = None) -> StyledLine:
    """`DATES (word 4)`: a word that is new on the table; an own one with its set, or 0."""
    own = f", set {set_} of your manifest" if set_ else ""
    return styled_line(word_span(word.spelling), f" (word {word.number}{own})")


def off_manifest(box: Box, spelling: str, set_: int | None, called: str = "It") -> str:
    """What is said behind an own new word that brings no points.  [WR-06]"""
    return texts.NOT_ON_MANIFEST.format(called, box.worth(spelling)) if set_ == 0 else ""


def word_label(word: WordView) -> str:
    """`3 EAST`, `5 [OVER]`, `6 [.....]`: as on the board."""
    if not word.is_locked:
        return f"{word.number} {word.spelling}"
    return f"{word.number} [{word.spelling or '.' * word.length}]"


def word_sentence(word: WordView) -> str:
    """The same in words."""
    if not word.is_locked:
        return f"word {word.number} {word.spelling}"
    if word.spelling:
        return f"word {word.number} {word.spelling}, locked"
    return f"word {word.number}, a locked word of {word.length} letters"


# -- what sentences and the board share -----------------------------------------------------------


def describe_trade(
    seat: Seat, partners: Sequence[Seat], reader: Seat | None, names: SeatNames
) -> StyledLine:
    """`Ann trades with you and Cy`."""
    others = join_spans([object_name(partner, reader, names) for partner in partners])
    return styled_line(*subject_and_verb(seat, "trade", reader, names), " with ", *others)


def describe_removal_offer(
    seats: Sequence[Seat], reader: Seat | None, names: SeatNames
) -> StyledLine:
    """Who is asked in the removal, the reader first.  [WR-45]"""
    first = sorted(seats, key=lambda seat: seat != reader)
    people = [
        subject(first[0], reader, names),
        *[object_name(seat, reader, names) for seat in first[1:]],
    ]
    each = " each" if len(first) > 1 else ""
    own = "your" if reader in seats else "their"
    return styled_line(
        *join_spans(people), f" can{each} remove one letter from one exposed word of {own} own"
    )


def describe_removal(removal: Removal | None) -> StyledLine:
    """The own answer in a removal."""
    if removal is None:
        return styled_line("You remove nothing")
    taken = styled_line("You remove ", card_span(removal.letter), f" from word {removal.word}")
    return styled_line(*taken, ", leaving ", word_span(removal.leaving))


def describe_settle(cards: int, left: int) -> str:
    """What brings a hand to seven, of which *cards* is public arithmetic.  [WR-14] [WR-20]"""
    if cards > HAND_SIZE:
        return f"to discard {quantity(cards - HAND_SIZE, 'card')}"
    return f"to pick up {quantity(min(HAND_SIZE - cards, left), 'card')}"


def describe_set(words: Iterable[str], laid: Collection[str]) -> str:
    """`SEA *EAST DATES TASTED`: a star before what lies on the table."""
    return " ".join([f"*{word}" if word in laid else word for word in words])


WARNED_CIRCUITS = 1  # so many circuits before a stalled round ends it is said  [WR-56]


def describe_event(
    box: Box, event: Event, reader: Seat | None, names: SeatNames, style: Style
) -> StyledLine | None:
    """The sentence for *seat*, or a watcher; None where the board and another sentence say it."""
    match event:
        case GameBegun(settings=settings, seats=seats):
            to = f"A game of {seats} players to {settings.target} points begins."
            rounds = f" It has {quantity(settings.rounds, 'round')} at most."
            return styled_line(
                to, f"{rounds} Words up to level {settings.level} of the list are valid."
            )
        case RoundBegun():
            return _round_begun(event, reader, names)
        case TurnStarted(player, number):
            return styled_line(
                (f"Turn {number}: ", "title"), possessive(player, reader, names), " turn."
            )
        case PhaseOpened(player):
            return _phase_opened(event) if player == reader else None
        case TurnEnded():
            return _turn_ended(event, len(names))
        case RoundEnding():
            return _round_ending(event, reader, names)
        case RoundScored():
            return _round_scored(event, reader, names)
        case GameEnded():
            return _game_ended(event, reader, names)
        case PositionArranged(hands=hands):
            own = None if reader is None else hands[reader]
            if own is None:
                return styled_line("The cards are set up.")
            return styled_line(f"The cards are set up. Your hand: {card_list(own)}.")
        case TradeAnswered(letter=letter, missing=missing):
            if not missing:  # the trade is told next
                return None
            return _answered(
                styled_line("You give ", card_span(letter), ".") if letter else (), missing
            )
        case RemovalAnswered(player, removal, missing):
            if removal is not None and not missing:  # what was removed is told next
                return None
            is_own = player is not None
            return _answered(
                styled_line(*describe_removal(removal), ".") if is_own else (), missing
            )
    return _tell_sealed(event, reader, names) or _tell_play(box, event, reader, names)


def turn_begun(event: Event) -> tuple[int, Seat] | None:
    return (event.number, event.seat) if isinstance(event, TurnStarted) else None


def fold_key(event: Event) -> Hashable:
    """Letters drawn or discarded one after the other read as one play."""
    match event:
        case LetterDrawn(player, source):
            return "draw", player, source
        case LetterDiscarded(player):
            return "discard", player
    return None


def describe_folded(
    events: Sequence[Event], reader: Seat | None, names: SeatNames, style: Style
) -> StyledLine | None:
    """`Vera draws 6 letters.`, `You draw O, F and E.`, `Juno discards K, P and T.`"""
    letters: list[Span] = []
    player, hidden, verb, behind = Seat(0), 0, "discard", "."
    for event in events:
        match event:
            case LetterDrawn(player, "pile", None, cards):
                verb, hidden = "draw", hidden + cards
            case LetterDrawn(player, "pile", letter):
                verb = "draw"
                letters.append(card_span(letter or ""))
            case LetterDrawn(player, _, letter):
                verb, behind = "take", " from the discard pile."
                letters.append(card_span(letter or ""))
            case LetterDiscarded(player, letter):
                letters.append(card_span(letter))
    if not (letters or hidden):
        return None
    what = join_spans(letters) or (Span("a letter" if hidden == 1 else counted(hidden, "letter")),)
    return styled_line(*subject_and_verb(player, verb, reader, names), " ", *what, behind)


# -- rounds and turns ------------------------------------------------------------------------------


def _round_begun(event: RoundBegun, seat: Seat | None, names: SeatNames) -> StyledLine:
    title = Span(f"Round {event.number} begins. ", "title")
    own = None if seat is None else event.hands[seat]
    dealt = "Everybody is dealt 7 cards, a manifest and a bonus. "
    if own is not None:
        dealt = f"You are dealt {card_list(own)}, a manifest and a bonus. "
    top = f"{join_words(event.discards)} is on the discard pile. "
    starts = subject_and_verb(event.starter, "start", seat, names)
    return styled_line(title, dealt, top, *starts, ".")


def _phase_opened(event: PhaseOpened) -> StyledLine | None:
    """To whose turn it is: the window, and so the board that came with it, is still the same."""
    match event.phase:
        case "main":
            return styled_line(texts.LAY_NOW, ("done", "key"), texts.LAY_UNTIL)
        case "settle":
            return _settling(event.cards, event.has_choice)
        case "close":
            return styled_line(
                "End of your turn: ", ("end round", "key"), ", or ", ("pass", "key"), "."
            )
    return None


def _settling(cards: int, has_choice: bool) -> StyledLine:
    has = f"You have {counted(cards, 'card')}."
    if not has_choice:
        return styled_line(f"{has} Your hand is filled from the one pile that has cards.")
    if cards > HAND_SIZE:
        many = f"{has} Discard {count_text(cards - HAND_SIZE)}: "
        return styled_line(many, ("discard LETTERS", "key"), ".")
    few = HAND_SIZE - cards
    draw = "draw" if few == 1 else f"draw {few}"
    more = f"{has} Draw {count_text(few)} more: "
    return styled_line(more, (draw, "key"), ", or ", ("draw discard", "key"), ".")


def _turn_ended(event: TurnEnded, seats: int) -> StyledLine | None:
    """Only that the round may end for lack of progress: all else stands on the board.  [WR-56]"""
    for turns, circuits, what in (
        (event.quiet, QUIET_CIRCUITS, "No card has left the draw pile and no word has changed"),
        (event.still, STILL_CIRCUITS, "No card has left the draw pile"),
    ):
        if (circuits - WARNED_CIRCUITS) * seats <= turns < circuits * seats:
            return styled_line(
                f"{what} for {turns} turns; after {circuits * seats} the round ends."
            )
    return None


def _round_ending(event: RoundEnding, seat: Seat | None, names: SeatNames) -> StyledLine:
    over = Span("The round is over", "strong")
    if event.why == "end":
        plays = subject_and_verb(event.seat, "play", seat, names)
        return styled_line(*plays, " ", card_span(END_OF_ROUND), ". ", over, ".")
    if event.why == "out":
        calls = styled_line(*subject_and_verb(event.seat, "call", seat, names), " out")
        return styled_line(*calls, ": no letter in hand, every word on the manifest. ", over, ".")
    if event.why == "pile":
        return styled_line(over, ": the draw pile is empty.")
    words = " and no word has changed" if event.why == "quiet" else ""
    circuits = QUIET_CIRCUITS if event.why == "quiet" else STILL_CIRCUITS
    turns = circuits * len(names)
    return styled_line(over, f": no card has left the draw pile{words} for {turns} turns.")


def _round_scored(event: RoundScored, seat: Seat | None, names: SeatNames) -> StyledLine:
    """Everybody's words and points; the question `score` turns the manifests up."""
    told = [Span(f"Round {event.number}: ", "title")]
    for player, sheet in enumerate(event.sheets):
        words = join_words([describe_scored(word) for word in sheet.words])
        name = object_name(Seat(player), seat, names) if player else subject(Seat(0), seat, names)
        told += [Span("; ")] if player else []
        told += styled_line(
            name, f" {sheet.points}", words and f" for {words}", f", now {sheet.total}"
        )
    return styled_line(*told, ". ", "Type ", ("score", "key"), " for the manifests and bonuses.")


def _game_ended(event: GameEnded, seat: Seat | None, names: SeatNames) -> StyledLine:
    most = max(event.totals)
    winners = [Seat(player) for player, total in enumerate(event.totals) if total == most]
    is_one = len(winners) == 1 and winners[0] != seat
    won = " wins" if is_one else " win" if len(winners) == 1 else " tie for first place"
    called = join_spans([object_name(winner, seat, names) for winner in winners])
    why = END_REASONS[event.reason]
    return styled_line(f"{why[0].upper()}{why[1:]}: ", *called, won, f" with {most} points.")


# -- trades and removals: collected in secret ------------------------------------------------------


def _tell_sealed(event: Event, seat: Seat | None, names: SeatNames) -> StyledLine | None:
    match event:
        case TradeOffered():
            return _trade_offered(event, seat, names)
        case Traded():
            return _traded(event, seat, names)
        case RemovalOpened(seats):
            may = describe_removal_offer(seats, seat, names)
            if seat not in seats:
                return styled_line(*may, ".")
            what = styled_line(("remove LETTER from WORD", "key"), " or ", ("pass", "key"))
            return styled_line(*may, ": ", *what, ".")
        case LetterRemoved(player, word, letter, was):
            takes = styled_line(
                *subject_and_verb(player, "remove", seat, names), " ", card_span(letter)
            )
            return styled_line(*takes, f" from {was}, leaving ", word_span(word.spelling), ".")
    return None


def _answered(own: StyledLine, missing: int) -> StyledLine | None:
    """The own answer; and how many are missing, unless what all answered is told next.  [G-11]"""
    if missing in (0, NOT_TOLD):
        return own or None
    return styled_line(*own, " " if own else "", waiting_for(missing))


def _trade_offered(event: TradeOffered, seat: Seat | None, names: SeatNames) -> StyledLine:
    trades = describe_trade(event.seat, event.partners, seat, names)
    if seat in event.partners:
        which = styled_line(" Which letter do you give? Type: ", ("give LETTER", "key"))
        return styled_line(*trades, ".", *which)
    offered = [
        styled_line(letter, " to ", object_name(partner, seat, names))
        for partner, letter in zip(event.partners, event.letters, strict=True)
        if letter
    ]
    rest = styled_line(", offering ", *join_spans(offered)) if offered else ()
    return styled_line(*trades, *rest, ".")


def _traded(event: Traded, seat: Seat | None, names: SeatNames) -> StyledLine:
    """A pair hears its own two letters; others that the exchange took place.  [WR-26]"""
    known = [
        (partner, given, got)
        for partner, given, got in zip(event.partners, event.given, event.got, strict=True)
        if given and got
    ]
    if not known:
        others = [object_name(partner, seat, names) for partner in event.partners]
        return styled_line(
            *join_spans([subject(event.seat, seat, names), *others]), " have traded."
        )
    if event.seat == seat:
        pairs = [
            styled_line(f"{given} to ", object_name(partner, seat, names), f" for {got}")
            for partner, given, got in known
        ]
        return styled_line(subject(event.seat, seat, names), " trade ", *join_spans(pairs), ".")
    (_, given, got), *_ = known
    other = object_name(event.seat, seat, names)
    return styled_line(("You", "you"), f" trade {got} to ", other, f" for {given}.")


# -- what is played --------------------------------------------------------------------------------


def _tell_play(box: Box, event: Event, seat: Seat | None, names: SeatNames) -> StyledLine | None:
    match event:
        case LetterDrawn(player, "pile", None, cards):
            what = "a letter" if cards == 1 else counted(cards, "letter")
            return (
                styled_line(*subject_and_verb(player, "draw", seat, names), f" {what}.")
                if cards
                else None
            )
        case LetterDrawn(player, "pile", letter):
            return styled_line(
                *subject_and_verb(player, "draw", seat, names), " ", card_span(letter or ""), "."
            )
        case LetterDrawn(player, _, letter):
            takes = subject_and_verb(player, "take", seat, names)
            return styled_line(*takes, " ", card_span(letter or ""), " from the discard pile.")
        case LetterAdded(player, word, letter, was):
            adds = styled_line(
                *subject_and_verb(player, "add", seat, names), " ", card_span(letter), " to "
            )
            now = styled_line(": ", word_span(word.spelling), ".")
            return styled_line(*adds, possessive(word.owner, seat, names), f" {was}", *now)
        case LetterStolen(player, word, letter, was, made, on):
            takes = styled_line(
                *subject_and_verb(player, "steal", seat, names), " ", card_span(letter), " from "
            )
            left = styled_line(
                possessive(word.owner, seat, names), f" {was}, leaving {word.spelling}"
            )
            locks = conjugate("lock", player, seat)
            return styled_line(
                *takes,
                *left,
                f", and {locks} ",
                *describe_new_word(made, on),
                f".{off_manifest(box, made.spelling, on, made.spelling)}",
            )
        case WordFormed(word, on):
            return styled_line(
                *subject_and_verb(word.owner, "lay", seat, names),
                " ",
                *describe_new_word(word, on),
                f".{off_manifest(box, word.spelling, on)}",
            )
        case WordLocked(word, on):
            return styled_line(
                *subject_and_verb(word.owner, "lock", seat, names),
                " ",
                *describe_new_word(word, on),
                f".{off_manifest(box, word.spelling, on)}",
            )
        case WordsRebuilt():
            return _rebuilt(box, event, seat, names)
        case LetterDiscarded(player, letter):
            discards = subject_and_verb(player, "discard", seat, names)
            return styled_line(*discards, " ", card_span(letter), ".")
        case Passed(player):
            return styled_line(*subject_and_verb(player, "pass", seat, names), ".")
    raise AssertionError(f"no event of this game: {event!r}")


def _rebuilt(box: Box, event: WordsRebuilt, seat: Seat | None, names: SeatNames) -> StyledLine:
    """A word that came out as it was is not worth a word.  [WR-28]"""
    taken = [word for word in event.taken if word not in event.laid] or list(event.taken)
    sets = event.sets or (None,) * len(event.laid)
    laid = [it for it in zip(event.laid, sets, strict=True) if it[0] not in event.taken]
    off = "".join([off_manifest(box, it.spelling, set_, it.spelling) for it, set_ in laid])
    up = join_words([word.spelling for word in taken])
    if not laid:
        sentence = styled_line(*subject_and_verb(event.seat, "take", seat, names), f" up {up}")
    else:
        hand = f", with {join_words(event.from_hand)} from the hand," if event.from_hand else ""
        into = join_spans([describe_new_word(*it) for it in laid])
        sentence = styled_line(
            *subject_and_verb(event.seat, "rebuild", seat, names), f" {up}{hand} into ", *into
        )
    if not event.to_hand:
        return styled_line(*sentence, f".{off}")
    go = "goes" if len(event.to_hand) == 1 else "go"
    return styled_line(*sentence, f"; {join_words(event.to_hand)} {go} to the hand.{off}")
