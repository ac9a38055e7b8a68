"""Why an action is refused.

Rule 1: refusals come in one order: not yours to play, against the open position, against the own
        cards.  The first two say the same whatever the seat holds.
Rule 2: a refusal says what is wrong, then what would be right, from the own view only; whether an
        opponent holds a letter is never looked at.  [G-03] [G-12]
Rule 3: what is not refused is legal.
Rule 4: where a table has hints switched off, a word that could be made is never named.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from variants.contract import IllegalAction, Seat
from variants.kit.text import join_words
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
from variants.words.data.box import (
    ALPHABET,
    CHANGES_MAX,
    END_OF_ROUND,
    HAND_SIZE,
    REMOVE_MIN,
    STEAL_MIN,
)
from variants.words.language import texts
from variants.words.legal_actions import (
    DISCARD,
    PILE,
    addable_words,
    cards_to_discard,
    cards_to_draw,
    is_on_own_manifest,
    may_end_round,
    may_lose_letter,
    own_exposed_words,
    own_words,
    stealable_words,
    trade_partners,
)
from variants.words.lexicon.dictionary import Dictionary, dictionary
from variants.words.lexicon.lexicon import Lexicon
from variants.words.lexicon.multiset import (
    is_anagram,
    letter_cards,
    missing_letters,
    sorted_letters,
    subtract_letters,
)
from variants.words.view import View, WordView

MAIN_PHASE_ACTIONS = (Trade, Add, Steal, Form, Lock, Rebuild, Out, Done)


def refuse_out_of_turn(view: View, action: Action) -> Seat:
    """The seat that acts, if the table waits for it and for an action of that kind."""
    if not view.phase:
        raise IllegalAction(texts.GAME_OVER)
    if view.seat is None:
        raise IllegalAction(texts.WATCHING)
    if view.phase == "trade":
        _refuse_in_trade(view, view.seat, action)
    elif view.phase == "removal":
        _refuse_in_removal(view, view.seat, action)
    else:
        if view.seat != view.turn:
            wrong = ""
            if isinstance(action, Answer):
                wrong = "Nobody trades with you now. "
            elif isinstance(action, Remove):
                wrong = "A letter is removed when a round ends. "
            raise IllegalAction(wrong + texts.OTHERS_TURN, view.turn)
        _refuse_in_phase(view, action)
    return view.seat


def _refuse_in_trade(view: View, me: Seat, action: Action) -> None:
    waiting = texts.waiting_for(view.missing)
    if me == view.turn:
        raise IllegalAction("You can go on when the trade is done. {}", waiting)
    if me not in view.partners:
        raise IllegalAction(
            "{} is trading, and not with you. Please wait until it is your turn.", view.turn
        )
    if view.has_answered:
        raise IllegalAction("You have given your letter already. {}", waiting)
    if not isinstance(action, Answer):  # [WR-24]
        raise IllegalAction(texts.WHICH_LETTER, view.turn)


def _refuse_in_removal(view: View, me: Seat, action: Action) -> None:
    if me not in view.removers:
        raise IllegalAction(
            "The round is ending, and none of your words can lose a letter. Please wait."
        )
    if view.has_answered:
        raise IllegalAction("You have chosen already. {}", texts.waiting_for(view.missing))
    if not isinstance(action, Remove | Pass):  # [WR-45]
        raise IllegalAction(
            "The round is ending. You can remove one letter from one of your exposed words, or "
            "pass."
        )


def _refuse_in_phase(view: View, action: Action) -> None:
    """The seat is asked, but something else."""
    if isinstance(action, Answer):
        raise IllegalAction("Nobody trades with you now." + MOVES_HINT)
    if isinstance(action, Remove):
        raise IllegalAction("A letter is removed when a round ends, not before." + MOVES_HINT)
    number, extra = cards_to_draw(view), cards_to_discard(view)
    where = "from the draw pile or the discard pile"
    if view.phase == "draw" and not isinstance(action, Draw):  # [WR-17]
        raise IllegalAction(f"First you draw {counted(number, 'card')}, {where}.")
    if view.phase == "main" and not isinstance(action, MAIN_PHASE_ACTIONS):
        if isinstance(action, Draw):
            wrong = "You have drawn for this turn already."
        elif isinstance(action, Discard):
            wrong = "You discard at the end of your turn. First type done."
        elif isinstance(action, EndRound):  # [WR-43]
            wrong = "You play End of Round at the end of your turn. First type done."
        else:
            wrong = "You can't skip a move. To end your turn, type done."
        raise IllegalAction(wrong + MOVES_HINT)
    if view.phase == "settle" and not isinstance(action, Discard if extra else Draw):
        held = counted(view.seats[view.turn].cards, "card")
        wrong = f"You have {held}, and a turn ends with "
        right = f"Discard {counted(extra, 'letter')}."
        if not extra:
            right = f"Draw {counted(number, 'card')}, {where}."
        raise IllegalAction(f"{wrong}{count_text(HAND_SIZE)}. {right}")
    if view.phase == "close" and not isinstance(action, EndRound | Pass):
        raise IllegalAction("Your turn is ending. Type end round to play End of Round, or pass.")


WORD_CHANGES = (Add, Steal, Form, Lock, Rebuild)


def is_legal(lexicon: Lexicon, view: View, action: Action) -> bool:
    """Whether the rules allow it."""
    try:
        check(lexicon, view, action)
    except IllegalAction:
        return False
    return True


def check(lexicon: Lexicon, view: View, action: Action) -> None:
    """Raise IllegalAction: what is wrong, then what would be right."""
    me = refuse_out_of_turn(view, action)
    words = dictionary(lexicon, view.box, view.settings.level)
    if isinstance(action, WORD_CHANGES) and view.changes >= CHANGES_MAX:  # [WR-57]
        raise IllegalAction(texts.CHANGES_USED.format(CHANGES_MAX))
    match action:
        case Draw(source, count):
            _refuse_draw(view, source, count)
        case Form(spelling):
            require_valid_word(words, view, spelling)
            require_in_hand(view, spelling)
        case Add():
            _refuse_add(words, view, me, action)
        case Steal():
            _refuse_steal(words, view, me, action)
        case Lock(number):
            _refuse_own_word(view, me, number, "lock", own_exposed_words(view, me))
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
            require_letter(letter)
            require_in_hand(view, letter)
        case Remove():
            _refuse_remove(words, view, me, action)
        case Done() | Pass():
            pass


# -- drawing and discarding ------------------------------------------------------------------------


def _refuse_draw(view: View, source: str, count: int) -> None:
    if source not in (PILE, DISCARD):  # [WR-15]
        raise IllegalAction("There are two piles to draw from. Type draw pile or draw discard.")
    number = cards_to_draw(view)
    if not 1 <= count <= number:  # [WR-16] [WR-20]
        several = f"one{' or' if number == 2 else ' to'} {count_text(number)}"
        raise IllegalAction(
            "You can't draw {} now. Draw {}.",
            counted(max(count, 0), "card"), "one" if number == 1 else several,
        )  # fmt: skip
    name, left = ("draw", view.pile) if source == PILE else ("discard", view.discards)
    if count > left:  # [WR-18]
        other = "discard" if source == PILE else "pile"
        raise IllegalAction(
            f"The {name} pile has {counted(left, 'card')}. "
            + (f"Draw {count_text(left)}, or draw {other}." if left else f"Type draw {other}.")
        )


def _refuse_discard(view: View, letters: tuple[str, ...]) -> None:
    extra = cards_to_discard(view)
    if not 1 <= len(letters) <= extra:  # [WR-20]
        raise IllegalAction(
            "You can't discard {}. To come to {}, discard {}.",
            counted(len(letters), "letter"), count_text(HAND_SIZE),
            counted(extra, "letter"),
        )  # fmt: skip
    for letter in letters:
        require_letter(letter)
    require_in_hand(view, letters)


# -- words of others -------------------------------------------------------------------------------


def _refuse_add(words: Dictionary, view: View, me: Seat, action: Add) -> None:
    require_letter(action.letter)
    fitting = (it for it in addable_words(view, me) if words.plus_one(it.spelling, ALPHABET))
    do, none = "add to", "There is no word now to which you could add a letter."
    word = require_on_table(view, action.word, fitting, do, none)
    if word.owner == me and not word.is_locked:
        typed = f"{word.spelling}+{action.letter}".lower()
        new = f" as {action.spelling.lower()}" if action.spelling else ""
        raise IllegalAction("To change your own word, type rebuild {}{}.", typed, new)
    _refuse_untouchable(word, me, fitting, do, none)
    if word.number in view.added:  # [WR-28]
        right, about = describe_choices(fitting, do, none)
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
    require_valid_word(words, view, action.spelling)
    require_in_hand(view, action.letter)


def _refuse_steal(words: Dictionary, view: View, me: Seat, action: Steal) -> None:
    letter, making = action.letter, action.making
    if view.stolen:  # [WR-22]
        wrong = "You have stolen a letter in this turn already, and can do so once."
        raise IllegalAction(wrong + MOVES_HINT)
    require_letter(letter)
    fitting = (it for it in stealable_words(view, me) if words.minus_one(it.spelling))
    do, none = "steal from", "There is no word now from which you could steal."
    word = require_on_table(view, action.word, fitting, do, none)
    _refuse_untouchable(word, me, fitting, do, none)
    _refuse_short(word, STEAL_MIN, "steal from", fitting, none)
    require_remainder(words, view, word, letter, action.leaving)
    if not making:
        wrong = "Which word do you make with {} and letters of your hand? {}"
        raise IllegalAction(wrong, letter, describe_hand(view))
    require_valid_word(words, view, making)  # [WR-35]
    if letter not in making:
        raise IllegalAction(
            "There is no {} in {}. Name a new word with the stolen letter in it.", letter, making
        )
    require_in_hand(view, subtract_letters(making, letter))  # [WR-34]


def _refuse_untouchable(
    word: WordView, me: Seat, fitting: Iterable[WordView], do: str, none: str
) -> None:
    """Own words and locked ones.  [WR-29] [WR-30] [WR-36]"""
    if word.owner == me:
        right, about = describe_choices(fitting, do, none)
        raise IllegalAction(
            f"You can't {do} a word of your own, but you can rebuild it. " + right, *about
        )
    if word.is_locked:
        right, about = describe_choices(fitting, do, none)
        raise IllegalAction(
            f"Word {{}} of {{}} is locked, so you can't {do} it. " + right,
            str(word.number), word.owner, *about,
        )  # fmt: skip


def _refuse_short(
    word: WordView, letters: int, do: str, fitting: Iterable[WordView], none: str
) -> None:
    if word.length < letters:
        right, about = describe_choices(fitting, do, none)
        raise IllegalAction(
            f"{{}} has {counted(word.length, 'letter')}, and only a word of "
            f"{count_text(letters)} or more can lose one. " + right,
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
    word = require_on_table(view, number, fitting, do, none, " of yours")
    if word.owner != me:
        right, about = describe_choices(fitting, do, none)
        raise IllegalAction(
            f"Word {{}} is {{}}'s, and you can {do} only your own. " + right,
            str(number), word.owner, *about,
        )  # fmt: skip
    if word.is_locked:
        right, about = describe_choices(fitting, do, none)
        raise IllegalAction(
            "{} is locked until the round ends. " + right,
            word.spelling, *about,
        )  # fmt: skip
    return word


def _refuse_rebuild(words: Dictionary, view: View, me: Seat, action: Rebuild) -> None:
    if not action.words:
        raise IllegalAction(
            "Which of your words do you take up? To lay a word from the hand alone, form it."
        )
    if len(set(action.words)) < len(action.words):
        raise IllegalAction("A word is named twice. Name each word that you take up once.")
    own = own_exposed_words(view, me)
    do = "rebuild" if action.spellings else "take up"
    taken = [_refuse_own_word(view, me, n, do, own).spelling for n in action.words]
    for spelling in action.spellings:
        require_valid_word(words, view, spelling)
    if sorted(taken) == sorted(action.spellings):  # [WR-40]
        raise IllegalAction(
            "That changes nothing. Choose other words, or take up a word without a new one."
        )
    require_in_hand(view, missing_letters("".join(action.spellings), "".join(taken)))


def _refuse_remove(words: Dictionary, view: View, me: Seat, action: Remove) -> None:
    require_letter(action.letter)
    do, none = "remove a letter from", "You can pass."
    mine = own_words(view, me)
    fitting = (it for it in mine if may_lose_letter(it) and words.minus_one(it.spelling))
    word = _refuse_own_word(view, me, action.word, do, fitting, none)
    _refuse_short(word, REMOVE_MIN, do, fitting, none)
    require_remainder(words, view, word, action.letter, action.leaving)


# -- trades ----------------------------------------------------------------------------------------


def _refuse_trade(view: View, me: Seat, action: Trade) -> None:
    if view.traded:  # [WR-22]
        wrong = "You have traded in this turn already, and can do so once."
        raise IllegalAction(wrong + MOVES_HINT)
    possible = trade_partners(view, me)
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
            raise IllegalAction("You can't trade with yourself. " + right)
        if seats.count(seat) > 1:  # [WR-23]
            raise IllegalAction("{} is named twice. " + right, seat)
        if seat not in possible:
            raise IllegalAction(f"{{}} has {_too_few(view, seat)}. {_tradable(possible)}",
                                seat, *possible)  # fmt: skip
    letters = [offer.letter for offer in action.offers]
    for letter in letters:
        require_letter(letter)
    require_in_hand(view, letters)


def _too_few(view: View, seat: Seat) -> str:
    """Why nobody can trade with *seat*, from what everybody sees.  [WR-25]"""
    if view.seats[seat].cards:
        return "one card, which may be End of Round, and can't trade"
    return "no card to trade"


def _tradable(possible: Sequence[Seat]) -> str:
    """`You can trade with Bob or Cy.`, with a field for each of them."""
    if not possible:
        return "There is nobody to trade with now."
    return f"You can trade with {join_words(['{}'] * len(possible), 'or')}."


# -- the end of a round ----------------------------------------------------------------------------


def _refuse_out(view: View, me: Seat) -> None:
    """[WR-48]"""
    mine = own_words(view, me)
    if not mine:
        raise IllegalAction("You have no word on the table, so you can't go out." + MOVES_HINT)
    if letter_cards(view.hand):
        raise IllegalAction(
            "You can go out only with no letter left in your hand. {}", describe_hand(view)
        )
    for word in mine:
        if not is_on_own_manifest(view, word.spelling):
            raise IllegalAction(
                "{} is not on your manifest, and to go out all your words must be. "
                "To look at it, type manifest.", word.spelling,
            )  # fmt: skip


def _refuse_end_round(view: View, me: Seat) -> None:
    """[WR-43] [WR-44]"""
    if END_OF_ROUND not in view.hand:
        raise IllegalAction("You don't have the End of Round card. Type pass.")
    if not may_end_round(view):
        raise IllegalAction(
            "To end the round, a word of your manifest must lie exposed in front of you. Type pass."
        )


MOVES_HINT = " Type moves for a list."

_NAMED_MAX = 6  # words of the table in one sentence
_AN = "AEFHILMNORSX"  # letters whose names begin with a vowel


def count_text(number: int) -> str:
    """`no`, `one`, `2`, `12`."""
    return ("no", "one")[number] if number < 2 else str(number)


def counted(number: int, noun: str) -> str:
    """`one card`, `2 cards`, `12 cards`."""
    return f"{count_text(number)} {noun}{'' if number == 1 else 's'}"


def letter_with_article(letter: str) -> str:
    return f"{'an' if letter in _AN else 'a'} {letter}"


def describe_hand(view: View) -> str:
    """The own hand as a sentence."""
    letters = " ".join(sorted_letters(letter_cards(view.hand)))
    end = "End of Round" if END_OF_ROUND in view.hand else ""
    return f"Your hand: {join_words([part for part in (letters, end) if part]) or 'nothing'}."


# -- letters ---------------------------------------------------------------------------------------


def require_letter(letter: str) -> None:
    if letter == END_OF_ROUND:  # [WR-13] [WR-25]
        raise IllegalAction(
            "The End of Round card isn't a letter: it can't be traded or discarded. "
            "Name a letter, A to Z."
        )
    if len(letter) != 1 or letter not in ALPHABET:
        raise IllegalAction("{} isn't a letter. Choose one letter, A to Z.", letter or "Nothing")


def require_in_hand(view: View, needed: str | Sequence[str]) -> None:
    """The own hand must have these letters."""
    missing = missing_letters(needed, letter_cards(view.hand))
    if not missing:
        return
    parts = []
    for letter in sorted(set(missing)):
        number = needed.count(letter)
        parts.append(letter_with_article(letter) if number == 1 else counted(number, letter))
    raise IllegalAction("You don't have {}. {}", join_words(parts, "or"), describe_hand(view))


# -- spellings -------------------------------------------------------------------------------------


def require_valid_word(words: Dictionary, view: View, spelling: str) -> None:
    if spelling and words.is_word(spelling):
        return
    if not view.settings.hints and words.anagrams(spelling):
        raise IllegalAction(
            "{} isn't in the word list. Try other letters, or another order.", spelling
        )
    raise IllegalAction("{}", words.rejection_reason(spelling))


def require_remainder(
    words: Dictionary, view: View, word: WordView, letter: str, leaving: str
) -> None:
    """What is left of a word without one letter must be spelled as a word.  [WR-35] [WR-46]"""
    if letter not in word.spelling:
        raise IllegalAction(
            "There is no {} in {}. Name one of its letters: {}.",
            letter, word.spelling, " ".join(word.spelling),
        )  # fmt: skip
    rest = word.spelling.replace(letter, "", 1)
    if not words.anagrams(rest):
        raise IllegalAction(
            "{} without {} leaves {}, which spells nothing. What is left must be a word: try "
            "another letter.", word.spelling, letter, sorted_letters(rest),
        )  # fmt: skip
    if not is_anagram(leaving, rest):
        raise IllegalAction(
            "{} without {} leaves {}. Name a word of exactly these letters, not {}.",
            word.spelling, letter, sorted_letters(rest), leaving or "nothing",
        )  # fmt: skip
    require_valid_word(words, view, leaving)


# -- words on the table ----------------------------------------------------------------------------


def describe_choices(
    fitting: Iterable[WordView], do: str, none: str
) -> tuple[str, tuple[Seat | str, ...]]:
    """Which words it could be, as a sentence with its fields: `You can lock word 2 EAST.`"""
    words = list(fitting)
    if not words:
        return none, ()
    if len(words) > _NAMED_MAX:
        return f"You can {do} any of {len(words)} words: look at the table.", ()
    about = tuple([part for word in words for part in (str(word.number), word.spelling)])
    return f"You can {do} {join_words(['word {} {}'] * len(words), 'or')}.", about


def require_on_table(
    view: View, number: int, fitting: Iterable[WordView], do: str, none: str, whose: str = ""
) -> WordView:
    """The word of that number, which lies on the table, in front of whomever."""
    for word in view.words:
        if word.number == number:
            return word
    right, about = describe_choices(fitting, do, none)
    wrong = f"There is no word {{}}{whose} on the table. "
    raise IllegalAction(wrong + right, str(number), *about)
