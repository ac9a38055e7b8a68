"""What staff, and those on whom they act, read.

Rule 1: a sentence says what is wrong, then what to do; what is to be typed stands last.
"""

from __future__ import annotations

NOT_ALLOWED = "Only {} can use {}."
NEEDS_KEY = "Staff commands work only over SSH with your key."
ON_ONESELF = "You can't do that to yourself."
ON_PEER = "You can't do that to {} or anybody above."
TOO_LONG_FOR_ROLE = "Your longest time for {} is {}."
ROLE_TOO_HIGH = "Only {} can make somebody {}."
NOT_A_TIME = '"{}" is no time. Times are typed so: 10m, 2h, 7d, 4w or forever'
REASON_LENGTH = "Give a reason of {} to {} characters. The person reads it."
NOTE_LENGTH = "A note has at most {} characters."

YOU_ARE_MUTED = "You are muted by the staff {} (#{})"
YOU_ARE_BANNED = "You are banned {} (#{}). Reason"
APPEAL = "To appeal, write to whoever runs this server, with the number #{}."
IS_MUTED = "{} is muted already, {} (#{}). To change it, type sanction #{} TIME REASON"
IS_BANNED = "{} is banned already, {} (#{}). To change it, type sanction #{} TIME REASON"
NO_SANCTION = "No sanction #{} is in force. For a list, type sanctions"
NOT_A_FINGERPRINT = '"{}" is no fingerprint of a key. One has SHA256: and 43 characters.'
NOT_A_NETWORK = '"{}" is no network. Networks are typed so: 203.0.113.0/24'
NETWORK_TOO_WIDE = "That network is too wide. The widest are /{} and, for IPv6, /{}."
NETWORK_OF_SERVER = "That is an address of this server, its proxy or a provider's own network."
NETWORK_OF_ACTOR = "That is your own network."

