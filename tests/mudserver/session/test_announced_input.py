"""Lines behind a wall: announced one by one, handled in order, and as bounded as others."""

import asyncio

from mudserver.config.schema import SessionLimits
from mudserver.errors import RefusalCode, UserError
from mudserver.session.announced_input import SCREEN_S, SHOWN_S, AnnouncedInputQueue
from mudserver.session.input_queue import QUEUED_LINES_MAX
from tests.mudserver.transport.server import HandClock

APPEND_WAIT_S = 5.0


class Order:
    """`transport.link.InputOrder`, whose announcements arrive when the test says so."""

    def __init__(self, clock: HandClock) -> None:
        self.clock, self.place = clock, 0
        self.begun: list[int] = []
        self.handled: list[int] = []
        self.settled: list[int] = []
        self._waiting = []

    def take(self) -> int:
        self.place += 10
        return self.place

    def take_uncertain(self) -> int:
        return self.place

    def begin(self, place, call):
        self.begun.append(place)
        self._waiting.append(call)

    def note_handled(self, place):
        self.handled.append(place)

    def settle(self, place):
        self.settled.append(place)

    def arrive(self) -> None:
        while self._waiting:
            self._waiting.pop(0)()

    def show(self) -> None:
        """Time for the answers."""
        self.clock.move(SHOWN_S)


class Owner:
    is_over, is_shown = False, True

    def __init__(self) -> None:
        self.refusals: list[str] = []
        self.handled: list[str] = []
        self.pending: asyncio.Future[None] | None = None

    def handle(self, line: str):
        self.handled.append(line)
        if line == "no":
            raise UserError("You can't.")
        if line == "wait":
            self.pending = asyncio.get_running_loop().create_future()
            return self.pending
        return None

    def note_begin(self, line: str, place: int) -> None: ...

    def send_refusal(self, sentence: str, code: RefusalCode = "not_allowed") -> None:
        self.refusals.append(sentence)


def queue(**limits: int) -> tuple[AnnouncedInputQueue[str], Order, Owner]:
    clock = HandClock()
    order, owner = Order(clock), Owner()
    made = AnnouncedInputQueue(
        *(order, owner.handle, owner, SessionLimits(**limits), clock, 1.0),
        append_wait_s=APPEND_WAIT_S,
    )
    return made, order, owner


def test_a_line_is_handled_when_its_announcement_has_left():
    lines, order, owner = queue()
    lines.submit("look")
    lines.submit("who")
    assert ([10], [], []) == (order.begun, order.settled, owner.handled)
    order.arrive()
    order.show()
    assert ([10, 20], [10, 20], ["look", "who"]) == (order.begun, order.settled, owner.handled)


async def test_a_line_that_waits_is_settled_when_it_is_done_and_the_next_begins_then():
    lines, order, owner = queue()
    lines.submit("wait")
    lines.submit("look")
    order.arrive()
    assert ([10], [], ["wait"]) == (order.begun, order.settled, owner.handled)
    owner.pending.set_result(None)
    await asyncio.sleep(0.01)
    order.arrive()
    order.show()
    assert ([10, 20], [10, 20]) == (order.begun, order.settled)
    assert ["wait", "look"] == owner.handled


async def test_a_line_is_handled_long_before_its_answer_is_known_to_be_shown():
    lines, order, owner = queue()
    lines.submit("look")
    order.arrive()
    assert ([10], []) == (order.handled, order.settled)
    lines.submit("wait")
    order.arrive()
    assert [10] == order.handled
    owner.pending.set_result(None)
    await asyncio.sleep(0.01)
    assert ([10, 20], []) == (order.handled, order.settled)


async def test_what_is_done_before_the_first_line_is_no_line():
    lines, order, owner = queue()
    done = asyncio.get_running_loop().create_future()
    lines.hold_until(done)
    lines.submit("look")
    assert ([], []) == (order.begun, order.settled)
    done.set_result(None)
    await asyncio.sleep(0.01)
    order.arrive()
    order.show()
    assert ([10], [10], ["look"]) == (order.begun, order.settled, owner.handled)


