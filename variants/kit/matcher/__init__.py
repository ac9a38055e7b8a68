"""The matcher: what people type, matched against the plays that a game declares."""
