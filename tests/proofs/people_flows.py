"""What people and the staff do that is kept: the flows of `test_crash_people.py`."""

from __future__ import annotations

import asyncio

from mudserver.accounts.ssh_keys import parse_public_key
from mudserver.transport.link import AuthenticatedUser
from tests.mudserver.service.test_account_deletion import plays
from tests.mudserver.service.test_account_service import key_of
from tests.mudserver.service.test_admission import PASSWORD, at_the_prompt
from tests.mudserver.service.test_moderation import CONSOLE, coming
from tests.proofs.people_crash import Act, Flow, Play, Step, types
from tests.simulation.server import ANSI, FakeLink, Seatholder, proven_by_key

CODE_USED = "isn't valid any more"
LATELY = "You have changed your name lately."


def cast(**roles: str) -> Act:
    return lambda play: play.cast(**roles)


def at_a_table(first: str, second: str, **roles: str) -> Act:
    """The two play elimination at table 1."""

    async def begin(play: Play) -> None:
        await play.cast(**roles)
        await sit_down(play, first, second)

    return begin


async def sit_down(play: Play, first: str, second: str) -> None:
    await play.types(first, "open elimination")
    await play.types(second, "sit 1", "start")
    await play.types(first, "start")


def prompted(who: str, *lines: str) -> Act:
    """Somebody comes by telnet, and answers; called *who* here."""

    async def act(play: Play) -> None:
        link = play.server.connect(FakeLink(ANSI, "telnet", "192.0.2.50"))
        play.people[who] = Seatholder(who, link)
        await play.types(who, *lines)

    return act


# -- a guest registers -----------------------------------------------------------------------------


async def guest_plays(play: Play) -> None:
    await play.cast(ann="player")
    play.people["guest"] = coming(play.server, "guest", "192.0.2.7", how="guest")
    await asyncio.sleep(0.5)
    await play.types("guest", "set bell off", "ignore guests")
    await sit_down(play, "ann", "guest")
    await play.types("ann", "ignore guest1")
    play.forget()
    await play.types("guest", "whoami")
    play.noted["resume"] = play.read("guest").split("resume ")[1].split()[0]


async def guest_is_back(play: Play) -> None:
    if play.server.app.account_service.name_status("bob")[0] == "known":
        play.people["guest"] = await at_the_prompt(play.server, "bob", PASSWORD)
        return
    play.people["guest"] = coming(play.server, "guest", "192.0.2.7", how="guest")
    await asyncio.sleep(0.5)
    await play.types("guest", "resume {resume}", "set bell off", "ignore guests")
    await play.types("ann", "ignore guest1")  # for the session that ended, it was a guest


GUEST = Flow(
    guest_plays,
    (
        types(
            *("guest", "register bob", PASSWORD, PASSWORD),
            tells={"guest": "You are registered as bob.", "ann": "-- guest1 is now bob."},
            again="You are registered as bob already.",
        ),
    ),
    guest_is_back,
)

# -- names -----------------------------------------------------------------------------------------


async def renamed(play: Play) -> None:
    await play.cast(ann="player", bob="player")
    await play.types("bob", "rename rob", "rob")


def much_later(begin: Act, days: float) -> Act:
    async def begin_and_wait(play: Play) -> None:
        await begin(play)
        await play.later(days)
        await play.come_back()

    return begin_and_wait


async def names_swept(play: Play) -> None:
    await play.server.app.names.sweep()


RENAMING = Flow(
    at_a_table("ann", "bob", ann="player", bob="player"),
    (
        types(
            *("bob", "rename rob", "rob"),
            tells={"bob": "You are called rob now.", "ann": "-- bob is now rob."},
            again=LATELY,
        ),
    ),
)
RENAMING_BACK = Flow(
    much_later(renamed, 31),
    (
        types(
            *("bob", "rename bob", "bob"),
            tells={"bob": "You are called bob now.", "ann": "-- rob is now bob."},
            again=LATELY,
        ),
    ),
)
RENAMING_BY_STAFF = Flow(
    at_a_table("ann", "rude", mia="moderator", ann="player", rude="player"),
    (
        types(
            *("mia", "rename rude bob no such names"),
            tells={
                "mia": "rude is now called bob.",
                "ann": "-- rude is now bob.",
                "rude": "The staff has changed your name to bob",
            },
            again="Nobody is called rude",
        ),
    ),
)
HOLD_ENDS = Flow(much_later(renamed, 366), (Step(names_swept, {}),))

