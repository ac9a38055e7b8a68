"""Commands about the server: help, commands, about, quit."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches

from mudserver.commands import texts
from mudserver.commands.verb import (
    TOPICS,
    VERBS,
    CommandContext,
    Topic,
    Verb,
    all_verbs,
    verb,
    verbs_starting_with,
)
from mudserver.errors import UserError
from mudserver.host_pages import HostPages
from mudserver.messages import Page
from mudserver.tables.permissions import RULES, describe_rule
from mudserver.version import version
from variants.catalogue import Catalogue

PLAYING = (
    "In a game, what you type is a move. For what you can type now: moves",
    "A slash before a word makes it a server command: /say hello, /who, /help. Without it a "
    "whole server command works too (who, look, l), unless the game has that very word.",
    "Some games answer questions at any time, which is never a move. commands lists the questions "
    "of the game at your table.",
    "hand, piles and table NAME say a piece of the table alone: your cards, the decks, one player.",
    "Many other words are understood, and a mistyped one is answered with the line that was "
    "probably meant: y runs it. ' alone says the last line that was not understood.",
    "One letter alone is never a move, unless a letter is asked for: set short on changes that.",
    "With screenreader on, moves has numbers, and a number alone is that move.",
    "look shows the table again, history what has happened, rules how the game is played.",
)
NAMES = (
    "Guests keep nothing after they leave. To register without losing your seat, type: "
    "register NAME",
    "Or log in with a new name: ssh NAME@HOST, where your key is enough, or type it at Name over "
    "telnet.",
    "Names have 3 to 16 characters: letters a to z, digits, _ and -. They begin with a letter and "
    "end with a letter or digit. Two of _ and - can't stand in a row. Case makes no difference, "
    "nor do _ and -: al_ice is alice. Names of the server, of computer players and of staff are "
    "reserved.",
    "rename NAME changes your name, once in a while. Nobody else gets the old one for long after.",
    "password and keys give you more ways to log in. Settings and seats belong to your account.",
)
GUESTS = (
    "A guest plays, watches and talks without an account. Log in with guest as your name.",
    "On sitting down you get a code, which whoami shows again. After a lost connection log in as "
    "guest and type: resume CODE",
    "A guest opens one table at a time, and has no mail and no friends. Guests can tell the staff "
    "something, and reply to who has told them something.",
    "What you set and whom you ignore is gone when you leave. To keep that and your seat under a "
    "name of your own, type: register NAME",
    "The number of a guest who has left is given to nobody else for an hour.",
)
DEALS = (
    "A match is several deals that the same players play at one table, as in: open elimination "
    "deals=3. rules GAME says whether a game has matches, what a deal counts, and the presets.",
    "After each deal everybody reads the points so far. Equal totals share the place.",
    "The next deal begins 20 s later, or when all who are connected have typed start. between=60 "
    "makes the pause longer. Seats, options and computer players stay, and each deal draws who "
    "begins.",
    "leave gives your seat to a computer player, who keeps your points; return takes it back. "
    "Who is offline when a deal begins keeps the seat.",
    "Computer players play each deal for its own sake; they do not look at the totals.",
)
RATINGS = (
    "A game of a rated table moves the ratings of its people. play words rated finds such a table, "
    "or opens one and waits for somebody; open words rated=on opens one. It needs two people with "
    "accounts, no guests, and the options of a preset; the seats are yours to choose. "
    "Why a game is unrated is said before the cards.",
    "",
    "Games by correspondence have ratings apart: open words correspondence rated=on, and top words "
    "correspondence.",
    "",
    "Everybody begins at 1500. A rating with a question mark is provisional: that ends after some "
    "twenty games. top words lists who is established. finger NAME shows all ratings, with how "
    "sure they are, game NUMBER what a game has changed.",
    "",
    "Computer players have fixed ratings and take part as opponents. Who leaves a rated game, or "
    "is away too long, has the last place, also after coming back. Two people have at most five "
    "rated games together in a day, and forty in a quarter of the year. Two who share a network "
    "address are not rated against each other, and do not watch each other's rated games.",
)
EXTRA_TOPICS = (
    *("accounts", "conduct", "deals", "guests", "keyboard", "names", "panes", "playing"),
    *("privacy", "ratings"),
)
"""Besides the topics of verbs."""
SAME_AS = {
    **dict.fromkeys(("adjourn", "adjourned", "pause"), "offer"),
    **dict.fromkeys(("notices", "notifications"), "notify"),
    "correspondence": "go",
}
"""What is found under the name of a verb."""
KEYS = (
    "Left, Right\tmove in the line; Home and End, or Ctrl-A and Ctrl-E, to its ends",
    "Alt-B, Alt-F\tmove by words",
    "Up, Down\tlines typed before",
    "Tab\tcomplete the word; Tab again shows what is possible",
    "Ctrl-U, Ctrl-K\tcut to the start, to the end",
    "Ctrl-W\tcut a word",
    "Ctrl-Y\tput back what was cut",
    "Ctrl-C\tthrow the line away",
    "Ctrl-L\tclean the screen",
    "Ctrl-D\ton an empty line: quit",
    "Enter, Space\twhere a page says more: go on; q and Enter or Ctrl-C leave it, and so does any "
    "command",
)
FULL_SCREEN_KEYS = (  # on a phone F1 shows only the first rows
    "F6\tthe next pane; or Ctrl-O",
    "PageUp/Down\tscroll it; Ctrl-Up and Ctrl-Down by a row",
    "F2\tall the room for it, and back; or Ctrl-T",
    "Tab\topen a menu; Tab and Shift-Tab, or Down and Up, walk through it, Enter takes the word, "
    "Esc leaves",
    "Esc\tclose a page that stands in the place of the log; so does q and Enter",
    "Ctrl-L\tdraw everything again",
    "F1\tthis page",
)
FIRST_STEPS = (
    "play GAME\tplay now: an open table, or computer players in the free seats",
    "open GAME\topen a table; there bot adds a computer player, and start begins",
    "tables\tlist the tables; sit NUMBER joins one, watch NUMBER watches one",
    "rules GAME\thow a game is played",
    "who\tlist who is here; say TEXT talks to all, tell NAME TEXT to one",
    "quit\tdisconnect; your seat in a running game is kept",
)


@verb("help [TOPIC]", "server", aliases=("?", "h", "man"), see_also=("commands",))
def show_help(context: CommandContext, topic: str | None) -> None:
    """Help on a command or a topic."""
    pages = context.service.host_pages
    context.reply(help_page(topic, context.service.catalogue, pages, context.shows))


@verb("commands", "server", see_also=("help",))
def commands(context: CommandContext) -> None:
    """All commands, a line each."""
    rows, game_questions = [], context.service.game_questions
    for topic, title in TOPICS.items():
        shown = [v for v in all_verbs() if v.topic == topic and context.shows(v)]
        if shown:
            rows += ["", f"{title}:", *(f"  {summary_row(v)}" for v in shown)]
        if topic == "play" and (questions := game_questions.questions(context.person)):
            rows += ["", "Questions at this table, at any time; they are never a move:"]
            rows += [f"  {word}\t{_sentence(text)}" for word, text in questions.items()]
    if game_questions.utility_commands:
        rows += ["", "From the games:"]
        rows += [
            f"  {each.usage}\t{_sentence(each.help)}" for each in game_questions.utility_commands
        ]
    context.reply(Page("Commands (commands can be shortened, except leave and quit)", tuple(rows)))


@verb("about", "server", aliases=("version", "uptime"))
def about(context: CommandContext) -> None:
    """Server version and uptime."""
    context.reply(context.service.about_page(version()))


@verb(
    "quit", "server", aliases=("exit", "bye", "logout"), see_also=("leave",), needs_whole_word=True
)
def quit_session(context: CommandContext) -> None:
    """Disconnect.
    Your seat in a running game is kept."""
    kept = texts.SEAT_KEPT if context.service.keeps_seat(context.person) else ""
    context.session.disconnect(f"Goodbye, {context.person.name}.{kept}")


def _sentence(text: str) -> str:
    """A help text of a game, which is part of a sentence, as a whole sentence."""
    return f"{text[0].upper()}{text[1:]}."


def summary_row(v: Verb) -> str:
    return f"{v.usage}\t{v.summary}"


def help_page(
    topic: str | None,
    games: Catalogue,
    pages: HostPages,
    shows: Callable[[Verb], bool] = lambda verb: True,
) -> Page:
    """Args: shows: whether its reader may use a verb.  UserError: an unknown topic, with similar
    ones."""
    if topic is None:
        known = f"Games: {', '.join(games)}"
        topics = f"Topics: {', '.join((*topics_shown(shows), *EXTRA_TOPICS))}"
        also = "See also: commands, help TOPIC, help COMMAND"
        return Page("Help", (*FIRST_STEPS, "", known, topics, also))
    word = topic.lower().lstrip("/")
    if word == "keyboard":
        panes = ("", "In the full screen (screen on) besides:", *FULL_SCREEN_KEYS)
        return Page("Keyboard", (*KEYS, *panes, "", "See also: panes, set, terminal"))
    if word == "panes":
        return Page(
            "Keys of the full screen", (*FULL_SCREEN_KEYS, "", "See also: keyboard, screen")
        )
    if word == "accounts":
        return Page("Accounts", (*pages.accounts, "", "See also: account, export, names, privacy"))
    if word == "guest" or (word == "guests" and not shows(VERBS[word])):
        return Page("Guests", (*GUESTS, "", "See also: names, register, resume"))
    if word in ("names", "name"):
        return Page("Names", (*NAMES, "", "See also: register, rename, password, keys"))
    if word in ("ratings", "rating", "rated"):
        return Page("Ratings", (*RATINGS, "", "See also: top, open, game, finger"))
    word = SAME_AS.get(word, word)
    if word == "deals":
        return Page("Matches of several deals", (*DEALS, "", "See also: open, start, rules"))
    if word == "conduct":
        return Page("Conduct", (*pages.conduct, "", "See also: report, staff, privacy"))
    if word == "privacy":
        return Page("Privacy on this server", (*pages.privacy, "", "See also: conduct, names"))
    if word == "playing":
        return Page("Playing", (*PLAYING, "", "See also: moves, look, rules"))
    if word in topics_shown(shows):
        return Page(TOPICS[word], _topic_rows(word, shows))
    is_shown = word in VERBS and shows(VERBS[word])
    matches = [VERBS[word]] if is_shown else verbs_starting_with(word)
    if not is_shown and (game_rows := _game_word_rows(word, games)):
        return Page(f"Help: {word}", (*game_rows, "", "See also: playing, rules GAME"))
    if len(matches) != 1:
        similar = _similar_topics(word, shows)
        raise UserError(texts.NO_HELP.format(topic, similar), "not_found")
    (found,) = matches
    rows = [found.usage, *found.help.splitlines()]
    if found.aliases:
        rows.append("Also: " + ", ".join(found.aliases))
    if found.needs_table and found.name in RULES:
        rows.append(describe_rule(found.name))
    see = found.see_also or ("commands",)
    return Page(f"Help: {found.name}", (*rows, "", "See also: " + ", ".join(see)))


def _game_word_rows(word: str, games: Catalogue) -> list[str]:
    rows = []
    for game in games.values():
        named = [each for each in game.utility_commands if each.name_words[0] == word]
        rows += [f"{each.usage}\t{each.help}" for each in named]
        if word in game.questions:
            rows += [f"{word}\t{game.questions[word]}", f"Type it at a table of {game.name}."]
    plays = [game.name for game in games.values() if word in game.verbs]
    rows += [f"rules {name}\t{word} is a move of {name}; how it works" for name in plays]
    if word in games:
        rows.append(f"rules {word}\thow the game of that name is played")
    return rows


def topics_shown(shows: Callable[[Verb], bool]) -> list[Topic]:
    """The topics with a verb that is shown."""
    return [topic for topic in TOPICS if _topic_rows(topic, shows)]


def _topic_rows(topic: Topic, shows: Callable[[Verb], bool]) -> tuple[str, ...]:
    """Nothing if its reader may use none of its verbs."""
    rows = [summary_row(v) for v in all_verbs() if v.topic == topic and shows(v)]
    if topic == "play":
        rows = [*PLAYING, "", *rows]
    # Everybody has these; the staff can do more with them.
    more = "sanctions, rename, report, " if topic == "staff" else ""
    return (*rows, "", f"See also: {more}commands, help COMMAND") if rows else ()


def _similar_topics(word: str, shows: Callable[[Verb], bool]) -> str:
    verbs = [each for each in VERBS if shows(VERBS[each])]
    close = get_close_matches(word, [*verbs, *topics_shown(shows), *EXTRA_TOPICS], 3, 0.5)
    return texts.SIMILAR_TOPICS.format(", ".join(close)) if close else ""
