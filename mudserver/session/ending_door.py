"""The door of some sessions ends: its people are told before, and let go at the end."""

from __future__ import annotations

from collections.abc import Sequence

from mudserver.session import texts
from mudserver.session.manager import SessionManager
from mudserver.wall.texts import DOOR_CLOSES
from variants.kit.text import quantity


def end_with_door(manager: SessionManager, session_ids: Sequence[str], left_s: float) -> None:
    """Args: left_s: seconds until the door ends; 0: it ends now."""
    for session_id in session_ids:
        session = manager.session(session_id)
        if session is None:
            continue  # an export, or one that has just ended
        if not left_s:
            session.disconnect(DOOR_CLOSES)
        elif session.person is not None:
            session.send_text(texts.CONNECTION_ENDS.format(_span(left_s)))


def _span(seconds: float) -> str:
    whole = round(seconds)
    return quantity(round(whole / 60), "minute") if whole > 90 else quantity(whole, "second")
