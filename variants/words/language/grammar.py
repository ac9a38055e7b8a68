"""What people type in the word game: its plays, and what is said where a line fits none.

The rules of reading are those of `variants.kit.matcher`; `slots` reads what the parts can mean.

Rule 1: out of turn every play becomes an action, whatever words follow its verb, so that `check`
        says whose turn it is.
Rule 2: what a line means follows from the line, the own view and the word list alone.  [G-03]
        [G-12]  Of letters that are given every arrangement is looked for; but no word beyond the
        table's hints is named that was not typed.
Rule 3: exact is what the letters and the word list allow; loose is what names its word, and
        `check` says why not.  Neither looks at the own hand, but for what a thief can spell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

from variants.contract import AmbiguousInput, ParseError, SeatNames
from variants.kit.matcher.grammar import LISTED_MAX, WORDS_MAX, Grammar, ask_back, quoted
from variants.kit.matcher.line import split
from variants.kit.matcher.plays import Play, Reading, Words
from variants.kit.text import join_words
from variants.words import actions, legal_actions
from variants.words.actions import Action, Add, Offer, Rebuild, Remove, Steal, Trade
from variants.words.check import describe_hand, letter_with_article
from variants.words.language import slots
from variants.words.language.slots import Here
from variants.words.lexicon.dictionary import hints
from variants.words.lexicon.lexicon import Lexicon
from variants.words.lexicon.multiset import is_within, missing_letters
from variants.words.view import View, WordView

MAKING_MAX = 12  # letters in which a thief's word is looked for: under a millisecond
CHECKED_MAX = 60  # plays that are checked; more are only counted
LINE_MAX = 60  # characters of a line that is said back as the beginning of a play


# -- the actions that fit what was said ------------------------------------------------------------


def _letter_play(kind: Any, exact: Callable[..., Iterable[Action]]) -> dict[str, Any]:
    """A letter to a word or out of one: all that the word list allows; then what names a letter
    and one word only, for `check` to refuse."""

    def fitting(said: Reading, _: object, table: Here) -> Iterator[list[Action]]:
        pool, asked = table.own if kind is Remove else table.theirs, said.all("word")
        meant = [w for w in table.view.words if all(w.number in each for each in asked)]
        words = [word for word in meant if word in pool] or meant
        if kind is Remove or any(slot != "letter" for slot, _ in said.said):
            yield [action for word in words for action in exact(said, word, table)]
            is_one = len({(word.owner, word.spelling) for word in words}) == 1
            known = {word.number for word in table.view.words}
            numbers = [word.number for word in words if is_one]
            numbers += [n for each in asked for n in each if n not in known and not words]
            new = [said.get(part.name) or "" for part in fields(kind)[2:]]
            yield [kind(x, number, *new) for x in said.all("letter") for number in numbers[:1]]

    return {"kind": kind, "actions": fitting}


def _added(said: Reading, word: WordView, table: Here) -> Iterator[Action]:
    new = said.get("spelling")
    x = said.get("letter") or missing_letters(new or "", word.spelling)
    for spelling in table.known.anagrams(word.spelling + x) if len(x) == 1 else ():
        if new in (None, spelling):
            yield Add(x, word.number, spelling)


def _lost(said: Reading, word: WordView, table: Here) -> Iterator[tuple[str, int, str]]:
    """(letter, number, spelling that is left) for a letter that is said, or that follows."""
    letter, leaving = said.get("letter"), said.get("leaving")
    for x, left in table.known.minus_one(word.spelling):
        is_said = letter or leaving or x in (said.get("making") or "")
        if is_said and letter in (None, x) and leaving in (None, left):
            yield x, word.number, left


def _stolen(said: Reading, word: WordView, table: Here) -> Iterator[Action]:
    """The new word is "" where it is not said."""
    making = said.get("making") or ""
    for lost in _lost(said, word, table):
        if not making or (lost[0] in making and table.known.is_word(making)):
            yield Steal(*lost, making)


def _removed(said: Reading, word: WordView, table: Here) -> Iterator[Action]:
    return (Remove(*lost) for lost in _lost(said, word, table))


def _trades(said: Reading, _: object, table: Here) -> Iterator[list[Action]]:
    """Letters and players in pairs; a letter alone to anybody else."""
    letters, seats = "".join(said.all("letter")), said.all("seat")
    if len(letters) == 1 and not seats:
        seats = slots.others(table)
        yield [Trade((Offer(seat, letters),)) for seat in seats]
    elif letters and len(letters) == len(seats):
        trade = Trade(tuple([Offer(*pair) for pair in zip(seats, letters, strict=True)]))
        is_usual = [slot for slot, _ in said.said] == ["letter", "seat"] * len(seats)
        yield [trade] if is_usual and not table.why_not(trade) else []
        yield [trade]


def _discards(said: Reading, _: object, table: Here) -> Iterator[list[Action]]:
    letters = "".join(said.all("letters"))
    yield [actions.Discard(tuple(letters))] if letters else []


def _taken_up(said: Reading, _: object, table: Here) -> Iterator[list[Action]]:
    own = [word.number for word in table.own]
    numbers = own if said.get("all") else said.all("words")
    yield [Rebuild(tuple(numbers), ())] if numbers else [Rebuild((n,), ()) for n in own]


def _rebuilds(said: Reading, _: object, table: Here) -> Iterator[list[Action]]:
    """Own words and letters of the hand that become other words: those that are said, else any
    word of all their letters."""
    numbers, letters = tuple(said.all("words")), "".join(said.all("letters"))
    was = [word.spelling for word in table.view.words if word.number in numbers]
    laid, is_marked = (
        said.all("spellings"),
        ({*slots.ROW_MARKS.split()} - {*table.laid}) & {*table.typed},
    )
    if not laid and not is_marked and len(set(numbers)) == len(numbers) > 0:
        laid = [(new,) for new in table.known.anagrams("".join(was) + letters) if [new] != was]
    found: list[Action] = [Rebuild(numbers, spellings) for spellings in laid if numbers]
    legal = {a: slots.from_hand(a, table) for a in found if not table.why_not(a)}
    yield [action for action, needs in legal.items() if sorted(letters) in ([], sorted(needs))]
    for action, needs in legal.items():
        raise ParseError(
            "That takes {} from your hand. Type it like this: {}.",
            " ".join(needs) or "nothing", GRAMMAR.phrase(action, table),
        )  # fmt: skip
    yield found
    alone = Rebuild(tuple(dict.fromkeys(numbers)), ())
    if numbers and table.why_not(alone):
        yield [alone]  # `check` says which word cannot be taken up
    elif numbers and (missing := missing_letters(letters, table.hand)):
        wrong, hand = letter_with_article(missing[0]), describe_hand(table.view)
        raise ParseError("You do not hold {}. {}", wrong, hand)
    elif numbers and len(parts := [*was, *letters]) > 1:
        wrong = "{} together spell nothing. Try other letters, or take up the words alone."
        raise ParseError(wrong, join_words(parts))


# -- the plays -------------------------------------------------------------------------------------

_TURN = ("main",)

PLAYS: tuple[Play[Here, Action], ...] = (
    Play("draw {source} {count}", actions.Draw, {"source": slots.SOURCE, "count": slots.COUNT},
         words="take pick collect", fillers="draw top up again more new from",
         asked=("draw", "settle"), form="draw, draw 2, draw discard", by_letter=True),
    Play("form {spelling}", actions.Form, {"spelling": slots.FORMED}, words="lay spell",
         fillers="up hand new", asked=_TURN),
    Play("add {letter} to {word} {spelling}", **_letter_play(Add, _added), asked=_TURN,
         slots={"letter": slots.LETTER, "word": slots.WHICH, "spelling": slots.CHANGED},
         fillers=slots.NEW_MARKS),
    Play("steal {letter} from {word} [leaving {leaving}] [making {making}]",
         **_letter_play(Steal, _stolen), asked=_TURN,
         slots={"letter": slots.LETTER, "word": slots.WHICH, "leaving": slots.LEFT,
                "making": slots.MADE},
         fillers=f"{slots.LEFT_MARKS} {slots.MADE_MARKS}",
         form="steal LETTER from NAME WORD leaving WORD making WORD"),
    Play("lock {word}", actions.Lock, {"word": slots.OWN}, asked=_TURN),
    Play("rebuild {words} as {spellings}", Rebuild, words="rearrange", asked=_TURN,
         slots={"words": slots.TAKEN, "letters": slots.LETTERS, "spellings": slots.ROW},
         fillers="up plus hand take", form="rebuild WORD+LETTERS as WORD", actions=_rebuilds,
         is_for=lambda action, _: bool(action.spellings)),
    Play("take up {words}", Rebuild, {"words": slots.TAKEN, "all": slots.ALL},
         words="collect pick", fillers="plus take", asked=_TURN, actions=_taken_up),
    Play("trade {offers}", Trade, words="swap exchange", asked=_TURN, actions=_trades,
         slots={"letter": slots.LETTERS, "seat": slots.PARTNER, "offers": slots.OFFERS},
         form="trade LETTER with NAME"),
    Play("give {letter}", actions.Answer, {"letter": slots.LETTER}, asked=("trade",)),
    Play("discard {letters}", actions.Discard, {"letters": slots.LETTERS}, words="drop",
         fillers="hand", asked=("discard",), actions=_discards),
    Play("remove {letter} from {word} leaving {leaving}", **_letter_play(Remove, _removed),
         slots={"letter": slots.LETTER, "word": slots.OWN_SIDE, "leaving": slots.REMAINDER},
         fillers=f"{slots.LEFT_MARKS} {slots.NEW_MARKS}", asked=("removal",),
         form="remove LETTER from WORD"),
    Play("done", actions.Done, words="finish", asked=_TURN, letters_min=2),
    Play("out", actions.Out, asked=_TURN, letters_min=2),
    Play("go {out}", actions.Out, {"out": slots.OUT}, words="call", asked=_TURN, form="out",
         actions=lambda *_: [[actions.Out()]], is_for=lambda *_: False),
    Play("end round", actions.EndRound, fillers="of the game card this play", letters_min=2,
         asked=("close",)),
    Play("pass", actions.Pass, asked=("close", "removal"), by_letter=True),
)  # fmt: skip
PLAY_VERBS = (*[play.verb for play in PLAYS if play.verb != "go"], "collect")


# -- several that fit ------------------------------------------------------------------------------


def _choose(found: Sequence[Action], table: Here) -> Sequence[Action]:
    """Those that count: legal ones, of equal words the oldest; never none."""
    if len(found) > CHECKED_MAX:
        return found
    fine = ("", table.known.rejection_reason(""))  # a thief need not say at once what is made
    some = [action for action in found if table.why_not(action) in fine]
    laid = {word.number: (word.owner, word.spelling) for word in table.view.words}
    once: dict[object, Action] = {}
    for action in some or found[:1]:
        values = {part.name: getattr(action, part.name) for part in fields(action)}
        numbers = values.pop("words", None) or (values.pop("word", None),)
        once.setdefault((*values.values(), *[laid.get(n, n) for n in numbers]), action)
    return list(once.values())


def _ask(play: Play[Here, Action], some: Sequence[Action], table: Here) -> AmbiguousInput:
    """The choices whose words were typed, or may be named; if there are none, their number."""
    shown, typed = hints(table.lexicon, table.view), {word.upper() for word in table.typed}
    lines = []
    for action in some:
        new = [getattr(action, name, "") for name in ("spelling", "leaving", "making")]
        words = filter(None, [*new, *getattr(action, "spellings", ())])
        if all(word in typed or shown.is_word(word) for word in words):
            lines.append(GRAMMAR.phrase(action, table))
    if lines:
        return ask_back(lines, len(some))
    line = " ".join((play.verb, *table.typed[1:])).replace(" + ", "+")
    end = "as WORD" if play.verb in ("add", "rebuild") else "leaving WORD"
    is_said = len(line) > LINE_MAX or end.split()[0] in table.typed
    return AmbiguousInput(
        "That fits {} plays, whose words this table does not name. Add the word that you mean: {}.",
        str(len(some)), play.listed if is_said else f"{line} {end}",
    )  # fmt: skip


def _made_by_thief(steal: Steal, table: Here) -> Action:
    """A steal with the word that is made if only one can be.  Words of the own manifest are named
    first; where there are too many letters to look through, only these."""
    letters, x, line = (
        "".join(table.hand) + steal.letter,
        steal.letter,
        GRAMMAR.phrase(steal, table),
    )
    own = legal_actions.manifest_words(table.view)
    named = [word for word in own if x in word and is_within(word, letters)]
    is_searched = len(letters) <= MAKING_MAX
    found = [word for word in table.known.within(letters) if x in word] if is_searched else named
    if is_searched and not found:
        raise ParseError(
            "You can make no word with {} and letters of your hand, so you cannot steal it. {}",
            x, describe_hand(table.view),
        )  # fmt: skip
    if is_searched and len(found) == 1:
        return replace(steal, making=found[0])
    if table.view.settings.hints and is_searched:
        shown = hints(table.lexicon, table.view)
        others = [word for word in found if word not in named and shown.is_word(word)]
        named += sorted(others, key=lambda word: (-len(word), word))
    lines = [f"{line} making {word.lower()}" for word in named[: LISTED_MAX + 1]]
    if not lines or len(lines) == len(found) == 1:
        wrong = "Say which word you make, as in: {}."
        raise AmbiguousInput(wrong, *lines or [f"{line} making WORD"])
    raise ask_back(lines, len(found) + (not is_searched))


# -- what is wrong ---------------------------------------------------------------------------------


def _unclear(play: Play[Here, Action], words: Words, table: Here) -> Action | None:
    """Out of turn an action for `check` to refuse; else what is wrong, where the view says it."""
    if play not in _offered(table):
        types = [str(part.type).partition("[")[0] for part in fields(play.kind)]
        blank: Action = play.kind(*[{"int": 0, "tuple": ()}.get(name, "") for name in types])
        return blank
    if play.kind in (actions.Lock, Rebuild) and not table.own:
        to = play.phrase.partition(" {")[0]
        raise ParseError("You have no exposed word on the table to {}.", to)
    if play.kind in (Add, Steal, Remove):
        _refuse_letter(play, words, table)
    if play.kind is Trade:
        _refuse_pairs(GRAMMAR.readings(play, words, table), table)
    return None


def _refuse_letter(play: Play[Here, Action], words: Words, table: Here) -> None:
    """The words that a letter could be added to or taken from."""
    pool, whose, of = table.theirs, "The others have", "them"
    if play.kind is Remove:
        pool, whose, of = table.own, "You have", "your words"
    for seat in [
        m.value for at in range(len(words)) for m in slots.read_seat(words, at, table) if not m.rank
    ]:
        pool, whose = [word for word in pool if word.owner == seat], f"{table.names[seat]} has"
    if not pool:
        raise ParseError("{} no exposed word on the table.", whose)
    for way in GRAMMAR.readings(play, words, table):
        if {*dict(way.said)} == {"letter", "word"} or (way.said and play.kind is Remove):
            wrong = f"{{}} can be taken from none of {of}: what is left must be a word."
            if play.kind is Add:
                wrong = "{} makes a word with none of them."
            raise ParseError(
                f"{wrong} {{}}: {{}}.", way.get("letter"), whose, slots.listed(pool, table)
            )


def _refuse_pairs(ways: Sequence[Reading], table: Here) -> None:
    """Letters and players that do not go together."""
    able = legal_actions.trade_partners(table.view, table.me)
    for way in ways:
        letters, seats = "".join(way.all("letter")), way.all("seat")
        if letters and seats and able:
            able.sort(key=lambda seat: seat not in seats)
            pairs = zip(able, dict.fromkeys(letters), strict=False)
            example = Trade(tuple([Offer(*pair) for pair in pairs]))
            raise ParseError(
                "Each partner gets one letter of yours, and chooses which one comes back. "
                "Type it like this: {}.", GRAMMAR.phrase(example, table),
            )  # fmt: skip


# -- a line ----------------------------------------------------------------------------------------


def _question(table: Here) -> str:
    return "discard" if legal_actions.cards_to_discard(table.view) else table.view.phase


def _offered(table: Here) -> list[Play[Here, Action]]:
    question = _question(table)
    return [p for p in PLAYS if question in p.asked] if legal_actions.may_act(table.view) else []


GRAMMAR: Grammar[Here, Action] = Grammar(
    PLAYS,
    question=_question,
    offered=_offered,
    unclear=_unclear,
    fillers=slots.FILLERS,
    choose=_choose,
    ask=_ask,
)


def parse(lexicon: Lexicon, line: str, view: View, names: SeatNames) -> Action:
    """What a line means for this seat.  ParseError or AmbiguousInput say what could be typed."""
    text = line.lower().replace("+", " + ").replace("#", " #").replace("seat #", "seat#")
    words = split(text, names, keep="#")
    if not words and view.phase in ("close", "removal"):
        return actions.Pass()
    if words[:1] == ["play"] and len(words) > 1:
        words = words[1:] if words[1] in GRAMMAR.by_word else ["form", *words[1:]]
    if words[:1] == ["end"] and words[-1] == "turn":
        words = ["done"]
    is_numbered = any(word[:1] == "#" and word[1:].isdigit() for word in words)  # as it is offered
    table = Here(view, names, lexicon, tuple(words), is_numbered)
    if 0 < len(words) <= WORDS_MAX and words[0] not in GRAMMAR.by_word:
        words = [*_left_out(words, table), *words]
    action: Action = GRAMMAR.parse(words, table)
    if isinstance(action, Steal) and not action.making:
        is_fine = table.why_not(action) == table.known.rejection_reason("")
        return _made_by_thief(action, table) if is_fine else action
    return action


def _left_out(words: Words, table: Here) -> list[str]:
    """The verb before letters that answer the open question, and before a word to be formed."""
    word, question, is_one = words[0], _question(table), len(words) == 1
    if question == "trade" and is_one and slots.is_letter(word):
        return ["give"]
    if question == "removal" and slots.is_letter(word) and not is_one:  # `p` is rather a pass
        return ["remove"]
    if question == "discard" and (
        all(map(slots.is_letter, words)) or (is_one and slots.is_held(word, table))
    ):
        return ["discard"]
    is_word = is_one and len(word) > 2 and table.known.is_word(word.upper())
    if question != "main" or table.view.seat != table.view.turn or not is_word:
        return []
    begun = GRAMMAR.beginnings(word, question)
    if begun and slots.is_held(word, table):  # `don`
        wrong = '"{}" could be a word or a play. Type form {} or {}.'
        raise AmbiguousInput(wrong, quoted(word), word, begun[0])
    return [] if begun else ["form"]


def phrase(action: Action, view: View, names: SeatNames) -> str:
    """Exactly what to type for *action*."""
    return GRAMMAR.phrase(action, Here(view, names))
