"""Words: spell the words of a secret manifest before anybody else, and lock them in time."""
