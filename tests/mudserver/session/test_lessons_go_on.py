"""A lesson goes on: after a restart without a word, at another terminal with its step."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from itertools import groupby
from operator import itemgetter

import pytest

from mudserver.service.lessons import IDLE_S
from tests.mudserver.session.test_attachment import come as come_in
from tests.mudserver.session.test_attachment import drop, resumed, seated_guest
from tests.mudserver.session.test_going_on import READER, HeldLink, come, go_on, restarted
from tests.mudserver.session.test_planned_restart import handed_over
from tests.simulation import virtual
from tests.simulation.server import ANSI, SimServer, new_world
from tests.terminal import Emulator


async def typed(link: HeldLink, *lines: str) -> str:
    link.received.clear()
    for line in lines:
        link.type(line)
        await asyncio.sleep(0.5)
    return " ".join(link.text.split())


@pytest.mark.parametrize("name", ["ann", "guest"])
@pytest.mark.parametrize("is_planned", [False, True])
@pytest.mark.parametrize("terminal", [ANSI, READER], ids=["terminal", "read aloud"])
def test_after_a_restart_the_next_line_is_the_next_of_the_lesson(name, is_planned, terminal):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, name, terminal)
        await typed(ann, "learn elimination", "skip", "skip", "skip", "show")
        run = server.app.lessons._learners[ann.session.person.id].run
        assert (3, 1) == (run.step_number, run.input_number)
        if is_planned:
            ann = await handed_over(server, ann, name)
        else:
            server = await restarted(server)
            ann = await go_on(server, ann, name)
        lessons = ann.session._context.service.lessons
        now = lessons._learners[ann.session.person.id].run
        assert (3, 1) == (now.step_number, now.input_number)
        assert (run.view, list(run.heard)) == (now.view, list(now.heard))
        assert ("" if is_planned else "lesson 4/6>") == ann.text.strip(), ann.heard
        assert "step 5 of 6" in await typed(ann, "show", "show")

    virtual.run(scenario())


@pytest.mark.parametrize("screen", ["off", "on"])
def test_whatever_is_cut_off_the_next_process_begins_at_the_step_that_was_shown(screen):
    """The process dies once behind each thing that it has said, in turn."""

    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        await typed(ann, f"set screen {screen}", "learn elimination")
        seal, holder = server.app.session_manager._context.seal, ann.holder
        kept = list[tuple[str, str]]()  # the step that was shown last, and that of the capsule

        def note() -> None:
            found = seal.open(holder.capsule, holder.nonce)
            place = str(found.learned[found.lesson].step + 1) if found.lesson else "stopped"
            emulator = Emulator()
            emulator.feed(ann.heard)
            picture = " ".join("\n".join(emulator.rows).split())
            shown = re.findall(r"step (\d) of 6: |(stopped) at step", picture)
            kept.append(("".join(shown[-1]), place))

        keep = holder.keep
        holder.keep = lambda *kept, **how: (keep(*kept, **how), note())
        ann.on_sent = note
        for line in ("skip", "skip", "show", "back", "stop"):
            ann.type(line)
            await asyncio.sleep(1)
        assert ["1", "2", "3", "4", "3", "stopped"] == [
            key for key, _ in groupby(kept, itemgetter(1))
        ]
        assert [] == [(shown, place) for shown, place in kept if shown != place]

    virtual.run(scenario())


def test_a_guest_keeps_what_was_learned_in_other_lessons():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        guest = await come(server, "guest")
        await typed(guest, "learn words", "skip", "skip", "stop", "learn elimination", "stop")
        server = await restarted(server)
        guest = await go_on(server, guest, "guest")
        assert not server.app.lessons.is_learning(guest.session.person.id)
        assert "Words, step 3 of 7" in await typed(guest, "learn words")

    virtual.run(scenario())


def test_a_full_screen_shows_the_board_of_the_lesson_again():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        await typed(ann, "set screen on", "learn elimination", "skip")
        server = await restarted(server)
        ann = await go_on(server, ann, "ann")
        shown = Emulator()
        shown.feed(ann.heard)
        picture = "\n".join(shown.rows)
        assert "Lesson 2 of 6" in picture and "Tables" not in picture
        assert 1 == picture.count("Elimination, step 2 of 6")

    virtual.run(scenario())


def test_another_edition_begins_with_the_step_of_that_title_or_says_that_it_is_gone():
    async def scenario() -> None:
        for old, new in (("lesson = 1", "lesson = 2"), ("title = ", "title = 'New: ' #")):
            server = await SimServer(new_world(1)).open()
            ann = await come(server, "ann")
            await typed(ann, "learn elimination", "skip")
            server = await restarted(server)
            lessons = server.app.lessons
            variant = lessons.catalogue["elimination"]
            edition = variant.lesson.replace("lesson = 1", "lesson = 2")
            if old != "lesson = 1":
                head, *steps = edition.split("[[step]]")
                edition = "[[step]]".join([head, *(it.replace(old, new, 1) for it in steps)])
            changed = replace(variant, lesson=edition)
            lessons.catalogue = {**lessons.catalogue, "elimination": changed}
            ann = await go_on(server, ann, "ann")
            read = " ".join(ann.text.split())
            assert ("This lesson has changed" in read) is (old != "lesson = 1")
            assert f"Elimination, step {2 if old == 'lesson = 1' else 1} of 6" in read

    virtual.run(scenario())


def test_a_lesson_in_which_nothing_is_typed_ends_here_too():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        await typed(ann, "learn elimination")
        server = await restarted(server)
        ann = await go_on(server, ann, "ann")
        await asyncio.sleep(IDLE_S + 1)
        assert "Nothing was typed for 30 min" in ann.text

    virtual.run(scenario())


@pytest.mark.parametrize("is_live", [True, False])
def test_at_another_terminal_the_step_is_shown_again(is_live):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come_in(server, "ann")
        for line in ("learn elimination", "skip"):
            ann.type(line)
            await asyncio.sleep(1)
        if not is_live:
            await drop(ann)
        ann = await come_in(server, "ann")
        assert "step 2 of 6" in ann.text and "Type learn to continue" not in ann.text
        assert ann.text.rstrip().endswith("lesson 2/6>")

    virtual.run(scenario())


def test_attach_takes_the_lesson_up_but_not_over_another():
    async def scenario() -> None:
        for begun in ("", "words"):
            server = await SimServer(new_world(1)).open()
            ann = await come_in(server, "ann")
            for line in ("set attach ask", "learn elimination", "skip"):
                ann.type(line)
                await asyncio.sleep(1)
            await drop(ann)
            ann = await come_in(server, "ann")
            for line in ("no", f"learn {begun}" if begun else "who"):
                ann.type(line)
                await asyncio.sleep(1)
            ann.forget()
            ann.type("attach")
            await asyncio.sleep(1)
            assert ("Words, step 1 of 7" if begun else "Elimination, step 2 of 6") in ann.text

    virtual.run(scenario())


def test_a_game_that_runs_comes_before_the_lesson_of_the_terminal_that_was_left():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        guest, code = await seated_guest(server)
        await drop(guest)
        kept = server.app.session_manager.detached
        person_id = next(iter(kept._kept))
        left = kept.find(person_id)
        assert left is not None and left.lesson == ""
        guest = await resumed(server, code)
        assert not server.app.lessons.count()

    virtual.run(scenario())
