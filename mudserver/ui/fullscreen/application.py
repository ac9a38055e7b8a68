"""prompt_toolkit's application with nothing of the process around it: no loop, no terminal, no
environment, no task.

Rule 1: input comes from memory and output goes to a list.  Nothing here has a file descriptor,
        waits, or asks the terminal a question.
Rule 2: prompt_toolkit finds "the" application in a context variable.  It is set around each call
        and taken back behind it, so that no call ever finds somebody else's.
Rule 3: what keys do is one closed list for all screens.  The library's own bindings, 300 of them,
        can repeat a key a million times and record macros without end.
Rule 4: when to draw is not the library's to decide: `invalidate` only says that there is
        something to draw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from io import TextIOBase, UnsupportedOperation
from typing import Protocol

from prompt_toolkit.application import Application, application, create_app_session
from prompt_toolkit.application.current import set_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPress
from prompt_toolkit.key_binding.key_processor import KeyProcessor
from prompt_toolkit.layout import Layout
from prompt_toolkit.output.vt100 import Vt100_Output

from mudserver.ui.fullscreen.root_container import RootContainer
from mudserver.ui.fullscreen.styles import COLOUR_DEPTHS, theme_style
from mudserver.ui.keys import Key
from mudserver.ui.terminal_profile import TerminalProfile

# Built anew for each application they would be a third of its memory and half of its start.
for _load in ("load_key_bindings", "load_page_navigation_bindings"):
    setattr(application, _load, cache(getattr(application, _load)))

_NO_BUFFER = Buffer()  # the library looks at one at each key; nothing is ever written into it


class InputActions(Protocol):
    """What the bindings act on."""

    @property
    def has_menu(self) -> bool: ...
    def insert(self, text: str) -> None: ...
    def press(self, key: Key) -> None: ...
    def move_selection(self, step: int) -> None:
        """Move the choice in the menu."""

    def cancel_menu(self) -> None:
        """Close the menu; the line is as it was typed."""


class MemoryInput(Input):
    """Keys that were read elsewhere (`ui/keys.py`)."""

    def __init__(self) -> None:
        self._keys: list[KeyPress] = []

    def feed(self, key: KeyPress) -> None:
        self._keys.append(key)

    def read_keys(self) -> list[KeyPress]:
        keys, self._keys = self._keys, []
        return keys

    def fileno(self) -> int:
        raise UnsupportedOperation("these keys come from memory")  # as every file in memory says

    def typeahead_hash(self) -> str:
        return f"memory-{id(self)}"

    @property
    def closed(self) -> bool:
        return False

    def raw_mode(self) -> AbstractContextManager[None]:
        return nullcontext()

    cooked_mode = raw_mode

    def attach(self, input_ready_callback: Callable[[], None]) -> AbstractContextManager[None]:
        return nullcontext()

    def detach(self) -> AbstractContextManager[None]:
        return nullcontext()


class OutputBuffer(TextIOBase):
    """Where the output is written: a list, until somebody takes it."""

    def __init__(self) -> None:
        self._written: list[str] = []

    def write(self, text: str, /) -> int:
        self._written.append(text)
        return len(text)

    def drain(self) -> str:
        text = "".join(self._written)
        self._written.clear()
        return text


class FullScreenApp(Application[None]):
    """Args: touched: is called when there is something to draw."""

    def __init__(
        self,
        root: RootContainer,
        actions: InputActions,
        bindings: KeyBindings,
        name: str,
        size: Size,
        look: TerminalProfile,
        on_invalidate: Callable[[], None],
    ) -> None:
        self.actions, self.size, self._paper, self._touched = (
            actions,
            size,
            OutputBuffer(),
            on_invalidate,
        )
        self._memory = MemoryInput()
        output = Vt100_Output(
            self._paper,  # type: ignore[arg-type]  # of a TextIO it only uses write and flush
            lambda: self.size,
            term=name,
            default_color_depth=COLOUR_DEPTHS[look.colours],
            enable_bell=False,
            enable_cpr=False,
        )
        super().__init__(
            Layout(root, root.window),
            full_screen=True,
            input=self._memory,
            output=output,
            color_depth=lambda: COLOUR_DEPTHS[self._look.colours],
            terminal_size_polling_interval=None,
            mouse_support=False,
        )
        self.timeoutlen = None  # type: ignore[assignment]  # no key waits for a second one
        self.key_processor = KeyProcessor(bindings)
        self.set_profile(look)
        self._paper.drain()  # what the library writes to a terminal that it has only just met

    def set_profile(self, look: TerminalProfile) -> None:
        """Another theme or depth: all of it is drawn again."""
        self._look = look
        self.renderer.style = theme_style(look.theme, look.colours)

    def invalidate(self) -> None:
        self._touched()

    @property
    def current_buffer(self) -> Buffer:
        return _NO_BUFFER

    def press(self, keys: list[KeyPress]) -> None:
        with self._here():
            for key in keys:
                self._memory.feed(key)
            self.key_processor.feed_multiple(self._memory.read_keys())
            self.key_processor.process_keys()

    def draw(self) -> str:
        """What to write so that the terminal shows the stage."""
        with self._here():
            self.render_counter += 1
            self.renderer.render(self, self.layout)
        return self._paper.drain()

    def reset_screen(self) -> None:
        """The terminal shows who knows what: the next drawing is a whole one, from its corner."""
        self.renderer.reset(leave_alternate_screen=False)
        self._paper.drain()
        self.output.cursor_goto(1, 1)

    @contextmanager
    def _here(self) -> Iterator[None]:
        with create_app_session(self._memory, self.output), set_app(self):
            yield
