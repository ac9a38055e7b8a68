"""Computer players: what each level does with its own view."""
