"""The options of one table: those of its game and those common to all.  [G-15]

Rule 1: a wrong option is refused with what would be right; the first wrong one only.
Rule 2: what is stored is complete, defaults included, so that a later change of a default
        changes no table that is open.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, Literal, get_args

import msgspec

from mudserver.errors import UserError
from mudserver.tables.levels import parse_level
from mudserver.tables.presets import CUSTOM, STANDARD, presets_of
from variants.catalogue import AnyVariant
from variants.contract import Option, Refusal
from variants.kit.text import join_words

OPTION_UNKNOWN = 'Unknown option "{}".{}'
OPTION_NUMBER = "{} must be a number from {} to {}."
OPTION_CHOICE = "{} can be {}, not {}.{}"

Pace = Literal["person", "brisk", "instant"]
Absence = Literal["computer", "pause", "forfeit"]
AddsBots = Literal["owner", "all"]
Who = Literal["anyone", "accounts", "invited"]
OnOff = Literal["on", "off"]
WhoseHints = Literal["alone", "on", "off"]
Speed = Literal["live", "correspondence"]

PAUSES_S: Mapping[Pace, tuple[float, float]] = {
    "person": (0.8, 2.5),
    "brisk": (0.15, 0.5),
    "instant": (0.0, 0.0),
}
"""How long a computer player seems to think: drawn from this range, whatever it holds.  [G-12]"""

CLOCK_S = range(5, 86_401)
DEALS = range(1, 10)  # of a match
BETWEEN_S = range(5, 601)  # two deals of a match
DELAY = range(21)  # decisions that watchers are behind
OFF_ON = ("off", "on")
RATED_PRESETS = ("standard", "short", "long", "correspondence")
RATED_NEEDS = "A rated table has {}; the seats are yours to choose."
RATED_DEFAULTS = dict.fromkeys(("programs", "kibitz", "hints", "substitutes"), "off")
"""Unless typed."""
DELAY_OR_SUBSTITUTES = (
    "A table with a delay has no substitutes: who takes over a seat sees what watchers wait for. "
    "Set delay=0, or substitutes=off."
)
NEW_CODE = "new"  # in place of a hash: the table is to get a code
SHORTEST_MOVE_S, LONGEST_MOVE_S = 3_600, 14 * 86_400  # by correspondence
MOVE_VALUES = "move must be 1h to 336h, or 1d to 14d."
LIVE_FOR_EVER = "A table is live or by correspondence for good. To open another: open {} {}"
BY_CORRESPONDENCE = "A game by correspondence has {} only. Its time is set with move=2d."

ABOUT_PEOPLE: Mapping[str, tuple[str, ...]] = {
    "bots": get_args(AddsBots),
    "who": get_args(Who),
    "programs": get_args(OnOff),
    "kibitz": get_args(OnOff),
    "substitutes": get_args(OnOff),
    "hints": get_args(WhoseHints),
    "rated": get_args(OnOff),
}
"""Options about the people of a table, and their values."""


class TableOptions(msgspec.Struct, frozen=True, omit_defaults=True):
    """Every option of one table, checked and complete."""

    game: dict[str, str]  # the variant's own
    clocks: dict[str, int]  # seconds by window clock; empty: no clock runs
    seats: int  # most players
    pace: Pace = "person"
    absence: Absence = "computer"
    bots: AddsBots = "owner"  # who may add computer players
    who: Who = "anyone"  # who may sit down without an invitation
    code_hash: str = ""  # of the code of a private table; "": it is public
    programs: OnOff = "on"  # whether programs may sit down
    fill: str = ""  # level of the computer players in the free seats of `play`; "": none
    kibitz: OnOff = "on"  # whether watchers can talk to players during a game
    hints: WhoseHints = "alone"  # who can ask for hints: who plays with computers alone
    rated: OnOff = "off"  # whether its games count for ratings, if nothing is against it
    deals: int = 1  # more: a match of so many
    between: int = 20  # seconds between two deals of a match
    preset: str = ""  # its name, for show; "custom": the values are none's; "": it was not kept
    substitutes: OnOff | Literal[""] = ""  # whether seats that were left are offered; "": old: no
    move_s: int = 0  # by correspondence: seconds for a move, from which the clocks follow; 0: live
    delay: int = 0  # decisions that watchers are behind in a game; 0: they see it as it is  [G-05]

    @property
    def is_correspondence(self) -> bool:
        return self.move_s > 0

    @property
    def has_substitutes(self) -> bool:
        """Whether others can take over seats that were left."""
        return self.substitutes == "on"

    @property
    def speed(self) -> Speed:
        return "correspondence" if self.is_correspondence else "live"

    def describe(self, usual: TableOptions | None = None) -> str:
        """All of them, or those that differ from *usual*, in one line as they could be typed.

        Options about people are left out where they are as usual.
        """
        known = self._usual_about_people() if usual is None else usual.assignments()
        return " ".join(word for word in self.assignments() if word not in known)

    def describe_game(self) -> str:
        """Those of the game, its clocks and its pace, as they could be typed; not its people's."""
        about_people = self._about_people()
        return " ".join(word for word in self.assignments() if word not in about_people)

    def assignments(self) -> list[str]:
        is_named = self.preset not in ("", STANDARD.name, CUSTOM)
        parts = [f"preset={self.preset}"] if is_named else []
        parts += [f"{name}={value}" for name, value in self.game.items()]
        if self.is_correspondence:
            parts += [f"move={move_text(self.move_s)}", f"seats={self.seats}"]
            return [*parts, *self._about_people()]
        parts += [f"{name}={seconds}" for name, seconds in self.clocks.items()]
        parts += [] if self.clocks else ["clocks=off"]
        if self.deals > 1:
            parts += [f"deals={self.deals}", f"between={self.between}"]
        parts += [f"seats={self.seats}", f"pace={self.pace}", f"absence={self.absence}"]
        return [*parts, *self._about_people()]

    def by_name(self) -> dict[str, str]:
        """Their values, as `open` takes them."""
        pairs = [word.partition("=") for word in self.assignments()]
        return {name: value for name, _, value in pairs}

    def _about_people(self) -> list[str]:
        code = "on" if self.code_hash else "off"
        return [f"bots={self.bots}", f"who={self.who}", f"code={code}",
                f"fill={self.fill or 'off'}",
                f"programs={self.programs}", f"kibitz={self.kibitz}",
                f"substitutes={'on' if self.has_substitutes else 'off'}",
                f"hints={self.hints}", f"rated={self.rated}", f"delay={self.delay}"]  # fmt: skip

    def _usual_about_people(self) -> list[str]:
        return TableOptions({}, {}, 0, substitutes="on")._about_people()


