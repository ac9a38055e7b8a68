"""Elimination: avoid the fourth card of a rank, and hand it to somebody else."""