# -- the end of an account -------------------------------------------------------------------------


async def deletion_asked(play: Play) -> None:
    """Ann, whom others have on their lists, wants her account deleted."""
    await play.cast(ann="player", bob="player", mia="moderator")
    await play.types("ann", "profile Knits in winter.", "friend bob", "mail bob See you.")
    await play.types("bob", "mail ann At eight.", "friend ann")
    await play.types("mia", "mute ann 4w shouting", "ignore ann")
    await play.types("ann", "account delete", "ann")
    await swept(play)  # the first sweep notes that logins are noted from now on


async def deletion_asked_by_who_played(play: Play) -> None:
    await deletion_asked(play)
    await plays(play.server, "ann")


async def swept(play: Play) -> None:
    await play.server.app.deletion.sweep()
    await asyncio.sleep(1)


async def erased(play: Play) -> None:
    await play.cast(ann="player", bob="player")
    await play.types("bob", "mail ann At eight.")
    await plays(play.server, "ann")
    await swept(play)
    await play.server.app.deletion.erase_for(CONSOLE, "ann", "for the test")


DELETION = Flow(
    cast(ann="player", bob="player"),
    (
        types(
            *("ann", "account delete", "ann"),
            tells={"ann": "Your account will be deleted on"},
            again="will be deleted already",
        ),
        types(
            *("ann", "account keep"),
            tells={"ann": "Your account stays."},
            again="Nobody has asked to delete",
        ),
    ),
)
DELETION_BY_STAFF = Flow(
    cast(ola="operator", ann="player"),
    (
        types(
            *("ola", "delete ann asked by letter"),
            tells={
                "ola": "The account of ann will be deleted on",
                "ann": "The staff will delete your account on",
            },
            again="will be deleted already",
        ),
        types(
            *("ola", "keep ann"),
            tells={"ola": "The account of ann stays.", "ann": "Your account stays."},
            again="Nobody has asked to delete",
        ),
    ),
)
DELETION_DUE = Flow(much_later(deletion_asked_by_who_played, 15), (Step(swept, {}),))
DELETION_OF_UNUSED_DUE = Flow(much_later(deletion_asked, 15), (Step(swept, {}),))
ERASING_IN_MID_GAME = Flow(
    at_a_table("bob", "ann", ona="owner", bob="player", ann="player"),
    (
        types(
            *("ona", "erase ann asked by letter"),
            tells={
                "ona": "ann is erased.",
                "ann": "This account has been deleted.",
                "bob": "former player left the game.",
            },
            again="Nobody is called ann",
        ),
    ),
)
NAME_OF_ERASED_IS_FREE = Flow(much_later(erased, 366), (Step(swept, {}),))

# -- the staff -------------------------------------------------------------------------------------

SANCTIONS = Flow(
    at_a_table("ann", "cid", mia="moderator", ann="player", cid="player"),
    (
        types(
            *("mia", "warn cid stop that"),
            tells={"mia": "cid is warned (#", "cid": "Warning by the staff (#"},
            again="cid is warned",
            is_twice=True,
        ),
        types(
            *("cid", "warnings"),
            tells={"cid": "stop that"},
            again="none that you have not read",
        ),
        types(
            *("mia", "mute cid 1d insults"),
            tells={"mia": "cid is muted until", "cid": "You are muted by the staff"},
            again="cid is muted already",
        ),
        types(
            *("mia", "unmute cid"),
            tells={"mia": "cid can talk again.", "cid": "You can talk again."},
            again="cid isn't muted.",
        ),
    ),
)
BAN = Flow(
    at_a_table("ann", "cid", mia="moderator", ann="player", cid="player"),
    (
        types(
            *("mia", "ban cid 7d threats"),
            tells={
                "mia": "cid is banned until",
                "cid": "You are banned until",
                "ann": "cid left the game.",
            },
            again="cid is banned already",
        ),
        types(
            *("mia", "unban #2 a mistake"),
            tells={"mia": "#2 is lifted."},
            again="No sanction #2 is in force.",
        ),
    ),
)
BAN_OF_KEY = Flow(
    at_a_table("ann", "cid", mia="moderator", ann="player", cid="player"),
    (
        types(
            *("mia", f"ban key {proven_by_key('cid', is_known=True).fingerprint} 7d threats"),
            tells={
                "mia": "is banned until",
                "cid": "You are banned until",
                "ann": "cid left the game.",
            },
            again="is banned already",
        ),
    ),
)
BAN_OF_NETWORK = Flow(
    at_a_table("ann", "cid", opa="operator", ann="player", cid="player"),
    (
        types(
            *("opa", "ban network 203.0.113.3/32 7d hard threats"),
            tells={
                "opa": "is banned until",
                "cid": "You are banned until",
                "ann": "cid left the game.",
            },
            again="is banned already",
        ),
    ),
)


