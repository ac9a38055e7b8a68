"""What a still screen may show more than before: that its table was paused, and goes on.

A record that is saved late, as on a busy disk, pauses a table of which nobody does anything.

Rule 1: only whole sentences about a pause may have come, right above the prompt.  Every other cell
        is the one before, or has left the screen at its top.
"""

from __future__ import annotations

from mudserver.tables import texts

Picture = tuple[list[str], tuple[int, int]]  # all rows; row and column of the cursor

PAUSES = (texts.SUSPENDED, texts.RESUMED, texts.RESUMED_WITHOUT_GAME)


def is_same_but_for_pauses(before: Picture, after: Picture) -> bool:
    """Whether *after* is *before*, or that with sentences about pauses [rule 1]."""
    (old, (row, column)), (new, (at, _)) = before, after
    for count in range(at + 1):
        added = new[at - count : at]
        if count and not _tells_of_pauses(added, is_cut=count == at == len(new) - 1):
            continue
        rows = [*old[:row], *added, old[row]][-len(old) :]
        below = old[row + 1 :] if not count else [""] * (len(old) - len(rows))
        if after == (rows + below, (len(rows) - 1, column)):
            return True
    return False


def _tells_of_pauses(rows: list[str], *, is_cut: bool) -> bool:
    """Args: is_cut: the first sentence may have lost its beginning."""
    text = " ".join(" ".join(rows).split())
    while ended := next((each for each in PAUSES if text.endswith(each)), None):
        text = text.removesuffix(ended).rstrip()
    is_begun = not text or (is_cut and any(each.endswith(text) for each in PAUSES))
    return is_begun and all(rows)  # none is empty
