"""Commands for keeping order.  Who may use which: `moderation/permissions.py`."""

from __future__ import annotations

from collections.abc import Awaitable

from mudserver.commands.tables import table_number
from mudserver.commands.verb import CommandContext, split_assignments, verb
from mudserver.data_account import (
    SanctionsData,
    StaffData,
    StaffRow,
    WarningRow,
    WarningsData,
)
from mudserver.errors import UserError
from mudserver.messages import Notice, Page, QuotedRow
from mudserver.moderation import texts
from mudserver.service.admission import INVITE_DAYS_MAX, INVITE_USES_MAX
from mudserver.service.issued_code import IssuedCode
from mudserver.service.listed import without_term


@verb("staff", "server", is_newer=True, see_also=("who", "warnings"))
def staff(context: CommandContext) -> None:
    """Who of the staff is here."""
    here = context.service.moderation.staff_here()
    rows = tuple(f"{name:<16}  {role}" for name, role in here)
    data = StaffData(tuple([StaffRow(*each) for each in here]))
    context.reply(Page("Staff here", rows or ("nobody",), data=data))


@verb("warnings", "you", is_newer=True, see_also=("sanctions",))
async def warnings(context: CommandContext) -> None:
    """Warnings of the staff to you; this confirms that you have read them."""
    unread = await context.service.moderation.confirm_warnings(context.person)
    rows = tuple(QuotedRow(f"#{it.number}\t", f"#{it.number}", it.reason) for it in unread)
    data = WarningsData(tuple([WarningRow(it.number, it.reason) for it in unread]))
    context.reply(Page("Your warnings", rows or ("none that you have not read",), data=data))


@verb("sanctions [NAME]", "you", is_newer=True, see_also=("warnings",))
async def sanctions(context: CommandContext, name: str | None) -> None:
    """Mutes and bans of yours that are in force.
    The staff reads those of everybody, or of NAME."""
    service, login = context.service.sanctions, context.login
    if name is None and not context.may_use("sanctions"):
        found = service.own(context.person, login.source)
    else:
        found = [(it.row, it.shown) for it in await service.listed(login, name)]
    data = SanctionsData(tuple([shown for _, shown in found]))
    context.reply(Page("In force", tuple([row for row, _ in found]) or ("none",), data=data))


@verb("report NAME REASON...", "talk", is_newer=True, see_also=("ignore", "staff"))
async def report(context: CommandContext, name: str, reason: str) -> None:
    """Tell the staff of somebody who breaks the rules.
    The lines of that person that you were shown last go along, and what you told that person; no
    cards. It works for an hour after that person has left.
    """
    reports, login, session = context.service.reports, context.login, context.session
    number, _, rest = reason.partition(" ")
    if name.lower() == "take" and _is_number(reason):
        await _done(context, reports.take(login, int(reason)))
    elif name.lower() == "decide" and _is_number(number):
        outcome, _, note = rest.partition(" ")
        await _done(context, reports.decide(login, int(number), outcome, note))
    else:
        await _done(context, reports.file(login, name, reason, session.recent_talk))


@verb("reports [NUMBER]", "staff", permission="reports", see_also=("report", "audit"))
async def list_reports(context: CommandContext, number: str | None) -> None:
    """Reports that are not decided. Helpers read their numbers.

    reports 41  the lines that go with one
    report take 41  say that you look at it; what you do to that person then carries its number
    report decide 41 warned TEXT  the outcome, none, warned or sanctioned, and a note

    See audit report 41 for what was done for one.
    """
    reports = context.service.reports
    if number is None:
        rows = [it.row for it in await reports.listed(context.login)]
        context.reply(Page("Open reports", tuple(rows) or ("none",)))
        return
    report, state, lines = await reports.whole(context.login, number)
    shown = [it.row for it in lines] or [texts.NO_LINES]
    context.reply(Page(f"Report {number}", (without_term(report.row), f"state: {state}", *shown)))


def _is_number(typed: str) -> bool:
    return typed.isascii() and typed.isdecimal() and len(typed) <= 9


@verb("warn NAME REASON...", "staff", permission="warn", see_also=("mute",))
async def warn(context: CommandContext, name: str, reason: str) -> None:
    """Warn somebody, who reads it at each login until typing warnings."""
    await _done(context, context.service.moderation.warn(context.login, name, reason))


