"""Prove a finished game from its record: `python -m variants.verify [--data KEY=DATA] FILE`.

The record is JSON lines, no line longer than LINE_CHARS_MAX characters:

    {"lockdown":1, "variant":NAME, "seats":N, "options":{NAME:VALUE}, "names":[NAME, ...],
     "seed":HEX, "commitment":HEX, "data":HEX}                                  the first line
    {"seat":null, "draws":[...], "events":[{"kind":...}, ...]}                  the deal
    {"seat":0, "action":{"kind":...}, "draws":[...], "events":[...], "by":"time"}   a decision
    {"outcome":{"kind":"Outcome", ...}}                   the last line; null: broken off

What a server adds of a game, its "number", "id" and when it "started", and "at" of each decision,
in milliseconds since 1970, proves nothing.  "names", "data" and "by" may be missing; options that
are missing have their defaults; values are written as `variants.kit.json_values` writes them; a
draw is a number or a permutation.  "data" is the fingerprint of the data files of the game: where
a server played with its own, it hands them out, and `--data stockpile.decks=DATA` proves by the
file DATA instead of the shipped one.

A record may be copied off a terminal: rows may break anywhere, and rows around the record (the
prompt, a word from the server) are passed over.  So a record is written without a single space.

Rule 1: the seed is the one whose sha256 was shown when the game began.  [G-02]
Rule 2: all chance of a game is one `SeededChance(seed)`, in the order of the decisions.
Rule 3: "by":"time" says that the clock chose: `variant.default(own view, chance)` comes first,
        its draws before those of `decide` in the same "draws".  [G-09]  Any other "by" (a person
        when missing, "computer", "away") takes the action as given: what a computer player drew
        to make up its mind is its own affair.
Rule 4: nothing in the record is believed.  Deal, defaults, events, draws and outcome are made
        again and compared; only actions are taken from it.
Rule 5: a record is history.  Where it is older than a field (`SINCE_2`), the field is missing or
        has its default.

Exit status: 0 proved, 1 it differs (the first difference is printed), 2 it is no such record.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import zip_longest
from typing import Any

from variants.catalogue import (
    CATALOGUE,
    SHIPPED_FILES,
    AnyVariant,
    Catalogue,
    InvalidDataFile,
    build_catalogue,
)
from variants.contract import IllegalAction, Outcome, Refusal, Seat, renamed
from variants.kit.chance import Draw, SeededChance
from variants.kit.json_values import (
    JsonValue,
    TypeRegistry,
    from_json_value,
    to_json_value,
    type_registry,
)

FORMAT = 1
LINE_CHARS_MAX = 1_000_000
SEED_BYTES = 32

MADE_EARLIER = (
    ". These manifests were made by an earlier version; their cards are in the record and were not"
    " made again."
)
"""Added to the verdict where `Variant.redeal` dealt."""

Record = dict[str, JsonValue]
"""One line of the file."""


class InvalidRecord(Exception):
    """This is no record: line and reason."""


class Mismatch(Exception):
    """The game does not come out as recorded: line, what was recorded, what came."""


# -- writing: for whoever exports a game ------------------------------------------------------


def header_record(
    variant: str,
    seats: int,
    options: Mapping[str, str],
    seed: bytes,
    names: Sequence[str] = (),
    data: str = "",
) -> Record:
    first: Record = {
        "lockdown": FORMAT,
        "variant": variant,
        "seats": seats,
        "options": dict(options),
        "names": list(names),
        "seed": seed.hex(),
        "commitment": sha256(seed).hexdigest(),
    }
    return first | ({"data": data} if data else {})


def decision_record(
    seat: int | None, action: object, draws: Sequence[Draw], events: Sequence[object], by: str = ""
) -> Record:
    """One decision with all that it caused; seat and action None: the deal."""
    record: Record = {"seat": seat}
    if action is not None:
        record["action"] = to_json_value(action)
    record |= {"draws": to_json_value(draws), "events": to_json_value(events)}
    return record | ({"by": by} if by else {})


def outcome_record(outcome: Outcome | None) -> Record:
    return {"outcome": to_json_value(outcome)}


def to_json_lines(records: Iterable[Record]) -> str:
    """JSON lines.  No space is in them: where a terminal breaks a row, it may swallow one."""
    lines = [json.dumps(record, separators=(",", ":")) for record in records]
    return "".join(line.replace(" ", r"\u0020") + "\n" for line in lines)


# -- reading ------------------------------------------------------------------------------------


def verify(lines: Iterable[str], games: Catalogue | None = None) -> str:
    """Replay a record.

    Args:
        lines: The lines of the file, first to last.
        games: What it may be a game of; None: the games of the shipped files.

    Returns:
        The verdict: "proved: 93 decisions, 412 draws", with ", broken off" for a game without
        an outcome.  The deal is no decision; a shuffle is one draw.

    Raises:
        Malformed: The lines are no record of one of these games with its data.
        Different: The record is not what this seed and these actions give.
    """
    records = _parse_records(lines)
    where, first = next(records, (1, {}))
    variant, seats, options, seed = _read_header(
        where, first, CATALOGUE if games is None else games
    )
    is_earlier, note = first.get("data", "") in variant.earlier_data, ""
    if sha256(seed).hexdigest() != first.get("commitment"):
        raise Mismatch(f"line {where}: the seed is not the one that was promised at the start")

    chance, actions = SeededChance(seed), type_registry(*variant.action_types)
    kinds = type_registry(*variant.event_types)
    state: Any = None
    decisions = -1
    for where, record in records:
        if record.keys() == {"outcome"}:
            _compare(where, "the outcome", record["outcome"], to_json_value(variant.outcome(state)))
            if extra := next(records, None):
                raise InvalidRecord(f"line {extra[0]}: the record goes on after the outcome")
            tail = ", broken off" if record["outcome"] is None else ""
            return f"proved: {decisions} decisions, {len(chance.draws)} draws{tail}{note}"
        drawn_before = len(chance.draws)
        if decisions < 0:
            _check_shape(where, record, deal=True)
            again = None
            if is_earlier and variant.redeal is not None:
                recorded = _read_events(where, kinds, record["events"])
                again = variant.redeal(seats, options, chance, recorded)
            note = "" if again is None else MADE_EARLIER
            events = variant.deal(seats, options, chance) if again is None else again
        else:
            _check_shape(where, record, deal=False)
            events = _replay_decision(where, record, variant, actions, state, chance)
        _compare(where, "the draws", record["draws"], to_json_value(chance.draws[drawn_before:]))
        came = [_as_old(kinds, *pair) for pair in _paired(record["events"], events)]
        _compare(where, "the events", record["events"], came)
        for event in events:
            state = variant.evolve(state, event)
        decisions += 1
    raise InvalidRecord(f"line {where}: the record ends without an outcome")


def _parse_records(rows: Iterable[str]) -> Iterator[tuple[int, Record]]:
    """Every record with the number of its first row."""
    for where, text in _join_rows(rows):
        try:
            yield where, json.loads(text)
        except (ValueError, RecursionError):
            raise InvalidRecord(f"line {where}: not JSON") from None


def _join_rows(rows: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Texts from a row that begins with a brace to the one where all braces are closed again."""
    parts: list[str] = []
    first = length = depth = 0
    for where, row in enumerate(rows, start=1):
        part = row.strip()
        if not parts:
            first, length, depth = where, 0, 0
        length += len(part)
        if length > LINE_CHARS_MAX:
            raise InvalidRecord(f"line {first}: longer than {LINE_CHARS_MAX} characters")
        if not parts and not part.startswith("{"):
            continue  # it stood around the record on the screen
        parts.append(part)
        depth += part.count("{") - part.count("}")
        if depth <= 0:
            yield first, "".join(parts)
            parts = []
    if parts:
        raise InvalidRecord(f"line {first}: not JSON")


