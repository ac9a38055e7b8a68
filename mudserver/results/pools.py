"""Pools of ratings: a game, live or by correspondence.  Pure."""

from __future__ import annotations

from collections.abc import Iterable

CORRESPONDENCE = "correspondence"
_SUFFIX = f"-{CORRESPONDENCE}"


def pool_of(variant: str, *, is_slow: bool) -> str:
    """Args: is_slow: by correspondence."""
    return variant + _SUFFIX if is_slow else variant


def pools_of(variants: Iterable[str]) -> list[str]:
    return [pool_of(variant, is_slow=is_slow) for variant in variants for is_slow in (False, True)]


def variant_of(pool: str) -> str:
    """The game."""
    return pool.removesuffix(_SUFFIX)


def pool_words(pool: str) -> str:
    """As it is typed behind `top`: `words`, `words correspondence`."""
    return pool.replace(_SUFFIX, f" {CORRESPONDENCE}")
