"""Who may do what at a table, and when: the one list.  Decisions, help and completion read it.

Rule 1: a cell is a state of the table, a command and a role.  What is not in the list is refused,
        before anything else is looked at.
Rule 2: a role is where a person is at the table.  Who owns it is asked besides.
Rule 3: nothing here looks at a card.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from mudserver.errors import UserError
from mudserver.tables import match_texts, offer_texts, plan_texts, texts
from mudserver.tables.table import Table

State = Literal["waiting", "playing", "over", "pausing"]
Role = Literal["seated", "away", "out", "watcher", "nobody"]

STATES: tuple[State, ...] = ("waiting", "playing", "over", "pausing")
ROLES: tuple[Role, ...] = ("seated", "away", "out", "watcher", "nobody")

SITS: frozenset[Role] = frozenset({"seated", "away", "out"})
HERE: frozenset[Role] = SITS | {"watcher"}
PLAYS: frozenset[Role] = frozenset({"seated", "away"})
NOBODY: frozenset[Role] = frozenset()


class Rule(NamedTuple):
    """Who may use one command: the roles, by state of the table."""

    waiting: frozenset[Role] = NOBODY  # before the first game
    playing: frozenset[Role] = NOBODY
    over: frozenset[Role] = NOBODY  # after a game
    pausing: frozenset[Role] = NOBODY  # between two deals of a match
    owner_may: str = ""  # what of these only the owner can do, in words; "": all of them can
    in_game: str = ""  # the refusal while a game runs, for people who sit here

    def roles(self, state: State) -> frozenset[Role]:
        return {
            "waiting": self.waiting,
            "playing": self.playing,
            "over": self.over,
            "pausing": self.pausing,
        }[state]


def _between_games(in_game: str, owner_may: str = "") -> Rule:
    return Rule(SITS, NOBODY, SITS, NOBODY, owner_may, in_game)


def _before_each_game() -> Rule:
    """What begins a game, or the next deal of a match."""
    return Rule(SITS, NOBODY, SITS, SITS, "", texts.RUNNING_ALREADY)


def _always(roles: frozenset[Role], owner_may: str = "") -> Rule:
    return Rule(roles, roles, roles, roles, owner_may)


RULES: Mapping[str, Rule] = {
    "sit": Rule(frozenset({"watcher", "nobody"}), NOBODY, frozenset({"watcher", "nobody"})),
    "substitute": Rule(
        playing=frozenset({"watcher", "nobody"}), pausing=frozenset({"watcher", "nobody"})
    ),
    "watch": _always(frozenset({"nobody"})),
    "unwatch": Rule(HERE, frozenset({"out", "watcher"}), HERE, frozenset({"watcher"})),
    "stand": Rule(HERE, frozenset({"out", "watcher"}), HERE, frozenset({"watcher"})),
    "leave": _always(HERE),
    "autopass": _always(SITS),
    "bot": _between_games(texts.COMPUTERS_BEFORE, "add computer players at this table"),
    "unbot": _between_games(texts.COMPUTERS_STAY, "remove computer players at this table"),
    "options": _between_games(texts.OPTIONS_FIXED, "change the options of this table"),
    "unseat": _between_games(texts.CANNOT_UNSEAT_NOW, "ask people to leave this table"),
    "offer": Rule(NOBODY, SITS, NOBODY, in_game=texts.NO_GAME_NOW),
    "resume": Rule(NOBODY, PLAYS, NOBODY, in_game=offer_texts.NOT_PAUSED),
    "later": Rule(NOBODY, PLAYS, NOBODY, in_game=plan_texts.NOT_IN_A_GAME),
    "invite": Rule(SITS, NOBODY, SITS, NOBODY, "", "Invite people when the game is over."),
    "owner": _always(SITS, "hand this table on"),
    "start": _before_each_game(),
    "ready": _before_each_game(),
    "rematch": _before_each_game(),
    "unready": _before_each_game(),
}
"""By command, as it is typed."""

NOT_OF_TOURNEYS = frozenset(
    {"sit", "substitute", "bot", "unbot", "options", "unseat", "offer", "invite", "owner"}
    | {"start", "ready", "rematch", "unready"}
)
"""What nobody does at a table of a tournament: those who were drawn play one game there."""


def state_of(table: Table) -> State:
    """The table must be open."""
    if table.is_playing:
        return "playing"
    if table.is_between_deals:
        return "pausing"
    return "waiting" if table.game is None else "over"


def role_of(table: Table, person: str) -> Role:
    if table.seat_of(person) is None:
        return "watcher" if person in table.watchers else "nobody"
    if table.is_out(person):
        return "out"
    return "away" if table.is_away(person) else "seated"


def is_allowed(table: Table, person: str, command: str) -> bool:
    """Whether the person may use *command* here and now; it may still be refused for its words."""
    rule = RULES[command]
    if table.tourney.tourney and command in NOT_OF_TOURNEYS:
        return False
    if role_of(table, person) not in rule.roles(state_of(table)):
        return False
    return not _needs_owner(table, command) or person == table.owner


def check_allowed(table: Table, person: str, command: str) -> None:
    """UserError: the person may not use *command* here and now."""
    if table.tourney.tourney and command in NOT_OF_TOURNEYS:
        raise UserError(texts.OF_TOURNEY.format(table.number, table.tourney.tourney))
    rule, role = RULES[command], role_of(table, person)
    if role in ("watcher", "nobody") and role not in rule.roles(state_of(table)):
        hint = "" if table.goes_on else texts.TAKE_SEAT.format(table.number)
        raise UserError(texts.NO_SEAT.format(table.number, hint), "not_seated")
    if role not in rule.roles(state_of(table)):
        if table.is_between_deals:
            raise UserError(match_texts.goes_on(table), "stopped")
        raise UserError(rule.in_game)
    if _needs_owner(table, command) and person != table.owner:
        owner_may = rule.owner_may or "invite people to this table"
        raise UserError(texts.ONLY_OWNER.format(table.person_name(table.owner), owner_may))


def describe_rule(command: str) -> str:
    """A sentence of help: who can use *command* at a table, and when."""
    rule = RULES[command]
    who = "the owner of the table" if rule.owner_may else _people(rule)
    when = "" if rule.playing and rule.waiting else " while no game runs"
    when = when if rule.waiting else " in a running game"
    return f"For {who}{when}."


def _people(rule: Rule) -> str:
    return "everybody at the table" if "watcher" in rule.over else "people who have a seat"


def _needs_owner(table: Table, command: str) -> bool:
    if command == "bot" and table.options.bots == "all":
        return False
    if command == "invite":
        return table.options.who != "anyone" or table.is_private
    return bool(RULES[command].owner_may)
