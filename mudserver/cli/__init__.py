"""The commands of `mudserver`, one file per family."""
