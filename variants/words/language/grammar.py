"""What people type in the word game: its plays, and what is said where a line fits none.

The rules of reading are those of `variants.kit.matcher`; `anagrams` finds the words.

Rule 1: out of turn every play becomes an action, whatever words follow its verb, so that `check`
        says whose turn it is.
Rule 2: what a line means follows from the line, the own view and the word list alone.  [G-03]
        [G-12]  No word beyond the table's hints is named that was not typed.
Rule 3: `#3` is always word 3, and `seat#2` always the player of seat 2: nobody's name is typed so.
        A phrase is written in that way where names would disturb it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from variants.contract import AmbiguousInput, IllegalAction, ParseError, Seat, SeatNames
from variants.kit.english import split_possessives
from variants.kit.matcher.grammar import Grammar, ask_back, quoted
from variants.kit.matcher.line import PUNCTUATION, called, choice, name_words, number_of, people
from variants.kit.matcher.plays import PLAIN, WORDS_MAX, Meaning, Play, Reading, Slot, Words
from variants.kit.text import join_words
from variants.words import actions, legal_actions
from variants.words.actions import Action, Offer, Rebuild, Steal, Trade
from variants.words.check import describe_hand, refuse_out_of_turn
from variants.words.language import anagrams
from variants.words.language.anagrams import (
    FILLERS,
    Here,
    is_letter,
    is_spelling,
    own_word,
    spelled,
)
from variants.words.legal_actions import (
    DISCARD,
    PILE,
    cards_to_discard,
    own_exposed_words,
    trade_partners,
)
from variants.words.lexicon.lexicon import Lexicon
from variants.words.lexicon.multiset import is_anagram, is_within, letter_cards, missing_letters
from variants.words.view import View, WordView

LINE_MAX = 60  # characters of a line that is said back as the beginning of a play
LISTED_MAX = 8  # words of the table in one sentence
PIECES_MAX = 80  # words of a play that names own words or letters

_NUMBERS = {word: n for n, word in enumerate(("one", "two", "three", "four", "five", "six"), 1)}
_COUNTS = {**_NUMBERS, **{str(number): number for number in range(1000)}}
_PILES = {"pile": PILE, "deck": PILE, "stock": PILE,
          "discard": DISCARD, "discards": DISCARD, "discarded": DISCARD}  # fmt: skip
_NEW = ("as", "into", "making", "make", "for")
_LEAVING = ("leaving", "leaves", "leave")
_MAKING = ("making", "makes", "make", "form", "forming", "for", "into", "as")
_NO_WORD = 'You have no word "{}" on the table.'
_MARKS = frozenset((*_NEW, *_LEAVING, *_MAKING))
_UNSAID = FILLERS | _MARKS  # words of a line that say nothing by themselves


# -- what stands in the slots ----------------------------------------------------------------------


def _letter(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    is_article = words[at] == "a" and words[at + 1 : at + 2] in (["card"], ["letter"])
    if is_letter(words[at]) and not is_article:
        yield Meaning(1, words[at].upper())


def _seat(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """A player by name, or `seat#2`."""
    own, is_seat = table.view.seat, words[at].startswith("seat#")
    some = ("seat", words[at][5:]) if is_seat else words
    others = [Seat(seat) for seat in range(len(table.names)) if seat != own]
    for meaning in people(some, 0 if is_seat else at, table.names, own, lambda: others, FILLERS):
        if is_seat and meaning.words == 2 and str(meaning.value + 1) == some[1]:
            yield meaning._replace(words=1, turns=0)
        elif not is_seat and not table.is_numbered:
            yield meaning


def _number(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    if (number := number_of(words[at].removeprefix("#"))) is not None:
        yield Meaning(1, number)


def _run(words: Words, at: int) -> int:
    """How many single letters follow each other: `s e a t`."""
    end = at
    while end < len(words) and is_letter(words[end]):
        end += 1
    return end - at


def _spelling(marks: Sequence[str] = (), turns: int = 0) -> Slot[Here]:
    """A spelling; without one of the *marks* before it it is so many *turns* off."""

    def read(words: Words, at: int, table: Here) -> Iterator[Meaning]:
        word, start = words[at], at + 1
        if is_spelling(word) and (word not in _UNSAID or word in _laid(table)):
            yield Meaning(1, spelled(word), turns=turns)
        if word in marks and start < len(words):
            if is_spelling(words[start]):
                yield Meaning(2, spelled(words[start]))
            elif (run := _run(words, start)) > 1:
                yield Meaning(1 + run, "".join(words[start : start + run]).upper())

    return Slot("WORD", read)


def _laid(table: Here) -> set[str]:
    return {word.spelling.lower() for word in table.view.words}


def _formed(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """Any word, also one that could be a filler, and letters: `d o g`, `d + o + g`."""
    letters = [word for word in words if word != "+"]
    if at == 0 and all(map(is_letter, letters)):
        yield Meaning(len(words), "".join(letters).upper())
    elif is_spelling(words[at]):
        yield Meaning(1, spelled(words[at]), turns=int(words[at] in FILLERS))


def _own_word(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    if (number := own_word(words[at], table)) is not None:
        yield Meaning(1, number)


def _taken(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """An own word, or `all` of them."""
    yield from _own_word(words, at, table)
    if words[at] == "all" and own_word("all", table) is None:
        yield Meaning(1, 0)


def _letters(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """`r`, `rx`; `end of round` is the card of that name."""
    ends = [n for n in (2, 3) if words[at : at + n] in (["end", "round"], ["end", "of", "round"])]
    if ends:
        yield Meaning(ends[0], "*")
    elif is_letter(words[at]) or (words[at].isascii() and words[at].isalpha()):
        yield Meaning(1, words[at].upper(), turns=int(words[at] in FILLERS and len(words[at]) > 1))


def _pile(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """A pile, begun at least with two letters; a letter is the top of the discard pile."""
    word, is_pile = words[at], words[at + 1 : at + 2] == ["pile"]
    begun = [pile for name, pile in _PILES.items() if name.startswith(word) and len(word) > 1]
    if len(word) == 1 and word.upper() == table.view.top and word != "a":
        begun = [DISCARD]
    for pile in begun[:1]:
        yield Meaning(1 + (is_pile and pile == DISCARD), pile)


def _traded(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """A letter, or several that are run together."""
    word = words[at]
    is_some = word.isascii() and word.isalpha() and len(word) < len(table.view.seats)
    if is_letter(word) or (is_some and word not in FILLERS):
        yield Meaning(1, word.upper(), turns=int(words[at - 1 : at] == ["with"]))


def _partner(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    found = list(_seat(words, at, table))
    begun = sum(meaning.rank == PLAIN for meaning in found)
    for meaning in found:
        if meaning.rank != PLAIN or begun == 1 or len(words[at]) > 1:
            yield meaning._replace(turns=meaning.turns + (meaning.rank == PLAIN))


# -- how they are written --------------------------------------------------------------------------


def _say_own(number: int, _: Any, table: Here) -> str:
    """An own word by its spelling, if one own word only is spelled so."""
    own = {w.number: w.spelling.lower() for w in legal_actions.own_words(table.view, table.me)}
    spelling = own.get(number, "")
    is_plain = list(own.values()).count(spelling) == 1 and spelling not in _UNSAID
    return spelling if is_plain else str(number)


def _disturbed(words: Iterable[str], table: Here) -> bool:
    """Whether somebody is called like one of the *words*, which name nobody."""
    return not name_words(tuple(table.names)).isdisjoint(words)


def _named(seat: Seat, table: Here) -> str:
    """A player; "" where the words of the name would disturb, or hold the name of another."""
    name = called(seat, table.names)
    others = [called(Seat(n), table.names) for n in range(len(table.names)) if n != seat]
    is_plain = len(name.split()) < 4 and not name.startswith("seat ")
    return name if is_plain and not any(f" {o} " in f" {name} " for o in others) else ""


def _say_word(number: int, action: Any, table: Here) -> str:
    """`bob`, `3 as`: whose word gets a letter; `bob dates`, `3`: which one loses one."""
    is_add, letter = isinstance(action, actions.Add), action.letter
    tail = ["to", action.spelling] if is_add else ["from"]
    for mark in () if is_add else ("leaving", "making"):
        tail += [mark, getattr(action, mark)] if getattr(action, mark) else []
    said, exposed = " ".join([letter, *tail]).lower().split(), anagrams.others_exposed_words(table)
    for word in exposed:
        if word.number == number and (name := _named(word.owner, table)):
            theirs = [other.spelling for other in exposed if other.owner == word.owner]
            was = [] if is_add else [word.spelling.lower()]
            fits = [
                is_anagram(other + letter, action.spelling) if is_add else other == word.spelling
                for other in theirs
            ]
            is_plain = fits.count(True) == 1 and (was or said[-1:])[0] not in _UNSAID
            is_plain = is_plain and not (is_add and action.spelling in theirs)
            if is_plain and not _disturbed([*said, *was], table):
                return " ".join([name, *was])
    end = ["as"] if is_add else []
    mark = "#" if _disturbed([*said, str(number), *end], table) else ""
    return " ".join([f"{mark}{number}", *end])


def _say_words(numbers: Sequence[int], action: Any, table: Here) -> str:
    """`east+d+t`: what is taken up, and the letters of the hand."""
    was = "".join([word.spelling for word in table.view.words if word.number in numbers])
    letters = missing_letters("".join(action.spellings), was).lower()
    return "+".join([*[_say_own(number, action, table) for number in numbers], *letters])


def _say_offers(offers: Sequence[Offer], _: Any, table: Here) -> str:
    """`e with bob, k with cleo`."""
    letters = [offer.letter.lower() for offer in offers]
    people = [_named(offer.to, table) for offer in offers]
    if not all(people) or _disturbed((*letters, "with", "and"), table):
        people = [f"seat#{offer.to + 1}" for offer in offers]
    return ", ".join([f"{x} with {name}" for x, name in zip(letters, people, strict=True)])


def _say_spellings(spellings: Sequence[str], *_: Any) -> str:
    return "+".join(spellings).lower()


def _written(say: Any) -> Slot[Here]:
    """A slot of the phrase alone."""
    return Slot("", lambda *_: (), say)


def _hand(table: Here) -> str:
    return describe_hand(table.view)


def _own(table: Here) -> str:
    listed = _listed(own_exposed_words(table.view, table.me), table)
    return f"You have: {listed}." if listed else ""


LETTER: Slot[Here] = Slot("LETTER", _letter, choices=_hand)
SEAT: Slot[Here] = Slot("NAME", _seat)
NUMBER: Slot[Here] = Slot("NUMBER", _number)
LETTERS: Slot[Here] = Slot(
    "LETTERS", _letters, lambda x, *_: " ".join(x).lower(), most=PIECES_MAX, choices=_hand
)
OWN: Slot[Here] = Slot(
    "WORD", _own_word, _say_own, lambda table: _own_exposed(table), unknown=_NO_WORD, choices=_own
)
TAKEN: Slot[Here] = Slot(
    "WORD", _taken, _say_words, most=PIECES_MAX, unknown=_NO_WORD, choices=_own
)
FORMED: Slot[Here] = Slot("WORD", _formed, choices=_hand)
TRADED: Slot[Here] = Slot("LETTER", _traded, most=12, choices=_hand)
SOURCE: Slot[Here] = Slot("", _pile, lambda at, *_: "" if at == PILE else at, lambda _: [PILE])
COUNT: Slot[Here] = choice(_COUNTS, lambda n, *_: "" if n == 1 else str(n), lambda _: [1])


# -- the actions that fit what was said ------------------------------------------------------------


def _trades(said: Reading, table: Here) -> Iterator[Sequence[Action]]:
    """Letters and players in pairs: letters first, players first, all letters before all players;
    of each kind the legal ones first."""
    items = "".join(["L" * len(value) if slot == "letter" else "S" for slot, value in said.said])
    letters = "".join([value for slot, value in said.said if slot == "letter"])
    seats = [value for slot, value in said.said if slot == "seat"]
    if len(letters) == 1 and not seats:  # anybody else
        others = [Seat(n) for n in range(len(table.view.seats)) if n != table.me]
        yield [Trade((Offer(seat, letters),)) for seat in others]
    if not letters or len(letters) != len(seats):
        return
    trade = Trade(tuple([Offer(*pair) for pair in zip(seats, letters, strict=True)]))
    orders = [bool(re.fullmatch(order, items)) for order in ("(LS)+", "(SL)+", "L*S*|S*L*")]
    is_legal = not table.why_not(trade)
    yield from ([trade] if is_legal and fits else [] for fits in orders)
    yield from ([trade] if fits else [] for fits in orders)


def _taken_up(said: Reading, table: Here) -> Iterator[list[Action]]:
    own = _own_exposed(table)
    numbers = [n for _, number in said.said for n in ([number] if number else own)]
    yield [Rebuild(tuple(numbers), ())] if numbers else []
    yield [Rebuild((number,), ()) for number in own] if not said.said else []


def _own_exposed(table: Here) -> list[int]:
    return [word.number for word in own_exposed_words(table.view, table.me)]


def _rebuild(words: Words, table: Here) -> Action:
    found = anagrams.rebuildings(words, table)
    if not found:
        said = anagrams.spells_nothing(words, table)
        return said or GRAMMAR.refused(GRAMMAR.play("rebuild"), words, table)
    legal = [(action, letters) for action, letters in found if not table.why_not(action)]
    needs = {action: anagrams.from_hand(action, table) for action, _ in legal}
    exact = [action for action, letters in legal if sorted(letters) in ([], list(needs[action]))]
    if exact:
        return GRAMMAR.chosen(GRAMMAR.play("rebuild"), exact, table)
    for action, _ in legal:
        raise ParseError(
            "That takes {} from your hand. Type it like this: {}.",
            " ".join(needs[action]) or "nothing", GRAMMAR.phrase(action, table),
        )  # fmt: skip
    return found[0][0]


def _go(words: Words, table: Here) -> Action:
    if list(words) in (["out"], ["end", "round"], ["end", "of", "round"]):
        return actions.Out()
    raise GRAMMAR.not_understood(table.line[0], table)


# -- the plays -------------------------------------------------------------------------------------

_TURN, _DRAW, _SIDE = ("main",), ("draw", "settle"), {"letter": LETTER, "seat": SEAT}
_OLD = {**_SIDE, "number": NUMBER, "old": _spelling()}

PLAYS: tuple[Play[Here, Action], ...] = (
    Play("draw {source} {count}", actions.Draw, {"source": SOURCE, "count": COUNT},
         words="take pick collect", fillers="draw top up again more new from", asked=_DRAW,
         form="draw, draw 2, draw discard", by_letter=True, words_max=PIECES_MAX),
    Play("form {spelling}", actions.Form, {"spelling": FORMED},
         words="lay spell", fillers="up hand new", asked=_TURN, words_max=PIECES_MAX),
    Play("add {letter} to {word} {spelling}", actions.Add,
         {**_OLD, "spelling": _spelling(_NEW), "word": _written(_say_word)},
         fillers=" ".join(_NEW), asked=_TURN, form="add LETTER to NAME WORD",
         actions=anagrams.adds),
    Play("steal {letter} from {word} [leaving {leaving}] [making {making}]", actions.Steal,
         {**_OLD, "leaving": _spelling(_LEAVING, 1), "making": _spelling(_MAKING, 2),
          "word": _written(_say_word)},
         fillers=" ".join((*_LEAVING, *_MAKING)), asked=_TURN, actions=anagrams.steals,
         form="steal LETTER from NAME WORD leaving WORD making WORD"),
    Play("lock {word}", actions.Lock, {"word": OWN}, asked=_TURN),
    Play("rebuild {words} as {spellings}", Rebuild,
         {"words": TAKEN, "spellings": _written(_say_spellings)},
         words="rearrange", asked=_TURN, form="rebuild WORD+LETTERS as WORD", reads=_rebuild,
         is_for=lambda action, _: bool(action.spellings)),
    Play("take up {words}", Rebuild, {"words": TAKEN},
         words="collect pick", fillers="plus take", asked=_TURN, actions=_taken_up,
         words_max=PIECES_MAX),
    Play("trade {offers}", Trade,
         {"letter": TRADED,
          "seat": Slot("NAME", _partner, most=12), "offers": _written(_say_offers)},
         words="swap exchange", asked=_TURN, form="trade LETTER with NAME", actions=_trades),
    Play("give {letter}", actions.Answer, {"letter": LETTER}, asked=("trade",)),
    Play("discard {letters}", actions.Discard, {"letters": LETTERS}, words="drop",
         fillers="hand", asked=("discard",), words_max=PIECES_MAX, actions=lambda said, _: [
             [actions.Discard(tuple("".join([x for _, x in said.said])))] if said.said else []]),
    Play("remove {letter} from {word} leaving {leaving}", actions.Remove,
         {"letter": LETTER, "number": NUMBER, "old": _spelling(),
          "leaving": _spelling((*_LEAVING, "as", "making", "into")),
          "word": _written(_say_own)},
         fillers=" ".join((*_LEAVING, "as", "making", "into")), asked=("removal",),
         form="remove LETTER from WORD", actions=anagrams.removals),
    Play("done", actions.Done, words="finish", asked=_TURN, letters_min=2, is_alone=True),
    Play("out", actions.Out, asked=_TURN, letters_min=2, is_alone=True),
    Play("end round", actions.EndRound, fillers="of the game card this play", letters_min=2,
         asked=("close",), is_alone=True),
    Play("pass", actions.Pass, asked=("close", "removal"), by_letter=True, is_alone=True),
    Play("go", None, words="call play", reads=_go),
)  # fmt: skip
PLAY_VERBS = (*[play.verb for play in PLAYS if play.verb != "go"], "collect")


# -- what could be typed ---------------------------------------------------------------------------

_WITH_LETTER = {
    "add": "{} makes a word with none of them.",
    "steal": "{} can be taken from none of them: what is left must be a word.",
    "remove": "{} can be taken from none of your words: what is left must be a word.",
}


def _unclear(play: Play[Here, Action], words: Words, table: Here) -> Action | None:
    """What names its word becomes an action; else what is wrong, where the view says it."""
    verb, view = play.verb, table.view
    ways = GRAMMAR.readings(play, words[:WORDS_MAX], table)
    ways.sort(key=lambda way: (not way.get("letter"), way.rank, not way.get("old")))
    is_short = verb in _WITH_LETTER and len(words) <= WORDS_MAX
    if is_short and (action := anagrams.loose(verb, ways, table)):
        return action
    stand_in: Action = play.blank
    try:
        refuse_out_of_turn(view, stand_in)
    except IllegalAction:
        return stand_in
    if verb in ("lock", "take", "rebuild") and not _own_exposed(table):
        to = "take up" if verb == "take" else verb
        raise ParseError("You have no exposed word on the table to {}.", to)
    if verb in _WITH_LETTER:
        named = next((way.get("seat") for way in ways if way.rank == 0), None)
        theirs = [w for w in anagrams.others_exposed_words(table) if named in (None, w.owner)]
        whose = "The others have" if named is None else f"{table.names[named]} has"
        if verb == "remove":
            theirs, whose = own_exposed_words(view, table.me), "You have"
        if not (listed := _listed(theirs, table, named)):
            raise ParseError("{} no exposed word on the table.", whose)
        plain = [way for way in ways if set(dict(way.said)) <= {"letter", "seat", "number"}]
        letters = [way.get("letter") for way in plain if way.get("letter")]
        if letters and (verb == "remove" or len(words) > 1):
            raise ParseError(f"{_WITH_LETTER[verb]} {{}}: {{}}.", letters[0], whose, listed)
    if verb == "trade" and (reason := _mispaired(words, table)):
        raise ParseError(*reason)
    return None


def _listed(words: Sequence[WordView], table: Here, named: Seat | None = None) -> str:
    """`3 EAST of Bob, 4 OVER of Cy`; without a name the own ones, and those of who is *named*."""
    told = [
        f"{word.number} {word.spelling}"
        + ("" if word.owner in (table.me, named) else f" of {table.names[word.owner]}")
        for word in words[:LISTED_MAX]
    ]
    more = len(words) - len(told)
    return ", ".join([*told, *([f"{more} more"] if more else [])])


def _mispaired(words: Words, table: Here) -> tuple[str, ...]:
    """Why letters and players do not go together; () if that is not the trouble."""
    letters, unknown, seats = "", "", dict[Seat, None]()
    for at, word in enumerate(words):
        found, is_with = list(_seat(words, at, table)), list(words[max(0, at - 1) : at]) == ["with"]
        if found and (found[0].rank != PLAIN or is_with or not is_letter(word)):
            seats[found[0].value] = None
        elif is_with and not is_letter(word):
            unknown = unknown or word
        elif word.isascii() and word.isalpha() and word not in FILLERS:
            letters += word.upper()
    seats.pop(table.me, None)
    able = trade_partners(table.view, table.me)
    if unknown and able:
        right = f"You can trade with {join_words(['{}'] * len(able), 'or')}."
        named = [table.names[seat] for seat in able]
        return f'Nobody here is called "{{}}". {right}', quoted(unknown), *named
    if not letters or not seats or not able:
        return ()
    able.sort(key=lambda seat: seat not in seats)
    pairs = zip(able, dict.fromkeys(letters), strict=False)
    example = GRAMMAR.phrase(Trade(tuple([Offer(*pair) for pair in pairs])), table)
    wrong = "Each partner gets one letter of yours, and chooses which one comes back. "
    return wrong + "Type it like this: {}.", example


def _ask(play: Play[Here, Action], some: Sequence[Action], table: Here) -> AmbiguousInput:
    """The choices; if words are among them that are not named, their number."""
    lines = [GRAMMAR.phrase(action, table) for action in anagrams.named(some, table)]
    if lines:
        return ask_back(lines, len(some))
    line = " ".join((play.verb, *table.line[1:])).replace(" + ", "+")
    end = "as WORD" if play.verb in ("add", "rebuild") else "leaving WORD"
    is_said = len(line) > LINE_MAX or end.split()[0] in table.line
    return AmbiguousInput(
        "That fits {} plays, whose words this table does not name. Add the word that you mean: {}.",
        str(len(some)), play.listed if is_said else f"{line} {end}",
    )  # fmt: skip


def _question(table: Here) -> str:
    return "discard" if cards_to_discard(table.view) else table.view.phase


def _offered(table: Here) -> list[Play[Here, Action]]:
    question = _question(table)
    return [p for p in PLAYS if question in p.asked] if legal_actions.may_act(table.view) else []


GRAMMAR: Grammar[Here, Action] = Grammar(
    PLAYS,
    question=_question,
    offered=_offered,
    unclear=_unclear,
    fillers=FILLERS,
    doubtful=lambda table: {"a"} | _MARKS | _laid(table) | name_words(tuple(table.names)),
    choose=anagrams.legal,
    ask=_ask,
)


# -- a line ----------------------------------------------------------------------------------------


def parse(lexicon: Lexicon, line: str, view: View, names: SeatNames) -> Action:
    """What a line means for this seat.  ParseError or AmbiguousInput say what could be typed."""
    text = line.lower().translate(PUNCTUATION).replace("#", " #").replace("seat #", "seat#")
    words = split_possessives(text.replace("+", " + ").split(), name_words(tuple(names)))
    if not words and view.phase in ("close", "removal"):
        return actions.Pass()
    if words[:1] == ["play"] and len(words) > 1:
        words = words[1:] if GRAMMAR.knows(words[1]) else ["form", *words[1:]]
    if words[:1] == ["end"] and words[-1] == "turn":
        words = ["done"]
    table = Here(view, names, lexicon, tuple(words))
    is_bare = 0 < len(words) <= PIECES_MAX and not GRAMMAR.knows(words[0])
    if is_bare and (found := _bare(words, table)):
        return found
    if any(re.fullmatch("#[0-9]+", word) for word in words):  # as it is offered
        table = replace(table, is_numbered=True)
    action = GRAMMAR.parse(words, table)
    if isinstance(action, Steal) and anagrams.lacks_word(action, table):
        return anagrams.made_by_thief(action, table, GRAMMAR.phrase(action, table))
    return action


def _bare(words: Words, table: Here) -> Action | None:
    """Letters that answer the open question, and a word that is to be formed."""
    word, view = words[0], table.view
    hand, is_one = letter_cards(view.hand), len(words) == 1
    if view.phase == "trade" and is_one and is_letter(word):
        return actions.Answer(word.upper())
    if view.phase == "removal" and is_letter(word) and not is_one:  # `p` is rather a pass
        return GRAMMAR.said("remove", words, table)
    is_together = is_one and word.isascii() and word.isalpha() and is_within(word.upper(), hand)
    if cards_to_discard(view) and (all(map(is_letter, words)) or is_together):
        return actions.Discard(tuple("".join(words).upper()))
    if view.phase != "main" or view.seat != view.turn or not is_one or len(word) < 3:
        return None
    if not word.isascii() or not word.isalpha() or not table.known.is_word(word.upper()):
        return None
    begun = GRAMMAR.beginnings(word, "main")
    if not begun:
        return actions.Form(word.upper())
    if is_within(word.upper(), hand):  # `don`
        raise AmbiguousInput(
            '"{}" could be a word or a play. Type form {} or {}.',
            quoted(word), word, next(iter(begun.values())),
        )  # fmt: skip
    return None


def phrase(action: Action, view: View, names: SeatNames) -> str:
    """Exactly what to type for *action*."""
    return GRAMMAR.phrase(action, Here(view, names))