def _read_header(
    where: int, first: Record, games: Catalogue
) -> tuple[AnyVariant, int, dict[str, str], bytes]:
    """Variant, seats, all options and seed of a header."""

    def malformed(what: str) -> InvalidRecord:
        return InvalidRecord(f"line {where}: {what}")

    if first.get("lockdown") != FORMAT:
        raise malformed(f'no record of a game ("lockdown": {FORMAT} is missing)')
    name, seats, given = first.get("variant"), first.get("seats"), first.get("options")
    if not isinstance(name, str) or (variant := games.get(name)) is None:
        raise malformed(f"no such game: {name!r:.40}")
    if first.get("data", "") not in (variant.data_fingerprint, *variant.earlier_data):
        keys = [key for key in SHIPPED_FILES if key.startswith(f"{name}.")]
        named = " ".join(f"--data {key}=DATA" for key in keys)
        raise malformed(
            f"this game of {name} was played with other data files than these; name the file that "
            f"it was played with, as in {named}"
            if keys
            else f"this game of {name} was played by another version of its rules"
        )
    if type(seats) is not int or seats not in variant.seats:
        raise malformed(f"{name} has {variant.seats.start} to {variant.seats.stop - 1} seats")
    known = {option.name: option for option in variant.options}
    given = renamed(variant.options, given) if isinstance(given, dict) else None
    if given is None or not given.keys() <= known.keys():
        raise malformed(f'"options" are {", ".join(known) or "none"}')
    for name, value in given.items():
        if not known[name].accepts(value):
            raise malformed(f"{name} is {known[name].description}")
    options = {option.name: option.default for option in variant.options} | given
    try:
        variant.check_options(options)
        variant.check_seats(seats, options)
        seed = bytes.fromhex(first.get("seed", ""))
    except Refusal as refusal:
        raise malformed(refusal.format(())) from None
    except (TypeError, ValueError):
        seed = b""
    if len(seed) != SEED_BYTES:
        raise malformed(f'"seed" is {SEED_BYTES} bytes in hex')
    return variant, seats, options, seed


