"""Every game the house can play, by name.  A fourth game is one more line here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from variants.contract import Variant
from variants.elimination import ELIMINATION

CATALOGUE: Mapping[str, Variant[Any, Any, Any, Any]] = {
    variant.name: variant for variant in (ELIMINATION,)
}
