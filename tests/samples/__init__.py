"""Journals of released schemas, kept for ever: every later server must open them."""
