"""Sessions: from login to goodbye, at a terminal or by a program.  Commands are elsewhere."""
