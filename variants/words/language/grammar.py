"""What people type in the word game: its plays, and what stands in their slots.

The rules of reading are those of `variants.kit.matcher`.

Rule 1: what a line means follows from the line, the own view and the word list alone.  [G-03]
        [G-12]  Of letters that are given every arrangement is looked for, and every word that a
        thief can make; but no word beyond the table's hints is named that was not typed.
Rule 2: `#3` is always word 3, and `seat#2` always the player of seat 2: nobody's name is typed so.
        A phrase is written in that way where names would disturb it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from itertools import pairwise, takewhile
from typing import Any

from variants.contract import AmbiguousInput, Seat, SeatNames
from variants.kit import matcher
from variants.kit.matcher import Grammar, Meaning, Play, Reading, Slot, Table, Words, choice, marked
from variants.words import actions, legal_actions
from variants.words.actions import Action, Add, Offer, Rebuild, Remove, Steal, Trade
from variants.words.check import is_legal
from variants.words.data.box import ALPHABET
from variants.words.legal_actions import DISCARD, PILE
from variants.words.lexicon.dictionary import Dictionary, dictionary, hints
from variants.words.lexicon.lexicon import Lexicon
from variants.words.lexicon.multiset import is_anagram, is_within, letter_cards, missing_letters
from variants.words.view import View, WordView

ROW_MAX = 20  # words, or letters, that are laid at once
WORD_CHARS = 24  # a typed word that is longer is none
MAKING_MAX = 12  # letters in which a thief's word is looked for: under a millisecond


@dataclass(eq=False)
class Here(Table[View]):
    """A line of the word game: who reads it, and with which words."""

    lexicon: Any = None
    typed: frozenset[str] = frozenset()

    @cached_property
    def known(self) -> Dictionary:
        """What is a word at this table."""
        return dictionary(self.lexicon, self.view.box, self.view.settings.level)

    @cached_property
    def laid(self) -> Mapping[str, str]:
        """The words on the table, by how they are typed."""
        return {w.spelling.lower(): w.spelling for w in self.view.words if w.spelling}

    @cached_property
    def own(self) -> list[WordView]:
        """Own exposed words."""
        return legal_actions.own_exposed_words(self.view, self.me)

    def distinct(self, words: Iterable[WordView]) -> list[WordView]:
        """Of equal words of one player one, rather one that got no letter in this turn."""
        once: dict[tuple[Seat, str], WordView] = {}
        for word in sorted(words, key=lambda word: word.number in self.view.added):
            once.setdefault((word.owner, word.spelling), word)
        return list(once.values())

    @cached_property
    def makings(self) -> Callable[[str], Sequence[str]]:
        """(stolen letter) -> words that the thief can make, the best first; one more at most than
        can be listed, and none of too many letters."""
        printed, shown = legal_actions.manifest_words(self.view), hints(self.lexicon, self.view)

        @cache
        def made(x: str) -> Sequence[str]:
            letters = "".join(letter_cards(self.view.hand)) + x
            words = self.known.within(letters) if len(letters) <= MAKING_MAX else []
            found = sorted([word for word in words if x in word])
            found.sort(key=lambda w: (w not in printed, not shown.is_word(w), -len(w)))
            return found[: matcher.LISTED_MAX + 1]

        return made

    def is_legal(self, action: Action) -> bool:
        """Whether the rules allow it."""
        return is_legal(self.lexicon, self.view, action)


# -- what people call things -----------------------------------------------------------------------

FILLERS = frozenset(
    ("a", "an", "the", "of", "to", "onto", "on", "from", "with", "at", "and", "for", "by", "in",
     "letter", "letters", "card", "cards", "word", "words", "number", "please", "my", "their",
     "his", "her", "'s", "+")
)  # fmt: skip
_COUNTS = {word: n for n, word in enumerate(("one", "two", "three", "four", "five", "six"), 1)}
_COUNTS |= {str(number): number for number in range(100)}
_PILES = {
    **{name[:end] + also: DISCARD for name in ("discarded", "discards")
       for end in range(2, len(name) + 1) for also in ("", " pile")},
    **{name[:end]: PILE for name in ("pile", "deck", "stock") for end in range(2, len(name) + 1)},
}  # fmt: skip
"""A pile is begun with two letters at least."""
NEW_MARKS = "as into making make for"
LEFT_MARKS = "leaving leaves leave"
MADE_MARKS = "making makes make form forming for into as"
ROW_MARKS = "as to into making"
_UNSAID = FILLERS.union(f"{NEW_MARKS} {LEFT_MARKS} {MADE_MARKS}".split())
"""Words of a line that say nothing by themselves."""


def is_letter(word: str) -> bool:
    return word == "*" or (len(word) == 1 and word.upper() in ALPHABET)


def is_held(word: str, table: Here) -> bool:
    """Whether the own hand has all letters of a word."""
    return word.isascii() and is_within(word.upper(), letter_cards(table.view.hand))


def spelled(word: str) -> str:
    """In capitals, as words lie on the table; "" if it is meant as no word.  Other letters than A
    to Z stay as they are, and `check` says what is wrong."""
    is_spelling = 1 < len(word) <= WORD_CHARS and word.isalpha()
    return (word.upper() if word.isascii() else word) if is_spelling else ""


def others(table: Here) -> list[Seat]:
    return [Seat(n) for n in range(len(table.names)) if n != table.view.seat]


END: Slot[Here] = choice(dict.fromkeys(("end round", "end of round"), "*"))
NAMED: Slot[Here] = matcher.player(others, FILLERS)


# -- what stands in the slots ----------------------------------------------------------------------


def _letter(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    is_article = words[at] == "a" and words[at + 1 : at + 2] in (["card"], ["letter"])
    if is_letter(words[at]) and not is_article:
        yield Meaning(1, words[at].upper())


def _letters(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """A letter, or some of the hand that are run together, rather than a word on the table; the
    card End of Round."""
    yield from _letter(words, at, table)
    if len(words[at]) > 1 and is_held(words[at], table):
        turns = words[at] in table.laid or 2 * (words[at] in FILLERS)
        yield Meaning(1, words[at].upper(), turns=turns)
    yield from END.read(words, at, table)


def _seat(words: Words, at: int, table: Here) -> Iterable[Meaning]:
    """A player by name, or `seat#2`; nobody is named where a word is said as `#3`."""
    if words[at].startswith("seat#"):
        seat = matcher.seat_of(words[at].removeprefix("seat#"), table.names)
        return [] if seat is None else [Meaning(1, seat, matcher.WHOLE_NAME)]
    is_numbered = any(word[:1] == "#" and word[1:].isdigit() for word in table.typed)
    return () if is_numbered else NAMED.read(words, at, table)


def _partner(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """A player; the beginning of a name is rather a letter."""
    for meaning in _seat(words, at, table):
        yield meaning._replace(turns=meaning.turns + (meaning.rank == matcher.PLAIN))


def _laid(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """Words on the table by their number or spelling."""
    number = matcher.number_of(words[at].removeprefix("#"))
    same = [word.number for word in table.view.words if word.spelling.lower() == words[at]]
    if number is not None:
        yield Meaning(1, frozenset((number,)), matcher.WHOLE_NAME)
    elif same:
        yield Meaning(1, frozenset(same))


def _which(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """Words on the table by their owner, number or spelling."""
    yield from _laid(words, at, table)
    for meaning in _seat(words, at, table):
        owned = [word.number for word in table.view.words if word.owner == meaning.value]
        yield meaning._replace(value=frozenset(owned))


def _own_word(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """A number, or a word that lies on the table, an own and exposed one first."""
    for meaning in _laid(words, at, table):
        own = [word.number for word in table.own if word.number in meaning.value]
        yield Meaning(1, min(own or meaning.value))


def _spelled(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """Any word, also one that could be a filler, and letters: `d o g`, `d+o+g`."""
    run = list(takewhile(lambda word: word == "+" or is_letter(word), words[at:]))
    letters = "".join(run).replace("+", "").upper()
    if letters and (at == 0 or len(letters) > 1):
        yield Meaning(len(run), letters)
    elif spelling := spelled(words[at]):
        yield Meaning(1, spelling)


def _unmarked(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """A word that says nothing else."""
    spelling = spelled(words[at])
    if spelling and (words[at] not in _UNSAID or words[at] in table.laid):
        yield Meaning(1, spelling)


def _new(words: Words, at: int, table: Here) -> Iterable[Meaning]:
    """A word that does not lie there."""
    return () if words[at] in table.laid else _unmarked(words, at, table)


def _row(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """Words to the end of the line, with fillers between them or without; or letters."""
    rest = words[at:]
    if rest[0] == "+" or len(rest) > ROW_MAX:
        return
    for meaning in _spelled(words, at, table):
        if meaning.words == len(rest) > 1:
            yield Meaning(len(rest), (meaning.value,))
    joined = {word for pair in pairwise(rest) if "+" in pair for word in pair}
    said = [word for word in rest[:-1] if word not in _UNSAID or word in joined]
    for row in (rest, [*said, rest[-1]]):
        laid = [spelled(word) for word in row if word != "+"]
        if all(laid):
            yield Meaning(len(rest), tuple(laid))


def _unmarked_row(words: Words, at: int, table: Here) -> Iterable[Meaning]:
    is_inside = at == 0 or words[at - 1] == "+" or not {*ROW_MARKS.split()}.isdisjoint(words[at:])
    return () if is_inside else _row(words, at, table)


# -- how they are written --------------------------------------------------------------------------


def from_hand(action: Any, table: Here) -> str:
    """What the new words take from the hand, in alphabetical order."""
    was = [word.spelling for word in table.view.words if word.number in action.words]
    return missing_letters("".join(action.spellings), "".join(was))


def _say_own(number: int, _: Any, table: Here) -> str:
    """An own word by its spelling, if one own word only is spelled so."""
    own = {w.number: w.spelling.lower() for w in legal_actions.own_words(table.view, table.me)}
    said = own.get(number, "")
    return said if list(own.values()).count(said) == 1 and said not in _UNSAID else str(number)


def _disturbed(words: Iterable[str], table: Here) -> bool:
    """Whether somebody is called like one of the *words*, which name nobody."""
    return not matcher.name_words(tuple(table.names)).isdisjoint(words)


def _name(seat: Seat, table: Here) -> str:
    """How a player is typed; "" by the number of the seat or a long name."""
    name = matcher.called(seat, table.names)
    return "" if name.startswith("seat ") or len(name.split()) > 3 else name


def _say_word(number: int, action: Any, table: Here) -> str:
    """`bob`, `3 as`: whose word gets a letter; `bob dates`, `3`: which one loses one."""
    is_add, x = isinstance(action, Add), action.letter
    new = [action.spelling] if is_add else [action.leaving, action.making]
    said = ["to", "from", "leaving", "making", *" ".join([x, *new]).lower().split()]
    theirs = legal_actions.exposed_others(table.view, table.me)
    for word in [word for word in theirs if word.number == number]:
        name, was = _name(word.owner, table), word.spelling.lower()
        rivals = [w.spelling for w in theirs if w.owner == word.owner]
        fits = [is_anagram(w + x, new[0]) if is_add else w == word.spelling for w in rivals]
        is_only = fits.count(True) == 1 and new[0] not in rivals
        named = [name] if is_add else [name, was]
        is_clear = (new[0].lower() if is_add else was) not in _UNSAID
        if name and is_only and is_clear and not _disturbed([*said, *named[1:]], table):
            return " ".join(named)
    mark = "#" if _disturbed([*said, str(number), "as"], table) else ""
    return f"{mark}{number} as" if is_add else f"{mark}{number}"


def _say_words(numbers: Sequence[int], action: Any, table: Here) -> str:
    """`east+d+t`: what is taken up, and the letters of the hand."""
    letters = from_hand(action, table).lower() if action.spellings else ""
    return "+".join([*[_say_own(number, action, table) for number in numbers], *letters])


def _say_offers(offers: Sequence[Offer], _: Any, table: Here) -> str:
    """`e with bob, k with cleo`."""
    letters = [offer.letter.lower() for offer in offers]
    people = [_name(offer.to, table) for offer in offers]
    if not all(people) or _disturbed((*letters, "with", "and"), table):
        people = [f"seat#{offer.to + 1}" for offer in offers]
    return ", ".join([f"{x} with {name}" for x, name in zip(letters, people, strict=True)])


LETTER: Slot[Here] = Slot("LETTER", _letter)
LETTERS: Slot[Here] = Slot(
    "LETTERS", _letters, lambda x, *_: " ".join(x).lower(), most=matcher.WORDS_MAX
)
PARTNER: Slot[Here] = Slot("NAME", _partner, most=12)
WHICH: Slot[Here] = Slot("NAME", _which, _say_word, most=2)
OWN: Slot[Here] = Slot(
    "WORD", _own_word, _say_own, lambda table, _: [w.number for w in table.distinct(table.own)]
)
TAKEN: Slot[Here] = replace(OWN, say=_say_words, most=matcher.WORDS_MAX)
ROW: Slot[Here] = marked(
    Slot("WORD", _row, lambda spellings, *_: "+".join(spellings).lower()), ROW_MARKS,
    plain=_unmarked_row,
)  # fmt: skip
FORMED: Slot[Here] = Slot("WORD", _spelled)
SOURCE: Slot[Here] = choice(
    lambda table: _PILES if table.view.top in "A" else {**_PILES, table.view.top.lower(): DISCARD},
    say=lambda at, *_: "" if at == PILE else at, fill=lambda *_: [PILE],
)  # fmt: skip
COUNT: Slot[Here] = choice(_COUNTS, say=lambda n, *_: str(n) if n > 1 else "", fill=lambda *_: [1])
CHANGED: Slot[Here] = marked(FORMED, NEW_MARKS, plain=_unmarked)
LEFT: Slot[Here] = marked(FORMED, LEFT_MARKS, plain=_new, turns=1)
MADE: Slot[Here] = marked(FORMED, MADE_MARKS, plain=_new, turns=2)
REMAINDER: Slot[Here] = marked(FORMED, f"{LEFT_MARKS} {NEW_MARKS}", plain=_unmarked)
OWN_SIDE: Slot[Here] = Slot("WORD", _laid, _say_own, most=2)
OFFERS: Slot[Here] = Slot("", lambda *_: (), _say_offers)
ALL: Slot[Here] = choice(lambda table: {} if "all" in table.laid else {"all": True})
OUT: Slot[Here] = choice(dict.fromkeys(("out", "end round", "end of round"), True))


# -- the actions that fit what was said ------------------------------------------------------------


def _words_said(said: Reading, table: Here) -> list[WordView]:
    """Which words can be meant; none if only a letter of somebody else's word is said."""
    is_own, asked = said.play.kind is Remove, said.all("word")
    pool = table.own if is_own else legal_actions.exposed_others(table.view, table.me)
    meant = [word for word in table.view.words if all(word.number in each for each in asked)]
    is_enough = is_own or any(slot != "letter" for slot, _ in said.said)
    return table.distinct([word for word in meant if word in pool] or meant) if is_enough else []


