from mudserver.config.schema import DoorLimits as Limits
from mudserver.transport.coalesce import Coalescer
from mudserver.transport.flow import (
    CHUNK_BYTES,
    CHUNKS_PER_TURN,
    ChunkedReader,
    InputTurns,
    OutputMonitor,
    PauseReason,
    ReadThrottle,
)
from tests.mudserver.transport.server import HandClock

LIMITS = Limits(
    input_bytes_per_s=100, input_bytes_burst=1_000, output_bytes_max=500, output_stall_s=10
)


class FakeTransport:
    is_reading = True

    def pause_reading(self) -> None:
        self.is_reading = False

    def resume_reading(self) -> None:
        self.is_reading = True


class FakeBuffer:
    """An output buffer and the line above it."""

    def __init__(self, clock: HandClock, below: OutputMonitor | None = None) -> None:
        self.level, self.is_aborted = 0, False
        self.flow = OutputMonitor(lambda: self.level, LIMITS, clock, self.abort, below)

    def abort(self) -> None:
        self.is_aborted = True

    def pour(self, count: int) -> None:
        self.level += count
        self.flow.count_written(count)


def test_of_many_values_the_first_and_the_last_arrive():
    clock, seen = HandClock(), []
    latest = Coalescer(5, clock, seen.append)
    for n in range(4_000):
        latest.offer(n)
    assert [0] == seen
    clock.move(0.21)
    assert [0, 3_999] == seen
    clock.move(10.0)
    assert [0, 3_999] == seen


def test_nothing_arrives_after_the_end():
    clock, seen = HandClock(), []
    latest = Coalescer(5, clock, seen.append)
    latest.offer(1)
    latest.offer(2)
    latest.close()
    clock.move(1.0)
    assert [1] == seen


def test_reading_pauses_over_the_rate_until_the_debt_is_paid():
    clock, transport = HandClock(), FakeTransport()
    inflow = ReadThrottle(transport, LIMITS, clock)
    inflow.count_read(1_000)
    assert transport.is_reading
    inflow.count_read(50)
    assert not transport.is_reading
    clock.move(0.4)
    assert not transport.is_reading
    clock.move(0.2)
    assert transport.is_reading


def test_reading_goes_on_only_when_no_reason_is_left():
    transport = FakeTransport()
    inflow = ReadThrottle(transport, LIMITS, HandClock())
    inflow.pause(PauseReason.UNREAD_OUTPUT)
    inflow.pause(PauseReason.AUTHENTICATION)
    inflow.resume(PauseReason.AUTHENTICATION)
    assert not transport.is_reading
    inflow.resume(PauseReason.UNREAD_OUTPUT)
    assert transport.is_reading


def test_too_many_queued_bytes_cut_the_line():
    tank = FakeBuffer(HandClock())
    tank.pour(500)
    assert not tank.is_aborted
    tank.pour(1)
    assert tank.is_aborted


def test_bytes_below_count_too():
    clock = HandClock()
    wire = FakeBuffer(clock)
    channel = FakeBuffer(clock, wire.flow)
    wire.pour(300)
    channel.pour(201)
    assert (True, False) == (channel.is_aborted, wire.is_aborted)
    assert 501 == channel.flow.backlog()


def test_no_progress_cuts_the_line_and_any_progress_does_not():
    clock = HandClock()
    tank = FakeBuffer(clock)
    tank.pour(100)
    clock.move(9.0)
    tank.level -= 1
    clock.move(2.0)
    assert not tank.is_aborted
    clock.move(10.0)
    assert tank.is_aborted


def test_new_output_is_no_progress():
    clock = HandClock()
    tank = FakeBuffer(clock)
    for _ in range(4):
        tank.pour(10)
        clock.move(3.0)
    assert tank.is_aborted


def test_an_empty_buffer_is_not_watched():
    clock = HandClock()
    tank = FakeBuffer(clock)
    tank.pour(100)
    tank.level = 0
    clock.move(100.0)
    assert not tank.is_aborted


def chunked(heard, transport=None):
    """A reader, and the calls that the event loop has for its next turn."""
    clock, soon = HandClock(), []
    clock.call_soon = soon.append
    throttle = ReadThrottle(transport or FakeTransport(), Limits(), clock)
    return ChunkedReader(throttle, InputTurns(clock), heard.append), soon


def test_a_long_read_is_heard_a_mouthful_a_turn_in_order_while_reading_pauses():
    transport, heard = FakeTransport(), []
    mouthfuls, turns = chunked(heard, transport)
    mouthfuls.feed(b"a" * (2 * CHUNK_BYTES))
    mouthfuls.feed(b"b")
    assert [] == heard
    assert not transport.is_reading
    while turns:
        turns.pop()()
    assert b"a" * 2 * CHUNK_BYTES + b"b" == b"".join(heard)
    assert 3 == len(heard)
    assert transport.is_reading


def test_what_waits_is_not_heard_after_the_line_is_gone():
    heard = []
    mouthfuls, turns = chunked(heard)
    mouthfuls.feed(b"a" * (3 * CHUNK_BYTES))
    turns.pop()()
    mouthfuls.close()
    turns.pop()()
    assert [b"a" * CHUNK_BYTES] == heard


def test_connections_with_much_input_take_turns_and_a_key_waits_for_none():
    clock, soon, heard = HandClock(), [], []
    clock.call_soon = soon.append
    turns = InputTurns(clock)
    ann, bob, cid = (
        ChunkedReader(ReadThrottle(FakeTransport(), Limits(), clock), turns, heard.append)
        for _ in range(3)
    )
    ann.feed(b"a" * (2 * CHUNK_BYTES))
    bob.feed(b"b" * (2 * CHUNK_BYTES))
    cid.feed(b"c")
    assert [b"c"] == heard
    cid.feed(b"c" * CHUNK_BYTES)  # a key or a word does not wait, a whole line does
    while soon:
        turn(soon)
    assert b"cabcab" == b"".join(data[:1] for data in heard)


def turn(soon):
    """One turn of the event loop."""
    now, soon[:] = list(soon), []
    for call in now:
        call()


def test_a_turn_hears_a_few_connections_with_much_input_once_each():
    clock, soon, heard = HandClock(), [], []
    clock.call_soon = soon.append
    turns, count = InputTurns(clock), 2 * CHUNKS_PER_TURN + 3
    for number in range(count):
        throttle = ReadThrottle(FakeTransport(), Limits(), clock)
        reader = ChunkedReader(throttle, turns, lambda data, n=number: heard.append(n))
        reader.feed(b"x" * (2 * CHUNK_BYTES))
    parts = []
    while soon:
        turn(soon)
        parts.append(list(heard))
        heard.clear()
    assert 2 * list(range(count)) == [number for part in parts for number in part]
    assert all(CHUNKS_PER_TURN == len(part) == len(set(part)) for part in parts[:-1])