@verb("mute NAME TIME REASON...", "staff", permission="mute", see_also=("unmute", "warn"))
async def mute(context: CommandContext, name: str, time: str, reason: str) -> None:
    """Let somebody say nothing for some time; plays go on.
    TIME is 10m, 2h, 7d, 4w or forever. The person reads the reason. A note for the staff alone
    stands behind it: mute bob 1h insults // second time this week
    """
    await _done(context, context.service.sanctions.mute(context.login, name, time, reason))


@verb("unmute NAME [REASON...]", "staff", permission="unmute", see_also=("mute",))
async def unmute(context: CommandContext, name: str, reason: str | None) -> None:
    """End a mute."""
    await _done(context, context.service.sanctions.unmute(context.login, name, reason or ""))


@verb("purge NAME REASON...", "staff", permission="purge", see_also=("mute", "warn"))
async def purge(context: CommandContext, name: str, reason: str) -> None:
    """Take what somebody has written away from those who come later.
    The lines in the lobby, in channels and at tables, the words with away, and the profile. The
    person reads the reason."""
    await _done(context, context.service.channels.purge(context.login, name, reason))


@verb("kick NAME REASON...", "staff", permission="kick", see_also=("ban",))
async def kick(context: CommandContext, name: str, reason: str) -> None:
    """End somebody's session; no way back for 5 minutes.
    A seat is kept as after a lost connection."""
    await _done(context, context.service.sanctions.kick(context.login, name, reason))


@verb("ban NAME TIME REASON...", "staff", permission="ban", see_also=("unban", "sanctions", "kick"))
async def ban(context: CommandContext, name: str, time: str, reason: str) -> None:
    """Keep somebody out for some time, with all keys that open the account.
    The person reads the reason. Seats in running games go to computer players.

    ban guest3 1d TEXT  no guests and no new names from where that guest is
    ban key SHA256:... 30d TEXT  a key opens no account
    ban network 203.0.113.0/24 7d TEXT  no guests and no new names from there
    ban network 203.0.113.0/24 7d hard TEXT  accounts are kept out, too

    See sanctions for what is in force, and unban to end it.
    """
    sanctions, login = context.service.sanctions, context.login
    kind = name.lower()
    if kind not in {"network", "key"}:
        await _done(context, sanctions.ban(login, name, time, reason))
        return
    target, (time, _, reason) = time, reason.partition(" ")
    if kind == "key":
        await _done(context, sanctions.ban_key(login, target, time, reason))
        return
    is_hard = reason.split()[:1] == ["hard"]
    said = reason.removeprefix("hard").strip() if is_hard else reason
    await _done(context, sanctions.ban_network(login, target, time, said, is_hard=is_hard))


@verb("unban NUMBER REASON...", "staff", permission="unban", see_also=("ban", "sanctions"))
async def unban(context: CommandContext, number: str, reason: str) -> None:
    """End a ban or a mute, by its number: unban #18 TEXT"""
    await _done(context, context.service.sanctions.unban(context.login, number, reason))


@verb("sanction NUMBER TIME REASON...", "staff", permission="sanction", see_also=("sanctions",))
async def sanction(context: CommandContext, number: str, time: str, reason: str) -> None:
    """Give a ban or a mute another end, counted from now: sanction #18 2d TEXT"""
    done = context.service.sanctions.change_sanction(context.login, number, time, reason)
    await _done(context, done)


@verb("close TABLE REASON...", "staff", permission="close", see_also=("tables",))
async def close(context: CommandContext, table: str, reason: str) -> None:
    """Close a table. A running game ends without a result, and all there read why."""
    number = table_number(table)
    await _done(context, context.service.moderation.close_table(context.login, number, reason))


@verb("shutdown MINUTES REASON...", "staff", permission="shutdown", see_also=("announce",))
async def shutdown(context: CommandContext, minutes: str, reason: str) -> None:
    """Shut the server down in some minutes. Everybody is told, and games are kept.
    Where several servers share a journal all of them end. Run as a service it starts again by
    itself.
    To take it back: shutdown cancel TEXT"""
    await _done(context, context.service.moderation.shut_down(context.login, minutes, reason))


@verb("role NAME ROLE REASON...", "staff", permission="role", see_also=("staff",))
async def role(context: CommandContext, name: str, given: str, reason: str) -> None:
    """Make somebody helper, moderator, operator or owner; player takes it away."""
    await _done(context, context.service.moderation.set_role(context.login, name, given, reason))


