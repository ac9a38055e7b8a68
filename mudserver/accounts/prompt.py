"""The prompt that people write for themselves: text with fields.

Rule 1: the fields are a closed list, each at most once; nothing else may stand in braces.
Rule 2: a prompt always shows whether it is the person's turn: `{turn}` is in every template, and
        the text of the template may not say the same.
Rule 3: every prompt ends in `> `, which programs and people wait for.
"""

from __future__ import annotations

import re

from mudserver.accounts import texts
from mudserver.errors import UserError
from mudserver.sanitize import sanitize

TEMPLATE_CHARS_MAX = 40  # of a template; the values of its fields add some 25
YOUR_TURN = "your turn"
AWAY = "away"
FIELDS = ("table", "turn", "time")
_FIELD = re.compile(r"\{(\w+)\}")


def check_template(text: str) -> str:
    """The template as it is stored.  UserError: what is wrong with it."""
    text = " ".join(sanitize(text, "chat").split())
    text = text.removesuffix(">").rstrip()
    if len(text) > TEMPLATE_CHARS_MAX:
        raise UserError(texts.PROMPT_LENGTH.format(TEMPLATE_CHARS_MAX, len(text)), "usage")
    fields = _FIELD.findall(text)
    for field in fields:
        if field not in FIELDS:
            raise UserError(texts.PROMPT_UNKNOWN_FIELD.format(field), "usage")
        if fields.count(field) > 1:
            raise UserError(texts.PROMPT_FIELD_TWICE.format(field), "usage")
    words = _FIELD.sub(" ", text)
    if "{" in words or "}" in words:
        raise UserError(texts.PROMPT_BRACES, "usage")
    if YOUR_TURN in " ".join(words.casefold().split()):
        raise UserError(texts.PROMPT_SAYS_TURN, "usage")
    if "turn" not in fields:
        raise UserError(texts.PROMPT_WITHOUT_TURN, "usage")
    return text


def fill_template(template: str, place: str, turn: str, time: str) -> str:
    """The prompt for somebody at a place: `lobby`, `table 3`, `lesson 2/6`.

    Args:
        turn: YOUR_TURN, AWAY or "".
    """
    if template == "full":
        return f"{place}{', ' if turn else ''}{turn}> "
    if template == "short":
        return f"{turn}> "
    values = {"table": place, "turn": turn, "time": time}
    text = _FIELD.sub(lambda found: values.get(found[1], ""), template)
    return " ".join(text.split()) + "> "
