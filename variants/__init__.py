"""The shelf of rule books.  Nothing here knows a terminal, a clock, a file or a server."""
