"""A text server where people play cards over SSH and telnet."""
