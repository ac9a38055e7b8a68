"""Places of a replay as rows of a text, and as bytes for a recorded terminal."""

from __future__ import annotations

from mudserver.messages import ReplayStep
from mudserver.service.game_exports import COLS, TEXT_COLS
from mudserver.session.presenter import event_lines, replay_lines
from mudserver.session.replay_lines import header, last_lines
from mudserver.ui.encode import encode_lines, wrap_line
from mudserver.ui.terminal_profile import TerminalProfile
from variants.catalogue import Catalogue
from variants.kit.text import Style, plain_text, styled_line


class ReplayPainter:
    """A `game_exports.Painter`."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._terminal = TerminalProfile(COLS, colours="16")

    def text(self, step: ReplayStep) -> list[str]:
        variant, style = self._catalogue[step.view.variant], Style(TEXT_COLS)
        lines = [line for event in step.events for line in event_lines((event,), style, variant)]
        return [plain_text(row) for line in lines for row in wrap_line(line, TEXT_COLS, "utf-8")]

    def painted(self, step: ReplayStep, *, has_board: bool) -> str:
        variant, style = self._catalogue[step.view.variant], Style(COLS, has_forms=False)
        if has_board:
            lines = [(), styled_line((header(step), "title")), *replay_lines(step, style, variant)]
        else:
            told = [it for event in step.events for it in event_lines((event,), style, variant)]
            lines = [*told, *last_lines(step)]
        return encode_lines(lines, self._terminal).decode()
