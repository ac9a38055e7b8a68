"""What is said where a line fits no play.

Rule 1: a sentence says what is wrong with the words, then how the play is typed.
Rule 2: who is not asked for such a play hears that instead, from `check`.
"""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import IllegalAction, NotUnderstood, Seat
from variants.words.actions import Action
from variants.words.arrangements import others_exposed, speaker
from variants.words.asking import Said
from variants.words.moves import may_act, own_exposed
from variants.words.phases import refuse_out_of_turn
from variants.words.reading import parts
from variants.words.refusals import held
from variants.words.trading import ITEMS_MAX, mispaired
from variants.words.verbs import FORMS, asked_for, quoted
from variants.words.view import View, WordView

LISTED_MAX = 8  # words of the table in one sentence
_WITH_LETTER = {
    "add": "{} makes a word with none of them.",
    "steal": "{} can be taken from none of them: what is left must be a word.",
    "remove": "{} can be taken from none of your words: what is left must be a word.",
}


def not_understood(text: str, view: View) -> NotUnderstood:
    """What was said, and the plays there are now; out of turn, the plays there are at all."""
    if not text:
        return NotUnderstood("Type a play; moves lists what you can do now.")
    if not may_act(view):
        forms = "; ".join(FORMS.values())
        return NotUnderstood('"{}" is no play. The plays: {}.', quoted(text), forms)
    forms = "; ".join([FORMS[verb] for verb in asked_for(view)])
    return NotUnderstood('"{}" is no play here. You can type: {}.', quoted(text), forms)


def unclear(said: Said, stand_in: Action, unknown: str = "", named: Seat | None = None) -> Action:
    """What is wrong with the words after a verb that is right, and how that play is typed.

    Args:
        stand_in: A play of that kind, for the refusal of who is not asked for one.
        unknown: A word that should be one of the table, and is not; or a letter that fits none.
        named: The other whose words are meant.
    """
    wrong, *about = _wrong(said, unknown, named)
    return instead(said, stand_in, NotUnderstood(wrong, *about))


def instead(said: Said, stand_in: Action, refusal: NotUnderstood) -> Action:
    """*stand_in*, if who types is not asked for such a play, so that `check` says so."""
    try:
        refuse_out_of_turn(said.view, stand_in)
    except IllegalAction:
        return stand_in
    raise refusal


def _wrong(said: Said, unknown: str, named: Seat | None) -> tuple[str, ...]:
    """A sentence and its fields."""
    verb, view, form = said.verb, said.view, FORMS[said.verb]
    line, me = quoted(" ".join((verb, *said.rest))), speaker(view)
    no_play = '"{}" is no play here.' if said.rest else '"{}" needs a little more.'
    if verb in ("lock", "take", "rebuild"):
        if not (own := _listed(own_exposed(view, me), said)):
            return "You have no exposed word on the table to {}.", form.split(" WORD")[0]
        if unknown:
            wrong = 'You have no word "{}" on the table. You have: {}. Type it like this: {}.'
            return wrong, quoted(unknown), own, form
        return f"{no_play} You have: {{}}. Type it like this: {{}}.", line, own, form
    if verb in _WITH_LETTER:
        if verb == "remove":
            own, whose = _listed(own_exposed(view, me), said), "You have"
        else:
            theirs = [it for it in others_exposed(view) if named in (None, it.owner)]
            own, whose = _listed(theirs, said, named), "The others have"
            if named is not None:
                whose = f"{said.names[named]} has"
        if not own:
            return ("{} no exposed word on the table.", whose)
        if unknown:
            return f"{_WITH_LETTER[verb]} {{}}: {{}}.", unknown, whose, own
        return f"{no_play} {{}}: {{}}. Type it like this: {{}}.", line, whose, own, form
    if verb == "trade" and (reason := mispaired(parts(said.rest)[:ITEMS_MAX], view, said.names)):
        return reason
    if verb in ("give", "discard", "form", "trade"):
        return f"{no_play} Type it like this: {{}}. {{}}", line, form, held(view)
    return f"{no_play} Type it like this: {{}}.", line, form


def _listed(words: Sequence[WordView], said: Said, named: Seat | None = None) -> str:
    """`3 EAST of Bob, 4 OVER of Cy`; without a name the own ones, and those of who is *named*."""
    unsaid = (speaker(said.view), named)
    told = [
        f"{word.number} {word.spelling}"
        + ("" if word.owner in unsaid else f" of {said.names[word.owner]}")
        for word in words[:LISTED_MAX]
    ]
    more = len(words) - len(told)
    return ", ".join([*told, *([f"{more} more"] if more else [])])
