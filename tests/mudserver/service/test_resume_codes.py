import re

from mudserver.service.resume_codes import ResumeCodes

CODES = ResumeCodes(b"a secret of the server")


def test_a_code_opens_the_seat_of_its_guest_only():
    code = CODES.code_for("g1")
    assert CODES.matches("g1", f"  {code.upper()}\n") and CODES.matches("g1", code.replace("-", ""))
    assert not CODES.matches("g2", code)
    assert not CODES.matches("g1", code[:-1])
    assert not CODES.matches("g1", "")


def test_a_code_has_three_groups_and_is_the_same_after_a_restart():
    code = CODES.code_for("g1")
    assert re.fullmatch("([a-hjkmnp-z2-9]{4}-){2}[a-hjkmnp-z2-9]{4}", code)
    assert code == ResumeCodes(b"a secret of the server").code_for("g1")
    assert code != ResumeCodes(b"another secret").code_for("g1")


def test_a_code_that_an_older_server_showed_works_for_its_guest():
    assert CODES.matches("g1", "firbh3ny5gcyzsf34pujqvwk44")
    assert not CODES.matches("g2", "firbh3ny5gcyzsf34pujqvwk44")


def test_a_code_that_is_not_ascii_is_wrong_and_nothing_else():
    assert not CODES.matches("g1", "ünïcode 🂡")
