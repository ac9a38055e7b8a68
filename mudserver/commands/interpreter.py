"""From a line to a verb, or to a play at the table.

Rule 1: `/` before a word always means the house, `'` is say, `:` is me.
Rule 2: at a table with a running game bare words are plays.  A whole word wins over a beginning:
        a house verb, or another word for it, works bare too, unless the game has that very word
        (`Variant.verbs`); so `l` is look, and `lo` may begin a play.
Rule 3: what a game can be asked at any time (`Variant.questions`) is asked by the whole word by
        who plays, and by a unique beginning by who does not; its own plays come before, the words
        of the house after it.
Rule 4: what a game does for anybody (`Variant.utility_commands`) is known by all the words that
        name it, anywhere, unless the game at the table plays by the first of them.
Rule 5: elsewhere a bare word is a house verb; a unique beginning is enough, unless it is a whole
        word of some game: a play that comes when the game has just ended does nothing else.
        What leads out (quit, leave) wants its whole word: a `q` too many for a page is none.
        Anything else is refused with what it may have meant: text is never broadcast by accident.
Rule 6: for who reads linearly a bare number is the play beside it in the newest list of `moves`
        (`house/numbers.py`); else it is the game's.
Rule 7: what is completed follows from the same declarations and from the own view, no more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Collection, Iterable
from difflib import get_close_matches

from mudserver.commands import account, chat, help, play, preferences, tables  # noqa: F401
from mudserver.commands.registry import TOPICS, VERBS, CommandContext, Verb, verbs_starting_with
from mudserver.errors import UserError
from variants.contract import UtilityCommand
from variants.kit.text import join_words

QUOTED_WORD_MAX = 40  # characters of a word in a refusal: no verb and no play is as long
SIMILARITY_MIN = 0.7  # a slip of the fingers; at less, "hello" would be taken for "tell"


def interpret(context: CommandContext, line: str) -> Awaitable[None] | None:
    """Do what *line* says.  An awaitable answer is still to be waited for.

    Raises:
        HouseError: What is wrong, then what to do.
    """
    line = line.strip()
    if not line:
        if context.service.accepts_empty_line(context.person):
            context.service.play(context.person, "")
        return None
    if line[0] == "'":
        return run_verb(context, VERBS["say"], line[1:])
    if line[0] == ":":
        return run_verb(context, VERBS["me"], line[1:])
    house, person = context.service, context.person
    word, _, rest = line.partition(" ")
    word = word.lower()
    is_playing = not word.startswith("/") and house.is_playing(person)
    is_number = is_playing and line.isascii() and line.isdigit()
    if (
        is_number
        and context.session.has_numbered_moves
        and (row := house.move_by_number(person, line))
    ):
        house.play(person, row)
        return None
    if is_playing and house.is_game_word(person, word):
        house.play(person, line)
        return None
    is_house, word = word.startswith("/"), word.removeprefix("/") or "help"
    if errand := house.queries.find_utility_command(line.removeprefix("/")):
        return run_utility_command(context, *errand)
    question = find_question(word, house.queries.questions(person), is_whole=is_playing)
    if question and not (is_house and word in VERBS):
        text = f"{question} {rest}".rstrip()
        context.reply(house.queries.answer_question(person, text, context.session.style))
    elif word in VERBS or not is_playing:
        return run_verb(context, find_verb(word, context, is_server_command=is_house), rest)
    else:
        house.play(person, line)
    return None


async def run_utility_command(context: CommandContext, command: UtilityCommand, rest: str) -> None:
    for page in context.service.queries.run_utility_command(command, rest, context.session.style):
        context.reply(page)
        await asyncio.sleep(0)  # the others' turn


def find_question(word: str, questions: Collection[str], *, is_whole: bool) -> str:
    """The question that a word names, or begins as no verb of the house does; "": none."""
    begun = (
        []
        if is_whole or verbs_starting_with(word)
        else [q for q in questions if q.startswith(word)]
    )
    return word if word in questions else begun[0] if len(begun) == 1 else ""


def find_verb(word: str, context: CommandContext, *, is_server_command: bool = False) -> Verb:
    """The verb for a word or for its unique beginning.  HouseError offers what was meant.

    Args:
        is_house: A beginning is enough, though some game has a play of this name.
    """
    if word in VERBS:
        return VERBS[word]
    if len(word) > QUOTED_WORD_MAX:
        word = f"{word[:QUOTED_WORD_MAX]}..."
    games = context.service.catalogue.values()
    is_play = any(word in variant.verbs for variant in games)
    matches = verbs_starting_with(word) if is_server_command or not is_play else []
    # Among a verb's words the one that was begun, or nobody sees why it is offered.
    begun = [next(w for w in (v.name, *v.aliases) if w.startswith(word)) for v in matches]
    if len(matches) == 1:
        if matches[0].needs_whole_word:
            raise UserError(f'"{word}" could be {begun[0]}. Type the whole word: {begun[0]}')
        return matches[0]
    if matches:
        choices = join_words(begun, "or")
        raise UserError(f'"{word}" could be {choices}. Type a little more.')
    errands = context.service.queries.utility_commands
    if usages := [errand.usage for errand in errands if errand.name_words[0] == word]:
        raise UserError(f'"{word}" needs a little more. Type: {join_words(usages, "or")}')
    asked = [variant.name for variant in games if word in variant.questions]
    if (asked or is_play) and context.table is None:
        context.service.check_tables_restored()  # the person may sit at one that is not
    if word in context.service.catalogue and context.table is None:
        raise UserError(f'"{word}" is a game. To play it: open {word}. To join others: tables')
    if asked:
        here = "you are at none" if context.table is None else "this is none"
        raise UserError(
            f'"{word}" is asked at a table of {join_words(asked, "or")}, and {here}. '
            "tables shows the tables."
        )
    if is_play:
        where = "you play in no running game. tables shows the tables."
        if context.table is not None:
            is_watching = context.service.is_game_running(context.person)
            where = "no game runs here now. start begins one."
            if is_watching:
                where = "you watch this game without a seat. tables shows where one is free."
        raise UserError(f'"{word}" is a play, and {where}')
    close = get_close_matches(word, VERBS, 1, SIMILARITY_MIN)
    if close:
        raise UserError(
            f'"{word}" is no command here. Did you mean {close[0]}? commands lists all.'
        )
    raise UserError(
        f'"{word}" is no command here. help lists what you can do; to talk, begin with say.'
    )


def run_verb(context: CommandContext, verb: Verb, rest: str) -> Awaitable[None] | None:
    if verb.needs_account and context.person.is_guest:
        raise UserError(
            f"{verb.name} is for people with a name of their own. help names says how to get one."
        )
    if verb.needs_table and context.table is None:
        context.service.check_tables_restored()  # the person may sit at one that is not
        raise UserError(f"{verb.name} works at a table. open GAME opens one; sit NUMBER joins one.")
    return verb.handler(context, *verb.parse_arguments(rest))


def completion_lines(context: CommandContext, line: str) -> Iterable[str]:
    """Whole lines that *line* may become: completion for the word at its end."""
    house = context.service
    questions = house.queries.questions(context.person)
    head, space, _ = line.rpartition(" ")
    if house.is_playing(context.person) and not line.startswith("/"):
        yield from house.legal_moves(context.person)
    slash = "/" if line.startswith("/") else ""
    yield from (
        f"{slash}{' '.join(errand.name_words)} " for errand in house.queries.utility_commands
    )
    if not space:
        for verb in verbs_starting_with():
            yield slash + verb.name + (" " if verb.params else "")
        yield from (slash + question for question in questions)
        return
    given = head.removeprefix("/").split()
    known = VERBS.get(given[0].lower()) if given else None
    if known is None or not known.params:
        return
    param = known.params[min(len(given) - 1, len(known.params) - 1)].strip("[].")
    if param == "WORDS":  # of a play
        yield from (f"{slash}{given[0]} {play}" for play in house.legal_moves(context.person))
        return
    if param == "TOPIC":
        verbs = (v.name for v in verbs_starting_with())
        values: Iterable[str] = (*TOPICS, *help.EXTRA_TOPICS, *verbs, *questions)
    else:
        values = house.argument_completions(param, given)
    for value in values:
        yield f"{head} {value}"


def completions(context: CommandContext, typed: str) -> tuple[int, tuple[str, ...]]:
    """Where the last word of *typed* begins, and the words it may become, in order."""
    start = typed.rfind(" ") + 1
    words = {
        whole[start:].partition(" ")[0]: None
        for whole in completion_lines(context, typed)
        if whole.lower().startswith(typed.lower())
    }
    return start, tuple(word for word in words if word)
