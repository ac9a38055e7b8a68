"""What `make release` builds for hosts, and how."""