def _changed(said: Reading, _: object, table: Here) -> Iterator[Action]:
    """A letter to a word or out of one: all that the word list allows."""
    for word in _words_said(said, table):
        for change in _changes(said, word, table):
            is_steal = said.play.kind is Steal
            yield from _steals(said, change, table) if is_steal else (said.play.kind(*change),)


def _changed_less(said: Reading, table: Here) -> Iterator[Action]:
    """What names a letter and one word only."""
    numbers, asked = [word.number for word in _words_said(said, table)], said.all("word")
    if not numbers and len(asked) == 1:  # a number that no word has
        numbers = [*asked[0]]
    new = [said.get(part.name) or "" for part in fields(said.play.kind)[2:]]
    if len(numbers) == 1:
        yield from [said.play.kind(x, *numbers, *new) for x in said.all("letter")]


def _changes(said: Reading, word: WordView, table: Here) -> Iterator[tuple[Any, ...]]:
    """(letter, number, spelling) for all that a word can become of what is said."""
    letter, new = said.get("letter"), said.get("spelling") or said.get("leaving")
    if said.play.kind is Add:
        letters = letter or missing_letters(new or "", word.spelling)
        found = table.known.plus_one(word.spelling, letters)
    else:
        found = table.known.minus_one(word.spelling)
    for x, spelling in found:
        is_said = letter or new or x in (said.get("making") or "")
        if is_said and letter in (None, x) and new in (None, spelling):
            yield x, word.number, spelling


