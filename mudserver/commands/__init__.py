"""THE BELL PULLS: what people can type to the house.

One declaration (`declare.verb`) gives a verb its arguments, its help, its completion and its
permission.  Each family of verbs is one file; `interpreter.py` finds the verb for a line.
"""
