"""What a reader of a replay is shown of one place in it, beside the events and the board."""

from __future__ import annotations

from mudserver import messages as m
from mudserver.clock import format_second_in_zone
from variants.catalogue import AnyVariant
from variants.kit.text import Span, Style, StyledLine, duration, join_words, styled_line
from variants.kit.wrap import wrap_parts

WORDS = "Enter: on. back, turn 3, at 45, end, seat NAME, moves, leave"
SHORT_WORDS = "Enter, back, moves, leave"
SPOKEN_WORDS = "Enter is the next decision. To hear the table, type look. To leave, type leave."


def header(step: m.ReplayStep) -> str:
    """`Game 1042, words, decision 45 of 161, seen by bob, 12:31:08 (after 22 s)`."""
    place = f"decision {step.position} of {step.of}" if step.position else "the deal"
    seen = step.eyes if step.hands else f"seen by {step.eyes}"
    time = format_second_in_zone(step.at_ms, step.time_zone)
    waited = "" if step.waited_ms is None else f" (after {duration(step.waited_ms / 1000)})"
    return f"{step.title}, {step.view.variant}, {place}, {seen}, {time}{waited}"


def hands_lines(step: m.ReplayStep, style: Style, variant: AnyVariant) -> list[StyledLine]:
    """What each seat holds, where all cards are up."""
    found = [
        (Span(f"{name}: "), *held)
        for name, view in zip(step.view.names, step.hands, strict=bool(step.hands))
        if (held := variant.held_now(view, style))
    ]
    return wrap_parts(styled_line("Hands: "), found, style.width, "; ") if found else []


def last_lines(step: m.ReplayStep) -> list[StyledLine]:
    """How the game ended, or who is asked then."""
    if step.result:
        return [styled_line((step.result, "strong"))]
    if not step.view.asked:
        return []
    names = join_words([step.view.names[seat] for seat in step.view.asked])
    return [styled_line((f"{names} {step.view.asks}.", "dim"))]
