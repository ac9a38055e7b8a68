"""A typed line becomes an action, and an action what to type.

Rule 1: forgiving in form, strict in meaning.  Case, fillers, the order of letter, player and word,
        and any abbreviation that fits one thing only do not matter; an arrangement that is left
        out is found where one only is valid.  What fits two is asked back with the choices, each
        exactly as it can be typed.
Rule 2: the grammar does not judge.  A play that is well said and forbidden becomes an action, also
        one with letters that are not there, so that `check` can say why.  Out of turn every play
        does, whatever words follow its verb.
Rule 3: what a line means follows from the line, the own view and the word list alone.  [G-03]
        [G-12]  No word beyond the table's hints is named that was not typed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from variants.contract import Ambiguous, Names, NotUnderstood, Seat
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
from variants.words.arrangements import adds, removals, speaker, steals
from variants.words.asking import Said, chosen, made_by_thief
from variants.words.lettering import draw_said, letters_said, spelling_said
from variants.words.lexicon import Lexicon
from variants.words.moves import own_exposed, surplus
from variants.words.phrasing import phrase as phrase
from variants.words.reading import Reading, is_letter, is_letters, parts, readings, words_of
from variants.words.rebuilding import own_numbers, own_word, rebuildings, taken
from variants.words.refusals import a_letter, held
from variants.words.spelled import in_order, is_within, lacking, letter_cards
from variants.words.trading import trades
from variants.words.unclear import not_understood, unclear
from variants.words.verbs import MARKS, PLAYS, begun, quoted, verb_of
from variants.words.verbs import VERBS as VERBS
from variants.words.view import View

WORDS_MAX = 20  # in a play that names players; more is no play
PIECES_MAX = 80  # in one that names own words or letters

_FITS = {"add": adds, "steal": steals, "remove": removals}
_ALONE: Mapping[str, tuple[Action, frozenset[str]]] = {
    "done": (Done(), frozenset()),
    "out": (Out(), frozenset()),
    "pass": (Pass(), frozenset()),
    "end": (EndRound(), frozenset(("of", "round", "the", "game", "card", "this", "play"))),
}
"""Plays that stand alone, and the words that may follow."""


def parse(lexicon: Lexicon, line: str, view: View, names: Names) -> Action:
    """What a line means for this seat.  NotUnderstood or Ambiguous say what could be typed."""
    words = words_of(line, names)
    if not words:
        if view.phase in ("close", "removal"):
            return Pass()
        raise not_understood("", view)
    if words[0] == "play" and len(words) > 1:
        words = words[1:] if words[1] in PLAYS else ["form", *words[1:]]
    pieces = len(parts(words))
    if pieces == 0 or pieces > PIECES_MAX:
        raise not_understood(" ".join(words), view)
    word = words[0]
    if word not in PLAYS and (found := _bare(words, lexicon, view)):
        return found
    verb = verb_of(word, view)
    if not verb:
        raise not_understood(word, view)
    return _said(Said(verb, tuple(words[1:]), lexicon, view, names))


def _bare(words: Sequence[str], lexicon: Lexicon, view: View) -> Action | None:
    """Letters that answer the open question, and a word that is to be formed."""
    word = words[0]
    is_one = len(words) == 1
    if view.phase == "trade" and is_one and is_letter(word):
        return Answer(word.upper())
    if view.phase == "removal" and is_letter(word) and not is_one:  # `p` is rather a pass
        return _fitting(Said("remove", tuple(words), lexicon, view, ()))
    hand = letter_cards(view.hand)
    is_together = is_one and is_letters(word) and is_within(word.upper(), hand)
    if surplus(view) and (all(map(is_letter, words)) or is_together):
        return Discard(tuple("".join(words).upper()))
    if view.phase != "main" or not is_one or view.seat != view.turn or not is_letters(word):
        return None
    said = Said("form", (word,), lexicon, view, ())
    if len(word) < 3 or not said.known.is_word(word.upper()):
        return None
    if not (verbs := begun(word, view)):
        return Form(word.upper())
    if is_within(word.upper(), hand):  # `don`
        raise Ambiguous(
            '"{}" could be a word or a play. Type form {} or {}.',
            quoted(word), word, next(iter(verbs.values())),
        )  # fmt: skip
    return None


def _said(said: Said) -> Action:
    verb, rest, view = said.verb, said.rest, said.view
    match verb:
        case "done" | "out" | "pass" | "end":
            return _alone(said)
        case "go" | "play":
            if verb == "go" and rest in (("out",), ("end", "round"), ("end", "of", "round")):
                return Out()
            raise not_understood(" ".join((verb, *rest)), view)
        case "draw":
            if (draw := draw_said(rest, view)) is not None:
                return draw
            return unclear(said, Draw(""))
        case "form":
            spelling = spelling_said(rest)
            return Form(spelling) if spelling else unclear(said, Form(""))
        case "give" | "discard":
            return _letters(said)
        case "lock":
            return _lock(said)
        case "take":
            return _take(said)
        case "rebuild":
            return _rebuild(said)
        case "trade":
            return _trade(said)
    return _fitting(said)


# -- plays that stand alone, and plays with letters ------------------------------------------------


def _alone(said: Said) -> Action:
    action, tail = _ALONE[said.verb]
    if said.verb == "end" and said.rest and said.rest[-1] == "turn":
        return Done()
    if not tail.issuperset(said.rest):
        raise NotUnderstood("{} stands alone. Type: {}.", said.verb.capitalize(),
                            phrase(action, said.view, said.names))  # fmt: skip
    return action


def _letters(said: Said) -> Action:
    found = letters_said(said.rest)
    if said.verb == "give":
        if len(said.rest) == 2 and said.rest[0] == "a":  # `give a d`
            found = letters_said(said.rest[1:])
        answers = [Answer(letters[0]) for letters in found if len(letters) == 1]
        return chosen(answers, said) if answers else unclear(said, Answer(""))
    if not found:
        return unclear(said, Discard(()))
    return chosen([Discard(letters) for letters in found], said)


def _trade(said: Said) -> Action:
    rest = parts(said.rest)
    if len(rest) > WORDS_MAX:
        return unclear(said, Trade(()))
    found = sorted(trades(rest, said.view, said.names), key=lambda way: way[:2])
    ranked = [(turns, trade) for rank, turns, trade in found if rank == found[0][0]]
    for turns in sorted({turns for turns, _ in ranked}):
        legal = [trade for n, trade in ranked if n == turns and said.is_legal(trade)]
        if legal:
            return chosen(legal, said)
    return ranked[0][1] if ranked else unclear(said, Trade(()))


# -- own words -------------------------------------------------------------------------------------


def _lock(said: Said) -> Action:
    numbers, unknown = own_numbers(said.rest, said.view)
    if not unknown and not numbers:
        numbers = [word.number for word in own_exposed(said.view, speaker(said.view))]
        if numbers:
            return chosen([Lock(number) for number in numbers], said)
    if unknown or len(numbers) != 1:
        return unclear(said, Lock(0), unknown)
    return Lock(numbers[0])


def _take(said: Said) -> Action:
    """`take up note`; before the options and after them what is taken is a card."""
    view = said.view
    if view.phase in ("draw", "settle") and (draw := draw_said(said.rest, view)) is not None:
        return draw
    own = [word.number for word in own_exposed(view, speaker(view))]
    if own and "all" in said.rest and own_word("all", view) is None:
        return Rebuild(tuple(own), ())
    numbers, unknown = own_numbers(said.rest, view)
    if not unknown and not numbers and own:
        return chosen([Rebuild((number,), ()) for number in own], said)
    if unknown or not numbers:
        return unclear(said, Rebuild((), ()), unknown)
    return Rebuild(tuple(numbers), ())


def _rebuild(said: Said) -> Action:
    found = rebuildings(said.rest, said.view, said.known)
    if not found:
        return _spells_nothing(said)
    legal = [way for way in found if said.is_legal(way.action)]
    exact = [
        way.action for way in legal if in_order(way.letters) in ("", said.from_hand(way.action))
    ]
    if exact:
        return chosen(exact, said)
    if legal:
        action = legal[0].action
        needed = said.from_hand(action)
        raise NotUnderstood(
            "That takes {} from your hand. Type it like this: {}.",
            " ".join(needed) or "nothing", phrase(action, said.view, said.names),
        )  # fmt: skip
    return found[0].action


def _spells_nothing(said: Said) -> Action:
    """Own words and letters of which no word can be made; or what is neither."""
    numbers, letters = taken(said.rest, said.view)
    action = Rebuild(tuple(dict.fromkeys(numbers)), ())
    words = [word.spelling for word in said.view.words if word.number in numbers]
    if not numbers or (said.is_legal(action) and len(words) + len(letters) < 2):
        return unclear(said, Rebuild((), ()), own_numbers(said.rest[:1], said.view)[1])
    if not said.is_legal(action):
        return action  # `check` says which word cannot be taken up
    if missing := lacking(letters, letter_cards(said.view.hand)):
        raise NotUnderstood("You do not hold {}. {}", a_letter(missing[0]), held(said.view))
    raise NotUnderstood(
        "{} together spell nothing. Try other letters, or take up the words alone.",
        series([*words, *letters], "and"),
    )


# -- a letter, and a word of the table -------------------------------------------------------------


def _fitting(said: Said) -> Action:
    """What fits the words: first what the letters allow, else what names its word."""
    rest, stand_in = parts(said.rest), _STAND_INS[said.verb]
    if len(rest) > WORDS_MAX:
        return unclear(said, stand_in)
    marks, people = MARKS[said.verb], () if said.verb == "remove" else said.names
    if any(word.startswith("#") for word in rest):  # as it is offered: nobody is named
        exact, _ = _fits(readings(rest, said.view, (), marks), said)
        if exact:
            return _of_exact(exact, said)
    found = readings(rest, said.view, people, marks)
    named = next((way.seat for way in found if way.rank == 0), None)
    for is_vague, rank in sorted({(not way.letter, way.rank) for way in found}):
        ranked = [way for way in found if (not way.letter, way.rank) == (is_vague, rank)]
        exact, loose = _fits(ranked, said)
        if exact:
            return _of_exact(exact, said)
        is_numbered = any(way.number is not None for way in ranked)
        if named is not None and not is_numbered:  # no word of anybody else is meant
            loose = [action for action in loose if _is_of(named, action, said.view)]
        if loose:
            return loose[0]
    letters = [way.letter for way in found if way.letter and not way.spelled]
    is_said = letters and (said.verb == "remove" or len(rest) > 1)
    return unclear(said, stand_in, letters[0] if is_said else "", named)


def _is_of(owner: Seat, action: Action, view: View) -> bool:
    theirs = {word.number for word in view.words if word.owner == owner}
    return not isinstance(action, Add | Steal) or action.word in theirs


def _fits(ways: Sequence[Reading], said: Said) -> tuple[list[Action], list[Action]]:
    """What fits exactly, nearest to the order of a phrase; and what fits loosely at all."""
    loose: list[Action] = []
    for turns in sorted({way.turns for way in ways}):
        near = [_FITS[said.verb](way, said.view, said.known) for way in ways if way.turns == turns]
        if exact := [action for fits in near for action in fits.exact]:
            return exact, []
        loose += [action for fits in near for action in fits.loose]
    return [], loose


def _of_exact(exact: Sequence[Action], said: Said) -> Action:
    steals = [action for action in exact if isinstance(action, Steal)]
    return made_by_thief(steals, said) if steals else chosen(exact, said)


_STAND_INS: Mapping[str, Action] = {
    "add": Add("", 0, ""),
    "steal": Steal("", 0, "", ""),
    "remove": Remove("", 0, ""),
}
