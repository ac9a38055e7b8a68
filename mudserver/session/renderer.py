"""Renders messages for all sessions: styled lines, terminal bytes and JSON objects.

Rule 1: a message is rendered once for each render profile, however many people read it, and
        encoded once for all programs that speak the same protocol.
Rule 2: the caches live for one delivery round.  `SessionManager` clears them after it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from mudserver import messages as m
from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.lobby.presence import PresenceSummary
from mudserver.service.game_service import GameService
from mudserver.session import json_protocol
from mudserver.session.backlog import Batch, batches_of
from mudserver.session.json_objects import Hello, HelloSince2, Limits
from mudserver.session.json_protocol import Encoded
from mudserver.session.presenter import message_lines, with_timestamp
from mudserver.session.render_profile import RenderProfile
from mudserver.tables.summary import TableSummary
from mudserver.transport.link import JsonProtocol
from mudserver.ui.encode import encode_lines
from mudserver.version import version
from variants.catalogue import Catalogue
from variants.kit.text import StyledLine

WHOLE_ROW_CELLS = 1_000_000  # wider than any row of a page that is copied off the screen


class PlainRows(NamedTuple):
    """Rows as all people with an equal render profile are shown them, and as they keep them."""

    rendered: bytes
    batches: list[Batch]
    is_chat: bool


class Renderer:
    def __init__(self, service: GameService, clock: Clock) -> None:
        self._service, self._clock = service, clock
        # Keys are object ids, which are quick to compare.  The values keep the objects alive, so
        # that no id is used twice within a round.
        self._rendered: dict[tuple[int, ...], tuple[bytes, object, RenderProfile]] = {}
        self._plain_rows: dict[tuple[int, ...], tuple[PlainRows | None, object, object]] = {}
        self._encoded: dict[tuple[int, JsonProtocol], tuple[list[Encoded], object]] = {}

    @property
    def server_name(self) -> str:
        return self._service.server_name

    def list_tables(self) -> tuple[list[TableSummary], int]:
        """See `TableLists.board`."""
        return self._service.table_lists.board()

    def list_people(self) -> list[PresenceSummary]:
        return self._service.list_people()

    def channels_of(self, person: Person) -> tuple[str, ...]:
        """The channels that the person may join, beside the lobby."""
        return self._service.channels.visible(person)[1:]

    @property
    def catalogue(self) -> Catalogue:
        return self._service.catalogue

    def clear(self) -> None:
        """Empty the caches at the end of a delivery round."""
        self._rendered.clear()
        self._plain_rows.clear()
        self._encoded.clear()

    # -- for terminals -------------------------------------------------------------------------

    def plain_rows(self, messages: list[m.Message], profile: RenderProfile) -> PlainRows | None:
        """All of *messages*, which nobody changes any more, if they are chat or sentences and do
        nothing but stand above the prompt; None: there is more to one of them."""
        if len(messages) == 1:
            key: tuple[int, ...] = (id(profile), id(messages[0]))
        else:
            key = (id(profile), *map(id, messages))
        known = self._plain_rows.get(key)
        if known is None:
            plain, is_sentences = None, m.SENTENCE_TYPES.issuperset(map(type, messages))
            if is_sentences or _is_chat(messages):
                rendered = b"".join([self.render(message, profile, False) for message in messages])
                batches = batches_of(messages, self._clock.now_ms())
                plain = PlainRows(rendered, batches, is_chat=not is_sentences)
            known = self._plain_rows[key] = (plain, messages, profile)
        return known[0]

    def render(self, message: m.Message, profile: RenderProfile, is_fresh: bool) -> bytes:
        """The message as terminal bytes.

        Args:
            is_fresh: The message opens a window that this person has not been shown yet.
        """
        key = (id(message), id(profile), is_fresh)
        known = self._rendered.get(key)
        if known is not None:
            return known[0]
        lines = self.message_lines(message, profile, is_fresh)
        terminal = profile.terminal_profile
        if isinstance(message, m.Page) and message.has_whole_rows:
            terminal = replace(terminal, cols=WHOLE_ROW_CELLS)
        rendered = encode_lines(lines, terminal) if lines else b""
        self._rendered[key] = (rendered, message, profile)
        return rendered

    def message_lines(
        self, message: m.Message, profile: RenderProfile, is_fresh: bool = False
    ) -> list[StyledLine]:
        """The message as styled lines, with its timestamp where the profile wants one."""
        now_ms = self._clock.now_ms()
        lines = message_lines(message, profile, now_ms, is_fresh, self.catalogue)
        return with_timestamp(message, lines, profile, now_ms)

    # -- for programs --------------------------------------------------------------------------

    def hello_object(self, person: Person, protocol: JsonProtocol) -> Hello:
        """The first object a program reads."""
        games, now_ms = tuple(self.catalogue), self._clock.now_ms()
        hello = (protocol, self.server_name, person.name, person.is_guest, games, now_ms)
        if protocol == 1:
            return Hello(*hello)
        limits = Limits(*self._service.programs.limits_of(person))
        is_declared = self._service.programs.is_declared(person)
        names = self.server_name, games
        return HelloSince2(*hello, *names, version(), person.id, is_declared, limits)

    def objects(self, message: m.Message, protocol: JsonProtocol) -> list[m.WireObject]:
        """The message as the objects that *protocol* has."""
        list_moves = self._service.listed_moves
        return list(json_protocol.to_objects(message, self.catalogue, list_moves, protocol))

    def encoded_objects(self, message: m.Message, protocol: JsonProtocol) -> list[Encoded]:
        """The message as JSON objects."""
        key = (id(message), protocol)
        known = self._encoded.get(key)
        if known is None:
            encoded = json_protocol.encode(protocol, *self.objects(message, protocol))
            known = self._encoded[key] = (encoded, message)
        return known[0]


def _is_chat(messages: list[m.Message]) -> bool:
    """Whether all of it is chat, and names nobody who reads it."""
    is_droppable = m.DROPPABLE_TYPES.issuperset(map(type, messages))
    return is_droppable and not any(map(m.mention_in, messages))
