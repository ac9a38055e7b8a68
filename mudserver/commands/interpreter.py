"""Interprets an input line: as a command of the server or as a play at the table.

Rule 1: a word after `/` is always a command of the server; `'` is say, `:` is me.
Rule 2: for a person in a running game bare words are plays.  A whole word wins over a prefix: a
        server command or its alias works bare, too, unless the game has the same word
        (`Variant.verbs`).  So `l` is look, and `lo` may begin a play.
Rule 3: questions to the game (`Variant.questions`) need their whole word from people who play; for
        others a unique prefix is enough.  Plays of the game come before them, server commands
        after them.
Rule 4: utility commands of a game (`Variant.utility_commands`) are found by all the words of their
        name, anywhere, unless the first of them is a play of the game at the table.
Rule 5: for everybody else a bare word is a server command.  A unique prefix is enough, unless it is
        a whole word of some game: a play typed just after the end of a game must do nothing else.
        quit and leave need their whole word, since `q` also leaves a page.  Anything else is
        refused with what it may have meant: text is never broadcast by accident.
Rule 6: for screen-reader users a bare number selects that row of the last `moves`
        (`service/numbered_moves.py`); without such a row the game reads the number.
Rule 7: completion follows from the same declarations and from the person's view, nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Collection, Iterable
from difflib import get_close_matches

from mudserver.commands import help
from mudserver.commands.families import VERBS
from mudserver.commands.verb import TOPICS, CommandContext, Verb, verbs_starting_with
from mudserver.errors import UserError
from mudserver.messages import Notice
from variants.contract import UtilityCommand
from variants.kit.text import join_words

QUOTED_WORD_MAX = 40  # characters of a word in a refusal; every verb and play is shorter
SIMILARITY_MIN = 0.7  # of a typing error; with less, "hello" would suggest "tell"


def interpret(context: CommandContext, line: str) -> Awaitable[None] | None:
    """Do what *line* says; an awaitable answer must finish before the next line.

    Raises:
        UserError: What is wrong, then what to do.
    """
    line = line.strip()
    if not line:
        if context.service.accepts_empty_line(context.person):
            context.service.play(context.person, "")
        elif text := context.service.wait_text(context.person):
            context.reply(Notice(text))
        return None
    if line[0] == "'":
        return run_verb(context, VERBS["say"], line[1:])
    if line[0] == ":":
        return run_verb(context, VERBS["me"], line[1:])
    service, person = context.service, context.person
    word, _, rest = line.partition(" ")
    word = word.lower()
    is_playing = not word.startswith("/") and service.is_playing(person)
    move = None
    if is_playing and line.isascii() and line.isdigit() and context.session.has_numbered_moves:
        move = service.move_by_number(person, line)
    if move is not None:
        service.play(person, move)
        return None
    if is_playing and service.is_game_word(person, word):
        service.play(person, line)
        return None
    has_slash, word = word.startswith("/"), word.removeprefix("/") or "help"
    if command := service.game_questions.find_utility_command(line.removeprefix("/")):
        return run_utility_command(context, *command)
    question = find_question(word, service.game_questions.questions(person), is_whole=is_playing)
    if question and not (has_slash and word in VERBS):
        text = f"{question} {rest}".rstrip()
        context.reply(service.game_questions.answer_question(person, text, context.session.style))
    elif word in VERBS or not is_playing:
        return run_verb(context, find_verb(word, context, is_server_command=has_slash), rest)
    else:
        service.play(person, line)
    return None


async def run_utility_command(context: CommandContext, command: UtilityCommand, rest: str) -> None:
    await context.service.wait_for_utility_turn(context.person)
    for page in context.service.game_questions.run_utility_command(
        command, rest, context.session.style
    ):
        context.reply(page)
        await asyncio.sleep(0)  # serve the others


def find_question(word: str, questions: Collection[str], *, is_whole: bool) -> str:
    """The question that *word* names or, if no verb begins so, abbreviates; "": none."""
    if word in questions:
        return word
    if is_whole or verbs_starting_with(word):
        return ""
    matches = [question for question in questions if question.startswith(word)]
    return matches[0] if len(matches) == 1 else ""


def find_verb(word: str, context: CommandContext, *, is_server_command: bool = False) -> Verb:
    """The verb that *word* names or uniquely abbreviates.  UserError offers what was meant.

    Args:
        is_server_command: A prefix is enough, even if some game has a play of this name.
    """
    if word in VERBS:
        return VERBS[word]
    if len(word) > QUOTED_WORD_MAX:
        word = f"{word[:QUOTED_WORD_MAX]}..."
    games = context.service.catalogue.values()
    is_play = any(word in variant.verbs for variant in games)
    matches = verbs_starting_with(word) if is_server_command or not is_play else []
    if context.table is None:  # what works only at a table makes no word ambiguous elsewhere
        matches = [verb for verb in matches if not verb.needs_table] or matches
    # Offer the alias that begins so, not the verb's name: otherwise the offer looks wrong.
    candidates = [next(w for w in (v.name, *v.aliases) if w.startswith(word)) for v in matches]
    if len(matches) == 1:
        if matches[0].needs_whole_word:
            raise UserError(
                f'"{word}" could be {candidates[0]}. Type the whole word: {candidates[0]}'
            )
        return matches[0]
    if matches:
        choices = join_words(candidates, "or")
        raise UserError(f'"{word}" could be {choices}. Type a little more.')
    commands = context.service.game_questions.utility_commands
    if usages := [each.usage for each in commands if each.name_words[0] == word]:
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
    """Whole lines that complete the last word of *line*."""
    service = context.service
    questions = service.game_questions.questions(context.person)
    head, space, _ = line.rpartition(" ")
    if service.is_playing(context.person) and not line.startswith("/"):
        yield from service.legal_moves(context.person)
    slash = "/" if line.startswith("/") else ""
    for command in service.game_questions.utility_commands:
        yield f"{slash}{' '.join(command.name_words)} "
    if not space:
        for verb in verbs_starting_with():
            if verb.needs_table and not service.may(context.person, verb.name):
                continue
            yield slash + verb.name + (" " if verb.params else "")
        yield from (slash + question for question in questions)
        return
    given = head.removeprefix("/").split()
    known = VERBS.get(given[0].lower()) if given else None
    if known is None or not known.params:
        return
    param = known.params[min(len(given) - 1, len(known.params) - 1)].strip("[].")
    if param == "WORDS":  # of `moves`
        yield from (f"{slash}{given[0]} {move}" for move in service.legal_moves(context.person))
        return
    if param == "TOPIC":
        verbs = (v.name for v in verbs_starting_with())
        values: Iterable[str] = (*TOPICS, *help.EXTRA_TOPICS, *verbs, *questions)
    else:
        values = service.argument_completions(param, given)
    for value in values:
        yield f"{head} {value}"


def completions(context: CommandContext, typed: str) -> tuple[int, tuple[str, ...]]:
    """The index where the last word of *typed* begins, and what it may become, in order."""
    start = typed.rfind(" ") + 1
    words = {
        whole[start:].partition(" ")[0]: None
        for whole in completion_lines(context, typed)
        if whole.lower().startswith(typed.lower())
    }
    return start, tuple(word for word in words if word)
