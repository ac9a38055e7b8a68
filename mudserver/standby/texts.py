"""What operators read of restarts."""

UNDER_WAY = "a restart is already under way: try again in a moment"
NOT_WRITABLE = "not now: the journal cannot be written"
NO_STANDBY = "no standby waits for this server"
NOT_READY = "not ready: {}"
NEWER_JOURNAL = (
    "the standby keeps the journal in a newer form, which this server cannot read: add"
    " --with-migration"
)
OLDER_JOURNAL = "not ready: the standby cannot read this journal: it is of an older release"
OLDER_CAPSULES = (
    "the other server takes up sessions up to form {}, this one leaves form {}: telnet people will"
    " have to log in again. Add --anyway"
)
EVACUATION_UNDER_WAY = "an evacuation is already under way"
NOT_SHARED = "evacuate not done: this server shares its journal with no other"
NO_DOORS = "evacuate not done: this server has no door, so that its people would be disconnected"
DOOR_KNOWS_NONE = "evacuate not done: door {} knows no other game server: see its wall.games"
NO_OTHERS = "evacuate not done: no other server lives that could have the tables and people"
RESTORING = "evacuate not done: tables are being restored here: try again in a minute"
EVACUATED = "evacuated: {} and {} go on at {}"
EVACUATED_IN_PART = "evacuated in part: {}; the others take over the rest"
BUG = "something went wrong here (ref {})"
NOT_DONE = "restart not done: {}; this server goes on"
LOST = "another server has taken over, and did not say so: this one ends"
DONE = "restarted: {} of {} sessions went on, gap {:.2f} s"
DONE_UNSEEN = "restarted: the new server has not said how many of {} sessions went on"

READING = "it has not read everything yet"
MANY_NEW = "{:,} records came in the last round"
NO_COMPUTER_PLAYERS = "its computer players do not answer yet"
DOOR_SPEAKS = "door {} speaks protocol {}-{}, this server {}-{}. Restart the door first"