def test_a_line_is_done_when_there_was_time_to_show_its_answer_or_the_process_ends():
    lines, order, _ = queue()
    lines.submit("look")
    order.arrive()
    order.clock.move(SHOWN_S - 0.01)
    assert ([10], []) == (order.begun, order.settled)
    lines.settle()
    assert [10] == order.settled
    order.show()
    assert [10] == order.settled


async def test_a_line_whose_answer_was_sent_is_done_at_once_and_once():
    lines, order, owner = queue()
    lines.submit("wait")
    order.arrive()
    lines.note_answered()
    assert [10] == order.settled
    owner.pending.set_result(None)
    await asyncio.sleep(0.01)
    order.show()
    assert [10] == order.settled


async def test_what_tells_that_nobody_knows_of_a_line_comes_before_the_next_line():
    lines, order, owner = queue()
    told = asyncio.get_running_loop().create_future()
    lines.note_uncertain(told)
    lines.submit("look")
    order.arrive()
    order.show()
    assert ([], []) == (order.settled, owner.handled)
    lines.note_answered()
    told.set_result(None)
    await asyncio.sleep(0.01)
    order.arrive()
    assert ([0], ["look"]) == (order.settled, owner.handled)


def test_a_line_whose_answer_waits_for_its_screen_is_not_done_yet_but_not_for_ever():
    lines, order, owner = queue()
    lines.submit("look")
    owner.is_shown = False
    order.arrive()
    order.clock.move(2 * SHOWN_S)
    assert [] == order.settled
    owner.is_shown = True
    order.show()
    assert [10] == order.settled
    owner.is_shown = False
    lines.submit("who")
    order.arrive()
    order.clock.move(
        APPEND_WAIT_S + SHOWN_S
    )  # the table waits for the journal, then says that it stops
    assert [10] == order.settled
    order.clock.move(SCREEN_S)
    assert [10, 20] == order.settled


def test_each_line_has_its_own_time_for_its_answer():
    lines, order, _ = queue()
    lines.submit("look")
    order.arrive()
    order.clock.move(SHOWN_S - 0.01)
    lines.submit("draw")  # which a table answers when it is durable
    order.arrive()
    order.clock.move(0.02)
    assert [10] == order.settled
    order.clock.move(SHOWN_S)
    assert [10, 20] == order.settled


def test_a_refused_line_is_settled_too():
    lines, order, owner = queue()
    lines.submit("no")
    order.arrive()
    order.show()
    assert ([10], ["You can't."]) == (order.settled, owner.refusals)


def test_lines_over_the_rate_are_refused_and_take_no_place():
    lines, order, owner = queue(lines_burst=2)
    for line in ("a", "b", "c"):
        lines.submit(line)
    order.arrive()
    assert (["a", "b"], 20, 1) == (owner.handled, order.place, len(owner.refusals))


def test_the_queue_is_bounded():
    lines, order, owner = queue(lines_burst=1_000)
    for number in range(QUEUED_LINES_MAX + 3):
        lines.submit(str(number))
    order.arrive()
    assert QUEUED_LINES_MAX == len(owner.handled)
    assert 1 == len(owner.refusals)  # people are warned once a second


def test_nothing_begins_when_the_session_is_over():
    lines, order, owner = queue()
    lines.submit("look")
    owner.is_over = True
    lines.stop()
    order.arrive()
    assert [] == owner.handled


def test_that_nobody_knows_of_a_line_is_said_until_it_was_shown():
    lines, order, owner = queue()
    owner.is_shown = False
    lines.note_uncertain()
    order.show()
    assert [] == order.settled
    owner.is_shown = True
    order.show()
    assert [order.place] == order.settled
