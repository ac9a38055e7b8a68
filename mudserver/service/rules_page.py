"""The pages of `rules GAME` and `tips GAME`: how the game is played, and how it is played well."""

from __future__ import annotations

from collections.abc import Iterable

from mudserver.errors import UserError
from mudserver.game_files import find_variant
from mudserver.messages import Page
from mudserver.service import texts
from mudserver.tables.options import BETWEEN_S, DEALS, TableOptions
from variants.catalogue import AnyVariant, Catalogue


def rules_page(variant: AnyVariant) -> Page:
    rows = [*_spaced(variant.guide), "", f"Options, as in: open {variant.name} seats=4"]
    rows += [f"{o.name}={o.usage}\t{o.help} ({o.default})" for o in variant.options]
    rows += [f"{key}=SECONDS\tthe time limit ({s})" for key, s in variant.default_clocks_s.items()]
    rows += [f"seats={variant.seats[-1]}\tthe number of seats, at least {variant.seats[0]}"]
    if variant.match_points is not None:
        usual = TableOptions({}, {}, 0)
        rows += [
            f"deals={DEALS[0]}-{DEALS[-1]}\tmore than one: a match with totals ({usual.deals})",
            f"between={BETWEEN_S[0]}-{BETWEEN_S[-1]}\tseconds between two deals ({usual.between})",
        ]
    rows += _presets(variant)
    if variant.questions:
        rows += ["", "Questions at the table, at any time; they are never a move:"]
        rows += [f"{verb}\t{text}" for verb, text in variant.questions.items()]
    if variant.utility_commands:
        rows += ["", "What anybody can type, at a table or in the lobby:"]
        rows += [f"{command.usage}\t{command.help}" for command in variant.utility_commands]
    return Page(variant.title, (*rows, "", "See also: moves, help open"))


def tips_page(variant: AnyVariant) -> Page:
    """Advice, numbered.  UserError: the game has none."""
    if not variant.tips:
        raise UserError(texts.NO_TIPS.format(variant.name), "not_found")
    rows = [f"{number}\t{tip.text}" for number, tip in enumerate(variant.tips, start=1)]
    return Page(f"Tips for {variant.name}", (*rows, "", f"See also: rules {variant.name}"))


def game_page(word: str, name: str, catalogue: Catalogue) -> Page:
    """`rules` or `tips` of the named game; "": the games.  UserError: there is no such game."""
    if not name:
        rows = [f"{v.name}\t{v.summary}" for v in catalogue.values()]
        return Page("Games", (*rows, f"See also: {word} GAME, open GAME"))
    game = find_variant(name, catalogue)
    return {"rules": rules_page, "tips": tips_page}[word](game)


def _presets(variant: AnyVariant) -> list[str]:
    """Names for values of options, with the minutes that a game takes."""
    if not variant.presets:
        return []
    rows = ["", f"Presets, as in: open {variant.name} {variant.presets[-1].name}"]
    for preset in variant.presets:
        values = " ".join(f"{name}={value}" for name, value in preset.values.items())
        minutes = f", about {preset.minutes} min" if preset.minutes else ""
        about = f"{preset.help}{minutes}"
        rows.append(f"{preset.name}\t{about}: {values}" if values else f"{preset.name}\t{about}")
    return rows


def _spaced(paragraphs: Iterable[str]) -> list[str]:
    """Rows with an empty row between paragraphs, but none between terms."""
    rows: list[str] = []
    for text in paragraphs:
        if rows and not ("\t" in text and "\t" in rows[-1]):
            rows.append("")
        rows.append(text)
    return rows
