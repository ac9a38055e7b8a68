"""Commands for names, keys and one's data: keys, password, export, whoami, resume."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from functools import partial

from mudserver.accounts.person import Person
from mudserver.accounts.ssh_keys import KEY_TYPES, split_label
from mudserver.clock import format_date
from mudserver.commands import texts
from mudserver.commands.elsewhere import at_table
from mudserver.commands.tables import table_number
from mudserver.commands.verb import CommandContext, verb
from mudserver.data_account import KeyRow, KeysData, WhoamiData
from mudserver.errors import UserError
from mudserver.messages import Notice, Page
from mudserver.service.account_keys import KeySummary
from mudserver.service.texts import EXPORT_TITLE
from variants.kit.text import quantity

TABLE_CHARS_MAX = 9  # of a table's number; the codes of guests are longer


@verb(
    "keys [add|label|remove] [WHAT...]",
    "you",
    aliases=("key",),
    needs_account=True,
    see_also=("password",),
)
async def keys(context: CommandContext, action: str | None, rest: str | None) -> None:
    """The SSH keys of your account: list, add, label or remove them.
    To add one type keys add. You get a line to type on the machine that has the key: ssh
    NAME+CODE@HOST. There you are asked whether to add that key. A code works once, and not for
    long.

    keys add laptop  the same, and the key will be called laptop
    keys add ssh-ed25519 AAAA...  only this key can use the code: the line of a .pub file
    keys label 2 old laptop  call the second of the list so
    keys remove 2  remove one that is lost or old; one way to log in always stays

    A key can belong to several accounts: ssh always says which one you want. The keys of the
    keyboard: help keyboard
    """
    text = (rest or "").strip()
    match (action or "").lower():
        case "":
            context.reply(_list(context.account_service.keys.list(context.person)))
        case "add":
            await _add(context, text)
        case "label":
            await _label(context, text)
        case "remove":
            await _remove(context, text)
        case word if word in KEY_TYPES or word.startswith("-----begin"):
            await _add(context, f"{action} {text}")
        case word:
            raise UserError(texts.KEYS_HOW.format(word[:20]), "usage")


def _list(keys: Sequence[KeySummary]) -> Page:
    rows = tuple(_row(*numbered) for numbered in enumerate(keys, 1))
    data = tuple(
        KeyRow(number, key.fingerprint, key.kind, key.label, key.added_ms, key.used_ms or None)
        for number, key in enumerate(keys, 1)
    )
    return Page("Your SSH keys", rows or ("none yet",), data=KeysData(data))


def _row(number: int, key: KeySummary) -> str:
    parts = (
        key.fingerprint,
        key.kind,
        key.label,
        f"added {format_date(key.added_ms)}",
        f"last used {format_date(key.used_ms)}" if key.used_ms else "never used",
    )
    return f"{number}\t{'  '.join(filter(None, parts))}"


async def _add(context: CommandContext, text: str) -> None:
    key, label = split_label(text)
    issue = partial(_issue_code, context, key, label)
    if pending := context.session.dialogs.confirm_identity(texts.KEYS_ADD_PASSWORD, issue):
        await pending


async def _issue_code(context: CommandContext, key: str, label: str) -> None:
    accounts, person, source = context.account_service, context.person, context.session.source
    code = await accounts.issue_key_code(person, key, label, source)
    seconds = accounts.keys.code_s
    span = quantity(seconds // 60, "minute") if seconds % 60 == 0 else quantity(seconds, "second")
    rows = (f"  ssh {person.name}+{code}@HOST", texts.KEYS_ADD_ONCE.format(span))
    title = texts.KEYS_ADD_WHERE
    context.reply(Page(title, rows, is_to_copy=True))


async def _label(context: CommandContext, text: str) -> None:
    which, _, label = text.partition(" ")
    if not label.strip():
        raise UserError(texts.KEYS_LABEL_WHICH, "usage")
    fingerprint = await context.account_service.label_key(
        context.person, which, label, context.session.source
    )
    context.reply(Notice(texts.KEYS_LABELLED.format(fingerprint, " ".join(label.split()))))


async def _remove(context: CommandContext, which: str) -> None:
    if not which:
        raise UserError(texts.KEYS_REMOVE_WHICH, "usage")
    fingerprint = await context.account_service.remove_key(
        context.person, which, context.session.source
    )
    context.reply(Notice(texts.KEYS_REMOVED.format(fingerprint)))


@verb("password", "you", needs_account=True, see_also=("keys",))
def password(context: CommandContext) -> None:
    """Set a new password.
    You are asked twice, and nothing is shown. It works over SSH and telnet. The present password
    is asked first, unless you logged in with a key within the last 15 minutes.
    """
    context.session.dialogs.start_password_dialog()


@verb("account [delete|keep]", "you", needs_account=True, is_newer=True, see_also=("export",))
async def account(context: CommandContext, action: str | None) -> None:
    """Whether your account stays; have it deleted, or keep it.

    account delete  your account is deleted after some days; you are asked for its name and a proof
    account keep  it stays after all

    Until then it works as before, and each login says when it goes. Games that you played then name
    you as a former player. Accounts that nobody uses go, too: help accounts
    """
    deletion = context.service.deletion
    match (action or "").lower():
        case "":
            if (data := deletion.data(context.person)) is not None:
                context.reply(data)
            context.reply(deletion.status(context.person))
        case "delete":
            context.session.dialogs.start_deletion_dialog()
        case "keep":
            said = await deletion.keep(context.person, context.session.source)
            context.reply(Notice(said))
        case word:
            raise UserError(texts.ACCOUNT_HOW.format(word[:20]), "usage")


@verb("export", "you", needs_account=True, is_newer=True, see_also=("account",))
async def export(context: CommandContext) -> None:
    """All that is kept of your account, as JSON, once an hour.
    To have it in a file: ssh NAME@HOST export > me.json"""
    text = await context.service.export.own_text(context.person)
    rows = tuple(text.splitlines())
    context.reply(Page(EXPORT_TITLE, rows, is_to_copy=True, has_whole_rows=True))


@verb("whoami", "you", aliases=("id",), see_also=("terminal", "about"))
def whoami(context: CommandContext) -> None:
    """Who you are here, and the id of this session.
    With it, or the (ref ...) of a sentence, the server owner finds in the log what happened to
    you. It isn't secret: you can tell it to anybody. A guest with a seat reads the code again that
    leads back to it: that one is secret."""
    service, person, session = context.service, context.person, context.session.id
    code = service.guest_seats.code_of(person)
    kind = service.relations.kind_of(person.id, person.is_guest)
    context.reply(WhoamiData(person.name, person.id, kind, session, code or None))
    shown = "a guest" if person.is_guest else "a registered player"
    context.reply(Notice(texts.WHOAMI.format(person.name, shown, session)))
    if code:
        service.guest_seats.send_code(person)


@verb("resume [CODE]", "you", see_also=("offer", "whoami"))
def resume(context: CommandContext, code: str | None) -> Awaitable[None] | None:
    """Go on with a paused or adjourned game, or take back a guest's seat.
    At a paused table resume goes on with the game; resume TABLE goes to an adjourned one, which
    goes on when all have typed it, or ready, within 10 min. After an outage of the server a game
    waits until whom it asks is back at the table. A guest's code was shown on sitting down: after a
    lost connection, log in as guest and type resume CODE. resume alone shows the code again."""
    number = (code or "").removeprefix("#")
    if code is None or (number.isdecimal() and len(number) <= TABLE_CHARS_MAX):
        table = None if code is None else table_number(code)
        here = partial(context.service.go_on, context.person, table)
        return at_table(context, table, f"/resume {table}", here)
    seats, source = context.service.guest_seats, context.session.source
    found = seats.guest_for(context.person, code, source)
    if isinstance(found, Person):
        channels = context.service.channels
        heard_ms = channels.heard_until_now(context.person.id)
        context.session.switch_person(found)
        channels.history.restore_heard(found.id, heard_ms)
        return None

    def not_there() -> None:
        raise UserError(texts.TABLE_MOVED.format(found), "busy", tables=(found,))

    return at_table(context, found, f"/resume {code}", not_there)
