"""From a line to a verb, or to a play at the table.

Rule 1: `/` before a word always means the house, `'` is say, `:` is me.
Rule 2: at a table with a running game bare words are plays.  A whole word wins over a beginning:
        a house verb, or another word for it, works bare too, unless the game has that very word
        (`Variant.verbs`); so `l` is look, and `lo` may begin a play.
Rule 3: what a game can be asked at any time (`Variant.questions`) is asked by the whole word by
        who plays, and by a unique beginning by who does not; its own plays come before, the words
        of the house after it.
Rule 4: what a game does for anybody (`Variant.errands`) is known by all the words that name it,
        anywhere, unless the game at the table plays by the first of them.
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

from mudserver.commands import about, people, play, settings, tables, talk  # noqa: F401
from mudserver.commands.declare import TOPICS, VERBS, Context, Verb, declared
from mudserver.errors import HouseError
from variants.contract import Errand
from variants.kit.text import series

WORD_MAX = 40  # characters of a word in a refusal: no verb and no play is as long
CLOSE = 0.7  # a slip of the fingers; at less, "hello" would be taken for "tell"


def interpret(context: Context, line: str) -> Awaitable[None] | None:
    """Do what *line* says.  An awaitable answer is still to be waited for.

    Raises:
        HouseError: What is wrong, then what to do.
    """
    line = line.strip()
    if not line:
        if context.house.takes_empty(context.person):
            context.house.play(context.person, "")
        return None
    if line[0] == "'":
        return run(context, VERBS["say"], line[1:])
    if line[0] == ":":
        return run(context, VERBS["me"], line[1:])
    house, person = context.house, context.person
    word, _, rest = line.partition(" ")
    word = word.lower()
    is_playing = not word.startswith("/") and house.is_playing(person)
    is_number = is_playing and line.isascii() and line.isdigit()
    if is_number and context.visit.has_numbers and (row := house.numbered(person, line)):
        house.play(person, row)
        return None
    if is_playing and house.claims(person, word):
        house.play(person, line)
        return None
    is_house, word = word.startswith("/"), word.removeprefix("/") or "help"
    if errand := house.asides.errand(line.removeprefix("/")):
        return run_errand(context, *errand)
    question = asked(word, house.asides.questions(person), is_whole=is_playing)
    if question and not (is_house and word in VERBS):
        text = f"{question} {rest}".rstrip()
        context.reply(house.asides.answer(person, text, context.visit.style))
    elif word in VERBS or not is_playing:
        return run(context, find(word, context, is_house=is_house), rest)
    else:
        house.play(person, line)
    return None


async def run_errand(context: Context, errand: Errand, rest: str) -> None:
    for page in context.house.asides.pages(errand, rest, context.visit.style):
        context.reply(page)
        await asyncio.sleep(0)  # the others' turn


def asked(word: str, questions: Collection[str], *, is_whole: bool) -> str:
    """The question that a word names, or begins as no verb of the house does; "": none."""
    begun = [] if is_whole or declared(word) else [q for q in questions if q.startswith(word)]
    return word if word in questions else begun[0] if len(begun) == 1 else ""


def find(word: str, context: Context, *, is_house: bool = False) -> Verb:
    """The verb for a word or for its unique beginning.  HouseError offers what was meant.

    Args:
        is_house: A beginning is enough, though some game has a play of this name.
    """
    if word in VERBS:
        return VERBS[word]
    if len(word) > WORD_MAX:
        word = f"{word[:WORD_MAX]}..."
    games = context.house.catalogue.values()
    is_play = any(word in variant.verbs for variant in games)
    matches = declared(word) if is_house or not is_play else []
    # Among a verb's words the one that was begun, or nobody sees why it is offered.
    begun = [next(w for w in (v.name, *v.also) if w.startswith(word)) for v in matches]
    if len(matches) == 1:
        if matches[0].is_whole:
            raise HouseError(f'"{word}" could be {begun[0]}. Type the whole word: {begun[0]}')
        return matches[0]
    if matches:
        choices = series(begun, "or")
        raise HouseError(f'"{word}" could be {choices}. Type a little more.')
    errands = context.house.asides.errands
    if usages := [errand.usage for errand in errands if errand.words[0] == word]:
        raise HouseError(f'"{word}" needs a little more. Type: {series(usages, "or")}')
    asked = [variant.name for variant in games if word in variant.questions]
    if (asked or is_play) and context.table is None:
        context.house.hall.restoring.check()  # there may be one, not yet set up
    if word in context.house.catalogue and context.table is None:
        raise HouseError(f'"{word}" is a game. To play it: open {word}. To join others: tables')
    if asked:
        here = "you are at none" if context.table is None else "this is none"
        raise HouseError(
            f'"{word}" is asked at a table of {series(asked, "or")}, and {here}. '
            "tables shows the tables."
        )
    if is_play:
        where = "you play in no running game. tables shows the tables."
        if context.table is not None:
            is_watching = context.house.is_game_here(context.person)
            where = "no game runs here now. start begins one."
            if is_watching:
                where = "you watch this game without a seat. tables shows where one is free."
        raise HouseError(f'"{word}" is a play, and {where}')
    close = get_close_matches(word, VERBS, 1, CLOSE)
    if close:
        raise HouseError(
            f'"{word}" is no command here. Did you mean {close[0]}? commands lists all.'
        )
    raise HouseError(
        f'"{word}" is no command here. help lists what you can do; to talk, begin with say.'
    )


def run(context: Context, verb: Verb, rest: str) -> Awaitable[None] | None:
    if verb.accounts_only and context.person.is_guest:
        raise HouseError(
            f"{verb.name} is for people with a name of their own. help names says how to get one."
        )
    if verb.at_table and context.table is None:
        context.house.hall.restoring.check()  # there may be one, not yet set up
        raise HouseError(
            f"{verb.name} works at a table. open GAME opens one; sit NUMBER joins one."
        )
    return verb.handler(context, *verb.arguments(rest))


def candidates(context: Context, line: str) -> Iterable[str]:
    """Whole lines that *line* may become: completion for the word at its end."""
    house = context.house
    questions = house.asides.questions(context.person)
    head, space, _ = line.rpartition(" ")
    if house.is_playing(context.person) and not line.startswith("/"):
        yield from house.moves(context.person)
    slash = "/" if line.startswith("/") else ""
    yield from (f"{slash}{' '.join(errand.words)} " for errand in house.asides.errands)
    if not space:
        for verb in declared():
            yield slash + verb.name + (" " if verb.params else "")
        yield from (slash + question for question in questions)
        return
    given = head.removeprefix("/").split()
    known = VERBS.get(given[0].lower()) if given else None
    if known is None or not known.params:
        return
    param = known.params[min(len(given) - 1, len(known.params) - 1)].strip("[].")
    if param == "WORDS":  # of a play
        yield from (f"{slash}{given[0]} {play}" for play in house.moves(context.person))
        return
    if param == "TOPIC":
        verbs = (v.name for v in declared())
        values: Iterable[str] = (*TOPICS, *about.EXTRA_TOPICS, *verbs, *questions)
    else:
        values = house.suggestions(param, given)
    for value in values:
        yield f"{head} {value}"


def completions(context: Context, typed: str) -> tuple[int, tuple[str, ...]]:
    """Where the last word of *typed* begins, and the words it may become, in order."""
    start = typed.rfind(" ") + 1
    words = {
        whole[start:].partition(" ")[0]: None
        for whole in candidates(context, typed)
        if whole.lower().startswith(typed.lower())
    }
    return start, tuple(word for word in words if word)
