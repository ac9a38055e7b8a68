"""No row of the server begins as a further row of a person's text does (`ui/quotation.py`).

In line mode that is spaces and a bar, for screen readers a quotation mark and a space.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import cycle
from pathlib import Path

import pytest

from mudserver.commands.families import VERBS
from mudserver.commands.help import EXTRA_TOPICS, help_page
from mudserver.commands.verb import TOPICS
from mudserver.config.schema import Config
from mudserver.host_pages import load_host_pages
from mudserver.service.rules_page import rules_page, tips_page
from mudserver.ui.encode import wrap_line
from mudserver.ui.page_layout import lay_out_page
from tests import counts as cases
from tests.conformance.play import playing
from tests.conformance.settings import Setting, settings, settings_of
from tests.games import games
from variants.contract import Seat
from variants.kit.text import Style, StyledLine, plain_text, styled_line

TESTS = Path(__file__).parent
MARGIN = re.compile(r" +\|")
SPOKEN_MARGIN = re.compile(r'" ')
OWN_DRAFT = r"(Welcome back, \w+\. )?Your session .+; you had begun to type:"
TALK = re.compile(
    rf"(\* (\[watcher\] )?\w+|You tell \w+:|\w+ tells you:|(\[watcher\] )?\w+:|{OWN_DRAFT})( |$)"
)
STYLES = (Style(80), Style(20), Style(40, is_linear=True))
MANY_STYLES = (*STYLES, Style(40), Style(200), Style(80, is_linear=True))
GOLDEN = [
    path
    for folder in ("mudserver/session/golden", "mudserver/ui/fullscreen/golden", "transcripts")
    for path in sorted((TESTS / folder).glob("*.txt"))
]
GAMES = cases.count(1_000, 300)
LOOKS_EVERY = 25  # decisions of a game

PAGES = load_host_pages(Config())


def forgeable(lines: Iterable[StyledLine], style: Style) -> list[str]:
    """Rows of *lines* that a person's text may begin with, too; in ASCII, where frames are bars."""
    margin = SPOKEN_MARGIN if style.is_linear else MARGIN
    rows = (plain_text(row) for line in lines for row in wrap_line(line, style.width, "ascii"))
    return [row for row in rows if margin.match(row)]


@pytest.mark.parametrize("row", ["    | frame", "  │ frame", '" x'])
def test_a_row_that_a_person_can_forge_is_found(row):
    style = Style(40, is_linear=row.startswith('"'))
    assert [] == forgeable([styled_line("| a frame")], style)
    assert forgeable([styled_line(row)], style)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_in_golden_files_a_margin_stands_below_talk_alone(path):
    talking: dict[str, bool] = {}  # by reader
    for row in path.read_text("utf-8").splitlines():
        reader, heard = "", row
        if path.parent.name == "transcripts":
            reader, _, heard = row.partition(": ")
        is_margin = MARGIN.match(heard) or SPOKEN_MARGIN.match(heard)
        assert not is_margin or talking.get(reader), row
        talking[reader] = bool(is_margin or TALK.match(heard))


def test_no_page_has_a_row_that_a_person_can_forge():
    topics = [None, *EXTRA_TOPICS, *TOPICS, *VERBS]
    pages = [help_page(topic, games(), PAGES) for topic in topics]
    pages += [rules_page(variant) for variant in games().values()]
    pages += [tips_page(variant) for variant in games().values() if variant.tips]
    for page in pages:
        for style in MANY_STYLES:
            assert [] == forgeable(lay_out_page(page.rows, style.width, style.is_linear), style)


def shown(setting: Setting, number: int) -> Iterator[tuple[Iterable[StyledLine], Style]]:
    """What everybody reads of a random game: all events, and now and then the view and answers."""
    variant, names = setting.variant, setting.names
    readers = [None, *map(Seat, range(setting.seats))]
    for count, step in enumerate(playing(setting, number)):
        seen = {reader: [variant.redact(e, reader) for e in step.events] for reader in readers}
        for reader, style in ((reader, style) for reader in readers for style in STYLES):
            events = [event for event in seen[reader] if event is not None]
            told = [variant.describe_event(event, reader, names, style) for event in events]
            yield [line for line in told if line is not None], style
            if count % LOOKS_EVERY:
                continue
            view = variant.observe(step.state, reader)
            yield variant.render(view, names, style), style
            yield variant.brief(view, names, style), style
            for question in variant.questions:
                yield variant.answer(question, view, events, names, style), style


@pytest.mark.parametrize("name", games())
def test_no_row_of_a_game_can_be_forged_by_a_person(name):
    for lines, style in shown(settings_of(games()[name])[-1], 0):
        assert [] == forgeable(lines, style), style


@pytest.mark.prove
def test_no_row_of_many_games_can_be_forged_by_a_person():
    for number, setting in zip(range(GAMES), cycle(settings()), strict=False):
        for lines, style in shown(setting, number):
            assert [] == forgeable(lines, style), (setting.label, number, style)
