"""A game server that hangs, a process of its own: who waits reads so, and no line is lost."""

from __future__ import annotations

import signal

from tests.faults.test_game_server import house
from tests.faults.typist import opened


def test_a_stopped_game_server_is_noticed_and_loses_no_line(tmp_path):
    with house(tmp_path) as here:
        typist = opened(here)
        typist.types(b"guest\r\n")
        typist.reads("lobby> ")
        typist.forgets()
        here.processes["game"].send_signal(signal.SIGSTOP)
        typist.types(b"who\r\n")
        typist.reads("One moment: the server restarts. What you type is kept.")
        here.processes["game"].send_signal(signal.SIGCONT)
        typist.reads("1 person is here")
        assert 1 == typist.heard.count(b"One moment") == typist.heard.count(b"1 person is here")
        typist.close()
