"""Who may do what at a table: every cell of the list, and what it means for a start."""

from __future__ import annotations

import msgspec
import pytest

from mudserver.errors import UserError
from mudserver.messages import Announcement, Notice, RefusalMessage
from mudserver.tables import permissions as p
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.decide import decide
from tests.mudserver.tables.driver import NAMES, SEED, Driver, whole_game
from tests.toys.multistep.game import MULTISTEP

# Who: o the owner, s another who sits, a who is away, x who is out, w a watcher, n somebody else.
PLACES = {"o": "a", "s": "b", "a": "c", "x": "d", "w": "w", "n": "n"}
ALL_NAMES = {**NAMES, "w": "Wim", "n": "Nan"}
CELLS = """
command   waiting playing over    pausing
sit       wn      -       wn      -
substitute -      wn      -       wn
watch     n       n       n       n
unwatch   osw     xw      osw     w
stand     osw     xw      osw     w
leave     osw     osaxw   osw     osw
autopass  os      osax    os      os
bot       o       -       o       -
unbot     o       -       o       -
options   o       -       o       -
unseat    o       -       o       -
offer     -       osax    -       -
resume    -       osa     -       -
later     -       osa     -       -
invite    os      -       os      -
owner     o       o       o       o
start     os      -       os      os
ready     os      -       os      os
rematch   os      -       os      os
unready   os      -       os      os
"""
GRID = {row[0]: dict(zip(p.STATES, row[1:], strict=True))
        for row in map(str.split, CELLS.strip().splitlines()[1:])}  # fmt: skip


def table_in(state: p.State) -> Driver:
    """Ann owns the table, Bob sits, Wim watches; in a game Cid is away and Dee is out.

    Pausing: one of two deals is over.
    """
    deals = "2" if state == "pausing" else "1"
    options = {"clocks": "off", "deals": deals}
    driver = Driver(options, variant=MULTISTEP, offline_s=60.0).sits("b")
    if state == "playing":
        driver.sits("c", "d").all_start()
        for person in "aabbcc":
            driver.plays(person, "step")
        driver.plays("d", "fall")
        driver.does(r.Disconnect("c"))
        driver.passes(61)
    elif state in ("over", "pausing"):
        driver.all_start()
        driver.plays("a", "fall")
    driver.does(r.Watch("w", "Wim"))
    return driver


def request_for(command: str, who: str) -> r.Request:
    match command:
        case "sit":
            return r.Sit(who, ALL_NAMES[who])
        case "substitute":
            return r.Substitute(who, ALL_NAMES[who])
        case "watch":
            return r.Watch(who, ALL_NAMES[who])
        case "unwatch":
            return r.Unwatch(who)
        case "stand":
            return r.Stand(who)
        case "leave":
            return r.Leave(who)
        case "autopass":
            return r.SetAutopass(who, True)
        case "bot":
            return r.AddBot(who)
        case "unbot":
            return r.RemoveBot(who)
        case "options":
            return r.Configure(who, {"pace": "brisk"})
        case "unseat":
            return r.Unseat(who, "Bob")
        case "offer":
            return r.Offer(who, "abort")
        case "resume":
            return r.GoOn(who)
        case "later":
            return r.ChangePlan(who, "")
        case "invite":
            return r.Invite(who, "z", "Zoe")
        case "owner":
            return r.SetOwner(who, "Bob")
        case "unready":
            return r.Unready(who)
        case _:
            return r.Start(who, SEED)


def before(driver: Driver, command: str, who: str) -> None:
    """What makes the words of *command* right, where it is allowed at all."""
    if command == "unbot" and not driver.table.is_playing:
        driver.does(r.AddBot("a"))
    if command == "later":  # at a table by correspondence
        driver.table.options = msgspec.structs.replace(driver.table.options, move_s=86_400)
    if command == "substitute":
        driver.does(r.Leave("b"))
        driver.passes(61 if driver.table.is_playing else 0)
        driver.now_ms += 61_000
    if command == "resume":
        driver.does(r.Offer("a", "pause"))
        driver.now_ms += 3_000
        driver.does(r.AnswerOffer("b", True))
    if command == "unready" and driver.table.seat_of(who) is not None:
        driver.does(r.Start(who, SEED))


