"""Which names people may have on this server."""

from __future__ import annotations

from mudserver.accounts.names import NameRules
from mudserver.config.schema import Config
from mudserver.denied_names import load_denied_names
from variants.catalogue import Catalogue


def name_rules(config: Config, catalogue: Catalogue) -> NameRules:
    """ConfigError: the file of `people.names_denied` cannot be used."""
    taken = (*catalogue, *config.chat.channels)
    return NameRules(taken, load_denied_names(config.people.names_denied))
