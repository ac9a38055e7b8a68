"""The link behind the wall: what is executed when, and what the door is told of it."""

import pytest

from mudserver.transport.flow import InputTurns
from mudserver.transport.link import Terminal
from mudserver.wall.bodies import Open
from mudserver.wall.frames import Frame, FrameError, Kind, decode_progress
from mudserver.wall.remote_connection import QUEUED_BYTES_MAX, WHOLE_BYTES_MAX, RemoteConnection
from tests.mudserver.transport.server import HandClock


class FakeStream:
    """A wall that takes what is said when the test says so."""

    lag_bytes = 0

    def __init__(self) -> None:
        self.said: list[tuple[Kind, bytes]] = []
        self._waiting = []

    def add(self, kind, connection=0, body=b""):
        self.said.append((kind, body))

    def send(self, connection, data, seen=0, flags=0):
        self.said.append((Kind.SEND, data))

    def mark(self, connection, flags):
        """What was sent ends with *flags*."""

    def when_sent(self, call):
        self._waiting.append(call)

    def flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        for call in waiting:
            call()

    def progress(self) -> list[tuple[int, int]]:
        return [decode_progress(Frame(kind, 1, body)) for kind, body in self.said
                if kind is Kind.PROGRESS]  # fmt: skip


class LineSession:
    """Takes a line at each line end, as sessions do; `lines` is what was executed."""

    def __init__(self, link: RemoteConnection) -> None:
        self.link, self.pieces, self.lines, self.partial = link, [], [], b""
        self.ignores = False
        self.settles = True

    def on_data(self, data: bytes) -> None:
        self.pieces.append(data)
        self.partial += data
        if self.partial.endswith((b"\r", b"\n", b"\0")) and not self.ignores:
            line, self.partial = self.partial, b""
            place = self.link.take()
            self.link.begin(place, lambda: self._execute(line, place))

    def _execute(self, line: bytes, place: int) -> None:
        self.lines.append(line)
        if self.settles:
            self.link.settle(place)

    def on_disconnect(self) -> None:
        self.lines.append(b"lost")


def opened(**fields) -> Open:
    return Open("ssh", "192.0.2.1", Terminal(), "1-1", bytes(8), **fields)


@pytest.fixture
def house():
    stream, clock = FakeStream(), HandClock()
    clock.call_soon = lambda call: clock.call_later(0, call)
    link = RemoteConnection(stream, 1, opened(), 16_384, InputTurns(clock))
    sessions = []

    def begin(link, proven):
        sessions.append(LineSession(link))
        return sessions[0]

    link.start(begin, None)
    return link, sessions[0], stream, clock


def test_a_line_is_executed_only_after_the_door_has_been_told(house):
    link, session, stream, _ = house
    link.receive(0, b"give 7h\rloo")
    assert ([], [(8, 0)]) == (session.lines, stream.progress())
    stream.flush()
    assert ([b"give 7h\r"], [(8, 0), (8, 8)]) == (session.lines, stream.progress())
    link.receive(11, b"k\r")
    stream.flush()
    assert [b"give 7h\r", b"look\r"] == session.lines
    assert [(8, 0), (8, 8), (13, 8), (13, 13)] == stream.progress()


def test_a_line_whose_wall_breaks_first_is_not_executed(house):
    link, session, _, _ = house
    link.receive(0, b"give 7h\r")
    link.lose("closed")
    assert [b"lost"] == session.lines


def test_what_has_begun_and_is_not_done_stays_open(house):
    link, session, stream, _ = house
    session.settles = False
    link.receive(0, b"give 7h\r")
    stream.flush()
    assert [(8, 0)] == stream.progress()


@pytest.mark.parametrize("typed", [b"a\r\nb\r\0c\nd\r", b"\r\r\r\r"])
def test_pieces_end_where_a_line_ends(house, typed):
    link, session, stream, _ = house
    link.receive(0, typed)
    stream.flush()
    assert 4 == len(session.lines)
    assert typed == b"".join(session.pieces)
    assert (len(typed), len(typed)) == stream.progress()[-1]


def test_a_line_end_that_no_line_came_of_is_over_at_once(house):
    link, session, stream, _ = house
    session.ignores = True  # a page that is read on
    link.receive(0, b"\rnex")
    assert [(1, 1)] == stream.progress()


