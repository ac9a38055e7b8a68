"""The house: a text server where people play cards."""

__version__ = "0.1.0"
