#!/usr/bin/env python3
"""A player of random moves: python docs/bot.py "GAME [OPTION=VALUE...]" [SSH OPTION...] NAME@HOST

It opens a table, asks a computer player to sit down, plays one game and prints how it ended.
"""

import json
import random
import subprocess
import sys


class Bot:
    def __init__(self, game):
        self.game, self.asked, self.is_playing, self.result = game, "", False, ""

    def answer(self, received):
        """What to write after one received object."""
        match received:
            case _ if self.result:
                return []  # it has said goodbye
            case {"type": "place", "table": None}:
                return [{"line": f"open {self.game}"}]
            case {"type": "place", "is_playing": is_playing}:
                self.is_playing = is_playing
                return [] if is_playing else [{"line": "bot 1"}, {"line": "ready"}]
            case {"type": "readiness", "cleared_by": change} if change:
                return [{"line": "ready"}]  # somebody else has changed the table
            case {"type": "view", "question": question} if question in (None, self.asked):
                return []  # nothing to decide, or the answer is on the way
            case {"type": "view", "question": question, "moves": moves}:
                self.asked = question
                return [{"line": random.choice(moves), "question": question, "id": question}]
            case {"type": "done", "code": "stale"}:
                return []  # the clock was faster
            case {"type": "over", "text": text}:
                self.result = text
                return [{"line": "quit"}]
            case {"type": "refused", "text": text}:
                print(text, file=sys.stderr)
                self.asked = ""
                return [{"line": "look"}] if self.is_playing else [{"line": "quit"}]
        return []


def main(game, *ssh):
    bot, pipe = Bot(game), subprocess.PIPE
    with subprocess.Popen(["ssh", "-T", *ssh, "json 2"], stdin=pipe, stdout=pipe) as process:
        for row in process.stdout:
            for written in bot.answer(json.loads(row)):
                process.stdin.write(json.dumps(written).encode() + b"\n")
                process.stdin.flush()
    print(bot.result or "No game was played.")
    return 0 if bot.result else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
