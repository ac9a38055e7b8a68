"""What is erased is not in the bytes of the database, but for records that concern others."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from mudserver.config import schema
from mudserver.messages import row_text
from tests.mudserver.service.test_account_deletion import accounts_of, asks, is_there, of, plays
from tests.mudserver.service.test_moderation import CONSOLE, cast, coming, says
from tests.simulation import virtual
from tests.simulation.file_journal import opener, without_threads
from tests.simulation.server import SimServer, new_world

DAY_MS = 86_400_000
NAME = "zbigniew"
TEXTS = ("Knits in the attic", "bring the blue folder", "the staff tells so", "laptop of brass")
KEPT = ("come at eight", "swears in Latin")  # mail to another, a report


def found(directory: Path, words: tuple[str, ...]) -> list[str]:
    """Those of *words* that stand in any file of the directory, in any case of letters."""
    content = b"".join(path.read_bytes() for path in directory.iterdir() if path.is_file()).lower()
    return [word for word in words if re.search(re.escape(word.lower()).encode(), content)]


async def lives(server: SimServer, *, is_known: bool) -> None:
    """An account has all that one can have; *is_known*: others keep records that name it."""
    here = await cast(server, **{NAME: "player", "bob": "player", "mia": "moderator"})
    me = here[NAME]
    for line in (f"profile {TEXTS[0]}", "friend bob", "set prompt {table} {turn} >"):
        await says(me, line)
    await says(here["bob"], f"mail {NAME} {TEXTS[1]}")
    await says(here["bob"], f"friend {NAME}")
    await says(here["mia"], f"ignore {NAME}")
    await server.app.account_service.label_key(
        server.app.account_service.person_named(NAME), "1", TEXTS[3][:20], "here"
    )
    await plays(server, NAME)
    if is_known:
        await says(me, f"mail bob {KEPT[0]}")
        await says(here["bob"], f"report {NAME} {KEPT[1]}")
    else:
        await says(here["mia"], f"warn {NAME} {TEXTS[2]}")
    await asks(me, NAME)


@pytest.mark.parametrize("is_known", [False, True])
def test_after_the_end_and_a_checkpoint_neither_name_nor_text_is_in_the_file(
    tmp_path, monkeypatch, is_known
):
    opened = opener(tmp_path, schema.JournalConfig())

    async def scenario() -> tuple[list[str], list[str], list[str]]:
        server = await SimServer(new_world(1), make_journal=opened).open()
        await lives(server, is_known=is_known)
        account_id = of(server, NAME)
        later_ms = server.clock.now_ms() + 14 * DAY_MS
        await server.stop()
        before = found(tmp_path, (NAME, *TEXTS, *KEPT))
        server = await SimServer(server.world, later_ms, make_journal=opened).open()
        await server.app.deletion.sweep()
        assert not is_there(server, NAME) and account_id in accounts_of(server).former_accounts
        await server.stop()
        after = found(tmp_path, (NAME, *TEXTS, *KEPT))
        server = await SimServer(server.world, later_ms, make_journal=opened).open()
        bob = coming(server, "bob", "203.0.113.2")
        await asyncio.sleep(0.5)
        shown = await says(bob, "friends") + await says(bob, "mail")
        audit = await server.app.moderation.list_acts(CONSOLE, "erase")
        await server.stop()
        listed = [row_text(it.row) for it in audit]
        return before, after, [it for it in (shown, *listed) if NAME in it]

    with without_threads(monkeypatch):
        before, after, shown = virtual.run(scenario())
    texts = [text for text in TEXTS if text != TEXTS[2] or not is_known]
    assert [NAME, *texts, *(KEPT if is_known else ())] == before
    # The reason of a warning stays in the audit, which names ids alone.
    assert ([NAME, *KEPT] if is_known else [TEXTS[2]]) == after
    assert [] == shown
