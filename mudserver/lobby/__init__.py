"""The lobby: who is online, and chat.  Pure: time is an argument, deliveries are an answer."""
