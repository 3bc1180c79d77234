"""Which of two runs is better: every figure is worked out here a second time, from its definition."""

import itertools
import math
import random
import statistics
from pathlib import Path

import pytest

from e2.core.generate import generated
from e2.store.contest import contest, duel, seeds_needed
from e2.store.ledger import Improvement, Outcome, Totals
from e2.store.record import History, RunRecord

T_39 = 2.0226909  # Student's, 95 % two-sided, 39 degrees of freedom: from the printed tables


def exact_sign_flip(differences):
    """The share of all ways to flip signs whose sum is at least as far from zero: counted by sums, not by ways."""
    ways = {0: 1}
    for difference in differences:
        after = {}
        for total, count in ways.items():
            for step in (difference, -difference):
                after[total + step] = after.get(total + step, 0) + count
        ways = after
    observed = abs(sum(differences))
    return sum(count for total, count in ways.items() if abs(total) >= observed) / 2 ** len(differences)


def by_seed(scores, first=0):
    return dict(enumerate(scores, first))


def test_the_p_of_few_pairs_is_the_exact_one():
    scores = [61, 70, 65, 66, 58, 71, 69, 64, 73, 60]
    others = [60, 66, 65, 61, 59, 65, 69, 60, 70, 61]
    differences = [one - other for one, other in zip(scores, others, strict=True)]
    flips = [
        sum(sign * value for sign, value in zip(signs, differences, strict=True))
        for signs in itertools.product((1, -1), repeat=len(differences))
    ]
    by_hand = sum(abs(total) >= sum(differences) for total in flips) / len(flips)
    found = duel("a", by_seed(scores), "b", by_seed(others))
    assert by_hand == exact_sign_flip(differences)
    assert found.p == pytest.approx(by_hand)
    assert (found.pairs, found.better, found.equal, found.worse) == (10, 6, 2, 2)


def test_the_figures_of_forty_pairs_are_those_of_the_textbook():
    draw = random.Random(5)
    others = [450 + draw.randrange(15) for _ in range(40)]
    scores = [score + draw.choice((-3, -1, 0, 0, 1, 2, 4)) for score in others]
    differences = [one - other for one, other in zip(scores, others, strict=True)]
    found = duel("a", by_seed(scores), "b", by_seed(others))
    mean, sd = sum(differences) / 40, statistics.stdev(differences)
    half = T_39 * sd / math.sqrt(40)
    assert found.difference == pytest.approx(mean)
    assert (found.low, found.high) == pytest.approx((mean - half, mean + half), abs=1e-6)
    exact = exact_sign_flip(differences)
    # Five standard deviations of a share among so many random ways.
    assert found.p == pytest.approx(exact, abs=5 * math.sqrt(exact * (1 - exact) / 100_000))


def test_equal_runs_show_no_difference_and_crash_nothing():
    scores = by_seed([451, 452, 453] * 13 + [450])
    found = duel("a", scores, "b", scores)
    assert (found.difference, found.low, found.high, found.p) == (0.0, 0.0, 0.0, 1.0)
    assert (found.equal, found.more, found.verdict) == (40, None, "no difference shown")


@pytest.mark.parametrize("score", [0, 480])
def test_runs_without_any_spread_crash_nothing(score):
    found = duel("a", by_seed([score] * 9), "b", by_seed([score] * 9, first=100))
    assert (found.pairs, found.difference, found.p, found.verdict) == (None, 0.0, 1.0, "no difference shown")


def test_the_same_step_in_every_pair_is_a_difference():
    found = duel("a", by_seed([10, 12, 9, 14, 11, 10]), "b", by_seed([9, 11, 8, 13, 10, 9]))
    assert (found.low, found.high, found.p) == (1.0, 1.0, 2 / 2**6)
    assert found.verdict == "better"


def test_five_pairs_can_show_nothing_and_it_is_said_how_many_can():
    found = duel("a", by_seed([10, 12, 9, 14, 11]), "b", by_seed([9, 11, 8, 13, 10]))
    assert found.verdict == "no difference shown"
    assert found.more == 1


@pytest.mark.parametrize(("scores", "others"), [({}, {}), ({1: 5}, {}), ({1: 5}, {1: 6}), ({1: 5}, {2: 6})], ids=str)
def test_one_task_or_none_is_no_sample(scores, others):
    found = duel("a", scores, "b", others)
    assert (found.p, found.verdict, found.more) == (None, "no difference shown", None)


