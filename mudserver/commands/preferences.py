"""Commands for preferences: set, autopass, screenreader, screen, clear, page, terminal."""

from __future__ import annotations

from mudserver.accounts.preferences import (
    DEFAULT_VALUE,
    PREFERENCES,
    check_preference,
    check_preference_name,
)
from mudserver.commands import texts
from mudserver.commands.tables import set_table_options
from mudserver.commands.verb import CommandContext, verb
from mudserver.data_messages import SettingRow, SettingsData
from mudserver.errors import UserError
from mudserver.messages import Notice, Page
from variants.kit.text import join_words


@verb("set [SETTING] [VALUE...]", "you", aliases=("settings",), see_also=("terminal",))
async def set_value(context: CommandContext, key: str | None, value: str | None) -> None:
    """Your settings, or change one: set width 60.
    Settings belong to your account; a guest's are kept until the guest leaves. What you did not set
    follows your terminal. set width default goes back to that.

    set colour off  no colours; 16, 256 or true as many
    set theme colour-blind  or high-contrast, mono, default
    set charset cp437  or utf-8, ascii, latin-1
    set pager off  pages never stop; so they do with set height 0
    set timezone Europe/Berlin  for set timestamps on, and for {time} in a prompt
    set prompt {table} {turn} {time}  or short, or full
    set table seats=4  an option of your table, like options seats=4
    """
    if key == "table":
        set_table_options(context, value)
        return
    if key is None:
        rows = [_row(context, key) for key in PREFERENCES]
        data = SettingsData(tuple([_data(context, key) for key in PREFERENCES]))
        context.reply(Page("Your settings", (*rows, texts.SETTINGS_HOW), data=data))
        return
    await _show_or_set(context, key, value)


async def _show_or_set(context: CommandContext, key: str, value: str | None) -> None:
    session = context.session
    if value is None:
        key = check_preference_name(key)
        value, source = _in_force(context, key)
        now = f"{key} is {value} ({source}): {PREFERENCES[key].help}."
        context.reply(Notice(f"{now}{_choices(key)}"))
        return
    key, value = check_preference(key, value)
    if (key, value) == ("screen", "on") and (obstacle := session.full_screen_obstacle()):
        raise UserError(obstacle)
    if not context.person.is_guest:
        context.service.charge_change(context.person)
    # The table may refuse; then nothing has changed.
    is_answered_by_table = key == "autopass" and context.service.set_autopass(
        context.person, value == "on"
    )
    if not context.person.is_guest:
        await context.account_service.save_preference(context.person, key, value)
    session.save_preference(key, value)
    if is_answered_by_table:
        return  # the table answers once the journal has it
    back = value == DEFAULT_VALUE and session.effective_preference(key)
    context.reply(Notice(texts.SETTING_DEFAULT.format(key, back[0]) if back else _now(key, value)))


def _choices(key: str) -> str:
    """A sentence with the possible values, where the help does not name them."""
    setting = PREFERENCES[key]
    is_in_help = setting.numbers or setting.check or not setting.choices
    return "" if is_in_help else f" It can be {join_words(setting.choices, 'or')}."


def _now(key: str, value: str) -> str:
    if (key, value) == ("screen", "on"):
        return texts.FULL_SCREEN_ON
    return texts.SETTING_NOW.format(key, value)


def _row(context: CommandContext, key: str) -> str:
    value, source = _in_force(context, key)
    return f"{key} {value}\t{PREFERENCES[key].help} ({source})"


def _data(context: CommandContext, key: str) -> SettingRow:
    setting, (value, source) = PREFERENCES[key], _in_force(context, key)
    numbers = (f"{setting.numbers[0]}-{setting.numbers[-1]}",) if setting.numbers else ()
    return SettingRow(key, value, source, (*setting.choices, *numbers), setting.help)


def _in_force(context: CommandContext, key: str) -> tuple[str, str]:
    """The value in force, and where it comes from; a seat's own autopass comes first."""
    of_seat = context.service.has_autopass(context.person) if key == "autopass" else None
    return (
        context.session.effective_preference(key)
        if of_seat is None
        else ("on" if of_seat else "off", "your seat")
    )


@verb("autopass [on|off]", "play", see_also=("moves", "set"))
async def autopass(context: CommandContext, value: str | None) -> None:
    """Pass automatically when you are asked to respond.
    A game asks everybody who might hold a card against what others play, whatever they hold.
    With autopass on you don't have to respond: your seat passes after a moment. That takes as long
    as a computer player, so that nobody learns anything from the time. You can still type first.

    It belongs to your account, for this seat and the next, until you type autopass off.
    """
    await _show_or_set(context, "autopass", value)


@verb("screenreader [on|off]", "you", see_also=("set",))
async def screenreader(context: CommandContext, value: str | None) -> None:
    """Plain lines, no columns, no colours, nothing that changes once it is shown.
    At a table moves then has numbers, and a number alone is that move. hand, piles and table NAME
    say a piece of the table.

    It works before login, too, and then counts for that session. set screenreader auto follows
    your terminal."""
    await _show_or_set(context, "screenreader", value)


@verb("screen [on|off]", "you", see_also=("set", "help"))
async def screen(context: CommandContext, value: str | None) -> None:
    """The full screen: panes for the table, the log and the chat, and a clock that runs down.
    It belongs to your account; ssh -t NAME@HOST screen opens it for one session. Tab opens a menu
    of what you can type. F6 goes to the next pane, PageUp and PageDown scroll it, F2 makes it as
    large as the screen. F1 or help panes lists the rest. screen off goes back to line mode.

    It needs a terminal with single keys, as over SSH. If the connection is lost in the middle, the
    command reset of your own shell puts the terminal in order."""
    await _show_or_set(context, "screen", value)


@verb("clear", "you", aliases=("cls",))
def clear(context: CommandContext) -> None:
    """Clear the screen."""
    context.session.clear_screen()


@verb("page", "you", see_also=("screen",))
def page(context: CommandContext) -> None:
    """Open the last page of the full screen again.
    A long answer stands in the place of the log. It closes by itself when you are told something
    or have to respond soon."""
    if not context.session.reopen_page():
        raise UserError("No page has been closed in a full screen. To read the help, type help")


@verb("terminal", "you", see_also=("set",))
def terminal(context: CommandContext) -> None:
    """What the server knows about your terminal."""
    context.reply(context.session.describe_terminal())
