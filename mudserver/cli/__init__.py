"""The commands of `mudserver`, a file for each family."""
