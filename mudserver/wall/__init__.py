"""The wall between a door and a game server: frames over a Unix socket, and the session capsule."""
