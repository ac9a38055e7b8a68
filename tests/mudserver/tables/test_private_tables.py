"""Who may sit down: codes, invitations, and the options about people."""

from __future__ import annotations

import pytest

from mudserver.errors import UserError
from mudserver.messages import Notice
from mudserver.tables import notifications, table_codes
from mudserver.tables import records as f
from mudserver.tables import requests as r
from tests.mudserver.tables.driver import Driver
from tests.toys.multistep.game import MULTISTEP

CODE, OTHER = "k7w2m9px", "abcdefgh"


def private_table() -> Driver:
    driver = Driver({}, variant=MULTISTEP)
    driver.does(r.Configure("a", {"code": "on"}, new_code=CODE))
    return driver


def notices(driver: Driver, who: str) -> list[str]:
    return [m.text for m in driver.to(who, Notice)]


def test_a_code_has_eight_letters_of_its_alphabet_and_each_table_its_own_hash():
    code = table_codes.make_code(bytes(range(32)))
    assert table_codes.is_code(code)
    assert not table_codes.is_code("k7w2m9p1")
    assert table_codes.hash_of(1, code) != table_codes.hash_of(2, code)


def test_only_who_has_the_code_sits_down_or_watches():
    driver = private_table()
    with pytest.raises(UserError, match="Table 7 is private"):
        driver.sits("b")
    for request in (r.Sit("b", "Bob", code=OTHER), r.Watch("b", "Bob", OTHER)):
        with pytest.raises(UserError, match="No table has this code"):
            driver.does(request)
    driver.does(r.Sit("b", "Bob", code=CODE))
    assert "Table 7 is private. Others join it with: sit k7w2m9px" in notices(driver, "b")
    driver.does(r.Watch("w", "Wim", CODE))
    assert notices(driver, "w") == [notifications.describe_table(driver.table)]


def test_the_code_is_nowhere_in_the_journal_and_no_list_of_options():
    driver = private_table()
    assert CODE not in b"".join(driver.bodies).decode()
    assert "code=on" in driver.table.options.assignments()
    assert CODE not in driver.table.options.describe()
    again = driver.restarted()
    assert again.is_private and again.code == ""
    driver.table = again
    driver.does(r.Sit("b", "Bob", code=CODE))
    assert not any(CODE in text for text in notices(driver, "b"))


def test_who_is_asked_to_leave_has_a_code_that_opens_nothing_any_more():
    driver = private_table()
    driver.does(r.Sit("b", "Bob", code=CODE))
    driver.does(r.Unseat("a", "Bob", new_code=OTHER))
    assert ["Table 7 is private. Others join it with: sit abcdefgh"] == notices(driver, "a")
    assert not any(OTHER in text for text in notices(driver, "b"))
    with pytest.raises(UserError, match="No table has this code"):
        driver.does(r.Sit("c", "Cid", code=CODE))


def test_the_lobby_hears_nothing_of_a_private_table():
    driver = private_table()
    opened = f.Opened(7, "multistep", "a", "Ann", False, driver.table.options)
    assert notifications.lobby_announcement(driver.table, opened) == ""
    assert notifications.lobby_announcement(Driver().table, opened) != ""


def test_nobody_is_told_to_sit_down_where_one_has_to_be_invited():
    for who, how in (("invited", "Type watch 7 to watch."), ("anyone", "Type sit 7 to join.")):
        table = Driver({"who": who}).table
        opened = f.Opened(7, "multistep", "a", "Ann", False, table.options)
        assert notifications.lobby_announcement(table, opened).endswith(how)


def test_guests_own_tables_that_are_open_to_all():
    driver = Driver({}, variant=MULTISTEP)
    driver.does(r.Sit("g", "guest1", is_guest=True))
    driver.does(r.SetOwner("a", "guest1"))
    for typed in ({"code": "on"}, {"who": "accounts"}):
        with pytest.raises(UserError, match="Guests can't open private tables"):
            driver.does(r.Configure("g", typed, new_code=CODE))
    driver.does(r.Configure("g", {"bots": "all"}))


def test_a_table_for_accounts_takes_no_guests_and_one_without_programs_no_programs():
    driver = Driver({"who": "accounts", "programs": "off"}, variant=MULTISTEP)
    with pytest.raises(UserError, match="for registered players"):
        driver.does(r.Sit("g", "guest1", is_guest=True))
    with pytest.raises(UserError, match="Programs can't sit at table 7"):
        driver.does(r.Sit("b", "Bob", is_program=True))
    driver.sits("b")


# -- invitations ---------------------------------------------------------------------------------


def test_who_is_invited_sits_down_whatever_the_table_asks_of_others():
    driver = Driver({"who": "invited"}, variant=MULTISTEP)
    with pytest.raises(UserError, match="for people who were invited"):
        driver.sits("b")
    driver.does(r.Invite("a", "b", "Bob"))
    invited = "Ann invites you to table 7 (multistep). Type accept Ann, or decline Ann"
    assert [invited] == notices(driver, "b")
    assert ["Ann invites Bob."] == driver.said("a")
    driver.table = driver.restarted()
    driver.sits("b")
    assert driver.table.invitations == {}


def test_only_the_owner_invites_where_not_everybody_may_sit():
    driver = private_table()
    driver.does(r.Sit("b", "Bob", code=CODE))
    with pytest.raises(UserError, match="Only Ann can invite people to this table"):
        driver.does(r.Invite("b", "c", "Cid"))
    driver.does(r.Invite("a", "c", "Cid"))
    driver.does(r.Sit("c", "Cid"))


def test_an_invitation_is_declined_or_ends_after_ten_minutes():
    driver = Driver({}, variant=MULTISTEP).sits("d")
    driver.does(r.Invite("a", "b", "Bob"))
    with pytest.raises(UserError, match="Bob is invited already"):
        driver.does(r.Invite("a", "b", "Bob"))
    driver.does(r.Decline("b"))
    assert ["Bob declines the invitation."] == driver.said("a")
    with pytest.raises(UserError, match="That invitation has ended"):
        driver.does(r.Decline("b"))
    driver.does(r.Invite("a", "b", "Bob"))
    driver.passes(600)
    assert driver.table.invitations == {}
    assert ["Ann's invitation to table 7 has ended."] == notices(driver, "b")


def test_the_owner_takes_back_who_was_asked_to_leave_and_nobody_else_can():
    driver = Driver({}, variant=MULTISTEP).sits("b", "c")
    driver.does(r.Unseat("a", "Bob"))
    driver.does(r.Invite("c", "b", "Bob"))
    with pytest.raises(UserError, match="asked you to leave it"):
        driver.sits("b")
    driver.does(r.Decline("b"))
    driver.does(r.Invite("a", "b", "Bob"))
    driver.sits("b")


def test_an_old_journal_has_an_open_table_with_its_opener_as_owner():
    driver = Driver().sits("b")
    written = b"".join(driver.bodies)
    assert not any(word in written for word in (b"who", b"code", b"bots", b"OwnerIs"))
    table = driver.restarted()
    assert ("a", "anyone", False) == (table.owner, table.options.who, table.is_private)