async def guest_at_a_table(play: Play) -> None:
    await play.cast(mia="moderator", ann="player")
    play.people["guest"] = coming(play.server, "guest", "192.0.2.7", how="guest")
    await asyncio.sleep(0.5)
    await sit_down(play, "ann", "guest")
    play.forget()
    await play.types("guest", "whoami")
    play.noted["resume"] = play.read("guest").split("resume ")[1].split()[0]


async def guest_resumes(play: Play) -> None:
    """The seat waits for the code, unless guests from there are banned."""
    play.people["guest"] = coming(play.server, "guest", "192.0.2.7", how="guest")
    await play.types("guest", "resume {resume}")


BAN_OF_GUEST = Flow(
    guest_at_a_table,
    (
        types(
            *("mia", "ban guest1 1d flooding"),
            tells={
                "mia": "guest1 is banned until",
                "guest": "You are banned until",
                "ann": "guest1 left the game.",
            },
            again="Nobody is called guest1",
        ),
    ),
    guest_resumes,
)
REPORT = Flow(
    cast(mia="moderator", ann="player", cid="player"),
    (
        types(
            *("ann", "report cid insults"),
            tells={"ann": "Report 1 filed.", "mia": "Report 1: "},
            again="filed. Staff will look at it.",
            is_twice=True,
        ),
        types(
            *("mia", "report take 1"),
            tells={"mia": "Report 1 is yours."},
            again="Report 1 is yours.",
            is_twice=True,
        ),
        types(
            *("mia", "report decide 1 warned told him"),
            tells={"mia": "Report 1 is decided: warned.", "ann": "Report 1 has been dealt with."},
            again="Report 1 is decided already.",
        ),
    ),
)
INVITED = types(
    *("opa", "invitation"),
    tells={"opa": "Log in over telnet as NAME+"},
    again="Log in over telnet as NAME+",
    is_twice=True,
    notes={"code": ("opa", r"NAME\+(\w{12}),")},
)
INVITATION = Flow(
    cast(opa="operator"),
    (
        types(
            *("opa", "registration invite"),
            tells={"opa": "Only who has an invitation can register"},
            again="Only who has an invitation can register",
            is_twice=True,
        ),
        INVITED,
        Step(
            prompted("zed", "zed+{code}", PASSWORD, PASSWORD),
            {"zed": "You are registered as zed."},
            again=CODE_USED,
        ),
    ),
)
INVITATION_WITHDRAWN = Flow(
    cast(opa="operator"),
    (
        INVITED,
        types(
            *("opa", "invitation revoke {code}"),
            tells={"opa": "can't be used any more."},
            again="No such invitation is open.",
        ),
    ),
)

# -- ways in ---------------------------------------------------------------------------------------

RECOVERY_ISSUED = types(
    *("opa", "recover ann"),
    tells={"opa": "Log in over telnet as ann+"},
    again="Log in over telnet as ann+",
    is_twice=True,
    notes={"code": ("opa", r"Log in over telnet as (ann\+\w{16}),")},
)


def with_key(who: str, *lines: str) -> Act:
    """Somebody has signed with another key under the code of ann, and answers."""

    async def act(play: Play) -> None:
        proven = AuthenticatedUser(play.noted["code"], "code", *parse_public_key(key_of(1)))
        link = play.server.connect(FakeLink(ANSI, "ssh", "192.0.2.9"), proven)
        play.people[who] = Seatholder(who, link)
        await asyncio.sleep(0.5)
        await play.types(who, *lines)

    return act


