"""What a seat may do now: useful samples, and what happens when the clock runs out.

Rule 1: all follows from the own view and the word list.  What is said of others follows from what
        is public; nobody's hand but the own is looked at.  [G-12]
Rule 2: there are too many plays to list them all.  The samples are legal, some forty at most,
        and in one order: form, rebuild, lock, add, steal, trade, out, done; the own manifest
        before other words, the most valuable first; words on the table by number.
Rule 3: a sample names no word beyond the table's hints.  Where these are off it names words that
        are printed on a manifest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice
from typing import Protocol

from variants.contract import Chance, Seat
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
    Offer,
    Out,
    Pass,
    Rebuild,
    Remove,
    Steal,
    Trade,
)
from variants.words.data.box import (
    CHANGES_MAX,
    DRAWS,
    END_OF_ROUND,
    HAND_SIZE,
    REMOVE_MIN,
    STEAL_MIN,
    sets_of,
)
from variants.words.lexicon.dictionary import Dictionary, dictionary, hints
from variants.words.lexicon.lexicon import Lexicon
from variants.words.lexicon.multiset import (
    is_within,
    letter_cards,
    missing_letters,
    subtract_letters,
)
from variants.words.view import View, WordView

SEARCHED_MAX = 8  # letters of a hand in which other words are looked for: 256 look-ups at most
PILE, DISCARD = "pile", "discard"  # where letters are drawn from


class TableWord(Protocol):
    """A word on the table, as the state or as a view has it."""

    @property
    def number(self) -> int: ...
    @property
    def spelling(self) -> str: ...
    @property
    def is_locked(self) -> bool: ...


def may_act(view: View) -> bool:
    """Whether this seat owes an answer."""
    if view.seat is None or view.has_answered:
        return False
    if view.phase == "trade":
        return view.seat in view.partners
    if view.phase == "removal":
        return view.seat in view.removers
    return bool(view.phase) and view.seat == view.turn


def legal_actions(lexicon: Lexicon, view: View) -> list[Action]:
    """Useful samples of what this seat may do now."""
    if view.seat is None or not may_act(view):
        return []
    if view.phase == "main":
        return _options(lexicon, view, view.seat)
    if view.phase == "trade":
        return [Answer(letter) for letter in dict.fromkeys(letter_cards(view.hand))]
    if view.phase == "removal":
        level = view.settings.level if view.settings.hints else 0
        mine = own_words(view, view.seat)
        return [Pass(), *legal_removals(dictionary(lexicon, view.box, level), mine)]
    if view.phase == "close":
        return [Pass(), EndRound()] if may_end_round(view) else [Pass()]
    if cards_to_discard(view):
        return [Discard((letter,)) for letter in dict.fromkeys(letter_cards(view.hand))]
    return _draws(view)


def lists_all(view: View) -> bool:
    """Whether `legal_actions` are all there are, and no samples."""
    if view.phase == "removal":
        return bool(view.settings.hints)
    return view.phase != "main" and cards_to_discard(view) < 2


def _draws(view: View) -> list[Action]:
    """One card of each pile, then two and more."""
    left = {PILE: view.pile, DISCARD: view.discards}
    counts = range(1, cards_to_draw(view) + 1)
    return [Draw(source, n) for n in counts for source in left if n <= left[source]]


# -- facts that the refusals share -----------------------------------------------------------------


def draw_sources(view: View) -> list[str]:
    """Where there is a card to draw."""
    return [PILE] * bool(view.pile) + [DISCARD] * bool(view.discards)


def cards_to_draw(view: View) -> int:
    """How many cards the seat whose turn it is has to draw now.  [WR-15] [WR-20]"""
    if view.phase == "draw":
        return DRAWS - view.drawn
    return max(0, HAND_SIZE - view.seats[view.turn].cards) if view.phase == "settle" else 0


def cards_to_discard(view: View) -> int:
    """How many cards the seat whose turn it is has to discard now.  [WR-13] [WR-20]"""
    return max(0, view.seats[view.turn].cards - HAND_SIZE) if view.phase == "settle" else 0


def own_words(view: View, me: Seat) -> list[WordView]:
    return [word for word in view.words if word.owner == me]


def own_exposed_words(view: View, me: Seat) -> list[WordView]:
    """What can be locked or rebuilt.  [WR-37] [WR-38]"""
    return [word for word in view.words if word.owner == me and not word.is_locked]


def addable_words(view: View, me: Seat) -> list[WordView]:
    """Words that may still get a letter this turn.  [WR-28] [WR-29]"""
    return [w for w in exposed_others(view, me) if w.number not in view.added]


def stealable_words(view: View, me: Seat) -> list[WordView]:
    """Words that are long enough to lose a letter to a thief.  [WR-36]"""
    return [word for word in exposed_others(view, me) if word.length >= STEAL_MIN]


def trade_partners(view: View, me: Seat) -> list[Seat]:
    """Who can be traded with: whose hand is more than the one card that may be End of Round.

    Nobody ever holds two of these: each is dealt one at most, and it is never traded.
    """
    seats = range(len(view.seats))
    return [Seat(s) for s in seats if s != me and view.seats[s].cards >= 2]


def may_lose_letter(word: TableWord) -> bool:
    """Whether the rules let the word's owner take a letter out, words aside.  [WR-46]"""
    return not word.is_locked and len(word.spelling) >= REMOVE_MIN


