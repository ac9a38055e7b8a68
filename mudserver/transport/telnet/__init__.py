"""Telnet: listener, options, GMCP, MSSP, terminal detection."""
