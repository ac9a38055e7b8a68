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

from variants.contract import AmbiguousInput, ParseError, Seat, SeatNames
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
from variants.words.check import describe_hand, letter_with_article
from variants.words.language.arrangements import acting_seat, find_adds, find_removals, find_steals
from variants.words.language.disambiguation import TypedPlay, choose_legal, complete_steal
from variants.words.language.phrase import phrase as phrase
from variants.words.language.play_slots import parse_draw, parse_letters, parse_spelling
from variants.words.language.rebuilding import (
    find_rebuilds,
    find_word_number,
    find_word_numbers,
    split_words_and_letters,
)
from variants.words.language.slots import (
    Reading,
    find_readings,
    is_letter,
    is_letters,
    split_plus_signs,
    split_words,
)
from variants.words.language.trading import find_trades
from variants.words.language.unclear import reject_play, unknown_play
from variants.words.language.verbs import PLAY_VERBS as PLAY_VERBS
from variants.words.language.verbs import (
    ROLE_MARKERS,
    VERB_ALIASES,
    matching_verbs,
    resolve_verb,
    shorten_quote,
)
from variants.words.legal_actions import cards_to_discard, own_exposed_words
from variants.words.lexicon.lexicon import Lexicon
from variants.words.lexicon.multiset import is_within, letter_cards, missing_letters, sorted_letters
from variants.words.view import View

WORDS_MAX = 20  # in a play that names players; more is no play
PIECES_MAX = 80  # in one that names own words or letters

_FITS = {"add": find_adds, "steal": find_steals, "remove": find_removals}
_VERB_ONLY: Mapping[str, tuple[Action, frozenset[str]]] = {
    "done": (Done(), frozenset()),
    "out": (Out(), frozenset()),
    "pass": (Pass(), frozenset()),
    "end": (EndRound(), frozenset(("of", "round", "the", "game", "card", "this", "play"))),
}
"""Plays that stand alone, and the words that may follow."""


def parse(lexicon: Lexicon, line: str, view: View, names: SeatNames) -> Action:
    """What a line means for this seat.  NotUnderstood or Ambiguous say what could be typed."""
    words = split_words(line, names)
    if not words:
        if view.phase in ("close", "removal"):
            return Pass()
        raise unknown_play("", view)
    if words[0] == "play" and len(words) > 1:
        words = words[1:] if words[1] in VERB_ALIASES else ["form", *words[1:]]
    pieces = len(split_plus_signs(words))
    if pieces == 0 or pieces > PIECES_MAX:
        raise unknown_play(" ".join(words), view)
    word = words[0]
    if word not in VERB_ALIASES and (found := _parse_without_verb(words, lexicon, view)):
        return found
    verb = resolve_verb(word, view)
    if not verb:
        raise unknown_play(word, view)
    return _parse_play(TypedPlay(verb, tuple(words[1:]), lexicon, view, names))


def _parse_without_verb(words: Sequence[str], lexicon: Lexicon, view: View) -> Action | None:
    """Letters that answer the open question, and a word that is to be formed."""
    word = words[0]
    is_one = len(words) == 1
    if view.phase == "trade" and is_one and is_letter(word):
        return Answer(word.upper())
    if view.phase == "removal" and is_letter(word) and not is_one:  # `p` is rather a pass
        return _parse_letter_play(TypedPlay("remove", tuple(words), lexicon, view, ()))
    hand = letter_cards(view.hand)
    is_together = is_one and is_letters(word) and is_within(word.upper(), hand)
    if cards_to_discard(view) and (all(map(is_letter, words)) or is_together):
        return Discard(tuple("".join(words).upper()))
    if view.phase != "main" or not is_one or view.seat != view.turn or not is_letters(word):
        return None
    said = TypedPlay("form", (word,), lexicon, view, ())
    if len(word) < 3 or not said.valid_words.is_word(word.upper()):
        return None
    if not (verbs := matching_verbs(word, view)):
        return Form(word.upper())
    if is_within(word.upper(), hand):  # `don`
        raise AmbiguousInput(
            '"{}" could be a word or a play. Type form {} or {}.',
            shorten_quote(word), word, next(iter(verbs.values())),
        )  # fmt: skip
    return None


def _parse_play(said: TypedPlay) -> Action:
    verb, rest, view = said.verb, said.rest, said.view
    match verb:
        case "done" | "out" | "pass" | "end":
            return _parse_verb_only(said)
        case "go" | "play":
            if verb == "go" and rest in (("out",), ("end", "round"), ("end", "of", "round")):
                return Out()
            raise unknown_play(" ".join((verb, *rest)), view)
        case "draw":
            if (draw := parse_draw(rest, view)) is not None:
                return draw
            return reject_play(said, Draw(""))
        case "form":
            spelling = parse_spelling(rest)
            return Form(spelling) if spelling else reject_play(said, Form(""))
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
    return _parse_letter_play(said)


# -- plays that stand alone, and plays with letters ------------------------------------------------


def _parse_verb_only(said: TypedPlay) -> Action:
    action, tail = _VERB_ONLY[said.verb]
    if said.verb == "end" and said.rest and said.rest[-1] == "turn":
        return Done()
    if not tail.issuperset(said.rest):
        raise ParseError("{} stands alone. Type: {}.", said.verb.capitalize(),
                            phrase(action, said.view, said.names))  # fmt: skip
    return action


def _letters(said: TypedPlay) -> Action:
    found = parse_letters(said.rest)
    if said.verb == "give":
        if len(said.rest) == 2 and said.rest[0] == "a":  # `give a d`
            found = parse_letters(said.rest[1:])
        answers = [Answer(letters[0]) for letters in found if len(letters) == 1]
        return choose_legal(answers, said) if answers else reject_play(said, Answer(""))
    if not found:
        return reject_play(said, Discard(()))
    return choose_legal([Discard(letters) for letters in found], said)


