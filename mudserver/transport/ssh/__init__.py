"""SSH: listener, authentication, sessions."""
