"""A mean and how sure it is: Student's interval, for few values as exact as for many."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scipy.special import stdtrit

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """A mean with its 95 % interval, mean ± `half_width`; None where the values tell nothing of their spread."""

    mean: float
    half_width: float | None
    count: int

    @property
    def low(self) -> float | None:
        return None if self.half_width is None else self.mean - self.half_width

    @property
    def high(self) -> float | None:
        return None if self.half_width is None else self.mean + self.half_width


def estimate(groups: Sequence[Sequence[float]]) -> Estimate:
    """The mean of the groups' means, each group being one puzzle and its values the seeds.

    The puzzles are those asked about, no sample of others, so only the spread within each makes the mean uncertain:
    the variance is pooled over the groups (which holds if it is much the same in all) with a degree of freedom less for
    each. For one group it is the interval of the textbook. Needs a value in every group.
    """
    means = [math.fsum(group) / len(group) for group in groups]
    mean = math.fsum(means) / len(means)
    count = sum(len(group) for group in groups)
    freedom = count - len(groups)
    if freedom == 0:
        return Estimate(mean, None, count)
    squares = math.fsum((value - centre) ** 2 for group, centre in zip(groups, means, strict=True) for value in group)
    error = math.sqrt(squares / freedom * math.fsum(1 / len(group) for group in groups)) / len(groups)
    return Estimate(mean, student_quantile(freedom) * error, count)


def student_quantile(freedom: float, confidence: float = CONFIDENCE) -> float:
    """The t with `confidence` of Student's distribution between -t and t.

    >>> round(student_quantile(39), 4)
    2.0227
    """
    return float(stdtrit(freedom, (1 + confidence) / 2))
