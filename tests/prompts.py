"""The prompts that tests wait for; another wording changes here.

`tests/mudserver/accounts/test_preferences.py` proves them letter by letter.
"""

LOBBY = "lobby> "
TABLE_1 = "table 1> "
TABLE_1_TURN = "table 1, your turn> "
YOUR_TURN = "your turn> "  # how the prompt of a seat that is asked ends