WARNING = "Warning by the staff (#{})"
TO_CONFIRM = "To confirm that you have read it, type warnings"
WARNED = "{} is warned (#{})."
MUTED = "{} is muted {} (#{})."
BANNED = "{} is banned {} (#{})."
UNMUTED = "{} can talk again."
LIFTED = "{} is lifted."
CHANGED = "#{} is in force {} now."
YOU_CAN_TALK = "You can talk again."
NOT_MUTED = "{} isn't muted."
NOT_YOUR_MUTE = "You can only end mutes of your own."
OF_HIGHER_ROLE = "Somebody above you made that. Ask an operator."
NOBODY = "Nobody is called {}, or was within the last hour. Type the whole name."
GUEST_ELSEWHERE = (
    "{0} is a guest on another server, which does not answer. Try again, or type: kick {0}"
)
NOT_A_NUMBER = '"{}" is no number. Numbers are typed so: #18'
NOT_A_DATE = '"{}" is no date. Dates are typed so: 2026-11-22'
NOT_A_ROLE = '"{}" is no role. There are: {}'
ONLY_ACCOUNTS = "{} is a guest. That works for registered names only."
HAS_ROLE = "{} is {} already."
NO_KEY_YET = "{0} has no key yet. {0} types: keys add"
ONLY_OWNER = "That is the only owner. First make somebody else owner."
YOU_ARE_ONLY_OWNER = "You are the only owner. First make somebody else owner."
NAME_AND_ID = "{} is the name of one account and the id of another. Use the other one of each."
WILL_BE_DELETED = "The account of {} will be deleted on {}. To keep it, type keep {}"
IS_KEPT = "The account of {} stays."
IS_ERASED = "{} is erased."
YOURS_WILL_BE_DELETED = "The staff will delete your account on {}. Reason"
YOURS_IS_KEPT = "Your account stays."
STAFF_KEEPS_NAME = "Somebody of a higher role has to change the name of staff."
YOUR_NAME = "The staff has changed your name to {}"
LOOKUP_TAG = "{} comes from the network {}."
LOOKUP_ADDRESS = "{} comes from {}, in the network {}."
LOOKUP_GONE = "{} isn't here, so nothing is known of the network."
YOUR_ROLE = "You are {} here now. For what you can do, type help staff"
ROLE_NEWS = "{0} has made {1} {2}; before, {1} was {3} (#{4}, {5}). Reason"
ROLE_ERASED = "The account of {} is erased, by {} (#{}, {})."
RECOVERY = """\
Log in over telnet as {0}, or with
  ssh {0}@HOST
It works once, until {1}."""
EXPORTED = "The file has all that is kept of {}."
YOUR_DATA_EXPORTED = "Whoever runs this server has copied your data, to answer a request for them."
ROLE_SET = "{} is {} now."
SAID_TOO_LONG = "That is too long. At most {} characters."
TABLE_CLOSED = "Table {} is closed."
SHUTDOWN_HOW = "Give 1 to {} minutes and a reason. To take it back, type shutdown cancel REASON"
STILL_STARTING = "The server is still starting. Please try again in a moment."
SAY_WHAT = "Say what? {} TEXT"
STAFF_SPEAKER = "The staff"
REPORT_NUMBER = "Report {}"
NO_REPORT = "There is no report {}. For a list, type reports"
REPORT_FILED = "Report {} filed. Staff will look at it."
REPORT_NEWS = "Report {}: {}, by {} about {}. To read it, type reports {}"
REPORT_NEWS_SHORT = "There is a new report: {}."
REPORT_DONE = "Report {} has been dealt with."
REPORT_TAKEN = "Report {} is yours."
REPORT_DECIDED = "Report {} is decided: {}."
REPORT_CLOSED = "Report {} is decided already."
REPORT_OF_STAFF = "That report is about somebody of your role or above."
NO_LINES = "no lines of talk"
REPORT_SELF = "You can't report yourself."
TOO_MANY_REPORTS = "You have filed as many reports today as one can. Tell the staff: type staff"
WHICH_OUTCOME = "Say what has come of it: {}"
NOT_AN_OUTCOME = '"{}" is no outcome. There are: {}'
TOO_MANY_INVITES = "{} invitations are open already, which is the limit."
NO_GUESTS = "Guests are not admitted here right now."
REGISTRATION_CLOSED = "Registration is closed here."
REGISTRATION_BY_INVITE = "Registration needs an invitation here: type {}"
INVITED_TYPES = "NAME+CODE as your name."
INVITED_GUEST_TYPES = "register NAME CODE"
OR_AS_GUEST = " You can log in as guest."
NOT_A_MODE = '"{}" is no mode. There are: {}'
REGISTRATION_IS = {
    "open": "Everybody can register a name now.",
    "invite": "Only who has an invitation can register a name now.",
    "closed": "Nobody can register a name now.",
}
GUESTS_ARE = {"on": "Guests are admitted now.", "off": "Guests are not admitted any more."}
INVITE_HOW = "An invitation is for 1 to {} names and 1 to {} days: invitation uses=3 days=7"
ONE_USE = "Only operators can invite several with one code."
INVITED = """\
Log in over telnet as NAME+{0}, or with
  ssh NAME+{0}@HOST
It works for {1} until {2} (#{3})."""
REVOKE_HOW = "Say which one, by its number or its code: invitation revoke #18"
NO_INVITE = "No such invitation is open. For the numbers of all that were made: audit invitation"
INVITE_REVOKED = "The invitation{} can't be used any more."
ON_OR_OFF = '"{}" is neither on nor off.'
MOTD = "Message of the day"
NO_MOTD = "There is no message of the day."
MOTD_EITHER = "Give a file, or --clear."
MOTD_SET = "Everybody reads it at login from now on."
MOTD_CLEARED = "There is no message of the day any more."
NEWS = "News"
NO_NEWS = "none"
NEWS_HOW = "To read one, type news NUMBER"
UNREAD_NEWS = "{} of news you have not read: news"
NO_NEWS_ITEM = "There is no news {}. For a list, type news"
NEWS_ADD_HOW = "Type news add TITLE: TEXT, with a title of at most {} characters."
NEWS_ADDED = "News {} is there for everybody."
NEWS_REMOVED = "News {} is gone."
TEXT_TOO_LONG = "That is too long. At most {} bytes in {} rows."