RECOVERY_BY_PASSWORD = Flow(
    cast(opa="operator", ann="player"),
    (
        RECOVERY_ISSUED,
        Step(
            prompted("back", "{code}", PASSWORD, PASSWORD, ""),
            {"back": "Welcome back, ann", "ann": "Your account was recovered with a code"},
            again=CODE_USED,
        ),
    ),
)
RECOVERY_BY_KEY = Flow(
    cast(opa="operator", ann="player"),
    (
        RECOVERY_ISSUED,
        Step(with_key("back", "yes", ""), {"back": "Key added"}, again=CODE_USED),
    ),
)
KEY = Flow(
    cast(ann="player"),
    (
        types(
            *("ann", "keys add laptop"),
            tells={"ann": "ssh ann+"},
            again="ssh ann+",
            is_twice=True,
            notes={"code": ("ann", r"ssh (ann\+\w+)@")},
        ),
        Step(with_key("laptop", "yes"), {"laptop": "Key added"}, again=CODE_USED),
        types(
            *("ann", "keys remove 2"),
            tells={"ann": "Key removed:"},
            again='You have no key "2".',
        ),
    ),
)

# -- each other ------------------------------------------------------------------------------------

MAIL = Flow(
    cast(ann="player", bob="player"),
    (
        types(
            *("ann", "mail bob See you on Friday."),
            tells={"ann": "bob will read it.", "bob": "You have a message from ann."},
            again="bob will read it.",
            is_twice=True,
        ),
        types(
            *("bob", "mail read 1"),
            tells={"bob": "See you on Friday."},
            again="See you on Friday.",
        ),
        types(
            *("bob", "mail delete 1"),
            tells={"bob": "1 message removed."},
            again="There is no message 1.",
        ),
    ),
)
RELATIONS = Flow(
    cast(ann="player", bob="player", cid="player"),
    (
        types(
            *("ann", "friend bob"),
            tells={"ann": "You will be told when bob comes and goes."},
            again="bob is among your friends already.",
        ),
        types(
            *("ann", "ignore cid"),
            tells={"ann": "You are now ignoring cid."},
            again="ignoring cid.",
        ),
        types(
            *("ann", "unfriend bob"),
            tells={"ann": "You won't be told of bob any more."},
            again="You have no friend",
        ),
        types(
            *("ann", "unignore cid"),
            tells={"ann": "You can hear cid again."},
            again='You aren\'t ignoring anybody called "cid".',
        ),
        types(
            *("ann", "profile Knits."),
            tells={"ann": "finger shows it to everybody now."},
            again="finger shows it to everybody now.",
        ),
    ),
)
CHANNELS = Flow(
    cast(ann="player"),
    (
        types(
            *("ann", "join chat"),
            tells={"ann": "You hear chat from now on."},
            again="You have joined chat already.",
        ),
        types(
            *("ann", "part chat"),
            tells={"ann": "You don't hear chat any more."},
            again="You haven't joined chat.",
        ),
    ),
)

FLOWS = {
    "a guest registers": GUEST,
    "renaming": RENAMING,
    "renaming back": RENAMING_BACK,
    "renaming by staff": RENAMING_BY_STAFF,
    "a hold ends": HOLD_ENDS,
    "deletion asked and kept": DELETION,
    "deletion by staff": DELETION_BY_STAFF,
    "deletion due": DELETION_DUE,
    "deletion of an unused account due": DELETION_OF_UNUSED_DUE,
    "erasing in mid-game": ERASING_IN_MID_GAME,
    "the name of an erased account": NAME_OF_ERASED_IS_FREE,
    "warning and mute": SANCTIONS,
    "ban": BAN,
    "ban of a key": BAN_OF_KEY,
    "ban of a network": BAN_OF_NETWORK,
    "ban of a guest": BAN_OF_GUEST,
    "report": REPORT,
    "invitation": INVITATION,
    "invitation withdrawn": INVITATION_WITHDRAWN,
    "recovery by password": RECOVERY_BY_PASSWORD,
    "recovery by key": RECOVERY_BY_KEY,
    "a key by a code": KEY,
    "mail": MAIL,
    "friends and ignored": RELATIONS,
    "channels": CHANNELS,
}
