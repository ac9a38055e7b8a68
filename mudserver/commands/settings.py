"""You and your terminal: set, clear, terminal."""

from __future__ import annotations

from mudserver.commands.declare import Context, verb
from mudserver.messages import Notice, Page
from mudserver.people.settings import SETTINGS, check_key, check_setting


@verb("set [SETTING] [VALUE]", "you", also=("settings",), see=("terminal",))
async def set_value(context: Context, key: str | None, value: str | None) -> None:
    """Your settings, or change one: set width 60.
    Settings stay with your name; a guest's are kept until the guest leaves.
    """
    house, visit = context.house, context.visit
    if key is None:
        rows = [f"{key} {visit.setting(key)}\t{s.help}" for key, s in SETTINGS.items()]
        context.reply(Page("Your settings", (*rows, "To change one: set colour off")))
        return
    if value is None:
        key = check_key(key)
        context.reply(Notice(f"{key} is {visit.setting(key)}: {SETTINGS[key].help}."))
        return
    key, value = check_setting(key, value)
    if not context.person.is_guest:
        await house.registrar.keep_setting(context.person, key, value)
    visit.keep_setting(key, value)
    context.reply(Notice(f"{key} is now {value}."))


@verb("clear", "you", also=("cls",))
def clear(context: Context) -> None:
    """Clear the screen."""
    context.visit.clear()


@verb("terminal", "you", see=("set",))
def terminal(context: Context) -> None:
    """What the house knows about your terminal."""
    context.reply(Page("Your terminal", tuple(context.visit.describe())))
