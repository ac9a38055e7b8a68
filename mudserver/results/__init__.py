"""What is kept of games that are over: numbered results, and what follows from them.  Pure."""
