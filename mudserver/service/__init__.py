"""The facade in front of lobby, tables and accounts; sessions and commands talk to it alone."""
