"""What an Effect card does when nobody stops it.  [S2.2, the table of actions]

Rule 1: an effect is of the kind of the card that began it; a Reflection changes only whose it is
        and whom it strikes.  [SR-60] [SR-67]
Rule 2: what an effect needs was checked when it was played or reflected.  Reactions move no
        supply and nobody, so it still holds.
"""

from __future__ import annotations

from variants.contract import Seat
from variants.stockpile.cards import (
    INDOORS,
    LOCATION_SWITCH,
    LOOTS,
    NOSEY_NEIGHBOUR,
    OUTDOORS,
    TRADING_STATION,
    of_kind,
)
from variants.stockpile.events import Looted, Relocated, SuppliesDiscarded, Traded
from variants.stockpile.play import Play


def happen(play: Play) -> None:
    """The live effect takes place."""
    live = play.state.effects[-1]
    name = play.state.effects[0].card.name
    if name in LOOTS:
        assert live.take is not None
        play.do(Looted(live.controller, live.target, live.take))
    elif name == TRADING_STATION:
        assert live.give is not None and live.take is not None
        play.do(Traded(live.controller, live.target, live.give, live.take))
    elif name == NOSEY_NEIGHBOUR:
        found = of_kind(play.player(live.target).stockpile, live.supply)
        play.do(SuppliesDiscarded(live.target, live.controller, found))
    else:
        assert name == LOCATION_SWITCH, name
        _switch(play, live.target)


def _switch(play: Play, target: Seat) -> None:
    """Turned over at once, and a duty to stay outside is gone.  [SR-38] [SR-39] [SR-40]

    Only a Reflection can turn it on the seat whose turn it is.  That seat plays on where it now
    is, stays there for its next turn, and chooses at the end of that.
    """
    to = OUTDOORS if play.player(target).location == INDOORS else INDOORS
    skips = target == play.state.turn
    play.do(Relocated(target, to, "switch", is_bound=False, skips=skips))
