#!/usr/bin/env python3
"""A player of random moves: python docs/bot.py "GAME [OPTION=VALUE...]" [SSH OPTION...] NAME@HOST

It opens a table, asks a computer player to sit down, plays one game and prints how it ended.
"""

import json
import random
import subprocess
import sys
import time

PAUSE_S = 0.1  # the server reads ten lines a second


class Bot:
    def __init__(self, game):
        self.game, self.is_playing, self.answered, self.result = game, False, "", ""

    def answer(self, received):
        """The lines to type after one received object."""
        match received:
            case _ if self.result:
                return []  # it has said goodbye
            case {"type": "place", "table": None}:
                return [f"open {self.game}"]
            case {"type": "place", "is_playing": is_playing}:
                self.is_playing = is_playing
                return [] if is_playing else ["bot 1", "ready"]
            case {"type": "notice", "text": text} if text.endswith("Type ready again."):
                return ["ready"]  # somebody else has changed the table
            case {"type": "view", "window": self.answered, "missing": missing} if missing:
                return []  # its answer is on the way
            case {"type": "view", "moves": [_, *_] as moves, "window": window}:
                self.answered = window
                return [random.choice(moves)]
            case {"type": "over", "text": text}:
                self.result = text
                return ["quit"]
            case {"type": "refused", "text": text}:
                print(text, file=sys.stderr)
                self.answered = ""
                return ["look"] if self.is_playing else ["quit"]
        return []


def main(game, *ssh):
    bot, pipe = Bot(game), subprocess.PIPE
    with subprocess.Popen(["ssh", "-T", *ssh, "json"], stdin=pipe, stdout=pipe) as process:
        for row in process.stdout:
            for line in bot.answer(json.loads(row)):
                time.sleep(PAUSE_S)
                process.stdin.write(json.dumps({"line": line}).encode() + b"\n")
                process.stdin.flush()
    print(bot.result or "No game was played.")
    return 0 if bot.result else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
