"""The token bucket."""

from mudserver.rate_limit import KeyedTokenBuckets, TokenBucket


def test_a_budget_gives_its_burst_then_its_rate():
    budget = TokenBucket(per_s=2, burst=3, now_s=0)
    assert [True, True, True, False] == [budget.try_consume(0) for _ in range(4)]
    assert [True, False] == [budget.try_consume(0.5) for _ in range(2)]
    assert not budget.is_full(1.9)
    assert budget.is_full(2.0)


def test_with_other_figures_what_was_spent_stays_spent():
    budget = TokenBucket(per_s=1, burst=3, now_s=0)
    assert budget.try_consume(0, 2)
    budget.set_rate(0, per_s=2, burst=5)
    assert (True, False) == (budget.try_consume(0, 3), budget.try_consume(0))
    assert budget.try_consume(0.5)
    budget.set_rate(0.5, per_s=2, burst=1)  # now four are owed
    assert [False, True] == [budget.try_consume(2.9), budget.try_consume(3.0)]


def test_a_debt_is_paid_at_the_rate():
    budget = TokenBucket(per_s=2, burst=3, now_s=0)
    assert [0.0, 2.0] == [budget.consume_with_debt(0, 3), budget.consume_with_debt(0, 4)]
    assert [False, True] == [budget.try_consume(2.0), budget.try_consume(2.5)]


def test_every_key_has_a_budget_that_is_forgotten_when_it_is_full_again():
    budgets = KeyedTokenBuckets(per_s=1, burst=2, keys_max=10)
    for now_s, name in enumerate("abc"):
        assert [True, True, False] == [budgets.try_consume(name, now_s) for _ in range(3)]
    assert 2 == len(budgets)  # a, spent at 0, was full again at 2
    assert budgets.try_consume("d", 4.0)
    assert 1 == len(budgets)


def test_beyond_so_many_keys_the_one_used_longest_ago_is_forgotten():
    budgets = KeyedTokenBuckets(per_s=0.001, burst=1, keys_max=2)
    assert [True] * 3 == [budgets.try_consume(name, 0) for name in "abc"]
    assert [False, False] == [budgets.try_consume(name, 0) for name in "bc"]
    assert 2 == len(budgets) and budgets.try_consume("a", 0)


def test_of_two_keys_the_one_used_last_is_remembered():
    budgets = KeyedTokenBuckets(per_s=0.001, burst=2, keys_max=2)
    assert [True] * 4 == [budgets.try_consume(name, 0) for name in "abac"]  # b makes room
    assert [False, True, True] == [budgets.try_consume(name, 0) for name in "abb"]


def test_other_figures_leave_spent_what_was_spent():
    budgets = KeyedTokenBuckets(per_s=0.001, burst=1, keys_max=2)
    assert budgets.try_consume("a", 0) and not budgets.try_consume("a", 1)
    budgets.set_rate(1, per_s=1, burst=2)
    assert [True, False] == [budgets.try_consume("a", 1) for _ in range(2)]
    assert [True, True, False] == [budgets.try_consume("b", 1) for _ in range(3)]
