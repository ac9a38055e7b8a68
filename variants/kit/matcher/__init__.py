"""The matcher: what people type, matched against the plays that a game declares.

`plays` has everything that can be declared, `grammar` how a line is read, `line` the words, the
players and slots that many games need.  `docs/adding-a-game.md` has an example that a test runs.
"""
