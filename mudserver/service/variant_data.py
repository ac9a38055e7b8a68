"""A game as data for programs, before it is played."""

from __future__ import annotations

from mudserver.data_messages import OptionRow, PresetRow, VariantData
from mudserver.tables.presets import presets_of
from variants.catalogue import AnyVariant


def variant_data(variant: AnyVariant) -> VariantData:
    return VariantData(
        name=variant.name,
        title=variant.title,
        seats=tuple(variant.seats),
        options=tuple([OptionRow(o.name, o.default, o.usage, o.help) for o in variant.options]),
        clocks=dict(variant.default_clocks_s),
        presets=tuple([
            PresetRow(preset.name, preset.help, dict(preset.values))
            for preset in presets_of(variant).values()
        ]),
        levels=tuple(variant.bots),
        verbs=variant.verbs,
        questions=dict(variant.questions),
        constants=variant.constants,
        data=variant.data_fingerprint,
    )  # fmt: skip
