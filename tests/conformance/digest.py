"""`python -m tests.conformance.digest`: one line per setting, the digest of a whole game.

Run in processes with other hash seeds, whose lines have to be the same.  [DUR-1]
"""

from __future__ import annotations

from tests.conformance.observation import heard
from tests.conformance.play import digest, whole_game
from tests.conformance.settings import Setting, settings

SEATS = (2,)


def digest_of(setting: Setting) -> str:
    """Of all states, events, views and redacted events of one game."""
    variant, everybody = setting.variant, (None, *range(setting.seats))
    game = whole_game(setting)
    seen = [
        (variant.observe(step.state, seat), heard(variant, step.events, seat))
        for step in game.steps
        for seat in everybody
    ]
    return digest([step.state for step in game.steps], game.events, seen)


if __name__ == "__main__":
    for setting in settings(seats=SEATS):
        print(setting.label, digest_of(setting))
