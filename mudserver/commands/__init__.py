"""The commands of the server.

One declaration (`registry.verb`) gives a verb its arguments, help, completion and permission.
Each family of verbs is one file; `interpreter.py` finds the verb for a line.
"""