def describe_unusual(variant: AnyVariant, options: TableOptions) -> str:
    """The preset, whether games are rated, and what differs from what these two mean."""
    named = {"preset": options.preset} if options.preset in presets_of(variant) else {}
    rated = {"rated": "on"} if options.rated == "on" else {}
    usual = parse_options(variant, named | rated).assignments()
    told = ("preset=", "rated=on")
    words = options.assignments()
    return " ".join([it for it in words if it not in usual or it.startswith(told)])


def parse_options(
    variant: AnyVariant,
    typed: Mapping[str, str],
    before: TableOptions | None = None,
) -> TableOptions:
    """What a person typed, on top of *before* or of the defaults.

    Raises:
        UserError: An unknown option, or a value that it cannot have.
        Refusal: Values that make no game together (`Variant.check_options`).
    """
    clocks = dict(variant.default_clocks_s)
    named = _preset_options(variant, typed.get("preset", STANDARD.name))
    now = before or named
    if before is not None and "preset" in typed:
        now = msgspec.structs.replace(
            before,
            game=named.game,
            clocks=named.clocks,
            seats=named.seats,
            deals=named.deals,
            preset=named.preset,
            move_s=named.move_s,
        )
    game, running = dict(now.game), dict(now.clocks)
    own = {option.name: option for option in variant.options}
    common: dict[str, Any] = {}
    for typed_name, value in typed.items():
        name = _name_today(own, typed_name, value)
        clock = name.removeprefix("clock.")
        if name == "preset":
            continue
        if name in own:
            game[name] = _value_of(own[name], value)
        elif name == "move":
            common["move_s"] = _move(value)
        elif name == "seats":
            common["seats"] = _number(name, value, variant.seats)
        elif name == "deals":
            common["deals"] = _deals(variant, value)
        elif clock == "between" and variant.match_points is not None:
            common["between"] = _number(name, value, BETWEEN_S)
        elif name == "pace":
            common["pace"] = _one_of(name, value, get_args(Pace))
        elif name == "absence":
            common["absence"] = _one_of(name, value, get_args(Absence))
        elif name in ABOUT_PEOPLE:
            common[name] = _one_of(name, value, ABOUT_PEOPLE[name])
        elif name == "fill":
            common["fill"] = _fill(variant, value)
        elif name == "delay":
            common["delay"] = _number(name, value, DELAY)
        elif name == "code":
            common["code_hash"] = NEW_CODE if _one_of(name, value, OFF_ON) == "on" else ""
        elif name == "clocks":
            running = {} if _one_of(name, value, OFF_ON) == "off" else running or clocks
        elif clock in clocks:
            running = (running or clocks) | {clock: _number(name, value, CLOCK_S)}
        else:
            known = [
                *own,
                "seats",
                "deals",
                "pace",
                "absence",
                "move",
                *ABOUT_PEOPLE,
                "delay",
                "code",
                "fill",
                "clocks",
                *clocks,
            ]
            raise UserError(OPTION_UNKNOWN.format(name, _meant(name, known)), "usage")
    variant.check_options(game)
    if common.get("rated") == "on":
        common = {**RATED_DEFAULTS, **common}
    if common.get("delay"):
        common = {"substitutes": "off", **common}
    options = msgspec.structs.replace(now, game=game, clocks=running, **common)
    if before is not None and before.speed != options.speed:
        words = (variant.name, options.speed if options.is_correspondence else STANDARD.name)
        raise UserError(LIVE_FOR_EVER.format(*words), "usage")
    if options.delay and options.has_substitutes:
        raise UserError(DELAY_OR_SUBSTITUTES, "usage")
    if options.is_correspondence:
        options = _by_correspondence(variant, options, typed)
    if options.rated == "on":
        _check_rated(variant, options)
    return msgspec.structs.replace(options, preset=_preset_name(variant, options))


