"""What somebody reads who does not come in, and has no session that could show it.

Rule 1: words of the staff are quoted as everywhere: no row of them is at the left edge.  Nobody
        knows the terminal yet, so it is taken for one of COLS.
Rule 2: a network that is banned hard is known to the gate of this process, and to the doors.
"""

from __future__ import annotations

from collections.abc import Iterable

from mudserver.messages import Spoken
from mudserver.service.sanction_service import SanctionService
from mudserver.session.presenter import spoken_line
from mudserver.transport.gate import Gate
from mudserver.ui.encode import wrap_line
from mudserver.wall.bodies import BAN_CHARS_MAX, NetworkBan
from mudserver.wall.game import WallServer

COLS = 80
LINE_END = "\r\n"


def plain_rows(sentences: Iterable[Spoken], charset: str = "utf-8") -> str:
    """Rows without a line end after the last; a sentence of the server is one, however long."""
    rows = list[str]()
    for said in sentences:
        if isinstance(said, str):
            rows.append(said)
        else:
            wrapped = wrap_line(spoken_line(said, is_linear=False), COLS, charset)
            rows += ["".join(span.text for span in row) for row in wrapped]
    return LINE_END.join(rows)


def tell_of_bans(sanctions: SanctionService, gate: Gate, wall: WallServer) -> None:
    """Let the gate and the doors know who is kept out [rule 2]."""

    def bans() -> list[NetworkBan]:
        return [
            NetworkBan(network, until_ms, _for_strangers(said))
            for network, until_ms, said in sanctions.hard_bans()
        ]

    gate.ban_of = lambda source: _for_strangers(sanctions.hard_ban_of(source))
    wall.bans, sanctions.on_network_bans = bans, wall.tell_bans


def _for_strangers(sentences: Iterable[Spoken]) -> str:
    rows = plain_rows(sentences, "ascii").encode("ascii", "replace").decode()
    return rows[:BAN_CHARS_MAX]