def _steals(said: Reading, change: tuple[Any, ...], table: Here) -> Iterator[Action]:
    """With the word that is said, else any that can be made; if there is none, without one."""
    x, number, leaving = change
    for making in said.all("making") or table.makings(x) or [""]:
        if not making or (x in making and table.known.is_word(making)):
            yield Steal(x, number, leaving, making)


def _trades(said: Reading, _: object, table: Here) -> Iterable[Action]:
    """A letter with anybody else; what is said as usual: letter and player, letter and player."""
    seats, is_one = said.all("seat"), len("".join(said.all("letter"))) == 1
    if is_one and not seats:
        return [Trade((Offer(seat, said.get("letter")),)) for seat in others(table)]
    is_usual = [slot for slot, _ in said.said] == ["letter", "seat"] * len(seats)
    return filter(table.is_legal, _pairs(said, table)) if is_usual else ()


def _pairs(said: Reading, table: Here) -> Iterator[Action]:
    """As many letters as players, in their order."""
    letters, seats = "".join(said.all("letter")), said.all("seat")
    if letters and len(letters) == len(seats):
        yield Trade(tuple([Offer(*pair) for pair in zip(seats, letters, strict=True)]))


def _taken_up(said: Reading, _: object, table: Here) -> Iterator[Action]:
    own = [word.number for word in table.own]
    if numbers := own if said.get("all") else said.all("words"):
        yield Rebuild(tuple(numbers), ())
    else:
        yield from [Rebuild((word.number,), ()) for word in table.distinct(table.own)]