def test_runs_without_common_seeds_are_held_against_each_other_as_they_are():
    scores, others = [3, 5, 6, 8, 9], [1, 2, 2, 4]
    found = duel("a", by_seed(scores), "b", by_seed(others, first=50))
    observed = statistics.fmean(scores) - statistics.fmean(others)
    deals = []
    for chosen in itertools.combinations(range(9), 5):
        values = scores + others
        ours = [values[index] for index in chosen]
        theirs = [values[index] for index in range(9) if index not in chosen]
        deals.append(statistics.fmean(ours) - statistics.fmean(theirs))
    above = sum(deal >= observed - 1e-9 for deal in deals) / len(deals)
    below = sum(deal <= observed + 1e-9 for deal in deals) / len(deals)
    assert found.pairs is None
    assert found.p == pytest.approx(2 * min(above, below))
    # Welch's interval, worked out on paper: 6.255 degrees of freedom, whose quantile lies between 2.447 and 2.365.
    error = math.sqrt(statistics.variance(scores) / 5 + statistics.variance(others) / 4)
    assert found.difference == pytest.approx(observed)
    assert found.high - observed == pytest.approx(2.4230 * error, abs=2e-3)


def test_half_of_the_smaller_run_must_have_partners_to_pair():
    scores = by_seed([5, 6, 7, 8])
    assert duel("a", scores, "b", by_seed([5, 6, 7, 9, 9, 9, 9], first=2)).pairs == 2
    assert duel("a", scores, "b", by_seed([5, 6, 7, 9, 9, 9, 9], first=3)).pairs is None


@pytest.mark.parametrize(("sd", "difference", "groups"), [(4.0, 2.0, 1), (4.0, 2.0, 2), (3.0, 3.5, 2)])
def test_so_many_seeds_show_the_difference_four_times_in_five(sd, difference, groups):
    count = seeds_needed(sd, difference, groups)
    draw, trials, shown = random.Random(11), 2000, 0
    for _ in range(trials):
        samples = [[draw.gauss(0, sd) for _ in range(count)] for _ in range(groups)]
        mean = difference + statistics.fmean(samples[0]) - (statistics.fmean(samples[1]) if groups == 2 else 0.0)
        variance = statistics.fmean(statistics.variance(sample) for sample in samples)
        quantile = {33: 2.0345, 126: 1.9790, 24: 2.0639}[groups * (count - 1)]
        shown += abs(mean) > quantile * math.sqrt(groups * variance / count)
    # Three standard deviations of the share, and what one seed more or less makes.
    assert abs(shown / trials - 0.8) < 3 * math.sqrt(0.8 * 0.2 / trials) + 0.015


def test_chance_alone_shows_a_difference_one_time_in_twenty_at_most():
    draw, trials, shown = random.Random(3), 300, 0
    for _ in range(trials):
        scores = [round(draw.gauss(450, 3)) for _ in range(9)]
        others = [round(draw.gauss(450, 3)) for _ in range(9)]
        shown += duel("a", by_seed(scores), "b", by_seed(others)).is_shown
    assert shown / trials < 0.05 + 3 * math.sqrt(0.05 * 0.95 / trials)
    assert shown > 0


PUZZLE = generated(4, 4, 4, seed=1).instance
OTHER_PUZZLE = generated(4, 4, 4, seed=2).instance


def record(name, scores, *, instance=PUZZLE, units=None, seconds=1.0, solutions=0, **settings):
    outcomes = tuple(Outcome(seed, seed, score, 100, seconds) for seed, score in enumerate(scores))
    units = len(scores) if units is None else units
    totals = Totals(units, len(scores), 0, 100 * len(scores), solutions, 5.0, 0, 0, len(scores))
    return RunRecord(
        path=Path(name),
        settings={"kind": "solve", "nodes": 100, **settings},
        instance=instance,
        history=History((), outcomes, totals),
        found_clocks={},
        workers=(),
        depths=(),
        nodes_by_depth=(),
        left=0.0,
        failures=(),
        summary=None,
        faults=(),
    )


