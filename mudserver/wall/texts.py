"""The sentences that a door says by itself, while no game server answers."""

WAIT = "-- One moment: the server restarts. What you type is kept."
NOT_BACK = "The server does not come back just now. Your game is safe; please connect again later."
RESTARTING = "The server is restarting. Please try again in a minute."
NOT_TAKEN_UP = "The server restarted and could not take your session up. Please log in again."
DOOR_CLOSES = "The server closes for a moment. Your games are safe; come back soon."
