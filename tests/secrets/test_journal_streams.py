"""No card of a game is in a stream of the journal but those of tables.

Rule 1: the cards are those that programs were shown, of each game, played to its end.
Rule 2: what people and staff do beside the games, with everything that has a stream, is in the run.
"""

from __future__ import annotations

import asyncio
import re

import msgspec

from mudserver.journal.streams import TABLE_STREAMS
from mudserver.service.moderation import Login
from tests.programs import played
from tests.secrets.test_log import leaves, typed
from tests.simulation.server import ANSI, SimServer, new_world
from tests.simulation.virtual import run
from variants.catalogue import CATALOGUE

CONSOLE = Login("console:0", "console", True, "")
EVENING = (
    "profile I play on Fridays", "friend ann", "ignore cid", "join chat", "#chat hello",
    "mail ann until tomorrow then", "report cid he insults people", "set bell off", "say hello",
)  # fmt: skip
KINDS = {"person/", "mailbox/", "sanction/", "report/", "audit/", "site/", "table/"}


def words_of(body: bytes) -> set[str]:
    return set(re.findall(r"[\w-]+", body.decode("utf-8", "replace")))


async def evening() -> tuple[set[str], dict[str, set[str]]]:
    """The cards that were shown, and the words of each stream."""
    server = await SimServer(new_world(1)).open()
    people = {name: server.person(name, ANSI) for name in ("ann", "bob", "cid")}
    await asyncio.sleep(1)
    app = server.app
    await app.moderation.set_role(CONSOLE, "ann", "owner", "for the test")
    await app.sanctions.mute(CONSOLE, "cid", "1d", "insults")
    await app.admission.set_guests(CONSOLE, is_on=True)
    cards: set[str] = set()
    for game in CATALOGUE:
        await typed(people["bob"].link, *EVENING)
        await typed(people["ann"].link, f"open {game}", "bot", "start", "look", "moves", "leave")
        reader, _ = await played(server, game, 3)
        cards |= {card for one in reader.objects for card in leaves(one.get("view"))}
    words: dict[str, set[str]] = {}
    for stream in await server.journal.streams(""):
        records = await server.journal.read(stream)
        words[stream] = set().union(*(words_of(bytes(record.body)) for record in records))
    await server.stop()
    return cards, words


def test_no_card_is_in_a_stream_but_those_of_tables():
    cards, words = run(evening())
    marks = {card for card in cards if re.fullmatch(r"(?=.*[A-Z0-9])[\w-]{2,}", card)}
    assert len(marks) > 30
    assert {kind for kind in KINDS if any(it.startswith(kind) for it in words)} == KINDS
    tables = {stream for stream in words if stream.startswith(TABLE_STREAMS.prefix)}
    at_tables = set().union(*(words[stream] for stream in tables))
    assert marks & at_tables  # else this finds nothing anywhere
    found = {stream: words[stream] & marks for stream in words.keys() - tables}
    assert {} == {stream: held for stream, held in found.items() if held}


def test_a_card_that_a_stream_would_keep_is_found():
    assert {"7h"} <= words_of(msgspec.json.encode({"text": "he holds 7h"}))
    assert {"7h"} <= words_of(msgspec.msgpack.encode({"text": "he holds 7h"}))
