"""What a capsule says of time and person, for the process that takes it up."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Mapping
from itertools import islice
from typing import Literal, Protocol

import msgspec

from mudserver import messages as m
from mudserver.accounts.former import FORMER_PLAYER
from mudserver.accounts.learned import CarriedLessons, LearnedLesson
from mudserver.accounts.person import Person, is_guest_id
from mudserver.accounts.texts import ERASED
from mudserver.clock import Clock
from mudserver.lobby.chat_limits import TalkSpent
from mudserver.lobby.ignore_list import ALL_GUESTS
from mudserver.lobby.presence import CarriedPresence
from mudserver.lobby.seek import Seek
from mudserver.service.account_service import AccountService
from mudserver.service.going_on import GoingOn
from mudserver.service.place_talk import PlaceTalk
from mudserver.service.replays import CarriedReplay
from mudserver.session import texts
from mudserver.session.account_dialogs import AccountDialogs
from mudserver.session.context import SessionContext
from mudserver.session.fullscreen_feed import REPLAY
from mudserver.session.kept_talk import kept_talk, lines_of, tells_of
from mudserver.session.login import LoginState
from mudserver.ui.fullscreen.model import Arrangement
from mudserver.ui.fullscreen.scroll_buffer import TableStand
from mudserver.wall.capsule import (
    HEARD_MAX,
    LESSONS_MAX,
    VERSION,
    Capsule,
    Learned,
    Replayed,
    Sought,
)

NAME_CHARS_MAX = 64  # of the capsule; no name is as long
TITLE_CHARS_MAX = 32  # of a step of a lesson, likewise
LEAST_TABLE = REPLAY  # what stands in the table pane
LEAST_TOKENS = 1e-6  # 0: the capsule says nothing of them


class Carried(Protocol):
    """What of every session goes along."""

    id: str
    is_program: bool
    opened_at: float
    last_input_at: float
    is_warned_idle: bool
    auth_how: Literal["", "key", "password"]
    auth_key: str
    auth_at_ms: int

    @property
    def recent_talk(self) -> Iterable[tuple[int, m.TalkMessage]]: ...


class Looking(Protocol):
    """Of a session, who may be in a replay."""

    async def go_on_in_replay(self, person: Person) -> None: ...


class Waiting(Protocol):
    """The lines of a session."""

    def hold_until(self, pending: Awaitable[None]) -> None: ...


class Asking(Protocol):
    """A session that may ask again."""

    dialogs: AccountDialogs

    def send_text(self, *sentences: m.Spoken) -> None: ...
    @property
    def attachment(self) -> Looking: ...


def capsule_of(
    session: Carried,
    person: Person,
    nonce: bytes,
    clock: Clock,
    settings: Mapping[str, str],
    teller: Person | None,
) -> Capsule:
    """Args:
    settings: Of this session alone.
    teller: Whom `reply` answers.
    """
    return Capsule(
        VERSION,
        session.id,
        nonce,
        "json" if session.is_program else "terminal",
        clock.now_ms(),
        person=person.id,
        name=person.name,
        is_guest=person.is_guest,
        since_ms=to_utc_ms(session.opened_at, clock),
        heard_ms=to_utc_ms(session.last_input_at, clock),
        is_warned_idle=session.is_warned_idle,
        auth_how=session.auth_how,
        auth_key=session.auth_key,
        auth_at_ms=session.auth_at_ms,
        settings=dict(settings),
        reply_to="" if teller is None else teller.id,
        reply_name="" if teller is None else teller.name,
        chat=kept_talk(session.recent_talk),
    )


def login_capsule(
    session: Carried, state: LoginState, nonce: bytes, clock: Clock, settings: Mapping[str, str]
) -> Capsule:
    """Of somebody who is about to log in.  Args: settings: Of this session alone."""
    return Capsule(
        *(VERSION, session.id, nonce, "terminal", clock.now_ms()),
        stage="login",
        login_step=state.step,
        login_name=state.name[:NAME_CHARS_MAX],
        tries_left=state.tries_left,
        settings=dict(settings),
        reads_aloud=settings.get("screenreader") == "on",
    )


def let_in_capsule(
    session: Carried, person: Person, nonce: bytes, clock: Clock, settings: Mapping[str, str]
) -> Capsule:
    """Of somebody who is let in here, and comes in elsewhere: see `walking.py`.

    A release that does not know of it asks for the name again, where nothing was proven by SSH.
    """
    made = capsule_of(session, person, nonce, clock, settings, None)
    return msgspec.structs.replace(
        made, stage="login", login_step="name", tries_left=1, reads_aloud=True, is_let_in=True
    )


def login_state_of(capsule: Capsule) -> LoginState:
    return LoginState(capsule.login_step or "name", capsule.login_name, capsule.tries_left)


def with_presence(
    capsule: Capsule,
    presence: CarriedPresence,
    lines: tuple[float, int],
    clock: Clock,
    server: str,
) -> Capsule:
    """*capsule* with what the person says of it, and has spent, at which *server*.

    Args:
        lines: As of `InputQueue.spent`.
    """
    spent = presence.spent or TalkSpent(0.0)
    muted_until_ms = clock.now_ms() + int(spent.muted_s * 1000) if spent.muted_s else 0
    return msgspec.structs.replace(
        capsule,
        away=presence.away,
        is_quiet=presence.is_quiet,
        chat_tokens=spent.tokens,
        chat_hashes=tuple(spent.hashes),
        muted_until_ms=muted_until_ms,
        line_tokens=max(lines[0], LEAST_TOKENS),
        lines_refused=lines[1],
        ignored=tuple(it for it in presence.ignored if not is_guest_id(it)),
        ignored_guests={it: name for it, name in presence.ignored.items() if is_guest_id(it)},
        channels=dict(presence.channels),
        heard=dict(islice(presence.heard_ms.items(), HEARD_MAX)),
        server=server,
        seeks=tuple([Sought(*seek) for seek in presence.seeks]),
    )


def with_place(
    capsule: Capsule,
    table: int,
    seen: int,
    is_watching: bool,
    dialog: str,
    replay: CarriedReplay | None,
) -> Capsule:
    """*capsule* with where the person is, and what is asked there."""
    replayed = None if replay is None else Replayed(*replay)
    return msgspec.structs.replace(
        capsule, table=table, seen=seen, is_watching=is_watching, dialog=dialog, replay=replayed
    )


def with_panes(capsule: Capsule, panes: Arrangement) -> Capsule:
    """*capsule* with how the panes of the full screen stand."""
    about, rows, top = panes.table
    return msgspec.structs.replace(
        capsule,
        screen="full",
        focus=panes.focused,
        is_zoomed=panes.is_zoomed,
        scroll=(rows, _plus_1(top), panes.chat_offset, _plus_1(about, LEAST_TABLE)),
    )


def panes_of(capsule: Capsule) -> Arrangement | None:
    """None: there was no full screen, or in an older release, which says nothing of its panes."""
    match capsule.focus, capsule.scroll:
        case ("table" | "log" | "chat") as focused, (rows, top, chat_offset, about):
            table = TableStand(_minus_1(about, LEAST_TABLE), rows, _minus_1(top))
            return Arrangement(focused, capsule.is_zoomed, table, chat_offset)
    return None


def _plus_1(number: int | None, least: int = 0) -> int:
    """A number from *least* on as a count; None as 0."""
    return 0 if number is None else number - least + 1


def _minus_1(count: int, least: int = 0) -> int | None:
    return count - 1 + least if count else None


def replay_of(capsule: Capsule) -> CarriedReplay | None:
    return None if capsule.replay is None else CarriedReplay(*capsule.replay)


def with_lessons(capsule: Capsule, carried: CarriedLessons) -> Capsule:
    """*capsule* with how far the person has come in lessons."""
    learned = {
        game: Learned(it.version, it.step, it.title[:TITLE_CHARS_MAX], it.is_finished)
        for game, it in islice(carried.learned.items(), LESSONS_MAX)
    }
    return msgspec.structs.replace(
        capsule, lesson=carried.game, lesson_inputs=carried.inputs, learned=learned
    )


def lessons_of(capsule: Capsule) -> CarriedLessons:
    learned = {game: LearnedLesson(*it) for game, it in capsule.learned.items()}
    return CarriedLessons(capsule.lesson, capsule.lesson_inputs, learned)


def presence_of(capsule: Capsule, clock: Clock, accounts: AccountService) -> CarriedPresence:
    muted_s = max(0, capsule.muted_until_ms - clock.now_ms()) / 1000
    spent = None
    if capsule.chat_hashes or muted_s:  # else nothing was said
        spent = TalkSpent(capsule.chat_tokens, capsule.chat_hashes, muted_s)
    known = [accounts.present_person(it) for it in capsule.ignored if it != ALL_GUESTS.id]
    ignored = {it.id: it.name for it in known if it is not None}
    if ALL_GUESTS.id in capsule.ignored:
        ignored[ALL_GUESTS.id] = ALL_GUESTS.name
    return CarriedPresence(
        capsule.away,
        capsule.is_quiet,
        spent,
        ignored | capsule.ignored_guests,
        capsule.channels,
        capsule.heard,
        tuple([Seek(*seek) for seek in capsule.seeks]),
    )


def restore_times_and_proof(session: Carried, capsule: Capsule, clock: Clock) -> None:
    # Not cut off where the clock here is behind: the newest session of a person is told by it.
    session.opened_at = clock.monotonic() - (clock.now_ms() - capsule.since_ms) / 1000
    session.last_input_at = from_utc_ms(capsule.heard_ms, clock)
    session.is_warned_idle = capsule.is_warned_idle
    session.auth_how, session.auth_key = capsule.auth_how, capsule.auth_key
    session.auth_at_ms = capsule.auth_at_ms


def restore_teller(capsule: Capsule, talk: PlaceTalk, accounts: AccountService) -> None:
    """Whom `reply` answers, under the name of now; an account that was erased is nobody.

    What `tells` lists goes along, too.
    """
    talk.restore_tells(capsule.person, tells_of(capsule.chat))
    if capsule.reply_to:
        is_guest = is_guest_id(capsule.reply_to)
        teller = accounts.present_person(capsule.reply_to)
        if teller is None and is_guest:
            teller = Person(capsule.reply_to, capsule.reply_name, is_guest=True)
        if teller is not None:
            talk.restore_teller(capsule.person, teller)


def restore_person(
    person: Person, capsule: Capsule, context: SessionContext, heard_ms: int | None
) -> None:
    """What the person has said of it, and whom `reply` answers.

    Args:
        heard_ms: As of `Attachment.heard_ms`.
    """
    service, accounts = context.service, context.account_service
    restore_teller(capsule, service.talk, accounts)
    presence = presence_of(capsule, context.clock, accounts)
    was_elsewhere = capsule.server != service.walks.own
    service.channels.note_shown(person, lines_of(capsule.chat), was_elsewhere=was_elsewhere)
    service.going_on.restore_presence(person, presence, table=capsule.table, heard_ms=heard_ms)


def go_on_asking(
    session: Asking, person: Person, capsule: Capsule, service: GoingOn, lines: Waiting
) -> None:
    """Another process has asked something, and was not answered; or it has shown a replay."""
    if capsule.replay is not None:
        lines.hold_until(session.attachment.go_on_in_replay(person))
    match question := capsule.dialog:
        case "password":
            session.send_text(texts.TYPE_AGAIN)
            session.dialogs.start_password_dialog()
        case "page":
            session.send_text(texts.PAGE_LEFT_OUT)
        case "play" | "learn":  # "Which game?": the next line is the answer, or anything else
            service.restore_asked_game(person, question)
        case "":
            pass
        case _ if question.startswith("replay "):
            if capsule.replay is None:  # the process kept no place
                session.send_text(texts.REPLAY_CLOSED.format(question))
        case _:
            session.send_text(texts.QUESTION_CANCELLED)


def to_utc_ms(at_s: float, clock: Clock) -> int:
    """A time on this process's clock, for another process."""
    return clock.utc_ms(at_s)


def from_utc_ms(at_ms: int, clock: Clock) -> float:
    """The same time on this process's clock; never in the future."""
    return clock.monotonic() - max(0, clock.now_ms() - at_ms) / 1000


def person_of(capsule: Capsule, accounts: AccountService) -> tuple[Person | None, str]:
    """Whose session it is now; None: nobody is logged in.

    The sentence says what was done to the account meanwhile, so that the session ends; "": nothing.
    """
    if capsule.stage != "in" and not capsule.is_let_in:
        return None, ""
    person = accounts.present_person(capsule.person)
    if person is None and capsule.is_guest:
        return Person(capsule.person, capsule.name, is_guest=True), ""
    if person is None or person.name == FORMER_PLAYER:
        return None, ERASED
    is_gone = capsule.auth_how == "key" and not accounts.keys.has_key(person.name, capsule.auth_key)
    return person, texts.KEY_REMOVED_MEANWHILE if is_gone else ""
