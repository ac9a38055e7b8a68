from mudserver.service.resume_codes import ResumeCodes

CODES = ResumeCodes(b"a secret of the server")


def test_a_code_opens_the_seat_of_its_guest_only():
    code = CODES.code_for("g1")
    assert CODES.matches("g1", f"  {code.upper()}\n")
    assert not CODES.matches("g2", code)
    assert not CODES.matches("g1", code[:-1])
    assert not CODES.matches("g1", "")


def test_a_code_has_128_bits_and_is_the_same_after_a_restart():
    code = CODES.code_for("g1")
    assert 26 == len(code) and code.isalnum() and code.islower()
    assert code == ResumeCodes(b"a secret of the server").code_for("g1")
    assert code != ResumeCodes(b"another secret").code_for("g1")


def test_a_code_that_is_not_ascii_is_wrong_and_nothing_else():
    assert not CODES.matches("g1", "ünïcode 🂡")
