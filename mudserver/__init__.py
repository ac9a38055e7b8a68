"""A text server where people play cards over SSH and telnet."""

__version__ = "0.1.0"
