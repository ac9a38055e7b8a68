"""All forms of staff commands: who may not use one reads that, whatever else is wrong with it."""

from __future__ import annotations

from tests.mudserver.service.test_moderation import cast, says, told

PAUSE_S = 6.0  # longer than `people.changed_per_person_s`


def test_a_refusal_is_about_a_person_only_where_the_verb_takes_a_name_first():
    async def scenario(server):
        here = await cast(server, opa="operator", mia="moderator", ann="player")
        for line in ("announce ann is the winner", "delete ann a test"):
            await says(here["mia"], line, PAUSE_S)
        return [await says(here["opa"], f"audit {what}") for what in ("ann", "announce")]

    about_ann, announced = told(scenario)
    assert "mia: delete ann (refused)" in about_ann and "announce" not in about_ann
    assert "mia: announce (refused)" in announced
