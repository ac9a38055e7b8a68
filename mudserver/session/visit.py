"""One visit: a terminal on one side, a person on the other.

Rule 1: lines go to the greeting until somebody is known, then where every stay's go (`stay.py`).
Rule 2: everything shown passes the screen, and one message is painted once for all who read alike.
"""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from typing import TYPE_CHECKING

from mudserver import messages as m
from mudserver.commands.declare import Context
from mudserver.commands.interpreter import completions
from mudserver.people import Person
from mudserver.session.greeting import Greeting
from mudserver.session.packages import Packages
from mudserver.session.pager import MORE, Pager
from mudserver.session.panes import Panes
from mudserver.session.present import Reader
from mudserver.session.stay import Stay
from mudserver.session.tastes import (
    described,
    in_force,
    page_rows,
    prompt,
    reader_for,
    settings_for,
)
from mudserver.transport.link import Link, Proven, Terminal
from mudserver.ui.complete import Completion
from mudserver.ui.look import Look
from mudserver.ui.screen import Screen
from variants.kit.text import Line, Style, counted, line

if TYPE_CHECKING:
    from mudserver.session.reception import Reception
    from mudserver.ui.full.screen import FullScreen


class Visit(Stay[str]):
    def __init__(self, reception: Reception, link: Link, proven: Proven | None) -> None:
        super().__init__(reception, link)
        # Of who comes by SSH nobody knows yet how they read; a screen reader is sent no sequence.
        self._reads_aloud = link.terminal.is_screen_reader or proven is not None
        self._is_secret = False
        self._asks: object = ""  # the last window that was shown
        self._place: m.Seated | None = None
        self._is_asked = False
        self._prompt_lasts = False  # until something else than talk comes
        self.reader: Reader = reader_for(link.terminal, self.setting)
        self.screen: Screen | FullScreen = reception.faces.lines(self, link)
        self._panes: Panes | None = None  # of the full screen, if that is what there is
        self._declines_full = False  # until it is asked for again
        if link.terminal.wants_panes:
            self._own_settings["screen"] = "on"
        self._pager = Pager(self)
        self._packages: Packages | None = None  # of a client that asks for some
        self._greeting: Greeting | None = None
        if proven is None:
            self._greet()
        else:
            self._admit(proven)

    # -- the link's side -----------------------------------------------------------------------

    def _take(self, data: bytes) -> None:
        self.screen.feed(data)

    def resize(self, terminal: Terminal) -> None:
        if not self.is_over:
            self._reads_aloud = self._reads_aloud or terminal.is_screen_reader
            self.settings_changed()

    # -- coming in -----------------------------------------------------------------------------

    def _greet(self) -> None:
        reception = self._reception
        self.say(
            f"{reception.name}: people and computers play cards here.",
            "Type guest to look around, your name to come in, or help.",
        )
        self._greeting = Greeting(
            self,
            reception.house.registrar,
            self._source,
            reception.config.door.failures_telnet_max,
            self._link.failed,
            self._link.named,
            self._enter,
            self._enter_as_guest,
        )

    def _enter(self, person: Person, news: str) -> None:
        self._reads_aloud = self._link.terminal.is_screen_reader
        super()._enter(person, news)
        self._greeting = None
        self._begin_packages()

    def gmcp(self, package: str, data: object) -> None:
        """What the client asks for is heard, no more: people type, programs come by SSH."""
        if package.lower().startswith("core.supports."):
            self._begin_packages()

    def _begin_packages(self) -> None:
        if self.person is None or not self._link.speaks_gmcp or self.is_over:
            return
        try:
            self._packages = self._packages or self._reception.packages(self._link)
            self._packages.begin(self.person)
        except Exception as bug:
            self.broke(bug, "package")

    # -- going ---------------------------------------------------------------------------------

    def _say_last(self, text: str) -> None:
        self._pager.close()
        self.screen.show([line(text)])

    def _leave_it(self) -> None:
        if self._panes is None:
            self.screen.close()
        else:
            self._reception.faces.close(self._panes.screen)

    # -- lines ---------------------------------------------------------------------------------

    def ended(self) -> None:
        """Ctrl-D on an empty line."""
        if self.person is None:
            self.leave("Goodbye.")
        else:
            self.typed("/quit")

    def typed(self, line: str) -> None:
        if self._pager.is_open and not self.is_over and self._pager.hear(line):
            self._ask()
            return
        self._pager.begin()
        super().typed(line)

    def _read(self, typed: str) -> Awaitable[None] | None:
        return self._settle(typed) if self._greeting is None else self._greeting.hear(typed)

    # -- mail ----------------------------------------------------------------------------------

    def _mail_now(self) -> None:
        mail = self.box.take()
        if self._packages is not None:
            self._packages.show(mail, self.reader, self.broke)
            self._packages.lost(self.box.dropped)
        is_talk = not self._pager.is_open and self._show_talk(mail)
        if not is_talk:
            self._pager.put(mail)
        if self.box.dropped:
            lost, self.box.dropped = self.box.dropped, 0
            self.say(f"... {counted(lost, 'message')} lost: the line was too slow.")
        if not (is_talk and self._prompt_lasts):
            self._ask()

    def _show_talk(self, mail: list[m.Message]) -> bool:
        """The short way for most of all mail.  False: it has to be looked at one by one."""
        if not isinstance(self.screen, Screen):
            return False
        try:
            talk = self._reception.talk(mail, self.reader)
        except Exception:
            return False  # one of them is broken; the others are not
        if talk:
            self.screen.show_shared(talk, droppable=True)
        return talk is not None

    def show_message(self, message: m.Message) -> None:
        try:
            self.show(message)
        except Exception as bug:
            self.broke(bug, "mail")

    def show(self, message: m.Message) -> None:
        is_fresh = False
        if isinstance(message, m.Shown):
            is_mine = message.seat in message.asked
            # Who waits reads once that Ann is to play, however many actions she has in a row.
            asks = message.window if is_mine else (message.asked, message.asks)
            is_fresh, self._asks = asks != self._asks, asks
            self._is_asked = is_mine and not (message.passes_itself or message.has_answered)
            if is_fresh and self._is_asked:
                self.screen.bell()
        elif isinstance(message, m.Seated):
            self._place, self._asks = message, ""
            self._is_asked = self._is_asked and message.is_playing
            if self._panes is not None:
                self._panes.place(message)
            return
        elif isinstance(message, m.GameOver):
            self._is_asked = False
        if isinstance(self.screen, Screen):
            paint = self._reception.painted(message, self.reader, is_fresh)
            if paint:
                self.screen.show_shared(paint, droppable=type(message) in m.TALK)
        elif self._panes is not None:
            self._panes.show(message, is_fresh)

    def _ask(self) -> None:
        """The prompt says where one is and whether one is asked; it ends in `> `."""
        if self.person is None or self.is_over or self._dialogue is not None:
            return
        if self._pager.is_open:
            self._prompt_lasts = False
            self.screen.ask(MORE, is_pause=True)
        else:
            self._prompt_lasts = "{time}" not in self.setting("prompt")
            table = None if self._place is None else self._place.table
            now_ms = self._reception.clock.now_ms()
            self.ask(prompt(self.setting, self.reader.look, table, self._is_asked, now_ms))

    # -- for the pager -------------------------------------------------------------------------

    @property
    def look(self) -> Look:
        return self.reader.look

    @property
    def page_rows(self) -> int:
        if self._is_asked or self._panes is not None:  # a pane scrolls
            return 0
        return page_rows(self._link.terminal, self.setting)

    def lines_of(self, message: m.Message) -> list[Line]:
        try:
            return self._reception.lines(message, self.reader)
        except Exception as bug:
            self.broke(bug, "mail")
            return []

    def show_lines(self, lines: Iterable[Line]) -> None:
        self.screen.show(lines)

    def is_question(self, message: m.Message) -> bool:
        return (
            isinstance(message, m.Shown)
            and message.seat in message.asked
            and not (message.passes_itself or message.has_answered)
        )

    @property
    def style(self) -> Style:
        return self.reader.style if self._panes is None else self._panes.style

    @property
    def has_numbers(self) -> bool:
        return self.reader.style.is_linear

    # -- what verbs and the greeting may do ------------------------------------------------------

    def say(self, *sentences: str) -> None:
        self.screen.show([line(sentence) for sentence in sentences])

    def ask(self, prompt: str, *, is_secret: bool = False) -> None:
        if is_secret is not self._is_secret:
            self._is_secret = is_secret
            self._link.echo(not is_secret)
        self.screen.ask(prompt, is_secret)

    def read_aloud(self, is_on: bool) -> None:
        self._own_settings["screenreader"] = "on" if is_on else "off"
        self.settings_changed()

    def clear(self) -> None:
        self.screen.clear()

    def setting(self, key: str) -> str:
        value = super().setting(key)
        is_open = key == "screenreader" and value == "auto"
        return "on" if is_open and self._reads_aloud else value

    def in_force(self, key: str) -> tuple[str, str]:
        value, source = super().in_force(key)
        if value != "auto" and not (key == "screenreader" and source == "default"):
            return value, source
        return in_force(key, self._link.terminal, self.reader, self.setting), "this terminal"

    def keep_setting(self, key: str, value: str) -> None:
        if key == "screen":
            self._declines_full = False
        super().keep_setting(key, value)

    def settings_changed(self) -> None:
        terminal, self._prompt_lasts = self._link.terminal, False
        self.reader = reader_for(terminal, self.setting)
        why = self._choose_screen()
        self.screen.resize(terminal, settings_for(self.setting))
        if why:
            self.say(why)

    # -- lines or panes --------------------------------------------------------------------------

    def why_no_full_screen(self) -> str:
        is_linear, has_one = self.reader.style.is_linear, self._panes is not None
        terminal, faces = self._link.terminal, self._reception.faces
        return faces.why_not(terminal, is_linear=is_linear, has_one=has_one)

    def _choose_screen(self) -> str:
        """The full screen for who wants it and may have it, else lines.  Answers why not."""
        is_wanted = self.person is not None and self.setting("screen") == "on"
        why = self.why_no_full_screen() if is_wanted and not self._declines_full else ""
        self._declines_full = self._declines_full or bool(why)
        is_full = is_wanted and not self._declines_full
        faces = self._reception.faces
        if self._panes is not None and not is_full:
            self.screen, self._panes = faces.to_lines(self, self._link, self._panes.screen), None
            self._pager.begin()
        elif isinstance(self.screen, Screen) and is_full:
            self._pager.close()
            full = faces.to_full(self, self._link, self.screen, self._full_screen_failed)
            self.screen, self._panes = full, Panes(full, self, self._reception)
            self._panes.place(self._place)
            if self.person is not None and self._place is not None and self._place.table:
                self._reception.house.look(self.person)
        return why

    def _full_screen_failed(self, bug: Exception) -> None:
        """A fault in drawing costs the panes; the visit goes on in lines."""
        ref = self.fault("full screen failed", bug)
        try:
            self._declines_full = True
            self.settings_changed()
            self.say(f"The full screen has failed, and lines go on. Your game is safe. (ref {ref})")
        except Exception as worse:
            self._break_off(worse)

    def describe(self) -> list[str]:
        return described(self.door, self._link.terminal, self.reader)

    def complete(self, text: str, cursor: int) -> Completion | None:
        """The words that the one before the cursor may become."""
        if self.person is None:
            return None
        context = Context(self._reception.house, self.person, self)
        return Completion(*completions(context, text[:cursor]))
