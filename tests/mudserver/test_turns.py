import pytest

from mudserver.turns import Turns


def queue(*items: str, per_network_max: int = 100, all_max: int = 1_000) -> Turns[str]:
    """Items are written NETWORK=NAME."""
    turns: Turns[str] = Turns(per_network_max, all_max)
    for item in items:
        network, _, name = item.partition("=")
        assert turns.put(network, name)
    return turns


def served(turns: Turns[str]) -> str:
    return "".join(turns.pop() for _ in range(len(turns)))


def test_networks_take_turns_whatever_one_of_them_has_queued():
    crowd = [f"10.0.0.0/24={name}" for name in "abcdef"]
    assert "axbcdef" == served(queue(*crowd, "10.0.1.0/24=x"))
    assert "axbyc" == served(queue(*crowd[:3], "10.0.1.0/24=x", "10.0.1.0/24=y"))


def test_the_networks_of_one_ipv6_prefix_share_a_turn():
    rented = [f"2001:db8:{n}::/48={name}" for n, name in enumerate("abcd", 1)]
    assert "axbcd" == served(queue(*rented, "2001:db9:1::/48=x"))
    again = [*rented[:2], "2001:db8:1::/48=A", "2001:db9:1::/48=x"]
    assert "axbA" == served(queue(*again))


def test_a_network_and_all_together_have_so_many_places():
    turns = queue("10.0.0.0/24=a", "10.0.0.0/24=b", per_network_max=2, all_max=3)
    assert not turns.put("10.0.0.0/24", "c")
    assert turns.put("10.0.1.0/24", "x")
    assert not turns.put("10.0.2.0/24", "y")
    assert "a" == turns.pop()
    assert turns.put("10.0.2.0/24", "y")
    assert "xby" == served(turns)


def test_who_hangs_up_leaves_the_queue():
    turns = queue("10.0.0.0/24=a", "10.0.0.0/24=b", "2001:db8:1::/48=x")
    turns.remove("10.0.0.0/24", "a")
    turns.remove("2001:db8:1::/48", "x")
    turns.remove("2001:db8:1::/48", "x")
    assert 1 == len(turns) and "b" == served(turns)
    with pytest.raises(IndexError):
        turns.pop()
