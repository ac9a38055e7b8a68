"""What may differ between an evening whose game servers change and its undisturbed twin.

Rule 1: these differences are allowed, and no other: all of them after a death, LOG and TIME after a
        planned restart, and none where no server has changed since everybody was answered last.

  TALK      A full screen may lack what was said in the last `wall.keep_every_s` before a death:
            capsules, which carry the talk, are left so often (docs/limits.md).
  LOG       The log of a full screen has what was played and said: no echoes of lines, no answers
            and no news from before.  A capsule has no text of a table (`capsule.py`).
  PROGRAM   A program reads `done` when its own answer is complete: what it has said may still be on
            its way to others, and is lost there (docs/limits.md).
  UNCERTAIN Whose line had begun and was not done is told so, once for each death at most.  Then the
            echo of that line may be missing, and its answer, and talk where it was to be read; a
            play that is lost is typed again.  Nothing else is missing anywhere (docs/limits.md).
  PROMPT    What cannot erase its row, or is read aloud, has the prompt on a new row, once for each
            death; below an empty one, if the client has ended a line meanwhile (docs/hosting.md).
  TIME      What happens later than in the twin has another time in its object (`at`); by the
            clock of the next server, which begins at a whole ms, so has what comes after.
  RESTARTED A program of protocol 2, and who asks for packages, are told `restarted`; a lost line
            ends with the code "busy" (docs/bots.md).

Rule 2: all else is the same in each cell: rows, colours, cursor, title, bells, objects.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from difflib import ndiff
from typing import Any, NamedTuple

from mudserver.session.texts import LINE_UNCERTAIN
from tests.simulation.evening import AGAIN, CAST, DRAFT, Sight, Step
from tests.terminal import Row

TALK_STEPS = 2  # before the one of the death, whose talk it may take: 30 s
PROMPT = re.compile(r"(?:lobby|table \d+)(?:, your turn)?> ?(.*)")
OWED = ("place", "game", "event", "view", "done")  # objects
SENTENCE_ROWS = 5  # that the longest sentence takes, at 40 columns
DRAFTS = [DRAFT[:end] for end in range(len(DRAFT) + 1)]
DEAL = "A game begins"  # the first row of the game


class Panes(NamedTuple):
    """The parts of a full screen."""

    fixed: list[Row]  # the table, titles, the bar, the prompt
    log: list[Row]
    chat: list[Row]
    log_rows: int
    chat_rows: int


class Twins:
    """An evening, step by step, beside its twin."""

    def __init__(self, twin: Step, found: Step) -> None:
        self._steps: list[Step] = []
        self._before = twin, found
        self._lost: dict[str, set[str]] = {}  # LOG: rows of each full screen that may be missing
        self._frail: dict[str, set[str]] = {name: set() for name in CAST}  # TALK: words
        self._safe: dict[str, set[str]] = {name: set() for name in CAST}  # words that capsules have
        for name, sight in twin.seen.items():
            assert sight == found.seen[name], name
            if _is_full(name):
                log = [row.text for row in panes_of(sight).log]
                dealt = next((at for at, text in enumerate(log) if text.startswith(DEAL)), len(log))
                self._lost[name] = set(log[:dealt])

    def step(self, twin: Step, found: Step) -> None:
        """AssertionError: they differ where they may not."""
        self._steps.append(twin)
        assert (twin.line, twin.typist) == (found.line, found.typist)
        assert twin.plays == found.plays, "a play is lost, or made twice"
        times = {name: self._times_told(name, sight) for name, sight in found.seen.items()}
        told = times.pop(found.typist)
        assert told <= found.deaths and not any(times.values()), (told, times)
        assert told or not found.is_again, "a line is lost without a word"
        for name in CAST:
            try:
                self._compare(name, twin, found, is_told=bool(told))
            except AssertionError as differs:
                raise AssertionError(name, found.line, *differs.args) from differs
        self._before = twin, found

    def _times_told(self, name: str, sight: Sight) -> int:
        """How often since the last step it was told that a line may be lost."""
        rows = sight.added
        if _is_full(name):
            before, now = panes_of(self._before[1].seen[name]), panes_of(sight)
            rows = added(before.log, now.log)
        restarts = [each for each in sight.objects if _tells_of_restart(each)]
        return max(_without_sentences(rows)[1], sum(AGAIN not in str(each) for each in restarts))

    def _compare(self, name: str, twin: Step, found: Step, *, is_told: bool) -> None:
        expected, seen, deaths = twin.seen[name], found.seen[name], found.deaths
        assert (expected.title, expected.bells) == (seen.title, seen.bells)
        assert not seen.is_rewritten, "a row above the prompt has changed"
        is_typist = name == found.typist and is_told
        optional = _optional(twin, name) if is_typist else []
        is_lost = is_told or (deaths > 0 and bool(CAST[found.typist].protocol))  # its talk, perhaps
        if is_lost and twin.line.word:
            optional += [row.text for row in expected.added if twin.line.word in row.text]
        if _is_full(name):
            self._compare_panes(name, twin, found)
        else:
            line = twin.line.text if name == found.typist else ""
            _compare_rows(name, line, expected, seen, deaths, optional, is_told=is_typist)
        if not (deaths or found.is_planned):
            here, there = (list(map(_timeless, it.objects)) for it in (expected, seen))
            assert here == there, (here, there)
        word = twin.line.word if is_lost else ""
        _compare_objects(expected.objects, seen.objects, word, is_told=is_typist)

    # -- full screens ----------------------------------------------------------------------------

    def _compare_panes(self, name: str, twin: Step, found: Step) -> None:
        old, before = (panes_of(step.seen[name]) for step in self._before)
        expected, seen = panes_of(twin.seen[name]), panes_of(found.seen[name])
        assert (expected.fixed, twin.seen[name].cursor) == (seen.fixed, found.seen[name].cursor), (
            differences(expected.fixed, seen.fixed)
        )
        new = added(old.log, expected.log)
        if name == twin.typist:
            is_command = twin.line.kind == "command"
            self._lost[name] |= {row.text for row in new if is_command or _is_echo(row)}
        if not (found.deaths or found.is_planned):
            assert new == added(before.log, seen.log), (new, added(before.log, seen.log))
            talk = added(old.chat, expected.chat)
            assert talk == added(before.chat, seen.chat), (talk, seen.chat)
        frail = self._frail[name]
        if found.deaths:
            *before_it, last = [step.line.word for step in self._steps[-1 - TALK_STEPS :]]
            frail |= {word for word in (*before_it, last) if word and word not in self._safe[name]}
        self._compare_pane(name, expected.log, seen.log, seen.log_rows)
        self._compare_pane(name, expected.chat, seen.chat, seen.chat_rows)
        if found.deaths:  # what is there now was in a capsule, and will be in the next
            rows = [*seen.log, *seen.chat]
            safe = {word for word in before_it if word and any(word in row.text for row in rows)}
            self._safe[name] |= safe
            frail -= safe

    def _compare_pane(self, name: str, twin: list[Row], found: list[Row], room: int) -> None:
        """What was played and said, once and in its order, as far back as there is room."""
        for word in self._frail[name]:
            said = [row.text for row in found if word in row.text and not _is_echo(row)]
            assert len(said) <= 1, said
        expected, seen = self._kept(name, twin), self._kept(name, _without_sentences(found)[0])
        shorter = min(len(expected), len(seen))
        assert expected[len(expected) - shorter :] == seen[len(seen) - shorter :], differences(
            expected, seen
        )
        assert len(seen) >= len(expected) or len(found) >= room, differences(expected, seen)

    def _kept(self, name: str, rows: Iterable[Row]) -> list[Row]:
        lost, frail = self._lost[name], self._frail[name]
        return [
            row for row in rows
            if row.text not in lost and not any(word in row.text for word in frail)
        ]  # fmt: skip


# -- terminals that read lines -------------------------------------------------------------------


def _compare_rows(
    name: str,
    line: str,
    twin: Sight,
    found: Sight,
    deaths: int,
    optional: list[str],
    *,
    is_told: bool,
) -> None:
    expected, seen = twin.added, found.added
    assert not any(row.text or row.marks for row in found.below)
    assert (expected[-1:], twin.cursor[1]) == (seen[-1:], found.cursor[1]), (
        differences(expected, seen), twin.cursor, found.cursor
    )  # fmt: skip
    terminal = CAST[name].terminal
    assert found.cursor[0] == min(len(found.rows), terminal.rows) - 1
    if not deaths:
        assert expected == seen, differences(expected, seen)
        return
    if is_told:
        seen, _ = _without_sentences(seen)
    if terminal.is_screen_reader or not terminal.is_character_mode:
        most = (1 if terminal.is_character_mode else 2) * deaths + is_told
        (expected, prompts), (seen, extra) = (_by_prompts(rows, line) for rows in (expected, seen))
        assert len(extra) <= len(prompts) + most, (prompts, extra)
    rest = list(seen)
    for row in expected:
        if rest and rest[0] == row:
            rest.pop(0)
        else:
            assert row.text in optional, (row, differences(expected, seen))
    assert not rest, differences(expected, seen)


def _by_prompts(rows: list[Row], line: str) -> tuple[list[Row], list[Row]]:
    """Rows with words; prompts, perhaps with a part of *line* or a draft, and empty rows."""

    def is_prompt(row: Row) -> bool:
        found = PROMPT.fullmatch(row.text)
        typed = found[1] if found is not None else None
        is_part = typed is not None and line.startswith(typed) and typed != line
        return not row.text or is_part or typed in DRAFTS

    return [row for row in rows if not is_prompt(row)], [row for row in rows if is_prompt(row)]


def _optional(twin: Step, name: str) -> list[str]:
    """UNCERTAIN: rows that who has typed the line may lack."""
    rows = twin.seen[name].added
    is_command = twin.line.kind == "command"
    return [row.text for row in rows[:-1] if is_command or row.text.endswith(f"> {twin.line.text}")]


# -- objects -------------------------------------------------------------------------------------


def _compare_objects(twin: list[Any], found: list[Any], word: str, *, is_told: bool) -> None:
    """Args: word: of talk that may be lost; "": none may."""
    rest = [_timeless(each) for each in found if not (is_told and _tells_of_restart(each))]
    for expected in map(_timeless, twin):
        if rest and (rest[0] == expected or (is_told and _is_busy(rest[0], expected))):
            rest.pop(0)
            continue
        is_lost_talk = bool(word) and word in str(expected)
        assert is_lost_talk or (is_told and not _is_owed(expected)), (expected, rest[:1])
    assert not rest, rest


def _timeless(told: Any) -> Any:
    """TIME"""
    if isinstance(told, tuple):
        return told[0], _timeless(told[1])
    return {key: each for key, each in told.items() if key != "at"} if "at" in told else told


def _tells_of_restart(told: Any) -> bool:
    """RESTARTED"""
    about = told[1] if isinstance(told, tuple) else told
    if not isinstance(about, dict):
        return False
    is_told = about.get("type") == "restarted" or about.get("text") == LINE_UNCERTAIN
    return is_told or str(about.get("id", "")).endswith(AGAIN)


def _is_owed(told: Any) -> bool:
    """Whether it comes, whatever happens: what is played, and the end of a line."""
    about = told[1] if isinstance(told, tuple) else told
    return isinstance(about, dict) and about.get("type") in OWED


def _is_busy(found: Any, twin: Any) -> bool:
    if isinstance(found, tuple) or isinstance(twin, tuple):  # packages, which have no `done`
        return False
    lost = "done", twin.get("id"), "busy"
    return (found.get("type"), found.get("id"), found.get("code")) == lost


# -- rows ----------------------------------------------------------------------------------------


def _is_full(name: str) -> bool:
    return CAST[name].terminal.wants_full_screen


def _is_echo(row: Row) -> bool:
    return row.text.startswith("> ")


def _texts(rows: Iterable[Row]) -> list[str]:
    return [row.text for row in rows]


def _without_sentences(rows: Sequence[Row]) -> tuple[list[Row], int]:
    """*rows* without the sentence that a line may be lost, however broken; how often it is there.

    Of one that has half scrolled out the last row goes, too.
    """
    texts, kept, times, at = _texts(rows), list[Row](), 0, 0
    if texts and texts[0] and LINE_UNCERTAIN.endswith(texts[0]):
        at = 1
    while at < len(rows):
        ends = range(at + 1, min(at + SENTENCE_ROWS, len(rows)) + 1)
        end = next((end for end in ends if " ".join(texts[at:end]) == LINE_UNCERTAIN), None)
        if end is None:
            kept.append(rows[at])
        times, at = times + (end is not None), end or at + 1
    return kept, times


def added(before: list[Row], after: list[Row]) -> list[Row]:
    """What has come at the end of a pane that scrolls."""
    for count in range(len(after) + 1):
        stayed = after[: len(after) - count]
        if stayed == before[len(before) - len(stayed) :]:
            return after[len(after) - count :]
    return after


def panes_of(sight: Sight) -> Panes:
    rows = sight.rows
    border = next(at for at, row in enumerate(rows) if re.match(r"──\[? Log", row.text))
    middle = rows[0].text.find("┬")
    chat = [] if middle < 0 else [_part(row, middle + 1, None) for row in rows[1:-2]]
    log = [_part(row, 0, middle) if middle >= 0 else row for row in rows[border + 1 : -2]]
    board = [_part(row, 0, middle) if middle >= 0 else row for row in rows[: border + 1]]
    return Panes(
        [*board, rows[0], *rows[-2:]], _filled(log), _filled(chat), len(log), len(chat)
    )  # fmt: skip


def _filled(rows: list[Row]) -> list[Row]:
    return [row for row in rows if row.text.strip("│┤ ")]


def _part(row: Row, first: int, end: int | None) -> Row:
    last = len(row.text) if end is None else end
    marks = tuple(mark for mark in row.marks if first <= mark[0] and (end is None or mark[0] < end))
    return Row(row.text[first:last].rstrip(), marks)


def differences(twin: Collection[Row], found: Collection[Row]) -> str:
    said = "\n".join(ndiff(_texts(twin), _texts(found)))
    marks = [
        (one.text, sorted({*one.marks} ^ {*other.marks}))
        for one, other in zip(twin, found, strict=False)
        if one.text == other.text and one.marks != other.marks
    ]
    return f"{said}\n{marks}"
