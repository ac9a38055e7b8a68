"""Feeds messages to a full screen: its table, log, chat and status bar.

Rule 1: the table pane shows the same view as line mode, rendered by the game for the pane's width.
Rule 2: the status bar shows what line mode says in a sentence at each turn: who is asked, and
        until when.
Rule 3: no message is kept but the view in the table pane, and the events that the last row of the
        log folds (`folding.py`).
Rule 4: an open page never costs its reader a move: it closes before a short window of their own,
        and when somebody speaks to them or the server does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from mudserver import messages as m
from mudserver.clock import Clock
from mudserver.service.own_games import OwnRow
from mudserver.service.seeking import SeekShown
from mudserver.session import texts
from mudserver.session.end_board import end_lines
from mudserver.session.folding import EventGroup, continues, fold_key
from mudserver.session.lobby_board import lobby_lines
from mudserver.session.presenter import (
    Talk,
    behind_text,
    deal_text,
    heard_lines,
    held_lines,
    lesson_lines,
    turn_text,
)
from mudserver.session.render_profile import RenderProfile, with_columns
from mudserver.session.renderer import Renderer
from mudserver.session.replay_lines import SHORT_WORDS, WORDS, hands_lines, header, last_lines
from mudserver.tables import notifications
from mudserver.tables.offer_texts import PAUSED
from variants.kit.boxes import BOX_WIDTH_MIN
from variants.kit.text import Style, StyledLine, join_words, plain_text, styled_line

if TYPE_CHECKING:  # prompt_toolkit is loaded after the start: `service/preloading.py`
    from mudserver.ui.fullscreen.screen import FullScreen


LAYOUTS = ((True, False), (True, True), (False, True), (False, False))
"""Whether a wide table has boxes, and is short: the first that fits; the last one is scrolled."""
LESSON, LESSON_WORDS = -1, "skip, back, show, stop"  # in place of a table; the words of a lesson
REPLAY = -2  # likewise
AWAY = "AWAY: type anything to take over"
REFRESH_MS = 1_000  # between two pictures of the lobby
SHORT_WINDOW_MS = 60_000  # of a window of the reader's own: in a shorter one no page stays open
_ADDRESSED = (
    m.TellMessage, m.Notice, m.QuotedNotice, m.CallNotice, m.WatchersNotice, m.AwayMessage,
    m.EndExplained, m.RingingAnnouncement,
)  # fmt: skip
_READER = re.compile(r"\byou\b|\byour\b", re.IGNORECASE)


class FullScreenFeed:
    """Args:
    profile: How the person reads now.
    person_name: "" before the login.
    lessons: Of each game that has one, where the person is in it.
    own_games: Those by correspondence.
    end_shown: As of `GoingOn.end_shown`, for who comes to the table of a game that is over.
    seeks: Games that people offer.
    tourney: Number of the tournament that the person's table belongs to; 0: to none.
    """

    def __init__(
        self,
        screen: FullScreen,
        renderer: Renderer,
        profile: Callable[[], RenderProfile],
        person_name: Callable[[], str],
        clock: Clock,
        lessons: Callable[[], Sequence[tuple[str, str]]],
        own_games: Callable[[], Sequence[OwnRow]] = tuple,
        end_shown: Callable[[], Sequence[m.Message]] = tuple,
        seeks: Callable[[], Sequence[SeekShown]] = tuple,
        tourney: Callable[[], int] = int,
    ) -> None:
        self._lessons, self._own_games, self._end_shown = lessons, own_games, end_shown
        self._seeks, self._tourney = seeks, tourney
        self.screen, self._renderer, self._clock = screen, renderer, clock
        self._is_in_lobby = self._is_refresh_due = False
        self._base_profile, self._person_name = profile, person_name
        self._table_shown: int | None = None  # the table whose game the pane shows or showed last
        self._is_over = False  # whether that game is over
        self._view: m.ViewMessage | None = None  # in the table pane
        self._end: m.GameOver | None = None  # of that game
        self._why: m.EndExplained | None = None  # that game ended so for this person
        self._summary: m.GameSummary | None = None
        self._is_away = False  # a computer decides for this person
        self._match: m.MatchStatus | None = None  # the one that it belongs to
        self._repeated: list[m.EventMessage] = []  # events in the last row of the log
        self._repeated_line: StyledLine = ()

    def show_location(self, location: m.LocationMessage | None) -> None:
        """Show where the person is.  A finished game stays until the next one starts."""
        if location is None or location.table != self._table_shown:
            self._table_shown, self._is_over, self._match = None, False, None
            self.screen.show_table(None)
        self._is_away = False
        self._is_in_lobby = bool(self._person_name()) and (
            location is None or location.table is None
        )
        if self._is_in_lobby:
            self._show_lobby()
        name = self._person_name()
        if location is None or location.table is None:
            about = self._renderer.server_name
            self.screen.show_status(
                where="Lobby", where_short="Lobby", who=name, asks=(about,), is_mine=False,
                deadline_ms=None,
            )  # fmt: skip
            return
        here, who = f"Table {location.table}", f"{name}, watching"
        if location.seat is not None:
            who = f"{name}, seat {location.seat + 1}"
        where = f"{here}, {location.variant}"
        if self._match is not None:
            where += f", {deal_text(self._match).lower()}"
        self.screen.show_status(where=where, where_short=here, who=who)
        if not location.is_playing:
            asks = self._what_next(location.seat)
            self.screen.show_status(asks=asks, is_mine=False, deadline_ms=None)

    def _what_next(self, seat: int | None) -> tuple[str, ...]:
        """What a bar says while no game runs, the longest form first."""
        short = texts.GAME_OVER if self._is_over else texts.NO_GAME
        has_next = self._match is not None and self._match.deal < self._match.deals
        more = "Type rematch." if self._is_over and not has_next else "Type start."
        if tourney := self._tourney():
            short, more = texts.GAME_OVER, f"Type tourney {tourney}."
        return (short,) if seat is None else (f"{short} {more}", short)

    def fill(self, messages: Iterable[m.Message]) -> None:
        """Fill the log with what its reader has read already."""
        for message in messages:
            self._show_rows(message, is_fresh=False)
        self.screen.mark_read()

    def _show_lobby(self) -> None:
        """Tables and people, in the place of a table."""
        self._is_refresh_due = False
        if not self._is_in_lobby:
            return
        (tables, more), people = self._renderer.list_tables(), self._renderer.list_people()
        name, lessons, screen = self._person_name(), self._lessons(), self.screen
        own, seeks = self._own_games(), self._seeks()

        def render(cols: int) -> list[StyledLine]:
            rows_max = screen.table_rows_max
            return lobby_lines(tables, people, name, cols, rows_max, lessons, own, seeks, more)

        screen.show_table(render, is_new=True, title="Your games" if own else "Tables")

    def refresh_lobby(self) -> None:
        """Show it again soon: news often come together."""
        if self._is_in_lobby and not self._is_refresh_due:
            self._is_refresh_due = True
            # As with every timer: not at one instant with another's.  [SEC-4]
            self._clock.call_at_ms(self._clock.now_ms() + REFRESH_MS + 0.5, self._show_lobby)

    def show_message(self, message: m.Message, is_fresh: bool) -> None:
        self.refresh_lobby()
        if isinstance(message, m.ViewMessage):
            self._show_table(message)
            return
        if isinstance(message, m.LessonStep):
            self._show_lesson(message)
            return
        if isinstance(message, m.ReplayStep):
            self._show_replay(message)
            return
        if isinstance(message, _ADDRESSED):
            self.screen.show_news()
        if not isinstance(message, m.GameSummary):  # it is on the board
            self._show_rows(message, is_fresh)
        if isinstance(message, m.AwayMessage):
            self._is_away = message.is_away
            if self._view is not None:
                self._show_turn(self._view)
        if isinstance(message, m.GameOver):
            self._is_away = False
            self._note_end(message)
            if self._view is not None and self._view.table == message.table:
                self._show_table(self._view)
            self.screen.show_status(asks=(texts.GAME_OVER,), is_mine=False, deadline_ms=None)
        if isinstance(message, m.EndExplained | m.GameSummary) and self._is_over:
            self._note_end(message)
            if self._view is not None:
                self._show_pane(self._view)

    def _note_end(self, message: m.Message) -> None:
        match message:
            case m.GameOver():
                self._is_over, self._end, self._why, self._summary = True, message, None, None
            case m.GameSummary():
                self._summary = message
            case m.EndExplained():
                self._why = message

    def _show_rows(self, message: m.Message, is_fresh: bool) -> None:
        turn = None
        if isinstance(message, m.EventMessage):
            turn = self._renderer.catalogue[message.variant].turn_begun(message.event)
            if turn is not None:
                self.screen.show([styled_line((turn_text(*turn, message), "dim"))])
                if not message.mark:  # else the sentence says who chose whose turn it is
                    return
            if self._fold(message):
                return
        lines = self._renderer.message_lines(message, self._profile, is_fresh)
        if turn is not None and lines and not lines[0]:
            del lines[0]  # its row stands between two turns already
        if isinstance(message, m.Page | m.AnswerMessage):
            self.screen.show_page(message.title if isinstance(message, m.Page) else "", lines)
            return
        is_own = _is_for_reader(message, lines)
        is_chat = isinstance(message, Talk | m.EarlierTalk)
        self.screen.show(lines, is_chat=is_chat, is_own=is_own)

    def _fold(self, message: m.EventMessage) -> bool:
        """Rewrite the last row of the log if *message* repeats it.  False: show it as usual."""
        games = self._renderer.catalogue
        key, first = fold_key(message, games), self._repeated[:1]
        if key is None:
            return False
        is_more = bool(first) and fold_key(first[0], games) == key and continues(first[0], message)
        if is_more and self._repeated_line:
            group = EventGroup((*self._repeated, message))
            lines = self._renderer.message_lines(group, self._profile)
            if lines and self.screen.replace_last(self._repeated_line, lines[0]):
                self._repeated.append(message)
                self._repeated_line = lines[0]
                return True
        lines = self._renderer.message_lines(message, self._profile)
        self._repeated, self._repeated_line = [message], lines[0] if lines else ()
        if lines:
            self.screen.show(lines, is_own=_is_for_reader(message, lines))
        return True

    def _show_table(self, message: m.ViewMessage) -> None:
        self._show_pane(message)
        self._view = message
        is_mine = message.seat in message.asked and not message.has_answered
        if is_mine and (message.window_ms or SHORT_WINDOW_MS) < SHORT_WINDOW_MS:
            self.screen.show_news()
        if message.match is not None:
            where = f"Table {message.table}, {message.variant}, {deal_text(message.match).lower()}"
            self.screen.show_status(where=where)
        self._show_turn(message)

    def _show_pane(self, message: m.ViewMessage) -> None:
        """The table, or the end of its game."""
        is_over = not (message.asked or message.is_paused)  # the log may have the rows
        is_new = self._table_shown != message.table or (self._is_over and bool(message.asked))
        self._table_shown, self._is_over = message.table, self._is_over and not is_new
        if is_over and not self._is_over:
            for part in self._end_shown():
                self._note_end(part)
        end = self._end if is_over and self._is_over else None
        why, summary = self._why, self._summary

        def render(cols: int) -> list[StyledLine]:
            lines = self._table_lines(message, cols)
            if end is None:
                return lines
            style = with_columns(self._base_profile(), cols - 2).style
            held = (
                held_lines(summary, style, self._renderer.catalogue[message.variant])
                if summary
                else []
            )
            shown = end_lines(end, message, cols, why, summary, held, self._tourney())
            has_room = len(shown) + 1 + len(lines) <= self.screen.table_rows_max
            return [*shown, (), *lines] if has_room else shown or lines

        self._match = message.match
        is_mine = message.seat in message.asked and not message.has_answered
        title = texts.GAME_OVER_TITLE if end is not None else "Table"
        self.screen.show_table(
            render, shows_own_seat=is_mine, is_new=is_new or is_over, title=title,
            about=self._table_shown,
        )  # fmt: skip

    def _table_lines(self, message: m.ViewMessage, cols: int) -> list[StyledLine]:
        """The table in *cols* columns: as much of it as there are rows for."""
        variant, profile = self._renderer.catalogue[message.variant], self._base_profile()
        for has_boxes, is_short in LAYOUTS if cols >= BOX_WIDTH_MIN else LAYOUTS[-1:]:
            style = with_columns(profile, cols, has_boxes=has_boxes, is_short=is_short).style
            lines = list(variant.render(message.view, message.names, style))
            if len(lines) <= self.screen.table_rows_max:
                break
        return lines

    def _show_lesson(self, message: m.LessonStep) -> None:
        """The position in the table pane, what to do in the log."""
        variant = self._renderer.catalogue[message.variant]

        def render(cols: int) -> list[StyledLine]:
            style = with_columns(self._base_profile(), cols).style
            return list(variant.render(message.view, message.names, style))

        is_new, self._table_shown = self._table_shown != LESSON, LESSON
        self._is_in_lobby = False
        self.screen.show_table(render, shows_own_seat=True, is_new=is_new, about=LESSON)
        if not message.is_look:
            self.screen.show(lesson_lines(message))
        where = f"Lesson {message.place}"
        self.screen.show_status(
            where=where, where_short=where, who="", asks=(LESSON_WORDS,), is_mine=False,
            deadline_ms=None,
        )  # fmt: skip

    def _show_replay(self, step: m.ReplayStep) -> None:
        """The board in the table pane, what was heard in the log."""
        variant = self._renderer.catalogue[step.view.variant]

        def render(cols: int) -> list[StyledLine]:
            style = with_columns(self._base_profile(), cols).style
            hands = hands_lines(step, style, variant)
            return [*self._table_lines(step.view, cols), *hands]

        is_new, self._table_shown = self._table_shown != REPLAY, REPLAY
        self._is_in_lobby, self._is_over, self._view = False, False, None
        self.screen.show_table(render, is_new=is_new, title=step.title, about=REPLAY)
        if not step.is_look:
            self.screen.show([styled_line((header(step), "dim"))])
            self.screen.show(heard_lines(step, self.style, variant))
            self.screen.show(last_lines(step))
        place = f"{step.position} of {step.of}"
        self.screen.show_status(
            where=f"{step.title}, {place}, {step.eyes}", where_short=place, who="",
            asks=(WORDS, SHORT_WORDS), is_mine=False, deadline_ms=None,
        )  # fmt: skip

    def _show_turn(self, message: m.ViewMessage) -> None:
        """Who is asked, and until when, in the bar."""
        is_mine = message.seat in message.asked and not message.has_answered
        self.screen.show_status(
            asks=self._asks(message),
            is_mine=is_mine and not (message.passes_itself or self._is_away),
            deadline_ms=message.deadline_ms if message.asked else None,
            window_ms=message.window_ms,
        )

    def _asks(self, message: m.ViewMessage) -> tuple[str, ...]:
        if self._is_away:
            return (AWAY,)
        if self._is_over and not (message.asked or message.is_paused):
            return self._what_next(message.seat)
        return _turn_texts(message)

    @property
    def _profile(self) -> RenderProfile:
        return with_columns(self._base_profile(), self.screen.log_cols)

    @property
    def style(self) -> Style:
        """The layout of answers in the log pane."""
        return self._profile.style


def _is_for_reader(message: m.Message, lines: list[StyledLine]) -> bool:
    """Whether *message* is for the reader alone, or an event that touches the reader."""
    if isinstance(message, m.EventMessage):
        return not message.is_own and any(_READER.search(plain_text(line)) for line in lines)
    return isinstance(message, _ADDRESSED)


def _turn_texts(message: m.ViewMessage) -> tuple[str, ...]:
    """Who is asked what, the longest form first."""
    if message.is_paused:
        return (PAUSED, "The game is paused.")
    if not message.asked:
        return (texts.GAME_OVER,)
    if message.passes_itself:
        return (texts.AUTOPASS_SOON, "You will pass automatically.")
    is_told = message.missing and not message.hides_missing
    missing = notifications.missing_answers(message.missing) if is_told else ""
    if message.has_answered:
        return (f"{texts.CHOSEN} {missing}.", texts.CHOSEN) if missing else (texts.CHOSEN,)
    if message.seat in message.asked:
        asks = "" if message.asks == "to play" else f" {message.asks}"
        return (f"Your turn{asks}.",)
    names = [message.names[seat] for seat in message.asked]
    who, behind = f"Waiting for {join_words(names)} {message.asks}", behind_text(message)
    found = [missing] if missing else []
    found += [who] if len(names) == 1 else [who, f"Waiting for {len(names)} players"]
    texts_of_all = tuple([f"{it}{behind}." for it in found])
    return (*texts_of_all, f"{found[-1]}.") if behind else texts_of_all