def legal_removals(words: Dictionary, own: Iterable[TableWord]) -> list[Remove]:
    """Every letter that the owner of *own* could remove at the end of a round.  [WR-45] [WR-46]"""
    return [
        Remove(letter, word.number, leaving)
        for word in own
        if may_lose_letter(word)
        for letter, leaving in words.minus_one(word.spelling)
    ]


def is_on_own_manifest(view: View, spelling: str) -> bool:
    """Whether it is a word of the own manifest.  [WR-06]"""
    return view.manifest is not None and bool(sets_of(view.manifest, spelling))


def may_end_round(view: View) -> bool:
    """[WR-43] [WR-44]"""
    if view.seat is None or END_OF_ROUND not in view.hand:
        return False
    return any(
        is_on_own_manifest(view, word.spelling) for word in own_exposed_words(view, view.seat)
    )


def may_go_out(view: View) -> bool:
    """[WR-48]"""
    if view.seat is None or letter_cards(view.hand):
        return False
    mine = own_words(view, view.seat)
    return bool(mine) and all(is_on_own_manifest(view, word.spelling) for word in mine)


def manifest_words(view: View) -> list[str]:
    """The words of the own manifest, the most valuable first.  [WR-51]"""
    if view.manifest is None:
        return []
    worth: dict[str, int] = {}
    for number, words in enumerate(view.manifest.sets, start=1):
        indicator = view.indicator
        times = indicator.multiplier if indicator and indicator.set == number else 1
        for word in words:
            worth[word] = max(worth.get(word, 0), times * view.box.worth(word))  # [WR-09]
    return sorted(worth, key=lambda word: (-worth[word], word))


def exposed_others(view: View, me: Seat) -> list[WordView]:
    """Words of others that are not locked."""
    return [word for word in view.words if word.owner != me and not word.is_locked]


# -- samples of the options ------------------------------------------------------------------------


def _options(lexicon: Lexicon, view: View, me: Seat) -> list[Action]:
    words, hand, printed = hints(lexicon, view), letter_cards(view.hand), manifest_words(view)
    found: list[Action] = []
    if view.changes < CHANGES_MAX:
        found += _forms(words, hand, printed)
        found += islice(_rebuilds(own_exposed_words(view, me), hand, printed), 7)
        found += [Lock(word.number) for word in own_exposed_words(view, me)[:6]]
        found += islice(_adds(words, addable_words(view, me), hand), 6)
        if not view.stolen and hand:
            found += _steals(words, stealable_words(view, me), hand, printed)
    if not view.traded:
        found += _trades(hand, trade_partners(view, me), printed)
    if may_go_out(view):
        found.append(Out())
    return [*found, Done()]


