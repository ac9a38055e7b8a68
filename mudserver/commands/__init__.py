"""The commands of the server.

One declaration (`verb` in `verb.py`) gives a verb its arguments, help, completion and permission.
Each family of verbs is one file, entered in `families.py`; `interpreter.py` finds the verb for a
line.
"""
