"""The line that was begun, when its session goes on in another process or at another terminal.

Rule 1: a door types again whatever it keeps: all that came behind the last line that has begun.  So
        a capsule need not have the line.
Rule 2: it has the line where no door would type it: what came from another terminal, and what was
        too long for the door.  With it goes the offset in the input up to which it is contained.
        If a line has begun behind that, it was this one.
Rule 3: a process that ends by plan leaves the row of the prompt besides, as it stands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from mudserver.transport.link import Link
from mudserver.ui.screen import Screen
from mudserver.wall.capsule import ROW_BYTES_MAX, Capsule

if TYPE_CHECKING:  # prompt_toolkit is loaded after the start: `service/preloading.py`
    from mudserver.ui.fullscreen.screen import FullScreen


class Begun(NamedTuple):
    text: str = ""
    cursor: int = 0
    pending: bytes = b""  # a key or a paste, as of `KeyParser.pending`
    offset: int = 0  # in the input; what comes behind it is not contained


class CarriedLine:
    """Args: screen: The one that the session has now."""

    __slots__ = ("_kept", "_link", "_screen")

    def __init__(self, link: Link, screen: Callable[[], Screen | FullScreen]) -> None:
        self._link, self._screen = link, screen
        self._kept: Begun | None = None  # None: a door would type it again [rule 1]

    @property
    def is_kept(self) -> bool:
        return self._kept is not None

    def keep(self) -> None:
        """No door types again what stands at the prompt."""
        state, holder = self._screen().input_state, self._link.holder
        editor, offset = state.lines_editor, 0 if holder is None else holder.heard
        self._kept = Begun(editor.text, editor.cursor, state.keys.pending, offset)

    def put(self, text: str, cursor: int) -> None:
        """Have *text* stand at the prompt, which nobody has typed here."""
        self._screen().input_state.lines_editor.replace_text(text, cursor)
        self.keep()

    def forget(self) -> None:
        """The line was sent."""
        self._kept = None

    # -- leaving ---------------------------------------------------------------------------------

    def in_capsule(self, capsule: Capsule) -> Capsule:
        """*capsule* with the line, if it is kept."""
        if (begun := self._kept) is None:
            return capsule
        return replace(
            capsule,
            draft=begun.text,
            cursor=begun.cursor,
            unfinished=begun.pending,
            input_offset=begun.offset,
        )

    def with_row(self, capsule: Capsule, *, has_errand: bool = False) -> Capsule:
        """*capsule* with the row of the prompt and the line in it, if they are known to stand.

        Args:
            has_errand: The only line that is not settled is done by the other process.
        """
        holder, screen = self._link.holder, self._screen()
        row = screen.standing_row if isinstance(screen, Screen) else b""
        is_known = holder is not None and (has_errand or holder.is_between_lines)
        if not is_known or not 0 < len(row) <= ROW_BYTES_MAX:
            return capsule
        self.keep()
        return replace(self.in_capsule(capsule), row=row)

    # -- going on --------------------------------------------------------------------------------

    def take_up(self, capsule: Capsule) -> None:
        """Let the row stand that the process before has left, or begin a new one."""
        holder, screen = self._link.holder, self._screen()
        assert holder is not None
        has_line = holder.keep_input_until(capsule.input_offset)
        is_known = has_line and not (holder.has_waited or holder.is_line_uncertain)
        if capsule.row and is_known and isinstance(screen, Screen):
            screen.adopt_row(capsule.row, capsule.draft, capsule.cursor)
        elif not holder.walk:  # else no row stands
            self.begin_row()
        if has_line:
            state = screen.input_state
            state.lines_editor.replace_text(capsule.draft, capsule.cursor)
            state.keys.resume(capsule.unfinished)
            self._kept = Begun(
                *(capsule.draft, capsule.cursor, capsule.unfinished, capsule.input_offset)
            )

    def begin_row(self) -> None:
        """Where a prompt stands that cannot be erased, perhaps with a line begun."""
        holder, screen = self._link.holder, self._screen()
        is_new_row = holder is not None and holder.has_waited
        if isinstance(screen, Screen) and not (screen.erases_its_row or is_new_row):
            screen.begin_row()