def _trade(said: TypedPlay) -> Action:
    rest = split_plus_signs(said.rest)
    if len(rest) > WORDS_MAX:
        return reject_play(said, Trade(()))
    found = sorted(find_trades(rest, said.view, said.names), key=lambda way: way[:2])
    ranked = [(turns, trade) for rank, turns, trade in found if rank == found[0][0]]
    for turns in sorted({turns for turns, _ in ranked}):
        legal = [trade for n, trade in ranked if n == turns and said.is_legal(trade)]
        if legal:
            return choose_legal(legal, said)
    return ranked[0][1] if ranked else reject_play(said, Trade(()))


# -- own words -------------------------------------------------------------------------------------


def _lock(said: TypedPlay) -> Action:
    numbers, unknown = find_word_numbers(said.rest, said.view)
    if not unknown and not numbers:
        numbers = [word.number for word in own_exposed_words(said.view, acting_seat(said.view))]
        if numbers:
            return choose_legal([Lock(number) for number in numbers], said)
    if unknown or len(numbers) != 1:
        return reject_play(said, Lock(0), unknown)
    return Lock(numbers[0])


def _take(said: TypedPlay) -> Action:
    """`take up note`; before the options and after them what is taken is a card."""
    view = said.view
    if view.phase in ("draw", "settle") and (draw := parse_draw(said.rest, view)) is not None:
        return draw
    own = [word.number for word in own_exposed_words(view, acting_seat(view))]
    if own and "all" in said.rest and find_word_number("all", view) is None:
        return Rebuild(tuple(own), ())
    numbers, unknown = find_word_numbers(said.rest, view)
    if not unknown and not numbers and own:
        return choose_legal([Rebuild((number,), ()) for number in own], said)
    if unknown or not numbers:
        return reject_play(said, Rebuild((), ()), unknown)
    return Rebuild(tuple(numbers), ())


def _rebuild(said: TypedPlay) -> Action:
    found = find_rebuilds(said.rest, said.view, said.valid_words)
    if not found:
        return _spells_nothing(said)
    legal = [way for way in found if said.is_legal(way.action)]
    exact = [
        way.action
        for way in legal
        if sorted_letters(way.letters) in ("", said.from_hand(way.action))
    ]
    if exact:
        return choose_legal(exact, said)
    if legal:
        action = legal[0].action
        needed = said.from_hand(action)
        raise ParseError(
            "That takes {} from your hand. Type it like this: {}.",
            " ".join(needed) or "nothing", phrase(action, said.view, said.names),
        )  # fmt: skip
    return found[0].action


def _spells_nothing(said: TypedPlay) -> Action:
    """Own words and letters of which no word can be made; or what is neither."""
    numbers, letters = split_words_and_letters(said.rest, said.view)
    action = Rebuild(tuple(dict.fromkeys(numbers)), ())
    words = [word.spelling for word in said.view.words if word.number in numbers]
    if not numbers or (said.is_legal(action) and len(words) + len(letters) < 2):
        return reject_play(said, Rebuild((), ()), find_word_numbers(said.rest[:1], said.view)[1])
    if not said.is_legal(action):
        return action  # `check` says which word cannot be taken up
    if missing := missing_letters(letters, letter_cards(said.view.hand)):
        raise ParseError(
            "You do not hold {}. {}", letter_with_article(missing[0]), describe_hand(said.view)
        )
    raise ParseError(
        "{} together spell nothing. Try other letters, or take up the words alone.",
        join_words([*words, *letters], "and"),
    )


# -- a letter, and a word of the table -------------------------------------------------------------


def _parse_letter_play(said: TypedPlay) -> Action:
    """What fits the words: first what the letters allow, else what names its word."""
    rest, stand_in = split_plus_signs(said.rest), _PLACEHOLDERS[said.verb]
    if len(rest) > WORDS_MAX:
        return reject_play(said, stand_in)
    marks, people = ROLE_MARKERS[said.verb], () if said.verb == "remove" else said.names
    if any(word.startswith("#") for word in rest):  # as it is offered: nobody is named
        exact, _ = _fits(find_readings(rest, said.view, (), marks), said)
        if exact:
            return _of_exact(exact, said)
    found = find_readings(rest, said.view, people, marks)
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
    return reject_play(said, stand_in, letters[0] if is_said else "", named)


def _is_of(owner: Seat, action: Action, view: View) -> bool:
    theirs = {word.number for word in view.words if word.owner == owner}
    return not isinstance(action, Add | Steal) or action.word in theirs


def _fits(ways: Sequence[Reading], said: TypedPlay) -> tuple[list[Action], list[Action]]:
    """What fits exactly, nearest to the order of a phrase; and what fits loosely at all."""
    loose: list[Action] = []
    for turns in sorted({way.turns for way in ways}):
        near = [
            _FITS[said.verb](way, said.view, said.valid_words) for way in ways if way.turns == turns
        ]
        if exact := [action for fits in near for action in fits.exact]:
            return exact, []
        loose += [action for fits in near for action in fits.loose]
    return [], loose


def _of_exact(exact: Sequence[Action], said: TypedPlay) -> Action:
    steals = [action for action in exact if isinstance(action, Steal)]
    return complete_steal(steals, said) if steals else choose_legal(exact, said)


_PLACEHOLDERS: Mapping[str, Action] = {
    "add": Add("", 0, ""),
    "steal": Steal("", 0, "", ""),
    "remove": Remove("", 0, ""),
}
