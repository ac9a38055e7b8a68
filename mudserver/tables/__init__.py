"""Tables where people and computer players play.

`table.py` is the state of one table without I/O, `decide.py` and `commit.py` its two steps,
`runner.py` its task and `manager.py` all tables.
"""