def test_the_list_has_every_command_and_no_other():
    assert list(GRID) == list(p.RULES)


@pytest.mark.parametrize("state", p.STATES)
@pytest.mark.parametrize("command", GRID)
def test_each_cell_of_the_list_is_what_a_table_does(state, command):
    for letter, who in PLACES.items():
        driver = table_in(state)
        if letter in "ax" and state != "playing":
            continue  # nobody is away or out without a game
        expected = letter in GRID[command][state]
        assert expected == p.is_allowed(driver.table, who, command), letter
        if expected:
            before(driver, command, who)
            decide(driver.table, request_for(command, who), driver.now_ms)
        else:
            with pytest.raises(UserError):
                decide(driver.table, request_for(command, who), driver.now_ms)


def test_each_refusal_says_who_can_or_what_to_do():
    driver = table_in("waiting")
    for who, command, sentence in (
        ("b", "bot", "Only Ann can add computer players at this table."),
        ("b", "unbot", "Only Ann can remove computer players at this table."),
        ("b", "options", "Only Ann can change the options of this table."),
        ("b", "unseat", "Only Ann can ask people to leave this table."),
        ("b", "owner", "Only Ann can hand this table on."),
        ("w", "start", "You have no seat at table 7. To take one: sit 7"),
    ):
        with pytest.raises(UserError) as caught:
            decide(driver.table, request_for(command, who), driver.now_ms)
        assert sentence == str(caught.value)


# -- ready ---------------------------------------------------------------------------------------


def texts(driver: Driver, who: str) -> list[str]:
    kinds = Announcement | Notice | RefusalMessage
    return [m.text for to, m in driver.deliveries if to == who and isinstance(m, kinds)]


def is_running(driver: Driver) -> bool:
    return driver.table.is_playing


def test_a_game_starts_with_the_last_mark_and_no_sooner():
    driver = Driver().sits("b", "c")
    driver.does(r.Start("b", SEED))
    assert ["You are ready. Waiting for Ann and Cid."] == texts(driver, "b")
    assert ["Bob is ready to start (1 of 3 ready). Type ready or leave."] == texts(driver, "a")
    driver.does(r.Start("a", SEED))
    assert not is_running(driver)
    record = driver.does(r.Start("c", SEED))
    assert is_running(driver)
    assert [f.Readied("c", True)] == list(record.facts[:1])
    assert not any("ready" in text for text in texts(driver, "a"))


def test_one_person_with_computer_players_starts_at_once():
    driver = Driver()
    driver.does(r.AddBot("a"))
    record = driver.does(r.Start("a", SEED))
    assert is_running(driver)
    assert isinstance(record.facts[0], f.Started)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (r.Configure("a", {"pace": "brisk"}), "other options"),
        (r.AddBot("a"), "computer player Juno added"),
        (r.Sit("c", "Cid"), "Cid joined"),
    ],
)
def test_every_change_ends_all_marks_and_tells_who_had_one(change, text):
    driver = Driver().sits("b")
    driver.does(r.Start("b", SEED))
    driver.does(change)
    assert driver.table.readiness.marks == {}
    assert f"The table has changed: {text}. Type ready again." in texts(driver, "b")
    assert not any("Type ready again" in told for told in texts(driver, "a"))
    driver.does(r.Start("a", SEED))
    assert not is_running(driver)


def test_who_leaves_ends_all_marks_too():
    driver = Driver().sits("b", "c")
    driver.does(r.Start("a", SEED))
    driver.does(r.Start("b", SEED))
    driver.does(r.Stand("c"))
    assert not is_running(driver)
    assert driver.table.readiness.marks == {}