def _by_correspondence(
    variant: AnyVariant, options: TableOptions, typed: Mapping[str, str]
) -> TableOptions:
    """*options* with the clocks that follow from the time for a move, for accounts only.

    UserError: what was typed is for live games.
    """
    named = {name.lower().removeprefix("clock.") for name in typed}
    if not_here := named & {"clocks", "pace", "between", *variant.default_clocks_s}:
        raise UserError(f"{min(not_here)} is for live games. Set the time with move, as in move=2d")
    for name, value in {"absence": "computer", "deals": 1, "fill": ""}.items():
        if getattr(options, name) != value:
            raise UserError(BY_CORRESPONDENCE.format(f"{name}={value or 'off'}"), "usage")
    who: Who = "accounts" if options.who == "anyone" else options.who
    clocks = correspondence_clocks(variant, options.move_s)
    return msgspec.structs.replace(options, clocks=clocks, who=who)


def correspondence_clocks(variant: AnyVariant, move_s: int) -> dict[str, int]:
    """Seconds by window clock: what only asks for a reaction lasts a quarter of a move."""
    reaction_s = max(SHORTEST_MOVE_S, move_s // 4)
    is_short = variant.reaction_clocks.__contains__
    return {name: reaction_s if is_short(name) else move_s for name in variant.default_clocks_s}


def move_text(move_s: int) -> str:
    """`36h`, `2d`: as it is typed."""
    days, rest = divmod(move_s, 86_400)
    return f"{move_s // 3600}h" if rest else f"{days}d"


def _move(value: str) -> int:
    """Seconds of `36h` or `2d`."""
    digits, unit = value[:-1], value[-1:].lower()
    seconds = {"h": 3_600, "d": 86_400}.get(unit, 0)
    count = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 4 else 0
    if not SHORTEST_MOVE_S <= count * seconds <= LONGEST_MOVE_S:
        raise UserError(MOVE_VALUES, "usage")
    return count * seconds


def _check_rated(variant: AnyVariant, options: TableOptions) -> None:
    """UserError: such a table cannot be rated."""
    if options.pace != "person" or options.absence != "computer" or not options.clocks:
        raise UserError(RATED_NEEDS.format("pace=person, absence=computer, and its clocks"))
    named = {it: _preset_options(variant, it) for it in presets_of(variant) if it in RATED_PRESETS}
    played = {name: it for name, it in named.items() if it.speed == options.speed}
    if (options.game, _time(options)) not in [(it.game, _time(it)) for it in played.values()]:
        presets = join_words(list(played), "or") or "its own, and has none by correspondence"
        raise UserError(RATED_NEEDS.format(f"the options of a preset: {presets}"))


def _name_today(own: Mapping[str, Option], name: str, value: str) -> str:
    """The name of an option that was typed under its old one with a value of its own."""
    if name in own or value.lower() in ABOUT_PEOPLE.get(name, ()):
        return name
    renamed = [it.name for it in own.values() if it.old_name == name and it.parse(value)]
    return renamed[0] if renamed else name


def _preset_options(variant: AnyVariant, name: str) -> TableOptions:
    """What a preset makes of the defaults."""
    presets = presets_of(variant)
    if name not in presets:
        raise UserError(f"preset can be {join_words(list(presets), 'or')}, not {name}.", "usage")
    values = presets[name].values
    return TableOptions(
        game={o.name: values.get(o.name, o.default) for o in variant.options},
        clocks={n: int(values.get(n, s)) for n, s in variant.default_clocks_s.items()},
        seats=int(values.get("seats", variant.seats[-1])),
        deals=int(values.get("deals", 1)),
        preset=name,
        substitutes="on",
        move_s=_move(values["move"]) if "move" in values else 0,
    )


def _preset_name(variant: AnyVariant, options: TableOptions) -> str:
    """The preset whose values these are."""
    values = _of_preset(options)
    for name in presets_of(variant):
        if values == _of_preset(_preset_options(variant, name)):
            return name
    return CUSTOM


def _of_preset(options: TableOptions) -> tuple[object, ...]:
    """What a preset says."""
    return options.game, _time(options), options.seats, options.deals


def _time(options: TableOptions) -> object:
    """The clocks; the time for a move, where there is one: they follow from it."""
    return options.move_s or options.clocks


def parse_typed_options(variant: AnyVariant, typed: Mapping[str, str]) -> TableOptions:
    """As `parse_options` for a new table.  UserError: whatever is wrong."""
    try:
        return parse_options(variant, typed)
    except Refusal as refusal:
        raise UserError(refusal.format(()), "usage") from refusal


def _deals(variant: AnyVariant, value: str) -> int:
    deals = _number("deals", value, DEALS)
    if deals > 1 and variant.match_points is None:
        raise UserError(variant.no_match or f"{variant.name} has no matches of several deals.")
    return deals


def _fill(variant: AnyVariant, value: str) -> str:
    return "" if value.lower() == "off" else parse_level(variant, value)[0]


def _value_of(option: Option, typed: str) -> str:
    if option.number_range is None:
        return _one_of(option.name, typed, option.choices)
    value = option.parse(typed)
    if value is None:
        raise UserError(f"{option.name} must be {option.description}.", "usage")
    return value


def _one_of(name: str, value: str, choices: tuple[str, ...]) -> str:
    if value.lower() not in choices:
        close = get_close_matches(value.lower(), choices, 1)
        hint = f" Did you mean {close[0]}?" if close else ""
        raise UserError(OPTION_CHOICE.format(name, join_words(choices, "or"), value, hint), "usage")
    return value.lower()


def _number(name: str, value: str, allowed: range) -> int:
    # isascii: int() would read the digits of other scripts as well.
    number = int(value) if value.isascii() and value.isdigit() and len(value) < 9 else -1
    if number not in allowed:
        raise UserError(OPTION_NUMBER.format(name, allowed[0], allowed[-1]), "usage")
    return number


def _meant(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, 1)
    return f" Did you mean {close[0]}?" if close else f" The options are {', '.join(known)}."
