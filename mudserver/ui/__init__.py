"""Terminal input and output: keys become lines, styled lines become bytes."""