def _rebuilds(said: Reading, _: object, table: Here) -> Iterator[Action]:
    """What is laid of all letters of the hand that are said, and no other."""
    letters = sorted("".join(said.all("letters")))
    for action in filter(table.is_legal, _laid_anew(said, table)):
        if letters in ([], sorted(from_hand(action, table))):
            yield action


def _laid_anew(said: Reading, table: Here) -> list[Action]:
    """Own words that become the words that are said, else any word of all their letters and those
    of the hand that are said, and these letters as they stand, for `check` to refuse."""
    numbers, laid = tuple(said.all("words")), said.all("spellings")
    if not laid and {*ROW_MARKS.split()}.isdisjoint(table.typed - {*table.laid}):
        was = [word.spelling for word in table.view.words if word.number in numbers]
        letters = "".join([*was, *said.all("letters")])
        laid = [(word,) for word in (*table.known.anagrams(letters), letters)]
    return [Rebuild(numbers, spellings) for spellings in laid if numbers]


# -- the plays -------------------------------------------------------------------------------------

_TURN = ("main",)
_CHANGED: dict[str, Any] = {"actions": _changed, "otherwise": _changed_less}

PLAYS: tuple[Play[Here, Action], ...] = (
    Play("draw {source} {count}", actions.Draw, {"source": SOURCE, "count": COUNT},
         words="take pick collect", fillers="draw top up again more new from",
         asked=("draw", "settle"), form="draw, draw 2, draw discard"),
    Play("form {spelling}", actions.Form, {"spelling": FORMED}, words="lay spell",
         fillers="up hand new", asked=_TURN),
    Play("add {letter} to {word} {spelling}", Add, asked=_TURN, **_CHANGED,
         slots={"letter": LETTER, "word": WHICH, "spelling": CHANGED}, fillers=NEW_MARKS),
    Play("steal {letter} from {word} leaving {leaving} making {making}", Steal, asked=_TURN,
         slots={"letter": LETTER, "word": WHICH, "leaving": LEFT, "making": MADE}, **_CHANGED,
         fillers=f"{LEFT_MARKS} {MADE_MARKS}",
         form="steal LETTER from NAME WORD leaving WORD making WORD"),
    Play("lock {word}", actions.Lock, {"word": OWN}, asked=_TURN),
    Play("rebuild {words} as {spellings}", Rebuild, words="rearrange", asked=_TURN,
         slots={"words": TAKEN, "letters": LETTERS, "spellings": ROW}, actions=_rebuilds,
         is_for=lambda action, _: bool(action.spellings), fillers="up plus hand take",
         form="rebuild WORD+LETTERS as WORD", otherwise=lambda said, table: [
             action for action in _laid_anew(said, table) if not table.is_legal(action)]),
    Play("take up {words}", Rebuild, {"words": TAKEN, "all": ALL},
         words="collect pick", fillers="plus take", asked=_TURN, actions=_taken_up),
    Play("trade {offers}", Trade, {"letter": LETTERS, "seat": PARTNER, "offers": OFFERS},
         words="swap exchange", asked=_TURN, actions=_trades, otherwise=_pairs,
         form="trade LETTER with NAME"),
    Play("give {letter}", actions.Answer, {"letter": LETTER}, asked=("trade",)),
    Play("discard {letters}", actions.Discard, {"letters": LETTERS}, words="drop",
         fillers="hand", asked=("discard",),
         actions=lambda said, *_: [actions.Discard(tuple("".join(said.all("letters"))))]),
    Play("remove {letter} from {word} leaving {leaving}", Remove, **_CHANGED,
         slots={"letter": LETTER, "word": OWN_SIDE, "leaving": REMAINDER},
         fillers=f"{LEFT_MARKS} {NEW_MARKS}", asked=("removal",),
         form="remove LETTER from WORD"),
    Play("done", actions.Done, words="finish", asked=_TURN, letters_min=2),
    Play("out", actions.Out, asked=_TURN, letters_min=2),
    Play("go {out}", actions.Out, {"out": OUT}, words="call", asked=_TURN, form="out",
         actions=lambda *_: [actions.Out()], is_for=lambda *_: False),
    Play("end round", actions.EndRound, fillers="of the game card this play", letters_min=2,
         asked=("close",)),
    Play("pass", actions.Pass, asked=("close", "removal")),
)  # fmt: skip
PLAY_VERBS = (*[play.verb for play in PLAYS if play.verb != "go"], "collect")


