"""Computer players, in processes of their own.  [G-14]

Rule 1: a computer player gets what a person in its seat gets: the own view and the own redacted
        events.  Nothing else crosses the pipe.
Rule 2: it may think wrongly, slowly or not at all.  Then the caller gets a `BotError` and plays
        the time-out default.
Rule 3: the time it took to think tells nobody anything: the pause at the table is drawn elsewhere,
        before a question is sent.  [G-12]

`pool.BotPool` is the server's end, `worker` the process's end, `codec` the format between them.
"""
