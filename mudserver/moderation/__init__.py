"""Keeping order: roles, sanctions, reports, the audit.  Pure: time is an argument."""
