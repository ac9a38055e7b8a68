"""Plain data goes out and comes back the same, and nothing unknown comes in."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal, NewType

import pytest

from variants.kit.json_values import SINCE_2, from_json_value, to_json_value, type_registry

Place = NewType("Place", int)


@dataclass(frozen=True)
class Card:
    rank: str
    is_marked: bool = False


@dataclass(frozen=True)
class Hand:
    place: Place
    cards: tuple[Card, ...]
    best: Card | None
    side: Literal["left", "right"]
    sizes: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Knot:
    inner: Knot | None


HAND = Hand(Place(2), (Card("7"), Card("K", True)), None, "left", (3, 4))


@pytest.mark.parametrize("value", [HAND, Hand(Place(0), (), Card("A"), "right"), Knot(Knot(None))])
def test_a_value_comes_back_through_json(value: Any) -> None:
    written = json.loads(json.dumps(to_json_value(value)))
    assert value == from_json_value(type_registry(type(value)), written)


def test_a_kind_names_its_class_and_its_fields() -> None:
    assert to_json_value(Card("7")) == {"kind": "Card", "rank": "7", "is_marked": False}


@dataclass(frozen=True)
class Newer:
    card: Card
    is_worn: bool = field(default=False, metadata=SINCE_2)


def test_protocol_1_does_not_have_a_field_that_is_newer() -> None:
    """And the value comes back, with the default."""
    card = to_json_value(Card("7"))
    assert {"kind": "Newer", "card": card, "is_worn": True} == to_json_value(Newer(Card("7"), True))
    older = to_json_value((Newer(Card("7"), True),), protocol=1)
    assert [{"kind": "Newer", "card": card}] == older
    assert Newer(Card("7")) == from_json_value(type_registry(Newer), older[0])


def test_kinds_include_what_fields_mention() -> None:
    assert {"Hand", "Card"} == type_registry(Hand).keys()


def test_fields_with_defaults_may_be_missing() -> None:
    assert Card("7") == from_json_value(type_registry(Card), {"kind": "Card", "rank": "7"})


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (None, "expected an object"),
        ([], "expected an object"),
        ({"rank": "7"}, "expected an object"),
        ({"kind": ["Card"]}, "expected an object"),
        ({"kind": "Deck"}, "'Deck' is not one of Card, Hand"),
        ({"kind": "Card"}, "Card lacks 'rank'"),
        ({"kind": "Card", "rank": 7}, "Card: 7 is no str"),
        ({"kind": "Card", "rank": "7", "is_marked": 1}, "Card: 1 is no bool"),
        ({"kind": "Card", "rank": "7", "suit": "H"}, "Card has no 'suit'"),
        (to_json_value(HAND) | {"place": True}, "Hand: True is no int"),
        (to_json_value(HAND) | {"side": "up"}, "Hand: 'up' is no"),
        (to_json_value(HAND) | {"sizes": [1]}, "Hand: "),
        (to_json_value(HAND) | {"cards": "7"}, "Hand: "),
        (to_json_value(HAND) | {"best": {"kind": "Hand"}}, "Hand: "),
        (to_json_value(HAND) | {"best": {"kind": "Card"}}, "Card lacks 'rank'"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_reason(raw: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason.replace("?", r"\?")):
        from_json_value(type_registry(Hand), raw)


@pytest.mark.parametrize("value", [1.5, {"a": 1}, {1}, b"x", Card])
def test_only_plain_data_is_written(value: object) -> None:
    with pytest.raises(TypeError, match="is not plain data"):
        to_json_value(value)


def test_two_classes_of_one_name_are_no_kinds() -> None:
    other = dataclass(frozen=True)(type("Card", (), {"__annotations__": {"x": int}}))
    with pytest.raises(TypeError, match="two kinds are called Card"):
        type_registry(Card, other)