def test_nobody_is_started_who_is_not_connected():
    driver = Driver().sits("b")
    driver.does(r.Start("b", SEED))
    driver.does(r.Disconnect("b"))
    driver.does(r.Start("a", SEED))
    assert ["You are ready. Waiting for Bob."] == texts(driver, "a")
    driver.does(r.Reconnect("b"))
    assert not is_running(driver)  # it is looked at when a mark is set and at no other time
    driver.does(r.Start("b", SEED))
    assert is_running(driver)


def test_a_mark_ends_ten_seconds_after_the_connection():
    driver = Driver().sits("b")
    driver.does(r.Start("b", SEED))
    driver.does(r.Disconnect("b"))
    driver.passes(9.9)
    assert "b" in driver.table.readiness.marks
    driver.passes(0.1)
    assert driver.table.readiness.marks == {}
    assert ["Bob is no longer ready."] == driver.said("a")


def test_a_mark_ends_after_five_minutes():
    driver = Driver().sits("b", "c")
    driver.does(r.Start("b", SEED))
    driver.passes(300)
    assert driver.table.readiness.marks == {}
    assert ["You are no longer marked ready."] == texts(driver, "b")


def test_who_alone_is_not_ready_is_told_once():
    driver = Driver().sits("b", "c")
    driver.does(r.Start("b", SEED))
    driver.passes(10)
    driver.does(r.Start("c", SEED))
    told = driver.passes(59.9)
    assert told == []
    driver.passes(0.1)
    assert ["Everybody is waiting for you. Type ready or leave."] == texts(driver, "a")
    assert [] == texts(driver, "b")
    assert driver.passes(100) == []


def test_who_takes_the_word_back_is_not_ready():
    driver = Driver().sits("b")
    driver.does(r.Start("b", SEED))
    driver.does(r.Unready("b"))
    assert ["You are no longer marked ready."] == texts(driver, "b")
    driver.does(r.Start("a", SEED))
    assert not is_running(driver)


def test_marks_are_kept_over_a_restart():
    driver = Driver().sits("b")
    driver.does(r.Start("b", SEED))
    assert driver.restarted().readiness.marks == driver.table.readiness.marks != {}


def test_a_start_that_is_refused_ends_all_marks():
    driver = Driver().sits("b")
    driver.does(r.Start("b", SEED))
    driver.does(r.Start("a", SEED, refusal="The server is full."))
    assert not is_running(driver)
    assert driver.table.readiness.marks == {}
    assert ["The server is full."] == [m.text for m in driver.to("a", RefusalMessage)]
    assert ["You are no longer marked ready."] == texts(driver, "b")


def test_a_rematch_asks_everybody_again_and_seats_move_on_by_one():
    driver = whole_game(Driver().starts("b"))
    driver.does(r.Start("b", SEED))
    assert ["Bob wants a rematch (1 of 2 ready). Type ready or leave."] == texts(driver, "a")
    driver.does(r.Start("a", SEED))
    assert ("Bob", "Ann") == driver.table.game.names
    assert driver.restarted().game.names == driver.table.game.names
    assert [o.name for o in driver.restarted().roster] == ["Bob", "Ann"]


# -- the owner -----------------------------------------------------------------------------------


def test_who_has_sat_longest_owns_the_table_after_its_owner():
    driver = Driver().sits("b", "c")
    driver.does(r.Leave("a"))
    assert driver.table.owner == "b"
    assert "Bob owns table 7 now." in driver.said("c")
    driver.sits("a")
    assert driver.table.owner == "b"
    assert driver.restarted().owner == "b"