def test_what_is_typed_without_end_is_not_kept_for_ever(house):
    link, _, stream, clock = house
    data = b"x" * (WHOLE_BYTES_MAX + 64)
    link.receive(0, data)
    clock.move(1)
    assert len(data) - 64 < stream.progress()[-1][0] <= len(data)


def test_before_a_long_line_is_forgotten_its_session_leaves_it_once_for_so_many_bytes(house):
    link, _, stream, clock = house
    link.on_long_line = lambda: link.keep(str(link.heard).encode(), b"")
    link.receive(0, b"x" * (3 * WHOLE_BYTES_MAX))
    clock.move(1)
    kinds = [kind for kind, _ in stream.said]
    assert [Kind.KEEP, Kind.PROGRESS] * 2 == kinds
    first, second = [place for place, _ in stream.progress()]
    assert WHOLE_BYTES_MAX < first < second - WHOLE_BYTES_MAX
    assert str(first).encode() in stream.said[0][1] and str(second).encode() in stream.said[2][1]


def test_what_is_typed_without_end_behind_a_slow_line_is_not_kept_either(house):
    link, session, stream, clock = house
    session.settles = False
    link.receive(0, b"wait\r")
    stream.flush()
    link.receive(5, b"x" * (WHOLE_BYTES_MAX + 1))
    clock.move(1)
    assert [(5, 0)] == stream.progress()
    link.settle(5)
    assert [(5, 0), (5, 5), (WHOLE_BYTES_MAX + 6, WHOLE_BYTES_MAX + 6)] == stream.progress()


def test_long_input_is_processed_a_chunk_a_turn_in_order(house):
    link, session, stream, clock = house
    typed = b"".join(b"line %d\r" % number for number in range(100))
    link.receive(0, typed[:500])
    link.receive(500, typed[500:])
    assert [] == session.pieces
    clock.move(1)
    stream.flush()
    assert typed == b"".join(session.pieces) == b"".join(session.lines)


def test_a_key_does_not_wait_for_the_chunks_of_others(house):
    link, session, stream, clock = house
    other = RemoteConnection(stream, 2, opened(), 16_384, link._turns)
    flood = LineSession(other)
    other.start(lambda link, proven: flood, None)
    for at in range(0, 64_000, 64):
        other.receive(at, b"\r" * 64)
    link.receive(0, b"k")
    assert ([], [b"k"]) == (flood.pieces, session.pieces)
    clock.move(1)
    assert 64_000 == len(flood.pieces)


def test_input_that_waits_is_bounded(house):
    link, _, stream, _ = house
    for at in range(0, QUEUED_BYTES_MAX + 16_384, 16_384):
        link.receive(at, b"x" * 16_384)
    assert link.is_closed
    assert (Kind.CLOSE, b"") == stream.said[-1]


@pytest.mark.parametrize("offset", [0, 4, 6])
def test_bytes_that_are_missing_or_come_twice_end_the_wall(house, offset):
    link = house[0]
    link.receive(0, b"hello")
    with pytest.raises(FrameError, match="DATA at"):
        link.receive(offset, b"x")


def test_a_connection_that_is_opened_again_goes_on_counting():
    stream = FakeStream()
    link = RemoteConnection(
        stream, 1, opened(retained_at=40, begun=40, done=30), 16_384, InputTurns(HandClock())
    )
    session = LineSession(link)
    link.start(lambda link, proven: session, None)
    link.receive(40, b"look\r")
    stream.flush()
    assert ([b"look\r"], [(45, 40), (45, 45)]) == (session.lines, stream.progress())


def test_more_taken_than_sent_ends_the_wall(house):
    link = house[0]
    link.send(b"hello")
    link.note_taken(5)
    with pytest.raises(FrameError, match="TAKEN 6 of 5"):
        link.note_taken(6)


def test_a_bug_in_a_session_ends_its_connection_and_no_other(house, caplog):
    link, session, stream, _ = house

    def fail(data):
        raise ZeroDivisionError

    session.on_data = fail
    link.receive(0, b"x")
    assert (Kind.CLOSE, b"") == stream.said[-1]
    assert "connection failed session=1-1 err=ZeroDivisionError" in caplog.text


