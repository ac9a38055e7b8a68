"""Commands for one's own games by correspondence: go, lobby, later."""

from __future__ import annotations

from collections.abc import Awaitable

from mudserver.commands.elsewhere import at_table
from mudserver.commands.tables import is_table_number, table_number
from mudserver.commands.verb import CommandContext, verb


@verb("go [TABLE]", "tables", is_newer=True, see_also=("lobby", "later", "games", "open"),
      takes=is_table_number)  # fmt: skip
def go(context: CommandContext, table: str | None) -> Awaitable[None] | None:
    """Go to one of your games by correspondence.
    Without TABLE to the one that waits for your move and has the shortest time left; where none
    does you see the list of your games; as the next line the number of a table alone takes you
    there. You keep your seat wherever you are.

    In a game by correspondence you have hours or days for each move: open words correspondence, or
    open words move=3d. Nobody has to be connected, and the time that the server was away is given
    back. Who misses two turns is away: a computer player then decides after a quarter of the time,
    an hour at most. Guests play live games only."""
    own = context.service.own_games
    number = own.next_of(context.person) if table is None else table_number(table)

    def here() -> None:
        if (page := own.go(context.person, number)) is not None:
            context.session.last_line.list_rows("go")
            context.reply(page)

    return at_table(context, number, f"/go {number}", here)


@verb("lobby", "tables", is_newer=True, needs_table=True, see_also=("go",))
def lobby(context: CommandContext) -> None:
    """Go to the lobby and keep your seat, from a game by correspondence.
    go takes you back."""
    context.service.own_games.to_lobby(context.person)


@verb("later [MOVE...]", "play", is_newer=True, needs_table=True, see_also=("go", "moves"))
def later(context: CommandContext, move: str | None) -> None:
    """Moves that are played for you when you are next asked, in a game by correspondence.
    later draw  keep a move; it is read when it is played, as if you typed it then
    later  the moves that you keep at this table, five at most
    later clear  drop them

    When you are next asked, the first that fits is played, after one to ten minutes. Those before
    it are dropped, those behind it stay for the next time. If none fits all are dropped, and you
    are told. A move that you make yourself ends the list, and so does leaving your seat. Nobody
    else is told that you keep moves, or that one was played so, before the game is over.
    """
    service, person = context.service, context.person
    if move is None:
        context.reply(service.later_moves.page(person))
    else:
        service.later_moves.change(person, move)
