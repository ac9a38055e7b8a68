"""prompt_toolkit's application, isolated from the process: no loop, no terminal, no environment, no
task.

Rule 1: input comes from memory and output goes to a list.  Nothing here has a file descriptor,
        waits, or queries the terminal.
Rule 2: prompt_toolkit finds the current application in a context variable.  It is set only for the
        duration of each call, so that no call finds the application of another session.
Rule 3: all screens share one closed list of key bindings.  The 300 bindings of the library can
        repeat a key a million times and record macros without end.
Rule 4: the library does not decide when to draw: `invalidate` only reports that something changed.
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
from mudserver.ui.fullscreen.toolkit_styles import COLOUR_DEPTHS, theme_style
from mudserver.ui.keys import Key
from mudserver.ui.terminal_profile import TerminalProfile

# Built per application they would be a third of its memory and half of its start-up time.
_LOADS = ("load_key_bindings", "load_page_navigation_bindings")
for _load in _LOADS:
    setattr(application, _load, cache(getattr(application, _load)))

_NO_BUFFER = Buffer()  # prompt_toolkit reads one at each key; nothing is ever written into it


def load_library_bindings() -> None:
    """Make those of prompt_toolkit, which all applications share."""
    for load in _LOADS:
        getattr(application, load)()


class InputActions(Protocol):
    """What the key bindings act on."""

    @property
    def has_menu(self) -> bool: ...
    def insert(self, text: str) -> None: ...
    def press(self, key: Key) -> None: ...
    def move_selection(self, step: int) -> None:
        """Move the selection in the menu."""

    def cancel_menu(self) -> None:
        """Close the menu and restore the typed line."""


class MemoryInput(Input):
    """Feeds keys that `ui/keys.py` has parsed."""

    def __init__(self) -> None:
        self._keys: list[KeyPress] = []

    def feed(self, key: KeyPress) -> None:
        self._keys.append(key)

    def read_keys(self) -> list[KeyPress]:
        keys, self._keys = self._keys, []
        return keys

    def fileno(self) -> int:
        raise UnsupportedOperation("these keys come from memory")  # as io.StringIO does

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
    """Collects the output until `drain` returns it."""

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
    """Args: on_invalidate: called when there is something to draw."""

    def __init__(
        self,
        root: RootContainer,
        actions: InputActions,
        bindings: KeyBindings,
        name: str,
        size: Size,
        profile: TerminalProfile,
        on_invalidate: Callable[[], None],
    ) -> None:
        self.actions, self.size, self._output_buffer, self._on_invalidate = (
            actions,
            size,
            OutputBuffer(),
            on_invalidate,
        )
        self._memory = MemoryInput()
        output = Vt100_Output(
            self._output_buffer,  # type: ignore[arg-type]  # it only uses write and flush
            lambda: self.size,
            term=name,
            default_color_depth=COLOUR_DEPTHS[profile.colours],
            enable_bell=False,
            enable_cpr=False,
        )
        super().__init__(
            Layout(root, root.window),
            full_screen=True,
            input=self._memory,
            output=output,
            color_depth=lambda: COLOUR_DEPTHS[self._profile.colours],
            terminal_size_polling_interval=None,
            mouse_support=False,
        )
        self.timeoutlen = None  # type: ignore[assignment]  # no key waits for another one
        self.key_processor = KeyProcessor(bindings)
        self.set_profile(profile)
        self._output_buffer.drain()  # what the library writes to initialize a terminal

    def set_profile(self, profile: TerminalProfile) -> None:
        """Apply another theme or colour depth: everything is redrawn."""
        self._profile = profile
        self.renderer.style = theme_style(profile.theme, profile.colours)

    def invalidate(self) -> None:
        self._on_invalidate()

    @property
    def current_buffer(self) -> Buffer:
        return _NO_BUFFER

    def press(self, keys: list[KeyPress]) -> None:
        with self._current_app():
            for key in keys:
                self._memory.feed(key)
            self.key_processor.feed_multiple(self._memory.read_keys())
            self.key_processor.process_keys()

    def draw(self) -> str:
        """The bytes (as text) that bring the terminal up to date."""
        with self._current_app():
            self.render_counter += 1
            self.renderer.render(self, self.layout)
        if drawn := self.renderer.last_rendered_screen:
            drawn.data_buffer.clear()  # `RootContainer` keeps what is shown, in a tenth of it
            drawn.zero_width_escapes.clear()
        return self._output_buffer.drain()

    def reset_screen(self) -> None:
        """The content of the terminal is unknown: the next draw is a complete one."""
        self.renderer.reset(leave_alternate_screen=False)
        self._output_buffer.drain()
        self.output.cursor_goto(1, 1)

    @contextmanager
    def _current_app(self) -> Iterator[None]:
        with create_app_session(self._memory, self.output), set_app(self):
            yield
