"""What people say in the lobby and at tables, where some play and others watch.

Rule 1: who has a seat talks to everybody at the table, and keeps that after being out of the game.
Rule 2: while a game runs, watchers talk among themselves.  With kibitz players hear them, too,
        unless the table or the player wants no remarks.
        A player who has left the seat to a computer player, and may come back, hears none of it.
Rule 3: while no game runs, watchers talk to everybody at the table.  They are marked as such.
Rule 4: in a game with a delay watchers hear what players say when they see the game as it was then.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.errors import UserError
from mudserver.lobby.lobby import Lobby
from mudserver.messages import EmoteMessage, SayMessage, TellMessage
from mudserver.outbox import Deliveries, Outbox
from mudserver.service import texts
from mudserver.service.channel_service import ChannelService
from mudserver.service.online_people import OnlinePeople
from mudserver.tables.held_back import HeldLine
from mudserver.tables.held_talk import HeldTalk
from mudserver.tables.manager import TableManager
from mudserver.tables.summary import TablePeople
from mudserver.tables.texts import NO_TABLE


class PlaceTalk:
    def __init__(
        self,
        clock: Clock,
        lobby: Lobby,
        tables: TableManager,
        online: OnlinePeople,
        outbox: Outbox,
        channels: ChannelService,
    ) -> None:
        self._clock, self._lobby, self._tables = clock, lobby, tables
        self._online, self._outbox, self._channels = online, outbox, channels
        self._held = HeldTalk(tables.lists)
        channels.history.is_held = self._held.is_held
        channels.on_purged = self._held.forget_said

    def say(self, person: Person, text: str) -> None:
        """UserError: as for `Lobby.say`."""
        place = self._place(person)
        self._channels.check_busy(person)
        said = self._lobby.say(person.id, text, self._now(), is_watcher=_watches(place, person))
        self._deliver(place, person, said)

    def emote(self, person: Person, text: str) -> None:
        """UserError: as for `Lobby.say`."""
        place = self._place(person)
        self._channels.check_busy(person)
        done = self._lobby.emote(person.id, text, self._now(), is_watcher=_watches(place, person))
        self._deliver(place, person, done)

    def kibitz(self, person: Person, text: str) -> None:
        """Say something as a watcher to the players, too.

        Raises:
            UserError: The person does not watch, or the table wants no remarks; or as for `say`.
        """
        place = self._place(person)
        if place is None:
            raise UserError(NO_TABLE, "not_seated")
        if not _watches(place, person):
            raise UserError(texts.KIBITZ_SEATED, "not_seated")
        if place.is_playing and not place.has_kibitz:
            raise UserError(texts.KIBITZ_OFF)
        said = self._lobby.say(person.id, text, self._now(), is_watcher=True)
        heard = [it for it in said if self._wants_remarks(place, it[0])]
        self._outbox.send_each(self._channels.heard(heard, is_for_all=not place.is_playing))

    def say_as(self, person: Person, who: str, text: str) -> None:
        """Say something under another name, as staff; everybody in the same place hears it."""
        self._outbox.send_each(self._channels.heard(self._lobby.say_as(person.id, who, text)))

    def teller_of(self, person_id: str) -> Person | None:
        """Whom `reply` answers; None: nobody has told the person anything."""
        return self._lobby.teller_of(person_id)

    def restore_teller(self, person_id: str, teller: Person) -> None:
        """The same after the person's session went on here; who has told something since stays."""
        self._lobby.restore_teller(person_id, teller)

    def restore_tells(self, person_id: str, told: Iterable[tuple[int, TellMessage]]) -> None:
        """As `TalkHistory.restore_tells`."""
        self._channels.history.restore_tells(person_id, told)

    def _deliver(self, place: TablePeople | None, person: Person, said: Deliveries) -> None:
        """Tell those who hear it [rule 2]; a player who comes back later is told no other line."""
        if place is not None and place.is_playing and person.id in place.players:
            said = self._heard_now(place, person, said)
        if place is None or not place.is_playing or person.id in place.players:
            self._outbox.send_each(self._channels.heard(said))
            return
        players = (place.players | place.absent) - {person.id}
        among = [each for each in said if each[0] not in players]
        self._outbox.send_each(self._channels.heard(among, is_for_all=False))

    def _heard_now(self, place: TablePeople, person: Person, said: Deliveries) -> Deliveries:
        """What a player has said, without the watchers who hear it later [rule 4]."""
        message = said[0][1] if said else None
        if not isinstance(message, SayMessage | EmoteMessage) or message.table is None:
            return said
        line = message

        def tell(watchers: Collection[str]) -> Deliveries:
            here = [it for it in watchers if it != person.id and self._lobby.here(it) is not None]
            heard: Deliveries = [(it, line) for it in self._lobby.listeners(here, person)]
            return self._channels.heard(heard, is_for_all=False)

        is_held = self._held.hold(message.table, HeldLine(line, tell))
        return [it for it in said if it[0] in place.players] if is_held else said

    def _wants_remarks(self, place: TablePeople, person_id: str) -> bool:
        online = self._online.get(person_id)
        is_off = online is not None and online.preference("kibitz") == "off"
        return not (is_off and place.is_playing and person_id in place.players)

    def _place(self, person: Person) -> TablePeople | None:
        """The table where the person is; None: the lobby."""
        presence = self._lobby.here(person.id)
        if presence is None or presence.table is None:
            return None
        return self._tables.lists.people_at(presence.table)

    def _now(self) -> float:
        return self._clock.monotonic()


def _watches(place: TablePeople | None, person: Person) -> bool:
    return place is not None and person.id not in place.players
