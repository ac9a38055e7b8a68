"""The game room: tables where people and computer players play.

`table.py` is one table without I/O, `runner.py` its task, `hall.py` all of them.
"""
