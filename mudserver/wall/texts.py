"""The sentences that a door says by itself, while no game server answers."""

NOT_BACK = "The server has not come back. Your game is safe; please connect again later."
RESTARTING = "The server is restarting. Please try again in a minute."
TOO_LONG = "That name or password is too long."
DOOR_CLOSES = "The server closes for a moment. Your games are safe; come back soon."
