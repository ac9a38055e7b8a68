"""A session goes on in the next process: the same person, silently, with what was theirs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import pytest

from mudserver import metrics
from mudserver.config import schema
from mudserver.session import texts
from mudserver.transport.link import AuthenticatedUser, Terminal
from tests.simulation import virtual
from tests.simulation.server import ANSI, FakeLink, SimServer, new_world, plain, proven_by_key
from tests.terminal import Emulator

READER = Terminal("xterm", 80, 24, is_character_mode=True)
WAIT = "-- One moment: the server restarts. What you type is kept."


class FakeHolder:
    """`transport.link.Holder`: a door that has nothing else to do."""

    link: HeldLink
    on_moved: Callable[[], None]
    on_errand: Callable[[bytes, int], None]

    def __init__(self, nonce: bytes = b"12345678") -> None:
        self.nonce, self.capsule, self.wait_text = nonce, b"", b""
        self.to_keep: tuple[bytes, bytes] | None = None
        self.is_again = self.has_waited = self.is_line_uncertain = self.has_skipped = False
        self.kept = self.seen = self.heard = self.begun = 0
        self.is_between_lines = self.is_line_open = True
        self.kept_until: int | None = 0  # None: something else was typed
        self.waiting: list[Callable[[], None]] | None = None  # None: nothing is held
        self.on_long_line: Callable[[], None] = lambda: None
        self.walk, self.walked_to, self.may_redirect = "", 0, True
        self.redirected: list[tuple[str, int, bytes, int]] = []

    def redirect(self, *to: object) -> None:
        self.redirected.append(to)
        self.link.is_cut, self.link.close = True, lambda: None  # type: ignore[method-assign]

    def hold(self) -> None:
        self.waiting = []

    def release(self) -> None:
        waiting, self.waiting = self.waiting, None
        for call in waiting:
            call()

    def keep_input_until(self, offset: int) -> bool:
        return self.kept_until == offset

    def keep(self, capsule: bytes, wait_text: bytes, *, waits: bool = False) -> None:
        if waits:
            self.to_keep = capsule, wait_text
        else:
            self.capsule, self.wait_text, self.to_keep = capsule, wait_text, None
        self.kept += 1

    def note_output(self) -> None:
        """The connection is sent something."""
        if self.to_keep is not None:
            (self.capsule, self.wait_text), self.to_keep = self.to_keep, None

    def skip_input(self) -> None:
        self.has_skipped = True

    def take(self) -> int:
        return 0

    def take_uncertain(self) -> int:
        return 0

    def begin(self, place: int, call: Callable[[], None]) -> None:
        asyncio.get_running_loop().call_soon(call)

    def note_handled(self, place: int) -> None: ...
    def settle(self, place: int) -> None: ...


class HeldLink(FakeLink):
    """A line that another process holds."""

    def __init__(self, terminal: Terminal = ANSI, **options) -> None:
        super().__init__(terminal, **options)
        self.holder = FakeHolder()
        self.holder.link = self
        self.visit = "d1-1"
        self.is_cut = False  # what is sent gets nowhere
        self.on_sent: Callable[[], None] = lambda: None
        self.sent: list[tuple[bytes, int]] = []

    def send(self, data: bytes, seen: int = 0) -> None:
        if not self.is_cut:
            self.sent.append((data, seen))
            super().send(data)
            self.holder.seen = seen or self.holder.seen
            self.holder.note_output()
            self.on_sent()

    def type(self, line: str) -> None:
        end = b"\n" if self.wants_json else b"\r"
        text = f'{{"line": "{line}"}}' if self.wants_json else line
        data = text.encode() + end
        if self.holder.waiting is None:
            self.handler.on_data(data)
        else:
            self.holder.waiting.append(lambda: self.handler.on_data(data))

    @property
    def session(self):
        return self.handler

    def again(self) -> HeldLink:
        """The same line, as the next process is given it."""
        link = HeldLink(
            self.terminal, protocol=self.protocol, wants_json=self.wants_json,
            json_protocol=self.json_protocol,
        )  # fmt: skip
        link.holder, link.visit = self.holder, self.visit
        link.holder.link = link
        link.holder.is_again = True
        return link


def proof(name: str, *, is_known: bool) -> AuthenticatedUser | None:
    if name == "guest":
        return AuthenticatedUser("guest", "guest")
    return proven_by_key(name, is_known=is_known)


async def come(server: SimServer, name: str, terminal: Terminal = ANSI, **options) -> HeldLink:
    link = HeldLink(terminal, protocol="ssh", **options)
    server.connect(link, proof(name, is_known=False))
    await asyncio.sleep(1)
    return link


async def restarted(server: SimServer) -> SimServer:
    """The process dies and the next one opens the same disk."""
    await server.die()
    return await SimServer(server.world).open()


async def go_on(server: SimServer, before: HeldLink, name: str) -> HeldLink:
    link = before.again()
    server.connect(link, proof(name, is_known=True))
    await asyncio.sleep(1)
    return link


@pytest.mark.parametrize("name", ["ann", "guest"])
def test_the_same_person_goes_on_and_nobody_reads_of_it(name):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        bob, ann = await come(server, "bob"), await come(server, name)
        person, since = ann.session.person, ann.session.id
        server = await restarted(server)
        bob = await go_on(server, bob, "bob")
        ann = await go_on(server, ann, name)
        assert (person, since) == (ann.session.person, ann.session.id)
        assert "\nlobby> " == "\n" + ann.text
        assert "lobby> " == bob.text
        assert server.app.service.online_count() == 2

    virtual.run(scenario())


def test_the_picture_is_the_same_with_the_line_that_was_begun():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        ann.session.on_data(b"say hel")
        before = Emulator()
        before.feed(ann.heard)
        rows = before.rows
        server = await restarted(server)
        again = await go_on(server, ann, "ann")
        again.session.on_data(b"say hel")  # what the door has kept
        await asyncio.sleep(1)
        before.feed(again.heard)
        assert rows == before.rows
        assert "lobby> say hel" == before.row.rstrip()

    virtual.run(scenario())


def test_a_draft_that_came_from_another_terminal_goes_on_too_until_it_is_sent():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        before = await come(server, "ann")
        before.session.on_data(b"say hel")
        ann = HeldLink(protocol="ssh")
        server.connect(ann, proof("ann", is_known=True))
        await asyncio.sleep(1)
        assert ann.text.endswith("lobby> say hel")
        ann.session.on_data(b"lo")
        server = await restarted(server)
        again = await go_on(server, ann, "ann")
        again.session.on_data(b"lo")  # what the door has kept
        await asyncio.sleep(1)
        assert again.text.endswith("lobby> say hello")
        again.session.on_data(b"\r")
        await asyncio.sleep(1)
        server = await restarted(server)
        again = await go_on(server, again, "ann")
        assert again.text.endswith("lobby> ")

    virtual.run(scenario())


def test_a_session_that_goes_on_after_a_broken_wall_is_not_detached_besides():
    async def scenario() -> list[int]:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        kept = server.app.session_manager.detached
        ann.drop()
        await asyncio.sleep(1)
        counts = [len(kept)]
        again = await go_on(server, ann, "ann")
        assert again.text.endswith("lobby> ")
        return [*counts, len(kept)]

    assert [1, 0] == virtual.run(scenario())


def test_of_many_sessions_that_go_on_the_log_has_the_first(caplog, monkeypatch):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        for shown in (1, 0):
            ann = await come(server, "ann")
            server = await restarted(server)
            monkeypatch.setitem(metrics.RESUMED.values, "capsule", 20 - shown)
            caplog.clear()
            await go_on(server, ann, "ann")
            line = f"session resumed session={ann.visit} person="
            levels = [r.levelname for r in caplog.records if r.getMessage().startswith(line)]
            assert ["INFO" if shown else "DEBUG"] == levels
            server = await restarted(server)

    caplog.set_level(logging.DEBUG, "session")
    virtual.run(scenario())


def test_history_settings_and_title_go_along():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        guest = await come(server, "guest")
        for line in ("set theme mono", "set title on", "who", "tables"):
            guest.type(line)
            await asyncio.sleep(1)
        await asyncio.sleep(31)
        server = await restarted(server)
        again = await go_on(server, guest, "guest")
        assert "mono" == again.session.preference("theme")
        assert b"\x1b[22;2t" not in again.heard  # the terminal keeps the first title already
        again.session.on_data(b"\x1b[A\x1b[A")
        await asyncio.sleep(1)
        assert again.text.endswith("lobby> who")

    virtual.run(scenario())


def test_who_sat_in_a_game_is_shown_it_and_the_others_read_nothing():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann, bob = await come(server, "ann"), await come(server, "bob")
        for link, line in ((ann, "open elimination"), (bob, "join 1"), (ann, "start"),
                           (bob, "start"), (ann, "start")):  # fmt: skip
            link.type(line)
            await asyncio.sleep(2)
        assert ann.session._location.is_playing
        server = await restarted(server)
        bob = await go_on(server, bob, "bob")
        bob.received.clear()
        ann = await go_on(server, ann, "ann")
        assert "table 1" in ann.text.splitlines()[-1]
        assert "connected again" not in bob.text and "ann is here" not in bob.text
        assert "Welcome" not in ann.text

    virtual.run(scenario())


def test_a_program_goes_on_without_a_second_hello():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        program = await come(server, "cid", wants_json=True)
        assert b'"type":"notice"' in program.holder.wait_text
        server = await restarted(server)
        again = await go_on(server, program, "cid")
        assert "hello" not in again.text and "Welcome" not in again.text
        again.type("who")
        await asyncio.sleep(1)
        assert "1 person is here" in again.text

    virtual.run(scenario())


@pytest.mark.parametrize("teller", ["bob", "guest"])
def test_reply_answers_whoever_told_one_something_before(teller):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann, other = await come(server, "ann"), await come(server, teller)
        if teller == "guest":
            ann.type("tell guest1 hi")
            await asyncio.sleep(1)
            other.type("reply hello")
        else:
            other.type("tell ann hello")
        await asyncio.sleep(31)
        server = await restarted(server)
        ann, other = await go_on(server, ann, "ann"), await go_on(server, other, teller)
        ann.type("reply good evening")
        await asyncio.sleep(1)
        assert "ann tells you: good evening" in other.text

    virtual.run(scenario())


def test_the_chat_pane_goes_along():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        guest, bob = await come(server, "guest"), await come(server, "bob")
        guest.type("set screen on")
        for line in ("say first words", "me waves at all", "#help is this help", "say last"):
            bob.type(line)
            await asyncio.sleep(2)
        before = guest.session.recent_talk
        await asyncio.sleep(31)
        server = await restarted(server)
        again = await go_on(server, guest, "guest")
        assert 4 == len(before) and before == again.session.recent_talk
        picture = Emulator()
        picture.feed(again.heard)
        assert any("first words" in row for row in picture.rows)

    virtual.run(scenario())


def test_a_full_screen_is_drawn_anew():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        guest = await come(server, "guest")
        guest.type("set screen on")
        await asyncio.sleep(1)
        server = await restarted(server)
        again = await go_on(server, guest, "guest")
        assert again.session._fullscreen_feed is not None
        assert b"\x1b[?1049h" in again.heard

    virtual.run(scenario())


@pytest.mark.parametrize("has_waited", [False, True])
def test_a_screen_reader_reads_the_prompt_once_on_a_row_of_its_own(has_waited):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann", READER)
        assert WAIT == plain(ann.holder.wait_text).strip()
        server = await restarted(server)
        ann.holder.has_waited = has_waited
        again = await go_on(server, ann, "ann")
        assert "\n" * (not has_waited) + "lobby> " == again.text

    virtual.run(scenario())


def test_away_quiet_whom_to_answer_and_what_was_spent_go_along():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann, bob = await come(server, "ann"), await come(server, "bob")
        for link, line in ((bob, "tell ann psst"), (ann, "quiet on"), (ann, "away for tea"),
                           (ann, "who")):  # fmt: skip
            link.type(line)
            await asyncio.sleep(1)
        for _ in range(5):
            bob.type("say the same")
        await asyncio.sleep(31)
        ann.session.leave_capsule(is_planned=True)
        bob.session.leave_capsule(is_planned=True)
        left, _ = bob.session._input_queue.spent()
        server = await restarted(server)
        ann, bob = await go_on(server, ann, "ann"), await go_on(server, bob, "bob")
        assert bob.session._input_queue.spent()[0] <= left + 1
        ann.type("reply yes")
        bob.type("say the same")
        bob.type("tell ann hello")
        await asyncio.sleep(1)
        assert "ann tells you: yes" in bob.text
        assert "You can't talk for" in bob.text
        assert "for tea" not in bob.text  # talk ends it
        assert ann.session.person.id in server.app.service._lobby.quiet

    virtual.run(scenario())


def test_a_page_that_was_open_ends_with_one_line():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        ann.type("rules elimination")
        await asyncio.sleep(1)
        server = await restarted(server)
        again = await go_on(server, ann, "ann")
        assert f"{texts.PAGE_LEFT_OUT}\nlobby> " in again.text

    virtual.run(scenario())


@pytest.mark.parametrize("line", ["rename anna", "account delete", "register cid"])
def test_an_open_question_is_cancelled_with_one_line(line):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        name = "guest" if line.startswith("register") else "ann"
        ann = await come(server, name)
        ann.type(line)
        await asyncio.sleep(1)
        assert ann.session.dialogs.open is not None
        server = await restarted(server)
        again = await go_on(server, ann, name)
        assert texts.QUESTION_CANCELLED in " ".join(again.text.split())
        again.type("who")
        await asyncio.sleep(1)
        assert "1 person is here" in again.text

    virtual.run(scenario())


@pytest.mark.parametrize("command, game", [("play", "table 1"), ("learn", "elimination")])
def test_which_game_is_still_asked_and_nobody_reads_of_it(command, game):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        ann.type(command)
        await asyncio.sleep(1)
        assert "Which game?" in ann.text
        again = await go_on(await restarted(server), ann, "ann")
        assert "lobby> " == again.text
        again.type("1")
        await asyncio.sleep(1)
        assert game in again.text.lower() and "1 elimination" not in again.text

    virtual.run(scenario())


def test_the_question_for_a_new_password_is_asked_again_from_its_beginning():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        for line in ("password", "open sesame"):
            ann.type(line)
            await asyncio.sleep(1)
        assert ann.text.endswith("Again: ")
        server = await restarted(server)
        again = await go_on(server, ann, "ann")
        assert again.text.endswith(f"{texts.TYPE_AGAIN}\nChoose a password: ")

    virtual.run(scenario())


def test_a_mud_client_is_not_greeted_twice():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        ann.speaks_gmcp = True
        ann.session.on_gmcp("Core.Supports.Set", None)
        await asyncio.sleep(1)
        assert b"Char.Name" in ann.heard
        ann.session.leave_capsule(is_planned=True)
        server = await restarted(server)
        link = ann.again()
        link.speaks_gmcp = True
        server.connect(link, proof("ann", is_known=True))
        await asyncio.sleep(1)
        assert b"\xff\xfa" not in link.heard
        link.type("say hello")
        await asyncio.sleep(1)
        assert b"Comm.Channel.Text" in link.heard

    virtual.run(scenario())


# -- a login -------------------------------------------------------------------------------------


async def typed(server: SimServer, *lines: str) -> HeldLink:
    """A telnet connection at which *lines* were typed."""
    link = HeldLink(protocol="telnet")
    server.connect(link)
    await asyncio.sleep(1)
    for line in lines:
        link.type(line)
        await asyncio.sleep(1)
    return link


async def again(server: SimServer, link: HeldLink) -> HeldLink:
    new = link.again()
    server.connect(new)
    await asyncio.sleep(1)
    return new


def test_a_login_goes_on_where_it_was():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await typed(server, "ann", "open sesame", "open sesame")
        assert "Welcome" in ann.text
        name, wrong = await typed(server), await typed(server, "ann", "wrong", "ann")
        first = await typed(server, "bob")
        second = await typed(server, "cid", "tell nobody")
        server = await restarted(server)
        name = await again(server, name)
        assert ("Name: ", False) == (name.text, name.holder.has_skipped)
        wrong = await again(server, wrong)
        assert f"{texts.TYPE_AGAIN}\nPassword: " == wrong.text
        assert 2 == wrong.session.dialogs.open.state.tries_left
        wrong.type("open sesame")
        await asyncio.sleep(1)
        assert "Welcome back, ann." in wrong.text
        for link in (first, second):
            new = await again(server, link)
            assert f"{texts.TYPE_AGAIN}\nChoose a password: " == new.text
        new.type("tell nobody")
        new.type("tell nobody")
        await asyncio.sleep(1)
        assert "You are registered as cid." in new.text

    virtual.run(scenario())


def test_a_registration_that_was_written_is_a_login_afterwards():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        cid = await typed(server, "cid", "tell nobody")
        capsule = cid.holder.capsule
        cid.type("tell nobody")
        await asyncio.sleep(1)
        cid.holder.capsule = capsule  # the process died before it left another one
        server = await restarted(server)
        new = await again(server, cid)
        assert f"{texts.TYPE_AGAIN}\nPassword: " == new.text

    virtual.run(scenario())


def test_nothing_of_a_password_and_no_code_is_in_the_capsule_of_a_login():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        seen, link = [], await typed(server)
        link.holder.keep = lambda capsule, wait_text, waits=False: seen.append(capsule)
        for line in ("ann+k7w2-m9px-qd3n", "", "cid", "tell nobody", "tell somebody"):
            link.type(line)
            await asyncio.sleep(1)
        assert any(b"cid" in capsule for capsule in seen)
        assert not [it for it in seen for word in (b"k7w2", b"nobody") if word in it]

    virtual.run(scenario())


# -- who cannot go on ----------------------------------------------------------------------------


def spoiled(link: HeldLink) -> None:
    link.holder.capsule = link.holder.capsule[:-1] + bytes([link.holder.capsule[-1] ^ 1])


def test_without_a_capsule_a_proof_is_enough():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        spoiled(ann)
        server = await restarted(server)
        again = await go_on(server, ann, "ann")
        assert "Welcome back, ann." in again.text

    before = metrics.RESUMED.values["proven"]
    virtual.run(scenario())
    assert before + 1 == metrics.RESUMED.values["proven"]


@pytest.mark.parametrize("lines", [(), ("guest",)])
def test_without_capsule_and_proof_one_logs_in_again(lines):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        link = await typed(server, *lines)
        spoiled(link)
        server = await restarted(server)
        again = link.again()
        server.connect(again)
        await asyncio.sleep(1)
        assert texts.NOT_TAKEN_UP + "\nName: " == again.text
        assert again.holder.has_skipped

    virtual.run(scenario())


def test_a_capsule_of_another_connection_opens_nothing():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        other = HeldLink(protocol="telnet")
        other.holder = FakeHolder(b"87654321")
        other.holder.capsule, other.holder.is_again = ann.holder.capsule, True
        server.connect(other)
        await asyncio.sleep(1)
        assert other.session.person is None

    virtual.run(scenario())


def test_a_session_whose_key_is_gone_does_not_go_on():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        ann.type("keys")
        await asyncio.sleep(1)
        server = await restarted(server)
        server.app.account_service.keys.has_key = lambda name, fingerprint: False
        again = await go_on(server, ann, "ann")
        assert not again.is_open
        assert texts.KEY_REMOVED_MEANWHILE in again.text

    virtual.run(scenario())


def test_a_place_that_was_granted_is_not_refused():
    async def scenario() -> None:
        few = schema.SourceLimits(guests_per_source_max=1, guests_per_network_max=1)
        server = await SimServer(new_world(1, sources=few)).open()
        guest = await come(server, "guest")
        server = await restarted(server)
        server.app.online._check_memory = lambda: 1 / 0
        again = await go_on(server, guest, "guest")
        assert again.session.person == guest.session.person

    virtual.run(scenario())


# -- when a capsule is left ----------------------------------------------------------------------


def test_a_capsule_is_left_at_entry_and_for_lines_every_half_minute():
    async def scenario() -> list[int]:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        counts = [ann.holder.kept]
        for _ in range(5):
            ann.type("who")
            await asyncio.sleep(1)
        counts.append(ann.holder.kept)
        await asyncio.sleep(30)
        counts.append(ann.holder.kept)
        await asyncio.sleep(100)
        counts.append(ann.holder.kept)
        return counts

    at_entry, *later = virtual.run(scenario())
    assert 1 <= at_entry <= 2
    assert [at_entry, at_entry + 1, at_entry + 1] == later


def test_a_planned_end_leaves_the_newest():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        ann.type("tables")
        await asyncio.sleep(1)
        await server.stop()
        server = await SimServer(server.world).open()
        again = await go_on(server, ann, "ann")
        assert "" == again.text  # the row stands
        again.session.on_data(b"\x1b[A")
        await asyncio.sleep(1)
        assert again.text.endswith("tables")

    virtual.run(scenario())


def test_nothing_of_a_password_is_in_a_capsule():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        seen = []
        ann.holder.keep = lambda capsule, wait_text, waits=False: seen.append(capsule)
        for line in ("password", "open sesame", "open sesame", "who"):
            ann.type(line)
            await asyncio.sleep(16)
        await asyncio.sleep(31)
        assert seen
        assert not [capsule for capsule in seen if b"sesame" in capsule]
        assert any(b"who" in capsule for capsule in seen)

    virtual.run(scenario())
