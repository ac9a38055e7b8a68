"""What an action does: decide, evolve, observe, set up, score.  Only these know the state."""
