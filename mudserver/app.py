"""The composition root: the one file that knows every part of the server.

Rule 1: parts are made from the bottom up and restored from the journal; only then do the listeners
        open.  Parts close in the opposite order.
Rule 2: everything that the machine provides (time, chance, disk, processes) enters here as a
        `platform.Platform`, so that the simulation can replace it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import AsyncIterator, Callable, Collection
from functools import partial
from pathlib import Path

from mudserver.accounts.accounts import Accounts
from mudserver.cluster.all_servers import all_servers
from mudserver.cluster.asking import Asking
from mudserver.cluster.directory import Directory
from mudserver.cluster.exchange import Exchange
from mudserver.cluster.mirror import Mirror, OwnPeople
from mudserver.config import schema
from mudserver.config.consistency import check_consistency
from mudserver.config.load import describe_changes, diff_config, live_changes
from mudserver.errors import JournalConflictError
from mudserver.host_pages import load_host_pages
from mudserver.journal import Entry
from mudserver.journal.levels import ROOMY_UNTIL
from mudserver.journal.sqlite.journal import SqliteJournal
from mudserver.journal.streams import RESUME_SECRET_STREAM
from mudserver.lobby.lobby import Lobby
from mudserver.lobby.standing import Standing
from mudserver.ops.admin_verbs import AdminVerbs
from mudserver.ops.backups import BackupScheduler
from mudserver.ops.control_socket import ControlSocket
from mudserver.ops.heartbeat import Heartbeat
from mudserver.ops.notify_command import NotifyCommand
from mudserver.ops.retention import Retention
from mudserver.outbox import Outbox
from mudserver.platform import Platform
from mudserver.service.account_deletion import AccountDeletion
from mudserver.service.account_export import AccountExport
from mudserver.service.account_service import AccountService
from mudserver.service.admission import Admission
from mudserver.service.channel_service import ChannelService
from mudserver.service.game_exports import GameExports
from mudserver.service.game_results import GameResults
from mudserver.service.game_service import GameService
from mudserver.service.games_elsewhere import join_games
from mudserver.service.guest_seats import GuestSeats
from mudserver.service.hints import Hints
from mudserver.service.inviting import Inviting
from mudserver.service.lessons import Lessons
from mudserver.service.mail_service import MailService
from mudserver.service.mail_streams import MailStreams
from mudserver.service.memory_limit import MemoryLimit
from mudserver.service.moderation import ElsewhereForStaff, Moderation
from mudserver.service.name_rules import name_rules
from mudserver.service.names import Names
from mudserver.service.network_tags import network_tag
from mudserver.service.new_guests import NewGuests
from mudserver.service.news_follower import NewsFollower, Tellers
from mudserver.service.old_games import OldGames
from mudserver.service.one_session import OneSession
from mudserver.service.online_people import OnlinePeople
from mudserver.service.places_elsewhere import PlacesElsewhere
from mudserver.service.rated_games import RatedGames
from mudserver.service.rating_parameters import RatingParameters
from mudserver.service.relations import Relations
from mudserver.service.replay_finder import ReplayFinder
from mudserver.service.replays import Replays
from mudserver.service.report_service import ReportService
from mudserver.service.result_streams import ResultStreams
from mudserver.service.results import Results
from mudserver.service.resume_codes import ResumeCodes
from mudserver.service.reviews import Reviews
from mudserver.service.sanction_service import SanctionService
from mudserver.service.service_parts import ServiceParts
from mudserver.service.site_news import SiteNews
from mudserver.service.sources_elsewhere import SourcesElsewhere
from mudserver.service.staff_streams import StaffStreams
from mudserver.service.staff_sweep import StaffSweep
from mudserver.service.tells import Tells
from mudserver.service.tourney_parts import TourneyParts
from mudserver.service.tourney_streams import TourneyStreams
from mudserver.service.town_talk import TownTalk
from mudserver.service.walks import Walks
from mudserver.session.authenticator import SshAuthenticator
from mudserver.session.ending_door import end_with_door
from mudserver.session.manager import SessionManager
from mudserver.session.mssp_status import mssp_status
from mudserver.session.refusals import tell_of_bans
from mudserver.source_budgets import Kind, SourceBudgets
from mudserver.standby.carrying import Carrying
from mudserver.standby.evacuation import Evacuation
from mudserver.standby.feeding import Feeding
from mudserver.standby.handover import Handover
from mudserver.standby.settling import finish
from mudserver.status import ServerStatus
from mudserver.tables.manager import TableManager
from mudserver.tables.replaced_person import PeopleNow
from mudserver.tables.table_limits import table_bytes_max
from mudserver.transport.gate import FailedLogin
from mudserver.transport.listener_manager import TLS, ListenerManager
from mudserver.transport.telnet import mssp
from mudserver.ui.ticker import Ticker
from mudserver.version import version
from mudserver.wall.bodies import GAME_PROTOCOLS, Handshake
from mudserver.wall.capsule import OLDEST_VERSION, VERSION, CapsuleSeal
from mudserver.wall.game import WallServer
from mudserver.wall.opening import open_wall
from mudserver.wall.settings import shared_settings

log = logging.getLogger("mudserver")

RESTORE_BEFORE_OPEN_S = 0.25  # restoring tables before the listeners open; the rest follows


class App:
    """The whole server.  `open` restores it without listeners; see `machine.py` for one with."""

    def __init__(self, config: schema.Config, platform: Platform, fingerprint: str = "") -> None:
        self.config, self.platform = config, platform
        clock, journal = platform.clock, platform.journal
        self.started_ms = clock.now_ms()
        self.outbox, self.notify_command = Outbox(), NotifyCommand(config.notify)
        self.budgets = SourceBudgets(config, clock)
        self.budgets.is_roomy[Kind.DECISIONS] = lambda: journal.level() < ROOMY_UNTIL
        self.account_service = AccountService(
            *(config, clock, journal, platform.hasher),
            *(Accounts(name_rules(config, platform.catalogue)), platform.rng, self.budgets),
            MemoryLimit(platform.memory_bytes, config.people.memory_mib_max),
        )
        streams = ResultStreams(journal, self.account_service.streams)
        self.rated = RatedGames(
            *(streams, platform.catalogue, self._last_source_of, self._is_undeclared_program),
            *(clock.now_ms, config.ratings),
            RatingParameters(journal, streams, platform.catalogue),
        )
        self.tourney_streams = TourneyStreams(journal, clock.now_ms)
        parts = streams, self.account_service, self.budgets, self.rated, config
        self.results = GameResults(*parts, self.tourney_streams)
        self.table_manager = self._make_table_manager()
        self.lobby = Lobby(
            config.chat,
            self.account_service.account_name,
            charge_source=lambda person, listener: self.service.charge_talk(person, listener),
            standing=Standing(
                self.account_service.is_new,
                self.account_service.is_regular,
                lambda person: self.moderation.is_staff(person),
            ),
            may_disturb=lambda listener, speaker: self.relations.may_disturb(listener, speaker),
            former_name=lambda name: (
                self.moderation.targets.registered_as(name)
                or self.account_service.former_name(name)
            ),
        )
        self._make_people()
        self._make_services_for_games(fingerprint)
        self._make_transport()
        self._make_ops()
        self.background_tasks: list[asyncio.Task[None]] = []
        self.note_door_key: Callable[[str], None] = lambda fingerprint: None
        self.feeding: Feeding | None = None  # of a standby, behind doors
        self.handover: Handover | None = None  # to it
        self.evacuation: Evacuation | None = None  # to the other servers, behind doors

    def _last_source_of(self, person: str) -> str:
        return self.online.last_source_of(person)

    def _is_undeclared_program(self, person: str) -> bool:
        account = self.account_service.streams.accounts.by_id(person)
        is_declared = account is not None and account.is_program
        return not is_declared and self.online.was_program(person)

    def _make_people(self) -> None:
        """Who is here, what they may, what is kept of them."""
        config, clock, journal = self.config, self.platform.clock, self.platform.journal
        self.online = OnlinePeople(config.people, self.budgets, self.account_service.check_memory)
        self.directory, self.exchange = Directory(journal), Exchange(journal.talk, clock)
        self.asking = Asking(self.exchange)
        self.one_session = OneSession(journal.bus, self.online)
        self.mail_streams = MailStreams(journal)
        self.relations = Relations(
            clock, self.account_service, self.lobby, self.online, self.outbox
        )
        self.staff_streams = staff_streams = StaffStreams(
            journal, self.account_service.streams, clock
        )
        self.moderation = Moderation(
            *(config, clock, self.account_service, staff_streams),
            *(self.online, self.outbox, self.table_manager),
            lambda source: network_tag(self.resume_codes.secret, source, clock.now_ms()),
        )
        self.moderation.targets.find_elsewhere = self.lobby.elsewhere.named
        self.moderation.targets.ask_source = SourcesElsewhere(
            self.lobby, self.online, self.exchange, self.asking
        ).ask
        self.moderation.elsewhere = ElsewhereForStaff(
            lambda: [it.person for it in self.lobby.elsewhere],
            lambda number: bool(self.directory.server_of(number)),
        )
        self.sanctions = SanctionService(
            *(config, clock, self.moderation, staff_streams),
            *(self.online, self.table_manager),
        )
        self.staff_sweep = StaffSweep(clock, journal, staff_streams, config.moderation)
        self.channels = ChannelService(
            *(config.chat, clock, self.account_service, self.moderation, self.lobby),
            *(self.online, self.outbox),
        )
        self.reports = ReportService(
            *(clock, self.moderation, staff_streams, self.online, self.channels.hears_staff)
        )
        self.admission = Admission(
            *(config, clock, self.moderation, self.sanctions, staff_streams, self.platform.rng)
        )
        self.news = SiteNews(clock, self.moderation, staff_streams, self.account_service.streams)
        self.mail = MailService(
            *(config.chat, clock, self.moderation, self.sanctions, self.mail_streams, self.outbox),
            self.lobby,
        )
        self.export = AccountExport(
            *(clock, self.account_service.streams.accounts, self.mail_streams, staff_streams),
            self.results.streams,
        )
        self.deletion = AccountDeletion(
            *(config, clock, self.account_service, self.moderation, staff_streams),
            *(self.mail_streams, self.online, self.lobby, self.table_manager),
            self.channels.history.remove_of,
        )
        self.account_service.admission = self.admission
        self.account_service.recovery.end_session = self.online.end

    def _make_services_for_games(self, fingerprint: str) -> None:
        """Codes, lessons, advice, names at tables, and the facade of all services."""
        config, platform, clock = self.config, self.platform, self.platform.clock
        self.resume_codes = ResumeCodes(b"")
        self.lessons = Lessons(
            *(platform.catalogue, clock, self.outbox, self.account_service),
            config.lessons.at_once,
        )
        self.hints = Hints(
            *(self.table_manager, self.lessons, platform.bots, self.outbox, platform.catalogue),
            *(clock, platform.make_seed),
        )
        self.reviews = Reviews(self.table_manager, platform.bots, self.outbox, platform.catalogue)
        accounts, streams = self.account_service.streams.accounts, self.results.streams
        self.pages = Results(
            *(clock, accounts, streams, platform.journal),
            *(self.table_manager, platform.catalogue, self.moderation, self.rated),
        )
        finder = ReplayFinder(
            *(clock, accounts, self.pages.lookup, platform.journal, platform.catalogue),
            *(config.tables, self.table_manager),
        )
        self.replays = Replays(clock, self.outbox, self.budgets, finder)
        self.exports = GameExports(clock, finder)
        self.new_guests = NewGuests(
            *(clock, platform.journal, self.account_service, self.admission),
            *(self.lobby, self.table_manager),
        )
        self.names = Names(
            *(config.people, clock, self.moderation, self.account_service, self.online),
            *(self.outbox, self.lobby, self.relations, self.lessons, self.replays),
            *(self.table_manager, self.budgets, self.channels),
        )
        self.news_follower = NewsFollower(
            *(platform.journal, self.staff_streams, self.mail_streams, self.tourney_streams),
            Tellers(
                *(self.account_service, self.moderation, self.sanctions, self.reports),
                *(self.names, self.deletion, self.relations, self.mail),
                self.channels,
            ),
        )
        history = self.channels.history
        self.tells = Tells(clock, self.lobby, self.outbox, history, self.exchange, self.asking)
        self.tourneys = TourneyParts(
            *(clock, platform.journal, platform.catalogue, self.tourney_streams),
            *(self.table_manager, self.account_service, self.moderation),
            *(self.online, self.outbox, self.notify_command),
            announce=lambda text: self.outbox.send_each(self.lobby.hear_news(text)),
            charge=lambda person: self.service.charge_change(person),
            charge_talk=lambda person: self.service.charge_talk(person),
            limits=lambda: self.config.tables,
            in_thread=platform.in_thread,
            lobby=self.lobby,
        )
        self.service = self._make_game_service(fingerprint)
        self._show_to_others()

    def _show_to_others(self) -> None:
        """What the other servers are told, and what follows from what they tell."""
        platform, online = self.platform, self.online
        self.town_talk = TownTalk(
            platform.clock, self.exchange, self.lobby, self.channels, self.relations, self.outbox
        )
        self.mirror = Mirror(
            *(platform.journal, platform.clock, self.exchange, self.directory),
            *(self.lobby, self.table_manager),
            OwnPeople(
                lambda person: here.since_ms if (here := online.get(person)) else 0,
                self.relations.is_program,
                self.channels.readers,
            ),
            self.town_talk.hear_of,
        )
        self.channels.readers_elsewhere = self.directory.readers_of
        join_games(self.exchange, self.directory, self.service)

    def _make_transport(self) -> None:
        """Sessions, and what leads to them: listeners, or doors behind the wall."""
        config, clock = self.config, self.platform.clock
        ticker = Ticker(clock, config.session.tick_ms)
        self.session_manager = SessionManager(
            self.service, self.account_service, config, clock, ticker, self.budgets
        )
        self.deletion.on_erased = self.session_manager.detached.forget
        self.carrying = Carrying(
            *(Path(config.server.data), clock, self.account_service, self.budgets),
            *(self.channels, self.session_manager),
        )
        self.authenticator = SshAuthenticator(self.account_service)
        self.listeners = ListenerManager(
            *(config, clock, self.session_manager.open_session, self.authenticator),
            *(self._mssp_status, self.budgets),
        )
        self.listeners.gate.on_failure = self._log_failed_login
        self.wall = WallServer(
            *(config.wall, clock, self.session_manager.open_session, self.authenticator),
            handshake=self._handshake,
            status=self._mssp_status,
            on_failure=self._log_failed_login,
            on_door=self._note_door,
            on_draining=partial(end_with_door, self.session_manager),
        )
        self.wall.may_come = self.session_manager.may_come
        self.wall.is_taking_over = self.table_manager.restorer.is_taking_over
        tell_of_bans(self.sanctions, self.listeners.gate, self.wall)

    def _make_ops(self) -> None:
        """What runs by itself, and what operators ask."""
        config, clock, journal = self.config, self.platform.clock, self.platform.journal
        heartbeat_s = config.journal.heartbeat_s  # [TIME-2]
        self.heartbeat = Heartbeat(journal.write_heartbeat, heartbeat_s, clock)
        self.retention = Retention(
            *(clock, journal, config.journal, journal.last_alive_ms, self._sweep),
            lambda: (self.config.people.keep_days, self.config.people.keep_unused_days),
        )
        self.old_games = OldGames(
            *(clock, journal, self.results.streams, self.platform.catalogue, config.tables)
        )
        self.backups = BackupScheduler(config, clock, journal.copy, journal.copy_size_bytes)
        self.server_status = ServerStatus(
            config, clock, self.service, self.session_manager, self.listeners, journal,
            self.heartbeat, self.wall,
        )  # fmt: skip
        self.control = ControlSocket()
        self.control.register("status", self.server_status.as_dict, only_reads=True)
        self.control.register(
            "servers", partial(all_servers, journal, self.directory), only_reads=True
        )
        self.admin = AdminVerbs(
            *(self.service, self.account_service, self.moderation, self.sanctions),
            *(self.reports, self.admission, self.news, self.online),
            *(self.names, self.channels),
        )
        self.control.register("admin", self.admin.answer, wants_uid=True)

    async def _sweep(self) -> None:
        """Once a day.  JournalWriteError: it stopped early."""
        await self.staff_sweep.run()
        await self.mail.sweep()
        await self.deletion.sweep()
        await self.names.sweep()

    def _log_failed_login(self, failed: FailedLogin, left: int, source: str) -> None:
        self.account_service.log_failed_login(
            failed.how, failed.protocol, failed.name, left, source
        )

    def _make_table_manager(self) -> TableManager:
        platform = self.platform
        return TableManager(
            platform.journal, self.outbox, platform.clock, platform.bots, self.config.tables,
            catalogue=platform.catalogue,
            rng=platform.rng,
            budgets=self.budgets,
            source_of=lambda person: self.service.source_of(person),
            make_seed=platform.make_seed,
            make_chance=platform.make_chance,
            bytes_max=table_bytes_max(self.config),
            expert_tables_max=self.config.bots.expert_tables_max,
            announce=lambda text, but: self.service.announce_in_lobby(text, but),
            on_move=lambda person, table: self.service.set_location(person, table),
            append_result=self.results.append,
            append_opened=self.tourney_streams.append_opened,
            is_program=lambda person: self.relations.is_program(person),
            on_change=self._note_table,
            why_unrated=self.rated.why_unrated,
            people=PeopleNow(
                self.account_service.present_person,
                lambda person_id, since_ms: self.sanctions.takes_seat(person_id, since_ms),
            ),
        )  # fmt: skip

    def _note_table(self, number: int) -> None:
        self.service.programs.note_change(number)
        self.service.own_games.note_change(number)
        self.service.notices.note_change(number)
        self.service.seeking.note_table(number)
        self.mirror.note_table(number)

    def _make_game_service(self, fingerprint: str) -> GameService:
        platform = self.platform
        parts = ServiceParts(
            self.outbox,
            self.online,
            self.moderation,
            self.sanctions,
            self.reports,
            self.admission,
            self.news,
            self.account_service,
            self.lobby,
            self.relations,
            self.mail,
            self.channels,
            self.table_manager,
            GuestSeats(
                *(platform.clock, self.resume_codes, self.table_manager, self.outbox),
                *(self.account_service.present_person, self.directory),
            ),
            self.budgets,
            self.lessons,
            self.hints,
            self.reviews,
            self.names,
            load_host_pages(self.config),
            self.export,
            self.deletion,
            self.pages,
            self.replays,
            self.exports,
            self.new_guests,
            Walks(
                *(self.directory, self.table_manager, self.online, platform.clock.monotonic),
                PlacesElsewhere(
                    *(platform.clock, self.table_manager, self.online, self.relations),
                    *(self.exchange, self.asking),
                ),
                self.lobby.elsewhere,
            ),
            self.tells,
            Inviting(
                *(platform.clock, self.lobby, self.online, self.table_manager, self.outbox),
                *(self.directory, self.exchange, self.asking, self.moderation.accounts),
                charge_talk=lambda person: self.service.charge_talk(person),
                submit=lambda request: self.service.submit_request(request),
            ),
            self.directory,
            self.notify_command,
            self.tourneys.service,
            self.asking,
        )
        return GameService(
            self.config, platform.clock, platform.catalogue, parts, fingerprint, platform.make_seed
        )

    async def open(self) -> None:
        """Restore everything from the journal; nobody is online yet."""
        await self.restore()
        self.run_in_background()

    async def restore(self) -> None:
        """Replay what the journal has, and was not folded before."""
        journal = self.platform.journal
        if not (stored := await journal.read(RESUME_SECRET_STREAM)):
            with contextlib.suppress(JournalConflictError):  # another server begins, too
                secret = Entry(RESUME_SECRET_STREAM, 1, self.platform.make_seed())
                await journal.append_all([secret])
            stored = await journal.read(RESUME_SECRET_STREAM)
        self.resume_codes.secret = bytes(stored[0].body)
        self.session_manager.use_seal(CapsuleSeal(self.resume_codes.secret))
        await self.account_service.restore()
        await self.new_guests.fill()
        await self.moderation.restore()
        await self.mail.restore()
        await self.tourney_streams.restore()
        await self.old_games.note_start()
        await self.table_manager.restore(RESTORE_BEFORE_OPEN_S)
        self.retention.alive_ms = journal.last_alive_ms

    def run_in_background(self) -> None:
        self.background_tasks = [
            asyncio.create_task(self.heartbeat.run(), name="heartbeat"),
            asyncio.create_task(self.retention.run(), name="retention"),
            asyncio.create_task(self.account_service.compact_forever(), name="compaction"),
            asyncio.create_task(self.old_games.run(), name="old games"),
            asyncio.create_task(self.news_follower.run(), name="follow news"),
            asyncio.create_task(self.mirror.run(), name="other servers"),
            asyncio.create_task(self.tourneys.driver.run(), name="tournaments"),
            asyncio.create_task(self.table_manager.restorer.take_over_forever(), name="take-over"),
        ]

    def sd_status(self) -> str:
        """One line for the service manager."""
        users, tables = len(self.lobby), self.table_manager.lists.count()
        trouble = "" if self.heartbeat.is_writable else "; the journal cannot be written"
        return f"users={users} tables={tables}{trouble}"

    def reconfigure(self, new_config: schema.Config) -> list[str]:
        """Apply what can change while running.

        Returns:
            A line for each change, and for what needs a restart; they are logged, too.

        Raises:
            StartError: The config does not fit the open listeners, or the certificate is invalid.
                Nothing has changed.
        """
        now = live_changes(self.config, new_config)
        check_consistency(now)
        rules, pages = name_rules(now, self.platform.catalogue), load_host_pages(now)
        self.listeners.reconfigure(now)  # the last step that can refuse
        self.budgets.reconfigure(now)
        self.platform.journal.reconfigure(now.journal)
        self.backups.reconfigure(now.backup)
        self.retention.reconfigure(now.journal)
        self.account_service.reconfigure(now, rules)
        self.table_manager.reconfigure(now.tables, table_bytes_max(now))
        self.lobby.reconfigure(now.chat, self.platform.clock.monotonic())
        self.channels.reconfigure(now.chat)
        self.service.reconfigure(now, pages)
        self.moderation.reconfigure(now)
        self.names.reconfigure(now.people)
        self.sanctions.reconfigure(now)
        self.admission.reconfigure(now)
        self.staff_sweep.config, self.mail.limits = now.moderation, now.chat
        self.deletion.limits, self.results.limits = now.people, now.results
        self.rated.config = now.ratings
        self.lessons.at_once = now.lessons.at_once
        self.notify_command.config = now.notify
        self.session_manager.reconfigure(now)
        if self.listeners.address(TLS):
            log.info("certificate reloaded file=%s", now.server.tls_cert)
        was, self.config = self.config, now
        self.server_status.config = now
        lines = describe_changes(diff_config(was, new_config))
        for line in lines:
            log.info("%s", line)
        if lines and self.feeding is not None:
            self.feeding.note_settings()
        return lines

    # -- behind doors ------------------------------------------------------------------------------

    @property
    def journal(self) -> SqliteJournal:
        """The one on this machine."""
        assert isinstance(self.platform.journal, SqliteJournal)
        return self.platform.journal

    async def serve(self) -> None:
        """Hear doors and operators, and run what runs in the background."""
        self.carrying.take_up()
        self.channels.begin()
        self.run_in_background()
        if isinstance(self.platform.journal, SqliteJournal):
            self._offer_handover()
        self.offer_evacuation()
        await self.open_ops(Path(self.config.server.data))
        await open_wall(self.wall, self.config, self._handshake().name, self.platform.clock)

    def offer_evacuation(self) -> Evacuation:
        self.evacuation = Evacuation(
            *(self.platform.clock, self.platform.journal, self.wall, self.session_manager),
            *(self.table_manager, self.directory, self.mirror),
            is_writable=lambda: self.heartbeat.is_writable,
        )
        self.control.register("evacuate", self.evacuation.run)
        return self.evacuation

    async def leave_others(self) -> None:
        """The other servers have the tables and people: end without a word to anybody."""
        await self.control.leave()  # whoever has asked for it reads what happened
        async with self._closing():
            self.mirror.leave()

    def _offer_handover(self) -> None:
        """A standby may come."""
        self.feeding = Feeding(self.journal, self.platform.clock, self.wall)
        self.handover = Handover(
            *(self.platform.clock, self.journal, self.feeding, self.wall, self.control),
            *(self.session_manager, self.table_manager),
            keep=self.carrying.leave,
            is_writable=lambda: self.heartbeat.is_writable,
        )
        self.control.register("upgrade", self.feeding.begin_again)
        self.control.register_talk("standby", self.feeding.serve)
        self.server_status.standby = self.feeding.as_dict

    def has_computer_players(self) -> bool:
        return self.platform.bots.is_ready

    async def fold(self) -> None:
        """Replay what a standby was fed."""
        await self.account_service.streams.fold()
        await self.moderation.restore()
        await self.mail.restore()
        await self.tourney_streams.restore()
        await self.table_manager.restorer.fold()

    def forget_tables(self, streams: Collection[str]) -> None:
        self.table_manager.restorer.forget(streams)

    def resumed_count(self) -> int:
        return self.session_manager.resumable_count()

    def discard(self) -> None:
        """It was a standby, and is not used any more."""
        self.session_manager.close("")

    async def leave(self) -> None:
        """Another server has taken over: end without a word, and write nothing."""
        await self.control.leave()
        self.server_status.close()
        await self.platform.bots.close()
        self.platform.hasher.close()

    async def open_ops(self, directory: Path) -> None:
        """Open the control socket and start the backups.  People can play without them."""
        self.control.register("backup_copy", self.backups.make_copy)
        self.control.register("backup_done", self.backups.record_success)
        self.backups.start()
        try:
            await self.control.open(directory)
        except OSError as exc:
            log.error("control socket unavailable dir=%s err=%s", directory, exc.strerror)

    def _mssp_status(self) -> mssp.Status:
        addresses = self.listeners.addresses() or self.wall.door_addresses()
        return mssp_status(self.service, self.config.server.name, self.started_ms, addresses)

    def _note_door(self, door: Handshake) -> None:
        """A door is there: it has the host key, unless it is the one in our directory."""
        if door.fingerprint:
            self.service.set_fingerprint(door.fingerprint)
            self.note_door_key(door.fingerprint)

    def _handshake(self) -> Handshake:
        return Handshake(
            *GAME_PROTOCOLS,
            version=version(),
            name=self.directory.own or "game",
            boot=f"{self.started_ms:x}",
            pid=os.getpid(),
            settings=shared_settings(self.config),
            state="active",
            capsules_min=OLDEST_VERSION,
            capsules_max=VERSION,
        )

    async def stop(self, farewell: str) -> None:
        """End all sessions with *farewell*, finish all writes, release the platform."""
        async with self._closing():
            unanswered = await finish(self.platform.clock, self.wall, self.table_manager)
            self.mirror.leave()
            self.session_manager.leave_capsules(unanswered=unanswered)
            if self.wall.path is not None:
                self.carrying.leave()
            self.wall.close("shutdown")
            self.listeners.close()
            self.session_manager.close(farewell)

    @contextlib.asynccontextmanager
    async def _closing(self) -> AsyncIterator[None]:
        """End sessions inside; then all parts close, bottom up.  A bug in a step stops no other."""
        async with contextlib.AsyncExitStack() as steps:
            steps.push_async_callback(self.platform.journal.close)
            steps.callback(self.platform.hasher.close)
            steps.push_async_callback(self.platform.bots.close)
            steps.push_async_callback(self._cancel_background_tasks)
            steps.push_async_callback(self.notify_command.close)
            steps.push_async_callback(self.table_manager.close)
            steps.push_async_callback(self.new_guests.close)
            steps.push_async_callback(self.control.close)
            steps.push_async_callback(self.backups.close)
            steps.callback(self.server_status.close)
            yield
            await self.listeners.wait_closed()

    async def _cancel_background_tasks(self) -> None:
        for task in self.background_tasks:
            task.cancel()
        await asyncio.gather(*self.background_tasks, return_exceptions=True)
