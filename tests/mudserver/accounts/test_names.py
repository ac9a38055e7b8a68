"""The law of names."""

import pytest

from mudserver.accounts import names
from mudserver.errors import UserError


@pytest.mark.parametrize(
    "name", ["ann", "Ann", "bob_2", "c-3po", "x" * 16, "Zoe", "lvan", "user12"]
)
def test_a_plain_name_can_be_had(name):
    names.check_name(name)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "at least 3"),
        ("al", "at least 3"),
        ("x" * 17, "at most 16"),
        ("x" * 5_000, "at most 16"),
        ("1ann", "begins with a letter"),
        ("_ann", "begins with a letter"),
        ("--help", "begins with a letter"),
        ("ann bob", "letters a to z"),
        ("@all", "letters a to z"),
        ("ann\n", "letters a to z"),
        ("ann\x1b", "letters a to z"),
        ("\u0430lice", "letters a to z"),  # a Cyrillic a
        ("al\u0131ce", "letters a to z"),  # no dot
        ("\u00fcber", "letters a to z"),
        ("bob\u0664", "letters a to z"),  # an Arabic digit
    ],
)
def test_a_name_that_breaks_the_law_is_refused_with_its_reason(name, reason):
    with pytest.raises(UserError, match=reason):
        names.check_name(name)


SERVER_NAMES = """
    admin Admin ADMIN adm1n r00t system sy5tem server house you everyone nobody watcher computer
    bot Bot7 b0t-x guest guest12 Gue5t root help quit
"""


@pytest.mark.parametrize("name", SERVER_NAMES.split())
def test_what_belongs_to_the_server_is_nobodys(name):
    with pytest.raises(UserError, match="reserved"):
        names.check_name(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("alice", "ALICE"),
        ("alice", "a1ice"),
        ("alice", "alIce"),
        ("alice", "aLlce"),
        ("alice", " alice "),
        ("alice", "\uff41\uff4c\uff49\uff43\uff45"),
        ("alice", "al\u200bice"),
        ("bob", "b0b"),
        ("bob", "8ob"),
        ("sam", "5arn"),
        ("marvin", "rnarvin"),
        ("wanda", "vvanda"),
        ("ann_lee", "ann-lee"),
        ("ann_lee", "ann__lee"),
        ("zoe", "2oe"),
        ("greg", "9re9"),
    ],
)
def test_names_that_look_alike_have_one_skeleton(one, other):
    assert names.skeleton(one) == names.skeleton(other)


def test_numbered_names_stay_apart():
    numbered = [f"ann{number}" for number in range(2_000)]
    assert len(numbered) == len({names.skeleton(name) for name in numbered})


def test_a_name_is_the_same_over_ssh_and_telnet():
    assert "alice" == names.normalise("\uff41\uff4c\uff49\uff43\uff45")
    assert "Kim" == names.normalise("\u212aim ")
