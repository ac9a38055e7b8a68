"""What is said where a line fits no play.

Rule 1: a sentence says what is wrong with the words, then how the play is typed.
Rule 2: who is not asked for such a play hears that instead, from `check`.
"""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import IllegalAction, ParseError, Seat
from variants.words.actions import Action
from variants.words.check import describe_hand, refuse_out_of_turn
from variants.words.language.arrangements import acting_seat, others_exposed_words
from variants.words.language.disambiguation import TypedPlay
from variants.words.language.slots import split_plus_signs
from variants.words.language.trading import ITEMS_MAX, explain_mispairing
from variants.words.language.verbs import USAGES, expected_verbs, shorten_quote
from variants.words.legal_actions import may_act, own_exposed_words
from variants.words.view import View, WordView

TABLE_WORDS_MAX = 8  # words of the table in one sentence
_WITH_LETTER = {
    "add": "{} makes a word with none of them.",
    "steal": "{} can be taken from none of them: what is left must be a word.",
    "remove": "{} can be taken from none of your words: what is left must be a word.",
}


def unknown_play(text: str, view: View) -> ParseError:
    """What was said, and the plays there are now; out of turn, the plays there are at all."""
    if not text:
        return ParseError("Type a play; moves lists what you can do now.")
    if not may_act(view):
        forms = "; ".join(USAGES.values())
        return ParseError('"{}" is no play. The plays: {}.', shorten_quote(text), forms)
    forms = "; ".join([USAGES[verb] for verb in expected_verbs(view)])
    return ParseError('"{}" is no play here. You can type: {}.', shorten_quote(text), forms)


def reject_play(
    said: TypedPlay, stand_in: Action, unknown: str = "", named: Seat | None = None
) -> Action:
    """What is wrong with the words after a verb that is right, and how that play is typed.

    Args:
        stand_in: A play of that kind, for the refusal of who is not asked for one.
        unknown: A word that should be one of the table, and is not; or a letter that fits none.
        named: The other whose words are meant.
    """
    wrong, *about = _wrong(said, unknown, named)
    return raise_if_in_turn(said, stand_in, ParseError(wrong, *about))


def raise_if_in_turn(said: TypedPlay, stand_in: Action, refusal: ParseError) -> Action:
    """*stand_in*, if who types is not asked for such a play, so that `check` says so."""
    try:
        refuse_out_of_turn(said.view, stand_in)
    except IllegalAction:
        return stand_in
    raise refusal


def _wrong(said: TypedPlay, unknown: str, named: Seat | None) -> tuple[str, ...]:
    """A sentence and its fields."""
    verb, view, form = said.verb, said.view, USAGES[said.verb]
    line, me = shorten_quote(" ".join((verb, *said.rest))), acting_seat(view)
    no_play = '"{}" is no play here.' if said.rest else '"{}" needs a little more.'
    if verb in ("lock", "take", "rebuild"):
        if not (own := _listed(own_exposed_words(view, me), said)):
            return "You have no exposed word on the table to {}.", form.split(" WORD")[0]
        if unknown:
            wrong = 'You have no word "{}" on the table. You have: {}. Type it like this: {}.'
            return wrong, shorten_quote(unknown), own, form
        return f"{no_play} You have: {{}}. Type it like this: {{}}.", line, own, form
    if verb in _WITH_LETTER:
        if verb == "remove":
            own, whose = _listed(own_exposed_words(view, me), said), "You have"
        else:
            theirs = [it for it in others_exposed_words(view) if named in (None, it.owner)]
            own, whose = _listed(theirs, said, named), "The others have"
            if named is not None:
                whose = f"{said.names[named]} has"
        if not own:
            return ("{} no exposed word on the table.", whose)
        if unknown:
            return f"{_WITH_LETTER[verb]} {{}}: {{}}.", unknown, whose, own
        return f"{no_play} {{}}: {{}}. Type it like this: {{}}.", line, whose, own, form
    if verb == "trade" and (
        reason := explain_mispairing(split_plus_signs(said.rest)[:ITEMS_MAX], view, said.names)
    ):
        return reason
    if verb in ("give", "discard", "form", "trade"):
        return f"{no_play} Type it like this: {{}}. {{}}", line, form, describe_hand(view)
    return f"{no_play} Type it like this: {{}}.", line, form


def _listed(words: Sequence[WordView], said: TypedPlay, named: Seat | None = None) -> str:
    """`3 EAST of Bob, 4 OVER of Cy`; without a name the own ones, and those of who is *named*."""
    unsaid = (acting_seat(said.view), named)
    told = [
        f"{word.number} {word.spelling}"
        + ("" if word.owner in unsaid else f" of {said.names[word.owner]}")
        for word in words[:TABLE_WORDS_MAX]
    ]
    more = len(words) - len(told)
    return ", ".join([*told, *([f"{more} more"] if more else [])])
