"""The words with which a play begins.

Rule 1: a whole word wins over a bare spelling, and a verb may be begun only.  What the open
        question asks for is tried first; what could be two verbs is asked back.
Rule 2: what ends a turn or a round is begun with two letters at least.
Rule 3: the house keeps its own words and their letters: l, h, r, t, w, q begin no verb here.
"""

from __future__ import annotations

from collections.abc import Mapping

from variants.contract import AmbiguousInput
from variants.kit.text import join_words
from variants.words.legal_actions import cards_to_discard
from variants.words.view import View

QUOTED_MAX = 30  # characters of a line that are said back

PLAY_VERBS = (
    "draw", "form", "add", "steal", "lock", "rebuild", "take", "collect", "trade", "give",
    "discard", "done", "out", "end", "pass", "remove",
)  # fmt: skip

VERB_ALIASES: dict[str, str] = {
    **{verb: verb for verb in PLAY_VERBS},
    "lay": "form", "spell": "form", "collect": "take", "pick": "take", "rearrange": "rebuild",
    "swap": "trade", "exchange": "trade", "drop": "discard", "finish": "done", "play": "play",
    "go": "go", "call": "go",
}  # fmt: skip
"""First words, and the verb that each stands for."""

_ENDS = ("done", "out", "end")
_ASKED_FOR: Mapping[str, tuple[str, ...]] = {
    "draw": ("draw",),
    "main": ("form", "add", "steal", "lock", "rebuild", "take", "trade", "done", "out"),
    "trade": ("give",),
    "settle": ("draw",),
    "close": ("end", "pass"),
    "removal": ("remove", "pass"),
}

USAGES: Mapping[str, str] = {
    "draw": "draw, draw 2, draw discard",
    "form": "form WORD",
    "add": "add LETTER to NAME WORD",
    "steal": "steal LETTER from NAME WORD leaving WORD making WORD",
    "lock": "lock WORD",
    "rebuild": "rebuild WORD+LETTERS as WORD",
    "take": "take up WORD",
    "trade": "trade LETTER with NAME",
    "give": "give LETTER",
    "discard": "discard LETTERS",
    "remove": "remove LETTER from WORD",
    "done": "done",
    "out": "out",
    "end": "end round",
    "pass": "pass",
}
"""How each play is typed, by its verb."""

_LEAVING = {"leaving": "leaving", "leaves": "leaving", "leave": "leaving"}
ROLE_MARKERS: Mapping[str, Mapping[str, str]] = {
    "add": {"as": "new", "into": "new", "making": "new", "make": "new", "for": "new"},
    "steal": {**_LEAVING, "making": "making", "makes": "making", "make": "making",
              "form": "making", "forming": "making", "for": "making", "into": "making",
              "as": "making"},
    "remove": {**_LEAVING, "as": "leaving", "making": "leaving", "into": "leaving"},
}  # fmt: skip
"""Words before a spelling that say what it is."""


def expected_verbs(view: View) -> tuple[str, ...]:
    """The verbs that the open question takes."""
    if cards_to_discard(view):
        return ("discard",)
    return _ASKED_FOR.get(view.phase, ())


def matching_verbs(word: str, view: View) -> dict[str, str]:
    """Verbs that *word* begins, and the words begun: those that are asked for, if any is."""
    found = {
        VERB_ALIASES[whole]: whole for whole in reversed(VERB_ALIASES) if whole.startswith(word)
    }
    if len(word) == 1:
        found = {verb: whole for verb, whole in found.items() if verb not in _ENDS}
    now = {verb: whole for verb, whole in found.items() if verb in expected_verbs(view)}
    return now or found


def resolve_verb(word: str, view: View) -> str:
    """The verb that a word is or begins; "" if none.  Ambiguous if there are several."""
    if word in VERB_ALIASES:
        return VERB_ALIASES[word]
    found = matching_verbs(word, view)
    if len(found) > 1:
        words = sorted(found.values())
        raise AmbiguousInput(
            f'"{{}}" could be {join_words(["{}"] * len(words), "or")}. Type a little more.',
            shorten_quote(word), *words,
        )  # fmt: skip
    return next(iter(found), "")


def shorten_quote(text: str) -> str:
    """What was typed, its beginning if it is long."""
    return text if len(text) <= QUOTED_MAX else text[: QUOTED_MAX - 3] + "..."
