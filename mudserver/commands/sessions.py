"""Commands for one's own session: sessions, attach, detach."""

from __future__ import annotations

from mudserver.commands.verb import CommandContext, verb
from mudserver.data_people import SessionsData
from mudserver.messages import Page


@verb("sessions", "you", is_newer=True, see_also=("attach", "detach"))
def sessions(context: CommandContext) -> None:
    """Your sessions: this one, and one that waits for you.
    Somebody has one session, which goes along from terminal to terminal: help attach"""
    rows = context.session.attachment.rows()
    if context.session.style.is_linear:
        cells = [", ".join(row[:3]) for row in rows]
    else:
        width = max(len(row.protocol) for row in rows)
        cells = [f"{row.what}  {row.protocol:{width}}  {row.notes}" for row in rows]
    shown = tuple(f"{n}\t{it}" for n, it in enumerate(cells, 1))
    data = SessionsData(tuple([row.data for row in rows]))
    context.reply(Page("Your sessions", shown, data=data))


@verb("attach", "you", is_newer=True, see_also=("sessions", "detach", "set"))
def attach(context: CommandContext) -> None:
    """Take up your session from another terminal.
    That happens by itself when you log in, also a day after your connection was lost. The other
    terminal is disconnected. The line that you had begun and your earlier lines come along. So do
    the talk in the chat pane, and whom reply answers.

    set attach ask  you are asked first; attach does it later
    set attach always  you are not asked

    Guests do it with the code of their seat: help resume. A program takes nothing up.
    """
    context.session.attachment.attach()


@verb("detach", "you", is_newer=True, see_also=("attach", "quit"))
def detach(context: CommandContext) -> None:
    """Disconnect, and keep the session for your next terminal.
    After quit only your seat in a running game is kept. After detach the line that you had begun
    and your earlier lines are, too. help attach says what else comes along."""
    context.session.attachment.detach()
