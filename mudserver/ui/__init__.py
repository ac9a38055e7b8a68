"""THE HALL: keys become lines, styled lines become bytes.  Knows no rule and no person."""
