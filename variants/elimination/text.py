"""Events and views in words."""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import Names, Seat
from variants.elimination.events import Event
from variants.elimination.view import View
from variants.kit.text import Line, Style, line


def tell(event: Event, seat: Seat | None, names: Names, style: Style) -> Line | None:
    return line(str(event))


def render(view: View, names: Names, style: Style) -> Sequence[Line]:
    return [line(str(view))]
