"""Why something may not be done.

Rule 1: refusals come in one order: not yours to play, against the open position, against the own
        cards.  The first two say the same whatever the seat holds.
Rule 2: a refusal says what is wrong, then what would be right, from the own view only; whether an
        opponent holds a letter is never looked at.  [G-03] [G-12]
Rule 3: what is not refused is legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from variants.contract import IllegalAction, Seat
from variants.kit.text import series
from variants.words.actions import (
    Action,
    Add,
    Answer,
    Discard,
    Done,
    Draw,
    EndRound,
    Form,
    Lock,
    Out,
    Pass,
    Rebuild,
    Remove,
    Steal,
    Trade,
)
from variants.words.box import CHANGES_MAX, END_OF_ROUND, HAND_SIZE, REMOVE_MIN, STEAL_MIN
from variants.words.dictionary import Dictionary, dictionary
from variants.words.lexicon import ALPHABET, Lexicon
from variants.words.moves import (
    DISCARD,
    PILE,
    addable,
    is_printed,
    may_end_round,
    own_exposed,
    own_words,
    partners,
    removable,
    stealable,
    surplus,
    wanted,
)
from variants.words.phases import refuse_out_of_turn
from variants.words.refusals import (
    INSTEAD,
    choice,
    held,
    number_of,
    numeral,
    refuse_lacking,
    refuse_left,
    refuse_letter,
    refuse_no_such,
    refuse_no_word,
)
from variants.words.spelled import is_anagram, lacking, less, letter_cards
from variants.words.view import View, WordView

CHANGES = (Add, Steal, Form, Lock, Rebuild)


def check(lexicon: Lexicon, view: View, action: Action) -> None:
    """Raise IllegalAction: what is wrong, then what would be right."""
    me = refuse_out_of_turn(view, action)
    words = dictionary(lexicon, view.box, view.settings.level)
    if isinstance(action, CHANGES) and view.changes >= CHANGES_MAX:  # [WR-56]
        raise IllegalAction(
            f"Words were changed {CHANGES_MAX} times in this turn, and more is not possible. "
            "Type done, and go on in your next turn."
        )
    match action:
        case Draw(source, count):
            _refuse_draw(view, source, count)
        case Form(spelling):
            refuse_no_word(words, view, spelling)
            refuse_lacking(view, spelling)
        case Add():
            _refuse_add(words, view, me, action)
        case Steal():
            _refuse_steal(words, view, me, action)
        case Lock(number):
            _refuse_own_word(view, me, number, "lock", own_exposed(view, me))
        case Rebuild():
            _refuse_rebuild(words, view, me, action)
        case Trade():
            _refuse_trade(view, me, action)
        case Out():
            _refuse_out(view, me)
        case Discard(letters):
            _refuse_discard(view, letters)
        case EndRound():
            _refuse_end_round(view, me)
        case Answer(letter):
            refuse_letter(letter)
            refuse_lacking(view, letter)
        case Remove():
            _refuse_remove(words, view, me, action)
        case Done() | Pass():
            pass


# -- drawing and discarding ------------------------------------------------------------------------


def _refuse_draw(view: View, source: str, count: int) -> None:
    if source not in (PILE, DISCARD):  # [WR-15]
        raise IllegalAction("There are two piles to draw from. Say draw pile or draw discard.")
    number = wanted(view)
    if not 1 <= count <= number:  # [WR-16] [WR-20]
        raise IllegalAction(
            "You cannot draw {} now. Draw {}.",
            number_of(max(count, 0), "card"),
            "one" if number == 1 else f"one{' or' if number == 2 else ' to'} {numeral(number)}",
        )
    name, left = ("draw", view.pile) if source == PILE else ("discard", view.discards)
    if count > left:  # [WR-18]
        other = "discard" if source == PILE else "pile"
        raise IllegalAction(
            f"The {name} pile has {number_of(left, 'card')}. "
            + (f"Draw {numeral(left)}, or draw {other}." if left else f"Type draw {other}.")
        )


def _refuse_discard(view: View, letters: tuple[str, ...]) -> None:
    extra = surplus(view)
    if not 1 <= len(letters) <= extra:  # [WR-20]
        raise IllegalAction(
            "You cannot discard {}. To come to {}, discard {}.",
            number_of(len(letters), "letter"), numeral(HAND_SIZE), number_of(extra, "letter"),
        )  # fmt: skip
    for letter in letters:
        refuse_letter(letter)
    refuse_lacking(view, letters)


# -- words of others -------------------------------------------------------------------------------


def _refuse_add(words: Dictionary, view: View, me: Seat, action: Add) -> None:
    refuse_letter(action.letter)
    fitting = (it for it in addable(view, me) if words.plus_one(it.spelling, ALPHABET))
    do, none = "add to", "There is no word now to which you could add a letter."
    word = refuse_no_such(view, action.word, fitting, do, none)
    _refuse_untouchable(word, me, fitting, do, none)
    if word.number in view.added:  # [WR-28]
        right, about = choice(fitting, do, none)
        raise IllegalAction(
            "You have added a letter to {} in this turn already, and each word takes one. "
            + right, word.spelling, *about,
        )  # fmt: skip
    if not words.anagrams(word.spelling + action.letter):
        raise IllegalAction(
            "{} and {} together spell nothing. Try another letter or word.",
            word.spelling, action.letter,
        )  # fmt: skip
    if not is_anagram(action.spelling, word.spelling + action.letter):  # [WR-31]
        raise IllegalAction(
            "{} is not made of {} and {}. Name a word of all these letters and no other.",
            action.spelling or "Nothing", word.spelling, action.letter,
        )  # fmt: skip
    refuse_no_word(words, view, action.spelling)
    refuse_lacking(view, action.letter)


def _refuse_steal(words: Dictionary, view: View, me: Seat, action: Steal) -> None:
    letter, making = action.letter, action.making
    if view.stolen:  # [WR-22]
        raise IllegalAction(
            "You have stolen a letter in this turn already, and may do so once." + INSTEAD
        )
    refuse_letter(letter)
    fitting = (it for it in stealable(view, me) if words.minus_one(it.spelling))
    do, none = "steal from", "There is no word now from which you could steal."
    word = refuse_no_such(view, action.word, fitting, do, none)
    _refuse_untouchable(word, me, fitting, do, none)
    _refuse_short(word, STEAL_MIN, "steal from", fitting, none)
    refuse_left(words, view, word, letter, action.leaving)
    refuse_no_word(words, view, making)  # [WR-35]
    if letter not in making:
        raise IllegalAction(
            "There is no {} in {}. Name a new word with the stolen letter in it.", letter, making
        )
    refuse_lacking(view, less(making, letter))  # [WR-34]


def _refuse_untouchable(
    word: WordView, me: Seat, fitting: Iterable[WordView], do: str, none: str
) -> None:
    """Own words and locked ones.  [WR-29] [WR-30] [WR-36]"""
    if word.owner == me:
        right, about = choice(fitting, do, none)
        raise IllegalAction(
            f"You cannot {do} a word of your own, but you can rebuild it. " + right, *about
        )
    if word.is_locked:
        right, about = choice(fitting, do, none)
        raise IllegalAction(
            f"Word {{}} of {{}} is locked, so you cannot {do} it. " + right,
            str(word.number), word.owner, *about,
        )  # fmt: skip


def _refuse_short(
    word: WordView, letters: int, do: str, fitting: Iterable[WordView], none: str
) -> None:
    if word.length < letters:
        right, about = choice(fitting, do, none)
        raise IllegalAction(
            f"{{}} has {number_of(word.length, 'letter')}, and only a word of "
            f"{numeral(letters)} or more can lose one. " + right,
            word.spelling, *about,
        )  # fmt: skip


# -- own words -------------------------------------------------------------------------------------


def _refuse_own_word(
    view: View,
    me: Seat,
    number: int,
    do: str,
    fitting: Iterable[WordView],
    none: str = "You have no exposed word.",
) -> WordView:
    """[WR-37] [WR-38]

    Args:
        fitting: Words with which it can be done; looked at where they are said.
    """
    word = refuse_no_such(view, number, fitting, do, none)
    if word.owner != me:
        right, about = choice(fitting, do, none)
        raise IllegalAction(
            f"Word {{}} is {{}}'s, and you can {do} only your own. " + right,
            str(number), word.owner, *about,
        )  # fmt: skip
    if word.is_locked:
        right, about = choice(fitting, do, none)
        raise IllegalAction(
            "{} is locked, and stays as it is for the rest of the round. " + right,
            word.spelling, *about,
        )  # fmt: skip
    return word


def _refuse_rebuild(words: Dictionary, view: View, me: Seat, action: Rebuild) -> None:
    if not action.words:
        raise IllegalAction(
            "Say which of your words you take up. To lay a word from the hand alone, form it."
        )
    if len(set(action.words)) < len(action.words):
        raise IllegalAction("A word is named twice. Name each word that you take up once.")
    own = own_exposed(view, me)
    do = "rebuild" if action.spellings else "take up"
    taken = [_refuse_own_word(view, me, n, do, own).spelling for n in action.words]
    for spelling in action.spellings:
        refuse_no_word(words, view, spelling)
    if sorted(taken) == sorted(action.spellings):  # [WR-40]
        raise IllegalAction(
            "That changes nothing. Name other words, or take up a word without a new one."
        )
    refuse_lacking(view, lacking("".join(action.spellings), "".join(taken)))


def _refuse_remove(words: Dictionary, view: View, me: Seat, action: Remove) -> None:
    refuse_letter(action.letter)
    do, none = "remove a letter from", "You can pass."
    mine = own_words(view, me)
    fitting = (it for it in mine if removable(it) and words.minus_one(it.spelling))
    word = _refuse_own_word(view, me, action.word, do, fitting, none)
    _refuse_short(word, REMOVE_MIN, do, fitting, none)
    refuse_left(words, view, word, action.letter, action.leaving)


# -- trades ----------------------------------------------------------------------------------------


def _refuse_trade(view: View, me: Seat, action: Trade) -> None:
    if view.traded:  # [WR-22]
        raise IllegalAction("You have traded in this turn already, and may do so once." + INSTEAD)
    possible = partners(view, me)
    right = "There is nobody to trade with now."
    if possible:
        right = "Name one or more of the others, each once, with a letter for each."
    seats = [offer.to for offer in action.offers]
    if not seats:
        raise IllegalAction("A trade needs somebody to trade with. " + right)
    for seat in seats:
        if not 0 <= seat < len(view.seats):
            raise IllegalAction("There is no such seat at this table. " + right)
        if seat == me:
            raise IllegalAction("You cannot trade with yourself. " + right)
        if seats.count(seat) > 1:  # [WR-23]
            raise IllegalAction("{} is named twice. " + right, seat)
        if seat not in possible:
            raise IllegalAction(f"{{}} has {_too_few(view, seat)}. {_tradable(possible)}",
                                seat, *possible)  # fmt: skip
    letters = [offer.letter for offer in action.offers]
    for letter in letters:
        refuse_letter(letter)
    refuse_lacking(view, letters)


def _too_few(view: View, seat: Seat) -> str:
    """Why nobody can trade with *seat*, from what everybody sees.  [WR-25]"""
    if view.seats[seat].cards:
        return "one card, which may be End of Round, and cannot trade"
    return "no card to trade"


def _tradable(possible: Sequence[Seat]) -> str:
    """`You can trade with Bob or Cy.`, with a field for each of them."""
    if not possible:
        return "There is nobody to trade with now."
    return f"You can trade with {series(['{}'] * len(possible), 'or')}."


# -- the end of a round ----------------------------------------------------------------------------


def _refuse_out(view: View, me: Seat) -> None:
    """[WR-48]"""
    mine = own_words(view, me)
    if not mine:
        raise IllegalAction("You have no word on the table, so you cannot go out." + INSTEAD)
    if letter_cards(view.hand):
        raise IllegalAction("You go out only with no letter left in your hand. {}", held(view))
    for word in mine:
        if not is_printed(view, word.spelling):
            raise IllegalAction(
                "{} is not on your manifest, and to go out all your words must be. "
                "To look at it, type manifest.", word.spelling,
            )  # fmt: skip


def _refuse_end_round(view: View, me: Seat) -> None:
    """[WR-43] [WR-44]"""
    if END_OF_ROUND not in view.hand:
        raise IllegalAction("You do not hold the End of Round card. Type pass.")
    if not may_end_round(view):
        raise IllegalAction(
            "To end the round, a word of your manifest must lie exposed in front of you. Type pass."
        )
