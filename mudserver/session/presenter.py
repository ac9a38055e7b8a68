"""Turns messages into styled lines for one render profile.

Rule 1: the lines add nothing that the message does not hold.
Rule 2: for screen readers the news comes first: whose turn it is, then the board.
Rule 3: the lines depend on the message, the profile and the time alone, so that one rendering
        serves all people with an equal profile.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from mudserver import messages as m
from mudserver.clock import format_time_in_zone
from mudserver.lobby.mentions import split_at
from mudserver.session import texts
from mudserver.session.folding import EventGroup
from mudserver.session.render_profile import RenderProfile
from mudserver.session.replay_lines import SPOKEN_WORDS, WORDS, hands_lines, header, last_lines
from mudserver.tables import notifications
from mudserver.tables.offer_texts import PAUSED
from mudserver.ui.page_layout import lay_out_page
from mudserver.ui.quotation import quoted, quoted_parts, quoted_row
from variants.catalogue import AnyVariant, Catalogue
from variants.contract import Seat
from variants.kit.text import (
    Span,
    Style,
    StyledLine,
    duration,
    join_words,
    plain_text,
    quantity,
    styled_line,
)
from variants.kit.wrap import wrap_parts

Talk = m.TalkMessage

_WITH_TIME = m.DROPPABLE_TYPES | {m.TellMessage}
WATCHER = "[watcher] "  # before the name of a watcher who talks at a table; [ is in no name
MARK_TEXTS = {"time": " (time)", "away": " (away)", "autopass": " (autopass)", "later": " (later)"}


def message_lines(
    message: m.Message, profile: RenderProfile, now_ms: int, is_fresh: bool, games: Catalogue
) -> list[StyledLine]:
    """The message as lines.

    Args:
        is_fresh: The message opens a window that this person has not been shown yet.
    """
    match message:
        case (
            m.Notice(text) | m.CallNotice(text) | m.WatchersNotice(text) | m.AwayMessage(text=text)
        ):
            return [styled_line(text)]
        case m.EndExplained(text=text):
            return [styled_line(text)]
        case m.QuotedAnnouncement(head, speaker, words):
            return [quoted(f"-- {head}: ", speaker, words, profile.style.is_linear)]
        case m.QuotedNotice():
            return [spoken_line(message, profile.style.is_linear)]
        case m.StaffPage(title, rows):
            style = profile.style
            said = [quoted_row(row, "staff", style.width, style.is_linear) for row in rows]
            return [styled_line((title, "title")), *said]
        case m.RefusalMessage(text):
            return [styled_line(text)]
        case m.Announcement(text) | m.RingingAnnouncement(text=text):
            return [styled_line((f"-- {text}", "dim"))]
        case m.SayMessage() | m.EmoteMessage() | m.TellMessage():
            return [talk_line(message, profile.style.is_linear)]
        case m.EarlierTalk():
            return earlier_lines(message, profile.style.is_linear)
        case m.Page(title, rows):
            style = profile.style
            return [
                styled_line((title, "title")),
                *lay_out_page(rows, style.width, style.is_linear),
            ]
        case m.AnswerMessage(lines):
            return list(lines)
        case m.EventMessage():
            return event_lines((message,), profile.style, games[message.variant])
        case EventGroup(messages):
            return event_lines(messages, profile.style, games[messages[0].variant])
        case m.ViewMessage():
            return _view_lines(message, profile, now_ms, is_fresh, games[message.variant])
        case m.LessonStep():
            return _lesson_lines(message, profile, games[message.variant])
        case m.ReplayStep():
            place = replay_lines(message, profile.style, games[message.view.variant])
            blank = [] if profile.style.is_linear else [()]
            return [*blank, styled_line((header(message), "title")), *place]
        case m.ReplayOver(text):
            return [styled_line((text, "strong"))]
        case m.HintMessage(line, text):
            return [styled_line("Try: ", (line, "key")), styled_line(f"Reason: {text}")]
        case m.LessonOver(text):
            return [styled_line((text, "strong"))] if text else []
        case m.GameOver(_, text):
            return [styled_line((text, "strong"))]
        case m.GameSummary():
            return summary_lines(message, profile.style, games[message.variant])
    return []


def spoken_line(said: m.Spoken, is_linear: bool) -> StyledLine:
    """What a session says by itself."""
    if isinstance(said, str):
        return styled_line(said)
    return quoted(f"{said.head}: ", said.speaker, said.words, is_linear)


def summary_lines(summary: m.GameSummary, style: Style, variant: AnyVariant) -> list[StyledLine]:
    """How long the game was, who went out when, and what was left in the hands."""
    out = [
        f"{name} {note}" for name, note in zip(summary.names, summary.notes, strict=True) if note
    ]
    told = f" {join_words(out)}." if out else ""
    held = held_lines(summary, style, variant)
    return [styled_line(f"{summary.length[:1].upper()}{summary.length[1:]}.{told}"), *held]


def held_lines(summary: m.GameSummary, style: Style, variant: AnyVariant) -> list[StyledLine]:
    """What was left in the hands."""
    found = [
        (Span(f"{name}: "), *held)
        for name, view in zip(summary.names, summary.views, strict=True)
        if (held := variant.held_at_end(view, style))
    ]
    return wrap_parts(styled_line("Held at the end: "), found, style.width, "; ") if found else []


def talk_line(message: Talk, is_linear: bool) -> StyledLine:
    """What a person says, behind a head that names the person."""
    who, mention = message.who, ""
    match message:
        case m.SayMessage(is_watcher=is_watcher, channel=channel, mention=mention):
            head = f"{_origin(channel)}{WATCHER * is_watcher}{who}: "
        case m.EmoteMessage(is_watcher=is_watcher, channel=channel, mention=mention):
            head = f"{_origin(channel)}* {WATCHER * is_watcher}{who} "
        case m.TellMessage(to=None):
            head = f"{who} tells you: "
        case m.TellMessage(to=to):
            who, head = "You", f"You tell {to}: "
    if mention and not is_linear:
        return quoted_parts(head, split_at(message.text, mention))
    return quoted(head, who, message.text, is_linear)


def _origin(channel: str) -> str:
    """Where it is said, if that is not the place."""
    return f"[{channel}] " if channel else ""


def earlier_lines(message: m.EarlierTalk, is_linear: bool) -> list[StyledLine]:
    """A title, and each line of talk behind the time when it was said."""
    rows = [
        (Span(f"{format_time_in_zone(at_ms, message.time_zone)} ", "dim"), *line)
        for at_ms, line in ((at_ms, talk_line(it, is_linear)) for at_ms, it in message.lines)
    ]
    return [styled_line((message.title, "title")), *rows]


def with_timestamp(
    message: m.Message, lines: list[StyledLine], profile: RenderProfile, now_ms: int
) -> list[StyledLine]:
    """*lines* with the local time before chat and new events, if the profile wants timestamps."""
    if not (lines and profile.time_zone):
        return lines
    event = message.messages[0] if isinstance(message, EventGroup) else message
    is_now = isinstance(event, m.EventMessage) and not event.is_past
    if not (is_now or type(message) in _WITH_TIME):
        return lines
    at = Span(f"{format_time_in_zone(now_ms, profile.time_zone)} ", "dim")
    return [(at, *lines[0]), *lines[1:]]


def event_lines(
    messages: Sequence[m.EventMessage], style: Style, variant: AnyVariant
) -> list[StyledLine]:
    """The sentence for one event, or for several that read as one."""
    message, *more = messages
    seat = cast("Seat | None", message.seat)
    line = variant.describe_event(message.event, seat, message.names, style)
    if more:
        events = [each.event for each in messages]
        line = variant.describe_folded(events, seat, message.names, style)
    told = [] if line is None else [_marked(line, message)]
    turn = variant.turn_begun(message.event)
    if turn is None or turn[1] == message.seat:
        return told
    if style.is_linear:  # that the clock chose whose turn it is stays said
        return [styled_line(turn_text(*turn, message), "."), *(told if message.mark else ())]
    return [(), *told]  # a blank row between two turns


def _marked(line: StyledLine, message: m.EventMessage) -> StyledLine:
    """The sentence, with why nobody typed it."""
    if message.mark == "time" and message.is_own:
        return _time_is_up(line)
    mark = MARK_TEXTS.get(message.mark, "")
    return (*line, Span(mark, "dim")) if mark else line


def turn_text(number: int, seat: int, message: m.EventMessage) -> str:
    """`Turn 12, Juno`: what parts two turns in a log."""
    return f"Turn {number}, {'you' if seat == message.seat else message.names[seat]}"


def _time_is_up(line: StyledLine) -> StyledLine:
    """What the clock decided for the reader, told as such."""
    if plain_text(line).startswith("You "):
        first, *others = line
        return styled_line("Time is up, so you", first._replace(text=first.text[3:]), *others)
    return styled_line("Time is up: ", *line)


def _view_lines(
    message: m.ViewMessage, profile: RenderProfile, now_ms: int, is_fresh: bool, variant: AnyVariant
) -> list[StyledLine]:
    is_asked_for, is_mine = message.why != "changed", message.seat in message.asked
    board, status = list[StyledLine](), list[StyledLine]()
    if is_asked_for or (is_mine and is_fresh and not message.passes_itself):
        board += _heading(message.match, profile.style.is_linear)
        board += variant.render(message.view, message.names, profile.style)
    elif is_mine and not is_fresh and len(message.asked) == 1:
        return list(variant.brief(message.view, message.names, profile.style))
    # Nobody needs to read that a computer player is to play: it answers at once.
    is_news = is_fresh and set(message.asked) != set(message.by_computer)
    if message.is_paused and is_asked_for:
        status.append(styled_line(PAUSED))
    elif message.asked and (is_asked_for or is_news):
        status.append(_turn_line(message, now_ms, is_mine, has_help=profile.style.has_forms))
    if profile.style.is_linear:  # a listener need not wait for the end of the board
        return status + board
    return [(), *board, *status] if board else status


def _lesson_lines(
    message: m.LessonStep, profile: RenderProfile, variant: AnyVariant
) -> list[StyledLine]:
    """The position, then what to do; a listener hears the position only when asked for."""
    style = profile.style
    said = lesson_lines(message)
    if style.is_linear and not message.is_look:
        hint = styled_line("To hear the table, type ", ("look", "key"), ".")
        return [*said, hint] if message.is_first else said
    board = list(variant.render(message.view, message.names, style))
    if message.is_look:
        return board if style.is_linear else [(), *board]
    return [(), styled_line((message.title, "strong")), *board, (), said[-1]]


def lesson_lines(message: m.LessonStep) -> list[StyledLine]:
    """What a lesson says beside the board: the title where a step begins, and what to do."""
    title = [styled_line((message.title, "strong"))] if message.is_new else []
    return [*title, _lesson_text(message.text)]


def _lesson_text(text: str) -> StyledLine:
    """What to do, with what to type marked."""
    before, mark, rest = text.partition("Type: ")
    typed, bracket, more = rest.partition(" (")
    return styled_line(before + mark, (typed, "key"), bracket + more) if mark else styled_line(text)


def heard_lines(step: m.ReplayStep, style: Style, variant: AnyVariant) -> list[StyledLine]:
    """What was heard at a place in a replay; it begins with no blank row."""
    lines = [line for event in step.events for line in event_lines((event,), style, variant)]
    return lines[1:] if lines and not lines[0] else lines


def replay_lines(step: m.ReplayStep, style: Style, variant: AnyVariant) -> list[StyledLine]:
    """A place in a replay without its head; a listener hears the board only when asked for."""
    told = heard_lines(step, style, variant)
    hands, last = hands_lines(step, style, variant), last_lines(step)
    if style.is_linear and not step.is_look:
        return [*told, *last, *[styled_line(SPOKEN_WORDS)] * step.is_first]
    board = list(variant.render(step.view.view, step.view.names, style))
    if style.is_linear:
        return [*last, *board, *hands]
    words = styled_line((WORDS, "dim"))
    blank = [] if told and not told[-1] else [()]
    return [*told, *blank, *board, *hands, *last, *[words] * step.is_first]


def _heading(match: m.MatchStatus | None, is_linear: bool) -> list[StyledLine]:
    """Which deal of a match this is; a listener has heard it at the start of the deal."""
    return [] if match is None or is_linear else [styled_line((deal_text(match), "dim"))]


def deal_text(match: m.MatchStatus) -> str:
    return f"Deal {match.deal} of {match.deals}"


def _turn_line(message: m.ViewMessage, now_ms: int, is_mine: bool, *, has_help: bool) -> StyledLine:
    left = ""
    if message.deadline_ms is not None:
        left = duration(max(0, message.deadline_ms - now_ms) / 1000)
    if message.passes_itself:
        return styled_line((texts.AUTOPASS_SOON, "dim"))
    in_time = left and f" ({left})"
    is_begun = 0 < message.missing < len(message.asked) and not message.hides_missing
    missing = notifications.missing_answers(message.missing) if is_begun else ""
    if message.has_answered:
        still = f" {missing}{in_time}." if missing else ""
        return styled_line((f"{texts.CHOSEN}{still}", "dim"))
    if is_mine:
        asks = "" if message.asks == "to play" else f" {message.asks}"
        time = f" You have {left}." if left else ""
        if not has_help:
            return styled_line(f"Your turn{asks}.{time}")
        advice = (", ", ("hint", "key"), " for advice.") if message.has_hints else (".",)
        return styled_line(
            f"Your turn{asks}.{time} Type ", ("moves", "key"), " for a list", *advice
        )
    names = join_words([message.names[seat] for seat in message.asked])
    waiting = missing or f"Waiting for {names} {message.asks}"
    return styled_line((f"{waiting}{in_time}{behind_text(message)}.", "dim"))


def behind_text(message: m.ViewMessage) -> str:
    """` (3 decisions behind)` to a watcher who is; else nothing."""
    is_behind = message.behind and message.seat is None
    return f" ({quantity(message.behind, 'decision')} behind)" if is_behind else ""
