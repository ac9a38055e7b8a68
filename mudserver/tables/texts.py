"""Sentences about the people of a table: owner, seats that are taken away, and who is ready.

Rule 1: they are public, but for those that say "you": these are sent to one person alone.
"""

from __future__ import annotations

from mudserver.tables import records as f
from variants.kit.text import join_words

NO_LONGER_READY = "You are no longer marked ready."
HURRY = "Everybody waits for you: ready, or leave."
WRONG_CODE = "No table has this code."
GUESTS_OPEN_TO_ALL = "Guests can't open private tables. Log in with a name of your own for that."
INVITATION_GONE = "That invitation has ended."


def change_text(fact: f.AnyFact) -> str:
    """A change of a waiting table in a few words; "": *fact* changes nothing to agree on."""
    match fact:
        case f.OptionsSet():
            return "other options"
        case f.Sat(name=name):
            return f"{name} joined"
        case f.Stood(name=name) | f.Unseated(name=name):
            return f"{name} left"
        case f.ComputerSat(name=name):
            return f"computer player {name} added"
        case f.ComputerLeft(name=name):
            return f"computer player {name} removed"
        case _:
            return ""


def changed(change: str) -> str:
    """The answer to a word that was typed for the table as it was before."""
    return f"The table has changed: {change}. Type ready again."


def you_are_ready(waits_for: list[str]) -> str:
    return f"You are ready. Waiting for {join_words(waits_for)}."


def is_ready(name: str, ready: int, people: int, *, is_rematch: bool) -> str:
    wants = "wants a rematch" if is_rematch else "is ready to start"
    return f"{name} {wants} ({ready} of {people} ready). ready or leave."


def is_not_ready(name: str) -> str:
    return f"{name} is no longer ready."


def owns(name: str, table: int) -> str:
    return f"{name} owns table {table} now."


def you_own(table: int) -> str:
    return f"You own table {table} now. You can add computer players (bot) and change options."


def code_is(table: int, code: str) -> str:
    return f"Table {table} is private. Others join it with: sit {code}"


def invited(by: str, name: str) -> str:
    return f"{by} invites {name}."


def you_are_invited(by: str, table: int, game: str) -> str:
    return f"{by} invites you to table {table} ({game}). Type accept {by}, or decline {by}"


def invitation_ended(name: str, why: str) -> str:
    if why == "declined":
        return f"{name} declines the invitation."
    return f"{name} has not answered the invitation."


def your_invitation_ended(by: str, table: int) -> str:
    return f"{by}'s invitation to table {table} has ended."


TOO_FEW = "There are too few players to begin. Type bot to add a computer player."
COUNTDOWN_ENDED = "The table does not start by itself any more. It starts when everybody is ready."


def starts_alone(table: int, seconds: int, computers: list[str]) -> str:
    others = f" with {join_words(computers)} (computer)" if computers else ""
    return (
        f"You have table {table} to yourself. It starts in {seconds} s{others}. "
        "Type start to begin now."
    )


def starts(table: int, seconds: int) -> str:
    return (
        f"You sit at table {table}. It starts in {seconds} s, with computer players in the free "
        "seats. start begins now, leave goes back."
    )


def starts_later(seconds: int) -> str:
    return f"The game starts in {seconds} s."


def unseated(table: int) -> str:
    return f"The owner of table {table} has asked you to leave it."


def barred(table: int, wait_ms: int, *, is_by_owner: bool) -> str:
    why = (
        f"The owner of table {table} has asked you to leave it."
        if is_by_owner
        else f"You have left table {table} twice in 10 min."
    )
    minutes = -(-wait_ms // 60_000)
    return f"{why} You can sit there again in {minutes} min."