def _check_shape(where: int, record: Record, *, deal: bool) -> None:
    needed = {"seat", "draws", "events"} | (set() if deal else {"action"})
    if record.keys() - {"by", "at"} != needed or (record["seat"] is None) is not deal:
        what = "the deal" if deal else "a decision"
        raise InvalidRecord(f"line {where}: {what} has {', '.join(sorted(needed))}")


def _replay_decision(
    where: int,
    record: Record,
    variant: AnyVariant,
    actions: Mapping[str, type[Any]],
    state: Any,
    chance: SeededChance,
) -> Sequence[Any]:
    window = variant.open_window(variant.observe(state, None))
    if window is None:
        raise Mismatch(f"line {where}: the game was over before this decision")
    if type(record["seat"]) is not int or record["seat"] not in window.seats:
        raise Mismatch(f"line {where}: this seat was not asked: {record['seat']!r:.20}")
    seat = Seat(record["seat"])
    try:
        action = from_json_value(actions, record["action"])
    except ValueError as error:
        raise InvalidRecord(f"line {where}: {error}") from None
    if record.get("by") == "time":
        default = variant.default_action(variant.observe(state, seat), chance)
        _compare(where, "the action", record["action"], to_json_value(default))
    try:
        return variant.decide(state, seat, action, chance)
    except IllegalAction as refusal:
        about = {a for a in refusal.values if isinstance(a, int)}
        names = [f"seat {n}" for n in range(max(about, default=0) + 1)]
        raise Mismatch(f"line {where}: the rules refuse it: {refusal.format(names)}") from None


def _read_events(where: int, kinds: TypeRegistry, recorded: JsonValue) -> list[Any]:
    try:
        return [from_json_value(kinds, event) for event in recorded]
    except (TypeError, ValueError) as bad:
        raise InvalidRecord(f"line {where}: {bad}") from None


def _paired(recorded: JsonValue, events: Sequence[object]) -> Iterator[tuple[JsonValue, object]]:
    """Each event beside what the record has in its place."""
    rows = recorded if isinstance(recorded, list) else []
    yield from zip_longest(rows[: len(events)], events)


def _as_old(kinds: TypeRegistry, recorded: JsonValue, event: object) -> JsonValue:
    """The event as JSON; as the record has it, if that is the same but for fields that are newer
    than the record."""
    older = from_json_value(kinds, to_json_value(event, protocol=1))
    try:
        is_older = from_json_value(kinds, recorded) in (event, older)
    except ValueError:
        is_older = False
    return recorded if is_older else to_json_value(event)


def _compare(where: int, what: str, recorded: JsonValue, came: JsonValue) -> None:
    if recorded == came:
        return
    if isinstance(recorded, list) and isinstance(came, list):
        for n, (old, new) in enumerate(zip(recorded, came, strict=False)):
            if old != new:
                what, recorded, came = f"{what}, number {n + 1}", old, new
                break
        else:
            what, recorded, came = f"the number of {what[4:]}", len(recorded), len(came)
    raise Mismatch(
        f"line {where}: {what} differ\n"
        f"  recorded: {json.dumps(recorded):.300}\n"
        f"  proved:   {json.dumps(came):.300}"
    )


def main(arguments: Sequence[str]) -> int:
    *told, name = arguments or ("-",)
    named = [text.partition("=") for text in told[1::2]]  # --data KEY=DATA
    is_usual = told[::2] == ["--data"] * len(named) and all(path for _, _, path in named)
    if name.startswith("-") or not is_usual:
        print("usage: python -m variants.verify [--data KEY=DATA] FILE", file=sys.stderr)
        return 2
    where = name
    try:
        files = {}
        for key, _, where in named:
            with open(where, "rb") as data:
                files[key] = data.read()
        games, where = build_catalogue(files) if files else CATALOGUE, name
        # Lines are cut one character past the limit, so that a huge file is never held whole.
        with open(name, encoding="utf-8", errors="replace") as file:
            print(verify(iter(lambda: file.readline(LINE_CHARS_MAX + 1), ""), games))
    except InvalidDataFile as bad:
        print(bad, file=sys.stderr)
        return 2
    except (InvalidRecord, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        print(f"{where}: {reason}", file=sys.stderr)
        return 2
    except Mismatch as difference:
        print(f"not proved: {difference}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