@verb("recover NAME", "staff", permission="recover", see_also=("role",))
async def recover(context: CommandContext, name: str) -> None:
    """A code for somebody who lost key and password.
    First make sure who asks. With NAME+CODE as name that person sets a new password or adds a
    key. The code works once."""
    await _show_code(context, context.service.moderation.recover(context.login, name))


@verb("delete NAME REASON...", "staff", permission="delete", see_also=("keep", "erase"))
async def delete(context: CommandContext, name: str, reason: str) -> None:
    """Have somebody's account deleted, after some days.
    The person reads the reason at each login until then. To take it back: keep NAME"""
    await _done(context, context.service.deletion.ask_for(context.login, name, reason))


@verb("keep NAME", "staff", permission="keep", see_also=("delete",))
async def keep(context: CommandContext, name: str) -> None:
    """Take back that the staff has somebody's account deleted."""
    await _done(context, context.service.deletion.keep_for(context.login, name))


@verb("erase NAME REASON...", "staff", permission="erase", see_also=("delete",))
async def erase(context: CommandContext, name: str, reason: str) -> None:
    """Erase somebody's account now, for ever. NAME can be the id, such as p12."""
    await _done(context, context.service.deletion.erase_for(context.login, name, reason))


@verb("registration MODE", "staff", permission="registration", see_also=("invitation",))
async def registration(context: CommandContext, mode: str) -> None:
    """Who may register a new name: open, invite or closed."""
    done = context.service.admission.set_registration(context.login, mode)
    await _done(context, done)


@verb("guests ON|OFF", "staff", permission="guests", see_also=("registration",))
async def guests(context: CommandContext, typed: str) -> None:
    """Whether guests are admitted: guests off
    Those who are here stay."""
    if typed.lower() not in {"on", "off"}:
        raise UserError(texts.ON_OR_OFF.format(typed[:20]), "usage")
    done = context.service.admission.set_guests(context.login, is_on=typed.lower() == "on")
    await _done(context, done)


@verb("invitation [OPTIONS...]", "staff", permission="invitation", see_also=("registration",))
async def invitation(context: CommandContext, options: str | None) -> None:
    """A code with which a new name can be registered: invitation uses=3 days=7
    It works also where registration is closed. Nobody sees it again.

    invitation revoke #18  withdraw the one of that number, or of a code
    """
    word, _, which = (options or "").partition(" ")
    if word.lower() == "revoke":
        await _done(context, context.service.admission.revoke(context.login, which.strip()))
        return
    given = split_assignments(options)
    numbers = {key: value for key, value in given.items() if _is_number(value)}
    if set(given) - {"uses", "days"} or numbers != given:
        raise UserError(texts.INVITE_HOW.format(INVITE_USES_MAX, INVITE_DAYS_MAX), "usage")
    wanted = {key: int(value) for key, value in given.items()}
    await _show_code(context, context.service.admission.invite(context.login, **wanted))


@verb("announce TEXT...", "staff", permission="announce", see_also=("modsay",))
async def announce(context: CommandContext, text: str) -> None:
    """Tell everybody who is here, also at the tables."""
    await context.service.moderation.announce(context.login, text)


@verb("modsay TEXT...", "staff", permission="modsay", see_also=("announce",))
async def modsay(context: CommandContext, text: str) -> None:
    """Speak as staff where you are: [moderator] ann: TEXT"""
    who = await context.service.moderation.note_speech(context.login, text)
    context.service.talk.say_as(context.person, who, text)


@verb("audit [WHAT...]", "staff", permission="audit", see_also=("sanctions",))
async def audit(context: CommandContext, what: str | None) -> None:
    """What the staff did, the newest first.

    audit bob  by bob, and on bob
    audit #18  that act, and what was done to its sanction
    audit ban  all bans
    audit report 41  what was done for that report
    """
    acts = await context.service.moderation.list_acts(context.login, what or "")
    context.reply(Page("Acts of the staff", tuple([it.row for it in acts]) or ("none",)))


async def _show_code(context: CommandContext, act: Awaitable[IssuedCode]) -> None:
    """The code stands on a row of its own, and is broken in no terminal that holds it."""
    title, *rows = (await act).text.split("\n")
    context.reply(Page(title, tuple(rows), is_to_copy=True))


async def _done(context: CommandContext, act: Awaitable[str]) -> None:
    context.reply(Notice(await act))