def test_accounts_who_are_connected_come_before_guests_and_guests_before_who_is_gone():
    driver = Driver({}, variant=MULTISTEP).sits("b")
    driver.does(r.Sit("g", "guest1", is_guest=True))
    driver.sits("c")
    driver.does(r.Disconnect("b"))
    driver.does(r.Leave("a"))
    assert driver.table.owner == "c"
    driver.does(r.Leave("c"))
    assert driver.table.owner == "g"
    driver.does(r.Leave("g"))
    assert driver.table.owner == "b"


def test_an_owner_who_leaves_a_running_game_owns_the_table_no_more():
    driver = Driver().starts("b")
    driver.does(r.Leave("a"))
    assert driver.table.owner == "b"


def test_an_empty_table_belongs_to_who_sits_down_next():
    driver = Driver()
    driver.does(r.Leave("a"))
    driver.sits("b")
    assert driver.table.owner == "b"


def test_the_owner_hands_the_table_on_to_accounts_before_guests():
    driver = Driver({}, variant=MULTISTEP).sits("b")
    driver.does(r.Sit("g", "guest1", is_guest=True))
    driver.does(r.AddBot("a"))
    with pytest.raises(UserError, match="guest1 is a guest"):
        driver.does(r.SetOwner("a", "guest1"))
    with pytest.raises(UserError, match="Juno is a computer player"):
        driver.does(r.SetOwner("a", "Juno"))
    with pytest.raises(UserError, match='Nobody called "Zed" is at table 7'):
        driver.does(r.SetOwner("a", "Zed"))
    driver.does(r.SetOwner("a", "bob"))
    assert driver.table.owner == "b"
    driver.does(r.Stand("a"))
    driver.does(r.SetOwner("b", "guest1"))
    assert driver.table.owner == "g"


def test_with_bots_all_everybody_who_sits_adds_computer_players():
    driver = Driver({"bots": "all"}).sits("b")
    driver.does(r.AddBot("b"))
    assert [o.name for o in driver.table.roster] == ["Ann", "Bob", "Juno"]
    with pytest.raises(UserError, match="Only Ann can remove"):
        driver.does(r.RemoveBot("b"))


# -- who may sit ---------------------------------------------------------------------------------


def test_who_is_asked_to_leave_reads_it_and_stays_away_for_ten_minutes():
    driver = Driver().sits("b", "c")
    driver.does(r.Unseat("a", "bob"))
    assert ["The owner of table 7 has asked you to leave it."] == texts(driver, "b")
    assert ["Bob left the table."] == driver.said("c")
    with pytest.raises(UserError, match=r"asked you to leave it\. You can join it again in 10"):
        driver.sits("b")
    driver.table = driver.restarted()
    with pytest.raises(UserError, match="asked you to leave it"):
        driver.sits("b")
    driver.now_ms += 600_000
    driver.sits("b")


def test_a_guest_who_was_asked_to_leave_does_not_come_back_as_another():
    driver = Driver()
    driver.does(r.Sit("g", "guest1", is_guest=True, source="192.0.2.1"))
    driver.does(r.Unseat("a", "guest1"))
    with pytest.raises(UserError, match="asked you to leave it"):
        driver.does(r.Sit("h", "guest2", is_guest=True, source="192.0.2.1"))
    driver.does(r.Sit("i", "guest3", is_guest=True, source="192.0.2.2"))
    driver.does(r.Sit("b", "Bob"))  # an account of the same house


def test_nobody_undoes_the_marks_of_others_for_ever():
    driver = Driver()
    for _ in range(2):
        driver.sits("b")
        driver.does(r.Stand("b"))
    with pytest.raises(UserError, match=r"left table 7 twice in 10 min\. .* again in 10 min"):
        driver.sits("b")
    driver.now_ms += 600_000
    driver.sits("b")


def test_who_is_offline_for_two_minutes_loses_the_seat_before_a_game():
    driver = Driver().sits("b")
    driver.does(r.Disconnect("b"))
    driver.passes(120)
    assert [o.name for o in driver.table.roster] == ["Ann"]
