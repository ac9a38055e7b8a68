"""Why a move is advised, as a game says it to the seat that it advises."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

CODES_MAX = 12  # of a game, besides ONLY_MOVE
REASONS_MAX = 2  # for one move


class Reason(NamedTuple):
    """One reason.

    Args:
        code: For programs; several sentences of one idea share it.
        template: A sentence with `{}` or `{0}` fields.
        about: What fills them.  An int is a seat and is shown as its name; a str as it stands.
    """

    code: str
    template: str
    about: tuple[int | str, ...] = ()

    def format(self, names: Sequence[str]) -> str:
        return self.template.format(
            *(names[it] if isinstance(it, int) else it for it in self.about)
        )


ONLY_MOVE = Reason("only_move", "It is the only move.")