def test_a_session_that_cannot_begin_ends_its_connection_and_no_other(caplog):
    stream = FakeStream()
    link = RemoteConnection(stream, 1, opened(), 16_384, InputTurns(HandClock()))
    link.start(lambda link, proven: 1 / 0, None)
    assert (Kind.CLOSE, b"") == stream.said[-1]
    assert "err=ZeroDivisionError" in caplog.text


async def test_who_asks_whether_to_try_when_the_connection_is_gone_may_not(house):
    link = house[0]
    link.lose("closed")
    assert not await link.may_try("ann")
    assert not await link.count_failure("ann")


# -- another server takes over -------------------------------------------------------------------


def test_a_held_connection_begins_no_line_and_hears_nothing_until_it_is_released(house):
    link, session, stream, clock = house
    link.receive(0, b"give 7h\rlo")
    link.hold()
    stream.flush()
    link.receive(10, b"ok\rwho\r")
    stream.flush()
    clock.move(1)
    assert ([b"give 7h\r"], True) == (session.lines, link.is_handled)
    assert [(8, 0), (8, 8)] == stream.progress()
    link.release()
    clock.move(1)
    stream.flush()
    assert [b"give 7h\r", b"look\r", b"who\r"] == session.lines


def test_a_line_that_was_taken_and_not_begun_when_the_connection_is_held_begins_later(house):
    link, session, stream, _ = house
    link.hold()
    session.on_data(b"give 7h\r")
    stream.flush()
    assert ([], []) == (session.lines, stream.progress())
    link.release()
    stream.flush()
    assert [b"give 7h\r"] == session.lines


def test_a_connection_that_two_hold_goes_on_when_both_have_let_go(house):
    link, session, stream, clock = house
    link.hold()
    link.hold()
    link.receive(0, b"give 7h\rlo")
    for heard in ([], [b"give 7h\r"]):
        link.release()
        clock.move(1)
        stream.flush()
        assert heard == session.lines
    assert [(8, 0), (8, 8)] == stream.progress()  # and the half line stays with the door


def test_a_line_is_under_way_from_its_announcement_until_the_session_has_done_it(house):
    link, session, stream, _ = house
    session.settles = False
    link.receive(0, b"give 7h\r")
    assert not link.is_handled
    stream.flush()
    assert not link.is_handled
    link.note_handled(8)  # its answer is on its way
    assert (True, [(8, 0)]) == (link.is_handled, stream.progress())
    link.receive(8, b"look\r")
    stream.flush()
    link.settle(8)
    assert not link.is_handled  # the other line is
    link.settle(13)
    assert link.is_handled


def test_a_line_that_another_process_has_begun_is_done_when_its_person_was_told():
    stream = FakeStream()
    link = RemoteConnection(stream, 1, opened(retained_at=8, begun=8), 16_384, None)
    assert link.is_line_uncertain and link.is_line_open
    place = link.take_uncertain()
    assert (False, []) == (link.is_handled, stream.progress())
    link.settle(place)
    assert (True, [(8, 8)]) == (link.is_handled, stream.progress())


def test_no_session_begins_at_a_held_connection_nor_after_its_end():
    link, begun = RemoteConnection(FakeStream(), 1, opened(), 16_384, None), []
    link.hold()
    link.start(lambda *them: begun.append(them), None)
    assert [] == begun
    link.lose("closed")
    link.release()
    assert [] == begun


def test_who_did_not_log_in_while_the_connection_is_held_is_told_when_the_session_begins():
    link, session = RemoteConnection(FakeStream(), 1, opened(), 16_384, None), LineSession(None)
    told = list[str]()
    session.on_login_timeout = told.append
    link.hold()
    link.start(lambda link, proven: session, None)
    link.end_login("You took too long.")
    assert [] == told
    link.release()
    assert ["You took too long."] == told


def test_what_waits_for_a_door_that_takes_nothing_is_the_backlog_of_all_its_connections():
    stream = FakeStream()
    links = [RemoteConnection(stream, number, opened(), 16_384, None) for number in (1, 2)]
    assert [0, 0] == [link.backlog() for link in links]
    stream.lag_bytes = 5_000_000
    assert [5_000_000] * 2 == [link.backlog() for link in links]
