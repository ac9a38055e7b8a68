"""Mail: what somebody leaves for an account that reads it later.  Events, fold, decisions."""
