"""All forms of staff commands: who may not use one reads that, whatever else is wrong with it."""

from __future__ import annotations

import asyncio

from mudserver.accounts.roles import RANK
from mudserver.commands.families import VERBS
from mudserver.moderation.permissions import PERMISSIONS
from tests.mudserver.service.test_moderation import CONSOLE, cast, coming, says, told

PAUSE_S = 6.0  # longer than `people.changed_per_person_s`
# Each with an argument that is missing or wrong, and the permission that it needs.
FORMS = {
    "warn": "warn", "mute ann": "mute", "unmute": "unmute", "purge ann": "purge",
    "kick ann": "kick", "ban ann": "ban", "ban key SHA256:x": "ban",
    "ban network x y z": "ban", "unban x y": "unban", "sanction x": "sanction",
    "sanctions nobody": "sanctions", "reports": "reports", "reports x": "reports NUMBER",
    "reports 9": "reports NUMBER", "report take 9": "reports NUMBER",
    "report decide 9": "reports NUMBER", "report decide 9 nonsense": "reports NUMBER",
    "close x y": "close", "announce": "announce", "modsay": "modsay", "motd clear": "motd",
    f"motd set {'long ' * 500}": "motd", "news add": "news", "news add no text": "news",
    "news remove x": "news", "news remove 9": "news", "registration x": "registration",
    "guests": "guests", "guests maybe": "guests", "invitation uses=x": "invitation",
    "invitation revoke": "invitation", "invitation revoke x": "invitation",
    "rename ann x": "rename", "rename ann news a": "rename", "rename nobody zed x": "rename",
    "lookup": "lookup", "recover": "recover", "delete ann": "delete", "keep": "keep",
    "erase": "erase", "role ann king abc": "role", "shutdown x y": "shutdown", "void x": "void",
    "audit #x": "audit",
}  # fmt: skip


def test_a_refusal_is_about_a_person_only_where_the_verb_takes_a_name_first():
    async def scenario(server):
        here = await cast(server, opa="operator", mia="moderator", ann="player")
        for line in ("announce ann is the winner", "delete ann a test"):
            await says(here["mia"], line, PAUSE_S)
        return [await says(here["opa"], f"audit {what}") for what in ("ann", "announce")]

    about_ann, announced = told(scenario)
    assert "mia: delete ann (refused)" in about_ann and "announce" not in about_ann
    assert "mia: announce (refused)" in announced


def test_there_is_a_form_for_each_staff_command_and_each_permission():
    verbs = {verb.name for verb in VERBS.values() if verb.permission}
    assert set() == verbs - {line.split()[0] for line in FORMS}
    # Asked of those alone who may use the first word.
    further = {"ban guest", "ban key", "ban network", "invitation revoke"}
    assert set(PERMISSIONS) - further - {"export"} == set(FORMS.values())


def test_permission_comes_before_the_arguments_in_each_form():
    async def scenario(server):
        here = await cast(server, eve="helper", ann="player")
        said = {
            (name, line): await says(here[name], line, PAUSE_S)
            for name in ("ann", "eve")
            for line in FORMS
        }
        acts = await server.app.moderation.list_acts(CONSOLE, "")
        return said, [it.data for it in acts if it.data["outcome"] == "refused"]

    said, refused = told(scenario)
    above = [verb for verb in FORMS.values() if RANK[PERMISSIONS[verb].least] > RANK["helper"]]
    wrong = [
        (name, line, words)
        for (name, line), words in said.items()
        for verb in [FORMS[line]]
        if (f"s can use {verb.split()[0]}" in words) is not (name == "ann" or verb in above)
    ]
    assert [] == wrong
    assert above == [it["verb"] for it in reversed(refused)]
    assert {"eve"} == {it["by"] for it in refused}


def test_a_moderator_who_bans_a_network_badly_reads_who_may():
    async def scenario(server):
        here = await cast(server, mia="moderator")
        said = await says(here["mia"], "ban network x y z")
        return said, (await server.app.moderation.list_acts(CONSOLE, ""))[0].data

    said, act = told(scenario)
    assert "Only operators can use ban network." in said
    assert ("ban network", "refused") == (act["verb"], act["outcome"])


def test_a_staff_word_without_permission_costs_staff_a_change_and_others_nothing(monkeypatch):
    async def scenario(server):
        here = await cast(server, eve="helper", ann="player")
        charged = []
        monkeypatch.setattr(
            server.app.account_service, "charge_change_of", lambda *who: charged.append(who)
        )
        for name in ("ann", "eve"):
            for line in ("guests", "keep bob", "news add", "rename bob rob"):
                await says(here[name], line)
        eve = server.app.account_service.person_named("eve")
        return charged, [(eve.id, "203.0.113.1")] * 4

    charged, expected = told(scenario)
    assert expected == charged


def test_help_asked_in_other_words_lists_the_topic_staff_to_the_staff_alone():
    async def scenario(server):
        await cast(server, eve="helper", ann="player")
        here = [coming(server, name, "203.0.113.9") for name in ("ann", "eve")]  # once more
        await asyncio.sleep(0.5)
        return [await says(each, "what can i do") for each in here]

    to_ann, to_eve = told(scenario)
    assert "Topics: " in to_ann and ", staff," not in to_ann and ", staff," in to_eve
