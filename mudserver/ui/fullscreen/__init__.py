"""The full screen: panes, a status bar and the input line, drawn by prompt_toolkit.

The package is imported only when somebody opens a full screen (`session/screen_factory.py`).
"""
