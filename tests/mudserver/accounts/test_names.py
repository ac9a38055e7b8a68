"""The law of names."""

import gzip
from importlib.resources import files

import pytest

from mudserver.accounts import names
from mudserver.errors import UserError


@pytest.mark.parametrize(
    "name", ["ann", "Ann", "bob_2", "c-3po", "x" * 16, "Zoe", "lvan", "user12x", "modesty", "a-n_n"]
)
def test_a_plain_name_can_be_had(name):
    names.NameRules().check(name)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "have 3 to 16"),
        ("al", "have 3 to 16"),
        ("x" * 17, "have 3 to 16"),
        ("x" * 5_000, "have 3 to 16"),
        ("1ann", "begin with a letter"),
        ("_ann", "begin with a letter"),
        ("--help", "begin with a letter"),
        ("alice-", "end with a letter or a digit"),
        ("alice_", "end with a letter or a digit"),
        ("al__ice", "can't have two of _ and - in a row"),
        ("al_-ice", "can't have two of _ and - in a row"),
        ("ann bob", "letters a to z, digits, _ and -"),
        ("@all", "letters a to z, digits, _ and -"),
        ("ann\n", "letters a to z, digits, _ and -"),
        ("ann\x1b", "letters a to z, digits, _ and -"),
        ("\u0430lice", "letters a to z, digits, _ and -"),  # a Cyrillic a
        ("al\u0131ce", "letters a to z, digits, _ and -"),  # no dot
        ("\u00fcber", "letters a to z, digits, _ and -"),
        ("bob\u0664", "letters a to z, digits, _ and -"),  # an Arabic digit
    ],
)
def test_a_name_that_breaks_the_law_is_refused_with_its_reason(name, reason):
    with pytest.raises(UserError, match=reason):
        names.NameRules().check(name)


SERVER_NAMES = """
    admin Admin ADMIN adm1n r00t system sy5tem server house you everyone nobody watcher computer
    bot Bot7 b0t-x guest guest12 Gue5t root help quit al1
    Admin1 s3rver ad_min administrate operators m0derat0r sysop_2 staf-f
    staff_ann mod-bob ann2op m0d-bob ann_0wner real-admin ann1staff
    juno Juno2 juno_3 m1lo Vera ru-fus
    lobby chat bots former player deleted someone helper official
"""


@pytest.mark.parametrize("name", SERVER_NAMES.split())
def test_what_belongs_to_the_server_is_nobodys(name):
    with pytest.raises(UserError, match="reserved"):
        names.NameRules().check(name)


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
        ("alice", "al_ice"),
        ("alice", "a-l-i-c-e"),
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


@pytest.mark.parametrize("typed", ["alice\0x", "alice\0", "al\x07ice", "alice\x9b", "alice\n"])
def test_a_control_character_in_a_name_is_refused_and_not_dropped(typed):
    assert names.fold_case(typed) not in ("alice", "alicex")
    with pytest.raises(UserError, match="letters a to z, digits, _ and -"):
        names.NameRules().check(names.normalise(typed))


def test_the_name_of_a_game_is_reserved_where_it_is_played():
    names.NameRules().check("Hearts2")
    with pytest.raises(UserError, match="reserved"):
        names.NameRules(reserved=["hearts"]).check("Hearts2")


@pytest.mark.parametrize("name", ["badword", "xBadWordx", "b4d_w0rd", "badword7", "my-badword"])
def test_no_name_contains_a_denied_word(name):
    names.NameRules().check(name)
    with pytest.raises(UserError, match=f"{name} isn't allowed as a name here"):
        names.NameRules(denied=["badword", "zzz"]).check(name)


def is_allowed(rules: names.NameRules, name: str) -> bool:
    try:
        rules.check(name)
    except UserError:
        return False
    return True


def test_a_denied_word_with_digits_denies_no_more_than_itself():
    names.NameRules(denied=["a55"]).check("anna")
    with pytest.raises(UserError, match="isn't allowed as a name here"):
        names.NameRules(denied=["a55"]).check("brass")


def test_hardly_any_word_is_refused_for_what_it_is_read_as():
    """Of the shipped list up to six letters, where a reserved word may be near."""
    rules, reserved = names.NameRules(), names.RESERVED
    rows = gzip.decompress((files("variants.words.data") / "words.tsv.gz").read_bytes()).decode()
    words = [word for row in rows.splitlines() if len(word := row.split("\t")[0]) <= 6]
    refused = [word for word in words if not is_allowed(rules, word)]
    assert len(words) > 35_000
    assert ["ail", "cella"] == [
        w for w in refused if w not in reserved and not w.startswith(names.RESERVED_PREFIXES)
    ]