def test_a_run_by_itself_has_mean_median_and_spread():
    (standing, empty) = contest([record("a", [10, 20, 33, 17]), record("b", [])]).standings
    assert (standing.tasks, standing.best, standing.worst, standing.mean) == (4, 33, 10, 20.0)
    assert standing.median == 18.5
    assert standing.sd == pytest.approx(math.sqrt((100 + 0 + 169 + 9) / 3))
    assert (empty.tasks, empty.best, empty.mean, empty.sd) == (0, None, None, None)


def test_different_puzzles_are_not_compared_and_that_is_said():
    found = contest([record("a", [1, 2]), record("b", [1, 2], instance=OTHER_PUZZLE)])
    assert found.duels == ()
    assert "different puzzles" in found.warnings[0]


@pytest.mark.parametrize("settings", [{"nodes": 101}, {"nodes": None, "task_seconds": 5.0}])
def test_unequal_budgets_are_said_loudly(settings):
    found = contest([record("a", [1, 2]), record("b", [1, 2], **settings)])
    assert "unequal budgets" in found.warnings[0]
    assert len(found.duels) == 1


def test_equal_runs_have_nothing_to_be_warned_of():
    found = contest([record("a", [1, 2]), record("b", [1, 2])])
    assert (found.warnings, found.remarks) == ((), ())


def test_the_same_strategy_on_a_slower_machine_is_no_other_effort():
    assert contest([record("a", [1, 2]), record("b", [1, 2], seconds=9.0)]).remarks == ()


def test_what_is_left_out_slow_or_dependent_is_said():
    found = contest([record("a", [1, 2], units=5, elite_every=3), record("b", [1, 2], seconds=9.0, strategy="x")])
    assert any("not independent" in text for text in found.warnings)
    assert any("3 of 5 tasks of a" in text for text in found.remarks)
    assert any("not equal time" in text for text in found.remarks)


def test_several_runs_against_one_control_must_show_more():
    control = [450 + number % 4 for number in range(12)]
    better = [score + (number % 3 > 0) for number, score in enumerate(control)]
    alone = contest([record("c", control), record("a", better)])
    many = contest([record("c", control), *(record(name, better) for name in "abdefghijk")])
    assert alone.duels[0].p == many.duels[0].p == pytest.approx(2 / 2**8)
    assert alone.duels[0].verdict == "better"
    assert many.duels[0].verdict == "no difference shown"
    assert any("p < 0.005" in text for text in many.remarks)


def test_counts_are_compared_by_their_accounts():
    one = record("a", [0, 0], kind="count", solutions=4)
    found = contest([one, record("b", [0, 0], kind="count", solutions=4)])
    assert (found.duels, found.standings, found.warnings) == ((), (), ())
    assert [(account.nodes, account.solutions, account.whole) for account in found.accounts] == [(200, 4, True)] * 2
    assert "is wrong" in contest([one, record("b", [0, 0], kind="count", solutions=5)]).warnings[0]
    assert "other fill orders" in contest([one, record("b", [0], kind="count", merge=["board"])]).warnings[0]
    assert "whole tree and a list of tasks" in contest([one, record("b", [0])]).warnings[0]


def steps(*rows):
    return tuple(Improvement(unit, nodes, run, seconds, 0.0, score, 1) for unit, nodes, run, seconds, score in rows)


def test_curves_rise_to_the_best_and_go_on_to_the_end():
    improvements = steps((0, 10, 10, 1.0, 5), (1, 20, 30, 2.0, 4), (1, 40, 50, 3.0, 7), (0, 60, 90, 4.0, 6))
    outcomes = (Outcome(0, 0, 6, 100, 1.0), Outcome(1, 1, 7, 80, 1.0))
    history = History(improvements, outcomes, Totals(2, 2, 0, 180, 0, 9.0, 0, 0, 2))
    assert history.best_by_seconds() == ((1.0, 5), (3.0, 7), (9.0, 7))
    assert history.best_by_nodes() == ((10, 5), (50, 7), (180, 7))
    assert history.mean_by_task_nodes() == ((20, 4.5), (40, 6.0), (60, 6.5), (100, 6.5))


def test_a_history_of_nothing_has_no_curve():
    history = History((), (), Totals(0, 0, 0, 0, 0, 0.0, 0, 0, 0))
    assert (history.is_known, history.best_by_seconds(), history.mean_by_task_nodes()) == (False, (), ())
