"""The full screen: panes, a status bar and the input line, drawn by prompt_toolkit.

Nobody imports this package before somebody wants a full screen (`session/faces.py`).
"""
