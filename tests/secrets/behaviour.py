"""Who is there, and what people do besides playing: what they look up, mistype and leave
half typed."""

from __future__ import annotations

from tests.secrets.scripted_server import LINES, PANES, PROGRAM, TERMINALS, Act, Member
from variants.catalogue import CATALOGUE

TABLES = ((2, (1,)), (3, (3,)), (2, (1, 2)), (3, ()), (2, (5,)), (4, (1,)), (2, ()))
"""How many people, and the levels of the computer players by number, or the highest there is."""

PEOPLE = ("Ann", "Bob", "Cyd", "Dee")
PRIVATE = (
    "moves", "look", "history", "who", "tables", "finger Ann", "finger Bob", "rules", "record",
    "help playing", "commands", "/moves", "/record", "quack", "99", "terminal", "about",
    "channels", "tells", "who table 1", "#help", "options", "history since 3", "set",
)  # fmt: skip
"""Lines whose answer is nobody else's business.  [SEC-4]"""
QUESTIONS = tuple(question for variant in CATALOGUE.values() for question in variant.questions)
"""The same, of the games themselves."""
TELLING = ("moves", "look", "history", "history since 5", "who", "tables", "finger Bob",
           "record") * 2  # fmt: skip
"""Those of them that could tell too much; typed more often."""
OTHERS = (
    "join lobby", "start", "bot hard", "sit 1", "watch 1", "unwatch", "tell Lou how is it",
    "say well", "/say hm", "#help Ann?",
)  # fmt: skip
AMONG_PEOPLE = (
    "/mail Bob See you on Friday", "/mail", "/mail read", "/mail reply 1 Gladly", "/mail delete 1",
    "/friend Lou", "/friends", "/unfriend Lou", "/finger Lou", "/finger Wim", "/profile I play",
    "/away Tea", "/away", "/back", "/ignore Wim", "/unignore Wim", "/ignore guests", "/ignore",
    "/unignore guests", "/say well", "/me waits", "/tell Lou hm", "/tell Bob hm", "/reply yes",
    "/kibitz hm", "/set kibitz off", "/set kibitz on", "/report Wim rude words", "/warnings",
    "/staff", "/sanctions", "/news", "/motd", "/who", "/export", "/channels", "/join lobby",
    "#lobby hm", "#help :waits", "/part lobby", "/tells", "/quiet on", "/quiet off", "/keys",
    "/games", "/games Bob", "/game 1", "/stats", "/stats Bob", "/vs Bob", "/vs Ann",
    "/watchers", "/look", "/seek words short", "/seek off", "/seeks", "/accept 999", "/accept",
    "/decline", "/match Bob", "/later", "/later draw", "/notify", "/notify seeks all",
    "/notify seeks off", "/go", "/substitute 1",
)  # fmt: skip
"""What people do with each other; with a slash, since a game might have the word."""
WHO_IS_AWAY = ("/who", "/finger {}", "/tell {} hm")
"""What shows whether somebody is away."""
OF_STAFF = (
    "warn Bob be kind", "mute Wim 1m too loud", "unmute Wim enough", "sanctions", "sanctions Wim",
    "sanction #2 2m longer", "reports", "reports 1", "report take 1", "report decide 1 none fine",
    "audit", "audit mute", "modsay be kind", "announce tea at five", "news add Tea at five",
    "registration", "staff", "lookup Bob", "purge Wim rude words",
)  # fmt: skip
AUTOPASS = 0.6  # of the people
TABS = ("", "/", "/w", "say ", "tell ", "watch ", "help ", "finger ", "set ")
ANSWERS = ("", "n", "re", "p")
"""What somebody wants completed while a game asks a seat whether it reacts."""
FORGET = b"\x03\x03"
"""Takes away what may be half typed: of a full screen first the menu, then the line."""
HALVES = ("say wait for", "look at", "ünd so")


def may_have_panes(number: int) -> bool:
    """Full screens cost time: in one script of three somebody may read in one."""
    return number % 3 == 1


def cast_of(number: int, people: int) -> tuple[Member, ...]:
    """So many at a table, somebody who watches and somebody in the lobby."""
    terminals = TERMINALS if may_have_panes(number) else LINES
    watchers = (TERMINALS[0], TERMINALS[1], PANES if may_have_panes(number) else PROGRAM)
    return (
        *(Member(PEOPLE[i], terminals[(number + i) % len(terminals)], i) for i in range(people)),
        Member("Wim", watchers[number // 2 % len(watchers)]),
        Member("Lou", TERMINALS[number // 3 % 3]),
    )


def is_private(act: Act) -> bool:
    """Refused plays, lines for oneself, keys without an Enter: nobody else may notice.  [SEC-4]"""
    if act.does == "keys":
        line, enter, _ = act.keys.decode().partition("\r")
        return not enter or line in (*PRIVATE, *QUESTIONS)
    return act.does == "try"
