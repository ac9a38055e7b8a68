"""The token bucket."""

from collections import OrderedDict

from mudserver.budget import Budget, forget_full


def test_a_budget_gives_its_burst_then_its_rate():
    budget = Budget(per_s=2, burst=3, now_s=0)
    assert [True, True, True, False] == [budget.take(0) for _ in range(4)]
    assert [True, False] == [budget.take(0.5) for _ in range(2)]
    assert not budget.is_full(1.9)
    assert budget.is_full(2.0)


def test_with_other_figures_what_was_spent_stays_spent():
    budget = Budget(per_s=1, burst=3, now_s=0)
    assert budget.take(0, 2)
    budget.change(0, per_s=2, burst=5)
    assert (True, False) == (budget.take(0, 3), budget.take(0))
    assert budget.take(0.5)
    budget.change(0.5, per_s=2, burst=1)  # now four are owed
    assert [False, True] == [budget.take(2.9), budget.take(3.0)]


def test_a_debt_is_paid_at_the_rate():
    budget = Budget(per_s=2, burst=3, now_s=0)
    assert [0.0, 2.0] == [budget.owe(0, 3), budget.owe(0, 4)]
    assert [False, True] == [budget.take(2.0), budget.take(2.5)]


def test_budgets_that_are_full_again_are_forgotten():
    budgets = OrderedDict({name: Budget(per_s=1, burst=3, now_s=0) for name in "abc"})
    for now_s, budget in enumerate(budgets.values()):
        assert budget.take(now_s, 2)
    forget_full(budgets, 3.5)
    assert ["c"] == list(budgets)
    forget_full(budgets, 4.0)
    assert not budgets
