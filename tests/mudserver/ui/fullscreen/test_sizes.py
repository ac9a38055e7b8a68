"""Every game, size and charset: nothing is wider than the terminal, nothing is lost."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from mudserver.session.fullscreen_feed import LAYOUTS
from mudserver.session.render_profile import with_columns
from mudserver.ui.charset import transliterate
from mudserver.ui.encode import wrap_line
from mudserver.ui.fullscreen.layout import table_cols, table_rows_max
from tests.mudserver.ui.fullscreen.harness import SIZES, TwoScreenEmulator
from tests.mudserver.ui.fullscreen.watched import play, sit_down, told
from tests.prompts import TABLE_1_TURN
from tests.simulation.server import ANSI
from tests.slow_cases import every_second
from variants.catalogue import CATALOGUE
from variants.kit.boxes import BOX_WIDTH_MIN
from variants.kit.text import plain_text

CHARSETS = ("utf-8", "ascii", "latin-1", "cp437")
BEYOND = 60  # columns behind the edge, where nothing may be written


@pytest.mark.parametrize(("game", "size", "charset"), every_second(CATALOGUE, SIZES, CHARSETS))
def test_a_game_fits(game, size, charset):
    cols, rows = size

    async def scenario(server, ann):
        bob = await sit_down(server, ann, game)
        bob.type("/say Good evening, Zoë: “shall we…?” 漢字 " + "and more " * 20)
        await play([ann, bob], 4)
        ann.press(b"half a line")
        await asyncio.sleep(1)
        screen = TwoScreenEmulator(cols + BEYOND, rows)
        screen.feed(ann.link.heard.decode(charset).encode())
        shown = server.app.table_manager.look(ann.session.person.id)
        variant = server.app.service.catalogue[game]
        width = table_cols(cols, rows)
        for has_boxes, is_short in LAYOUTS if width >= BOX_WIDTH_MIN else LAYOUTS[-1:]:
            profile = ann.session.profile
            style = with_columns(profile, width, has_boxes=has_boxes, is_short=is_short).style
            view = variant.render(shown.view, shown.names, style)
            if len(view) <= table_rows_max(cols, rows):
                break
        return screen, [plain_text(r) for it in view for r in wrap_line(it, style.width, charset)]

    screen, view = told(scenario, cols, rows, replace(ANSI, charset=charset))
    assert "?" * 3 not in screen.text
    assert max(map(len, screen.rows)) <= cols
    assert screen.rows[-1] == transliterate(f"{TABLE_1_TURN}half a line", charset)
    assert "Your turn" in screen.rows[-2]
    seen = {row[: table_cols(cols, rows)].rstrip() for row in screen.rows}
    lost = [row for row in view if row.strip() and row.rstrip() not in seen]
    if rows > 12:
        assert [] == lost
    else:  # the own part is seen, and how many rows there are
        assert any("Your " in row for row in seen)
        assert any(f" of {len(view)} " in row for row in screen.rows)