def _forms(words: Dictionary, hand: Sequence[str], printed: Sequence[str]) -> list[Action]:
    """Words of the own manifest, then the longest others."""
    found = [word for word in printed if is_within(word, hand)][:5]
    others = set(words.within("".join(hand[:SEARCHED_MAX]))) - set(found)
    found += sorted(others, key=lambda word: (-len(word), word))[:3]
    return [Form(word) for word in found]


def _rebuilds(
    own: Sequence[WordView], hand: Sequence[str], printed: Sequence[str]
) -> Iterator[Action]:
    """A printed word grows along its set; any other becomes a printed word, or is taken up."""
    for word in own:
        yield from islice(_grown(word, hand, printed), 3)
        if word.spelling not in printed:
            yield Rebuild((word.number,), ())
    for one, other in combinations(own[:4], 2):
        both, longest = one.spelling + other.spelling, max(one.length, other.length)
        for target in printed:
            if len(target) > longest and is_within(missing_letters(target, both), hand):
                yield Rebuild((one.number, other.number), (target,))


def _grown(word: WordView, hand: Sequence[str], printed: Sequence[str]) -> Iterator[Action]:
    was = word.spelling
    for target in printed:
        missing = missing_letters(target, was)
        is_used = is_within(was, target) if was in printed else len(missing) < len(target)
        if target != was and is_used and is_within(missing, hand):
            yield Rebuild((word.number,), (target,))


def _adds(words: Dictionary, theirs: Sequence[WordView], hand: Sequence[str]) -> Iterator[Action]:
    letters = "".join(hand)
    for word in theirs:
        first = _first_of_each(words.plus_one(word.spelling, letters))
        for letter, spelling in islice(first.items(), 2):
            yield Add(letter, word.number, spelling)


def _steals(
    words: Dictionary, theirs: Sequence[WordView], hand: Sequence[str], printed: Sequence[str]
) -> list[Action]:
    """Steals that make a printed word; where there is none, another word."""
    possible = [
        (letter, word.number, leaving)
        for word in theirs
        for letter, leaving in _first_of_each(words.minus_one(word.spelling)).items()
    ]
    found: list[Action] = [
        Steal(letter, number, leaving, target)
        for letter, number, leaving in possible
        for target in printed
        if letter in target and is_within(subtract_letters(target, letter), hand)
    ]
    for letter, number, leaving in possible[:2] if not found else ():
        made = [w for w in words.within("".join(hand[: SEARCHED_MAX - 2]) + letter) if letter in w]
        if made:
            found.append(Steal(letter, number, leaving, min(made, key=lambda w: (-len(w), w))))
    return found[:4]


def _first_of_each(found: Iterable[tuple[str, str]]) -> dict[str, str]:
    """One spelling for each letter."""
    spellings: dict[str, str] = {}
    for letter, spelling in found:
        spellings.setdefault(letter, spelling)
    return spellings


def _trades(hand: Sequence[str], others: Sequence[Seat], printed: Sequence[str]) -> list[Action]:
    """The letters that the own manifest needs least: one to each other, and one to each of two."""
    spare = sorted(hand, key=lambda letter: (sum(letter in word for word in printed), letter))
    found: list[Action] = [Trade((Offer(seat, spare[0]),)) for seat in others if spare]
    if len(others) > 1 and len(spare) > 1:
        found.append(Trade((Offer(others[0], spare[0]), Offer(others[1], spare[1]))))
    return found


# -- the clock has run out -------------------------------------------------------------------------


def default_action(view: View, chance: Chance) -> Action:
    """What happens when the clock runs out: one step, until the window closes."""
    if view.phase == "trade":  # [WR-27]
        letters = letter_cards(view.hand)
        return Answer(letters[chance.below(len(letters))])
    if view.phase == "main":
        return Done()
    if view.phase in ("close", "removal"):
        return Pass()
    if number := cards_to_discard(view):
        return Discard(letter_cards(view.hand)[: -number - 1 : -1])  # the latest first
    return Draw(PILE if view.pile else DISCARD)