def _question(table: Here) -> str:
    """The phase, or "discard"; "" out of turn."""
    if not legal_actions.may_act(table.view):
        return ""
    return "discard" if legal_actions.cards_to_discard(table.view) else table.view.phase


def _may_name(action: Action, table: Here) -> bool:
    """Whether each new word was typed, or may be named at this table."""
    shown = hints(table.lexicon, table.view)
    new = [getattr(action, field, "") for field in ("spelling", "leaving", "making")]
    words = filter(None, [*new, *getattr(action, "spellings", ())])
    return all(word.lower() in table.typed or shown.is_word(word) for word in words)


GRAMMAR: Grammar[Here, Action] = Grammar(
    PLAYS,
    question=_question,
    is_legal=lambda action, table: table.is_legal(action),
    may_name=_may_name,
    examples=lambda table: legal_actions.legal_actions(table.lexicon, table.view),
    fillers=FILLERS,
)


# -- a line ----------------------------------------------------------------------------------------


def parse(lexicon: Lexicon, line: str, view: View, names: SeatNames) -> Action:
    """What a line means for this seat.  ParseError or AmbiguousInput say what could be typed."""
    words = _split(line, names)
    if not words and view.phase in ("close", "removal"):
        return actions.Pass()
    if words[:1] == ["play"] and len(words) > 1:
        words = words[1:] if words[1] in GRAMMAR.by_word else ["form", *words[1:]]
    if words[:1] == ["end"] and words[-1] == "turn":
        words = ["done"]
    table = Here(view, names, lexicon, frozenset(words))
    if 0 < len(words) <= matcher.WORDS_MAX and words[0] not in GRAMMAR.by_word:
        words = [*_left_out(words, table), *words]
    return GRAMMAR.parse(words, table)


