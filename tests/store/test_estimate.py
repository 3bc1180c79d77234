import math
import random
import statistics

import pytest

from e2.store.estimate import estimate, student_quantile

# Two-sided 95 % points as every statistics book prints them.
PRINTED = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 9: 2.262, 10: 2.228, 30: 2.042, 40: 2.021, 120: 1.980}


@pytest.mark.parametrize(("freedom", "printed"), PRINTED.items())
def test_quantiles_are_those_of_the_printed_table(freedom, printed):
    assert round(student_quantile(freedom), 3) == printed


def test_a_quantile_of_many_values_is_the_normal_one_and_confidence_counts():
    assert student_quantile(4000) == pytest.approx(statistics.NormalDist().inv_cdf(0.975), abs=1e-3)
    assert round(student_quantile(10, 0.99), 3) == 3.169


def test_one_group_has_the_interval_of_the_textbook():
    values = [451.0, 455.0, 449.0, 453.0]
    found = estimate([values])
    half = student_quantile(3) * statistics.stdev(values) / 2
    assert (found.mean, found.count) == (452.0, 4)
    assert found.half_width == pytest.approx(half)
    assert (found.low, found.high) == pytest.approx((452.0 - half, 452.0 + half))


def test_the_spread_between_groups_is_no_uncertainty():
    near = estimate([[450.0, 452.0], [450.0, 452.0]])
    apart = estimate([[450.0, 452.0], [400.0, 402.0]])
    assert apart.mean == 426.0
    assert apart.half_width == near.half_width


def test_a_value_for_each_group_tells_no_spread():
    found = estimate([[3.0], [5.0]])
    assert (found.mean, found.half_width, found.low, found.high) == (4.0, None, None, None)


def test_the_interval_holds_the_true_mean_19_times_in_20():
    draw = random.Random(1)
    trials, held = 4000, 0
    for _ in range(trials):
        found = estimate([[draw.gauss(10, 3) for _ in range(3)], [draw.gauss(20, 3) for _ in range(5)]])
        held += abs(found.mean - 15) < found.half_width
    # Three standard deviations of a share of 0.95 in so many trials.
    assert abs(held / trials - 0.95) < 3 * math.sqrt(0.95 * 0.05 / trials)
