"""The matcher: what people type, matched against the plays that a game declares.

A game declares one `Play` for each kind of action.  Its phrase says how the play is written; each
name in braces is a field of the action and has a `Slot`, which reads words and writes them back.

>>> from dataclasses import dataclass
>>> from variants.kit.matcher.grammar import Grammar
>>> from variants.kit.matcher.line import player, split
>>> from variants.kit.matcher.plays import Meaning, Play, Slot, Table
>>> @dataclass(frozen=True)
... class View:
...     seat: int
...     fruit: tuple[str, ...]
>>> @dataclass(frozen=True)
... class Throw:
...     fruit: str
...     to: int
>>> def read_fruit(words, at, table):  # everything that the words from `at` on can mean
...     yield from (Meaning(1, f) for f in table.view.fruit if f.startswith(words[at]))
>>> def others(table):
...     return [seat for seat in range(len(table.names)) if seat != table.view.seat]
>>> FRUIT = Slot("FRUIT", read_fruit, choices=lambda table: f"You have {table.view.fruit[0]}.")
>>> GRAMMAR = Grammar(
...     [Play("throw {fruit} at {to}", Throw, {"fruit": FRUIT, "to": player(others, others)})],
...     question=lambda table: "",
...     legal_actions=lambda table: [Throw("plum", to) for to in others(table)],
...     fillers=frozenset(["the", "a"]),
... )
>>> table = Table(View(0, ("plum", "pear")), ("Ann", "Bob", "Cy"))
>>> parse = lambda line: GRAMMAR.parse(split(line, table.names), table)

The parts may come in any order and may be abbreviated.  An action is written back as its phrase,
and so is each choice where a line fits several plays:

>>> parse("throw Bob the pl")
Throw(fruit='plum', to=1)
>>> GRAMMAR.phrase(Throw("plum", 2), table)
'throw plum at cy'
>>> def refused(line):
...     try:
...         parse(line)
...     except Exception as refusal:
...         print(refusal.format(table.names))
>>> refused("throw plum")
That fits more than one play. Type throw plum at bob or throw plum at cy.
>>> refused("throw plum at zed")
Nobody here is called "zed". You can name: Bob or Cy. Type it like this: throw plum at bob.
>>> refused("thorw plum")
"thorw" is no play here. Did you mean throw? You can type: throw FRUIT at NAME.

A play that is well said and forbidden becomes an action too (`throw pear bob`), and the game's
`check` says why.  `plays` has everything that can be declared, `grammar` how a line is read, `line`
the words and the players.
"""