def guesses(
    lexicon: Lexicon, line: str, view: View, names: SeatNames, verbs: Mapping[str, str]
) -> Sequence[Action]:
    """What a line may mean that nobody can read; `Grammar.guesses`."""
    words = _split(line, names)
    return GRAMMAR.guesses(words, Here(view, names, lexicon, frozenset(words)), verbs)


def _split(line: str, names: SeatNames) -> list[str]:
    text = line.lower().replace("+", " + ").replace("#", " #").replace("seat #", "seat#")
    return matcher.split(text, names, keep="#")


def _left_out(words: Words, table: Here) -> Sequence[str]:
    """The verb before letters that answer the open question, and before a word to be formed."""
    word, question, is_one = words[0], _question(table), len(words) == 1
    if question in ("trade", "removal"):  # at a removal `p` is rather a pass
        verb = "give" if is_one else "remove"
        return [verb] if is_letter(word) and is_one == (question == "trade") else []
    if question == "discard":
        are_letters = all(map(is_letter, words)) or (is_one and is_held(word, table))
        return ["discard"] if are_letters else []
    is_word = is_one and len(word) > 2 and table.known.is_word(word.upper())
    begun = GRAMMAR.beginnings(word, table)
    if question == "main" and is_word and is_held(word, table):  # `don`, and talk such as `hey`
        also = f" or {begun[0]}" if begun else ""
        lay = AmbiguousInput("Lay {}? Type form {}{}", word.upper(), word, also)
        lay.suggestion = "" if also else f"form {word}"
        raise lay
    return ["form"] if question == "main" and is_word and not begun else []


def phrase(action: Action, view: View, names: SeatNames) -> str:
    """Exactly what to type for *action*."""
    return GRAMMAR.phrase(action, Here(view, names))
