"""What stands behind the facade: the services, as the composition root hands them over."""

from __future__ import annotations

from typing import NamedTuple

from mudserver.cluster.asking import Asking
from mudserver.cluster.directory import Directory
from mudserver.host_pages import HostPages
from mudserver.lobby.lobby import Lobby
from mudserver.outbox import Outbox
from mudserver.service.account_deletion import AccountDeletion
from mudserver.service.account_export import AccountExport
from mudserver.service.account_service import AccountService
from mudserver.service.admission import Admission
from mudserver.service.channel_service import ChannelService
from mudserver.service.game_exports import GameExports
from mudserver.service.guest_seats import GuestSeats
from mudserver.service.hints import Hints
from mudserver.service.inviting import Inviting
from mudserver.service.lessons import Lessons
from mudserver.service.mail_service import MailService
from mudserver.service.moderation import Moderation
from mudserver.service.names import Names
from mudserver.service.new_guests import NewGuests
from mudserver.service.notices import Outside
from mudserver.service.online_people import OnlinePeople
from mudserver.service.relations import Relations
from mudserver.service.replays import Replays
from mudserver.service.report_service import ReportService
from mudserver.service.results import Results
from mudserver.service.reviews import Reviews
from mudserver.service.sanction_service import SanctionService
from mudserver.service.site_news import SiteNews
from mudserver.service.tells import Tells
from mudserver.service.tourneys import Tourneys
from mudserver.service.walks import Walks
from mudserver.source_budgets import SourceBudgets
from mudserver.tables.manager import TableManager


class ServiceParts(NamedTuple):
    """What stands behind the facade."""

    outbox: Outbox
    online: OnlinePeople
    moderation: Moderation
    sanctions: SanctionService
    reports: ReportService
    admission: Admission
    news: SiteNews
    account_service: AccountService
    lobby: Lobby
    relations: Relations
    mail: MailService
    channels: ChannelService
    table_manager: TableManager
    guest_seats: GuestSeats
    budgets: SourceBudgets
    lessons: Lessons
    hints: Hints
    reviews: Reviews
    names: Names
    host_pages: HostPages
    export: AccountExport
    deletion: AccountDeletion
    results: Results
    replays: Replays
    exports: GameExports
    new_guests: NewGuests
    walks: Walks
    tells: Tells
    inviting: Inviting
    directory: Directory
    outside: Outside
    tourneys: Tourneys
    asking: Asking
