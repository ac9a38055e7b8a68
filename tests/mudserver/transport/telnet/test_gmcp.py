"""Packages from strangers, and which of ours a client asked for."""

import pytest

from mudserver.transport.telnet import mssp
from mudserver.transport.telnet.gmcp import NESTING_MAX, SupportedModules, parse


@pytest.mark.parametrize(("body", "parsed"), [
    (b'Core.Hello {"client": "Mudlet", "version": "4.1"}',
     ("Core.Hello", {"client": "Mudlet", "version": "4.1"})),
    (b"Core.Ping", ("Core.Ping", None)), (b"Core.Ping ", ("Core.Ping", None)),
    (b'Core.Supports.Set [ "Char 1" ]', ("Core.Supports.Set", ["Char 1"])),
    ("Char.Login {\"name\": \"grüß\"}".encode(), ("Char.Login", {"name": "grüß"})),
    (b'A.b {"x": 1, "x": 2}', ("A.b", {"x": 2})),
    (b'A.b "[[[[[[[[[[[[[[[[[[[[[\\"[[{{"', ("A.b", '[[[[[[[[[[[[[[[[[[[[["[[{{')),
])  # fmt: skip
def test_a_package_is_a_name_and_json(body, parsed):
    assert parsed == parse(body)


@pytest.mark.parametrize("body", [
    b"", b" ", b"Core", b"Core.", b".Core", b"Core.Hello {", b"Core.Hello nonsense", b"\xff\xfe",
    b"Core.Hello \xff", b'Core.Hello "\xc3\x28"', b"Core.Hello NaN", b"C\x1b.x 1",
    b"A." + b"b" * 40 + b" 1", b"A.b.c.d.e 1", b"A.b 1 2", b'{"a": 1}', b"Core.Hello 'x'",
])  # fmt: skip
def test_what_is_no_package_is_dropped(body):
    assert parse(body) is None


@pytest.mark.parametrize(("opens", "closes"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_nesting_is_bounded(opens, closes):
    def nested(depth):
        return parse(b"Core.Hello " + opens * depth + b"1" + closes * depth)

    assert nested(NESTING_MAX) is not None
    assert nested(NESTING_MAX + 1) is None
    assert nested(10_000) is None
    flat = parse(b"Core.Hello [" + b",".join([b"[]"] * 50) + b"]")
    assert flat == ("Core.Hello", [[]] * 50)


def test_a_number_of_fifty_thousand_digits_costs_nothing():
    found = parse(b"Core.Hello " + b"9" * 50_000)
    assert found is None or isinstance(found[1], float)


def test_modules_are_set_added_and_removed():
    supports = SupportedModules()
    assert not supports
    assert supports.update("Set", ["Char 1", "Comm.Channel 1", "Room 1", "Lockdown 1"])
    for package in ("Char.Name", "Comm.Channel.Text", "Lockdown.View", "lockdown.event"):
        assert supports.includes(package), package
    for package in ("Room.Info", "Comm.Other", "Lock.Down", "Lockdownx.View"):
        assert not supports.includes(package), package
    assert supports.update("Remove", ["Lockdown"])
    assert not supports.includes("Lockdown.View")
    assert supports.update("Add", ["lockdown 1", "Char 0"])
    assert supports.includes("Lockdown.View")
    assert not supports.includes("Char.Name")
    assert not supports.update("Add", ["Lockdown 1"])
    assert supports.update("set", [])
    assert not supports


def test_a_module_has_the_version_that_was_asked_for_and_no_newer_one_than_there_is():
    supports = SupportedModules()
    assert 0 == supports.version("lockdown")
    for asked, version in (("Lockdown 1", 1), ("Lockdown 9", 2),
                           ("Lockdown", 1), ("Lockdown 0", 0)):  # fmt: skip
        assert supports.update("Set", ["Char 1", asked])
        assert version == supports.version("lockdown")
    supports.update("Set", ["Lockdown 1"])
    assert supports.update("Add", ["Lockdown 2"])
    assert not supports.update("Add", ["Lockdown 3"])
    assert supports.update("Add", ["Char 1"])
    assert not supports.update("Add", ["Char 2"])
    assert (2, 1) == (supports.version("lockdown"), supports.version("char"))


@pytest.mark.parametrize("data", [
    None, 7, "Lockdown 1", {"Lockdown": 1}, [7, None, ["Lockdown 1"], {}], ["Lockdown x"],
    ["Lockdown 1 1"], ["Lockdown\n1"], [f"X{n} 1" for n in range(3_000)],
])  # fmt: skip
def test_what_names_no_module_of_ours_is_nothing(data):
    supports = SupportedModules()
    assert not supports.update("Set", data)
    assert not supports


def test_mssp_is_names_and_values_and_nothing_that_parts_them():
    said = mssp.encode({"NAME": "A\x01\x02\xff b\n", "GAMES": ("x", "y"), "NONE": ()})
    assert b"\x01NAME\x02A\xc3\xbf b\x01GAMES\x02x\x02y\x01NONE" == said
    assert b"" == mssp.encode(mssp.no_status())
