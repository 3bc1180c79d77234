"""Which of two runs is better, and whether the seeds show it: tests that presume little of the scores.

Scores are small integers with many ties, and nothing says that they are normal. So the test asks only what the runs
themselves answer: how often would mere chance, which swaps the two scores of a seed (or, without common seeds, deals
all scores out anew), give means at least so far apart? That is a permutation test of the difference of means, the very
number that is shown; a rank test would test another.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from e2.store.estimate import estimate, student_quantile
from e2.store.record import RunRecord

Floats: TypeAlias = NDArray[np.float64]

POWER = 0.8
"""How often a difference is to be shown if it is there."""

LEVEL = 0.05
"""How often chance alone may show a difference where there is none."""

_RESAMPLES = 100_000  # ways to swap that are tried: up to 16 pairs all 2**16 of them, and p is exact
_LEAST_RESAMPLES = 2_000  # for runs of very many tasks
_WORK = 2 * 10**7  # scores that are looked at for one p
_TOGETHER = 10**6  # of them, how many at a time: 8 MB
_LONGER = 1.5  # times as many seconds a task, from which on equal nodes are no equal effort


@dataclass(frozen=True)
class RunStanding:
    """A run by itself. Scores are those of its tasks that are done, None where none is; `sd` needs two of them.

    `budget` is what each task was given, in words; `nodes` and `seconds` (of a core) are what it took, as means.
    """

    name: str
    tasks: int
    best: int | None
    worst: int | None
    mean: float | None
    median: float | None
    sd: float | None
    budget: str
    nodes: float | None
    seconds: float | None


@dataclass(frozen=True)
class Duel:
    """A run less the control, in seams a task.

    `pairs` are seeds that both have done, None where the runs have too few in common and are held against each other
    as they are; then `better`, `equal` and `worse` are 0. `p` is None where there is nothing to test. A difference is
    shown where `p` is below `level`, which is lower where several runs are held against one control, and the 95 %
    interval leaves zero out. `more` and `more_for_one` are the further seeds for each run that would show a difference
    of the size observed, and of one seam, 4 times in 5; None where the scores do not tell.
    """

    name: str
    control: str
    pairs: int | None
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    level: float
    better: int
    equal: int
    worse: int
    more: int | None
    more_for_one: int | None

    @property
    def is_shown(self) -> bool:
        if self.p is None or self.low is None or self.high is None:
            return False
        return self.p < self.level and not self.low <= 0 <= self.high

    @property
    def verdict(self) -> str:
        """In words, of the run."""
        if not self.is_shown:
            return "no difference shown"
        assert self.difference is not None
        return "better" if self.difference > 0 else "worse"


@dataclass(frozen=True)
class CountStanding:
    """What a run of either kind has come to as an account. `whole` says that nothing of a count's tree is left."""

    name: str
    kind: str
    units: int
    done: int
    nodes: int
    solutions: int
    seconds: float
    whole: bool


@dataclass(frozen=True)
class Contest:
    """Runs side by side; the first is the control. Either `standings` and `duels`, or `accounts` if one is a count.

    `warnings` are what makes the comparison an unfair one, or none; `remarks` what a reader should know.
    """

    standings: tuple[RunStanding, ...]
    duels: tuple[Duel, ...]
    accounts: tuple[CountStanding, ...]
    warnings: tuple[str, ...]
    remarks: tuple[str, ...]


def contest(records: Sequence[RunRecord]) -> Contest:
    """Hold two or more runs against the first."""
    control, *others = records
    if any(record.is_count for record in records):
        warnings = [text for other in others for text in _count_warnings(control, other)]
        return Contest((), (), tuple(_account(record) for record in records), tuple(warnings), ())
    warnings = [text for other in others for text in _warnings(control, other)]
    warnings += [text for record in records for text in _dependence(record)]
    remarks = [text for record in records for text in _left_out(record)]
    remarks += [text for other in others for text in _efforts(control, other)]
    comparable = [other for other in others if other.puzzle_hash == control.puzzle_hash]
    level = LEVEL / max(1, len(comparable))
    if len(comparable) > 1:
        remarks.append(f"{len(comparable)} differences: each is shown only where p < {level:.3g}")
    duels = tuple(duel(other.name, _scores(other), control.name, _scores(control), level) for other in comparable)
    remarks += [
        f"{one.name} and {one.control} share too few seeds to be paired: a difference takes more of them to show"
        for one in duels
        if one.pairs is None
    ]
    return Contest(tuple(_standing(record) for record in records), duels, (), tuple(warnings), tuple(remarks))


def duel(name: str, scores: dict[int, int], control: str, others: dict[int, int], level: float = LEVEL) -> Duel:
    """Hold one run's scores, by seed, against the control's on the same puzzle.

    Paired by seed where at least half of the tasks of the smaller run have a partner: seeds differ more than runs do.
    """
    common = sorted(scores.keys() & others.keys())
    if common and 2 * len(common) >= min(len(scores), len(others)):
        return _paired(name, control, [scores[seed] - others[seed] for seed in common], level)
    return _unpaired(name, control, list(scores.values()), list(others.values()), level)


def _paired(name: str, control: str, differences: list[int], level: float) -> Duel:
    count = len(differences)
    found = estimate([list(map(float, differences))])
    sd = statistics.stdev(differences) if count > 1 else None
    return Duel(
        name=name,
        control=control,
        pairs=count,
        difference=found.mean,
        low=found.low,
        high=found.high,
        p=_p((differences,), "samples"),
        level=level,
        better=sum(difference > 0 for difference in differences),
        equal=sum(difference == 0 for difference in differences),
        worse=sum(difference < 0 for difference in differences),
        more=_more(sd, found.mean, count, 1, level),
        more_for_one=_more(sd, 1.0, count, 1, level),
    )


def _unpaired(name: str, control: str, scores: list[int], others: list[int], level: float) -> Duel:
    difference = low = high = p = more = more_for_one = None
    if scores and others:
        difference = statistics.fmean(scores) - statistics.fmean(others)
    if len(scores) > 1 and len(others) > 1:
        assert difference is not None
        variances = statistics.variance(scores), statistics.variance(others)
        low = high = difference
        if any(variances):
            half = _welch_half_width(variances, (len(scores), len(others)))
            low, high = difference - half, difference + half
        p = _p((scores, others), "independent")
        sd, count = math.sqrt(sum(variances) / 2), min(len(scores), len(others))
        more, more_for_one = _more(sd, difference, count, 2, level), _more(sd, 1.0, count, 2, level)
    return Duel(name, control, None, difference, low, high, p, level, 0, 0, 0, more, more_for_one)


def _welch_half_width(variances: tuple[float, float], counts: tuple[int, int]) -> float:
    """Half the interval of a difference of two means, of runs that may spread differently: Welch's.

    scipy has it beside its t test only, which warns where all scores of a run are equal.
    """
    parts = [variance / count for variance, count in zip(variances, counts, strict=True)]
    freedom = sum(parts) ** 2 / sum(part**2 / (count - 1) for part, count in zip(parts, counts, strict=True))
    return student_quantile(freedom) * math.sqrt(sum(parts))


def _p(samples: tuple[Sequence[int], ...], kind: Literal["independent", "samples"]) -> float | None:
    """How often chance alone gives means at least so far apart; None where a sample is too small to ask."""
    size = sum(map(len, samples))
    if min(map(len, samples)) < 2:
        return None

    def apart(*values: Floats, axis: int = -1) -> Floats:
        means = [np.mean(value, axis=axis) for value in values]
        return np.asarray(means[0] - means[1] if len(means) > 1 else means[0])

    found = stats.permutation_test(
        [np.array(sample, np.float64) for sample in samples],
        apart,
        permutation_type=kind,
        vectorized=True,
        n_resamples=min(_RESAMPLES, max(_LEAST_RESAMPLES, _WORK // size)),
        batch=max(1, _TOGETHER // size),
        random_state=np.random.default_rng(0),  # the same runs have the same p
    )
    return float(found.pvalue)


def _more(sd: float | None, difference: float, count: int, groups: int, level: float) -> int | None:
    """Seeds beyond `count` that each run needs so that a difference of this size is shown with POWER."""
    if sd is None or difference == 0:
        return None
    return max(0, seeds_needed(sd, difference, groups, level) - count)


def seeds_needed(sd: float, difference: float, groups: int = 1, level: float = LEVEL) -> int:
    """How many pairs (`groups` 1), or tasks in each of two runs, show a true difference of means with POWER.

    `sd` is that of the differences of pairs, or of one run's scores, in seams. The textbook's formula with Student's
    quantiles in place of the normal ones, which the permutation test follows closely; and never fewer than those with
    which a permutation test can come below `level` at all.

    >>> seeds_needed(4.0, 2.0), seeds_needed(4.0, 2.0, groups=2)
    (34, 64)
    """
    count = _fewest(groups, level)
    if sd == 0:
        return count
    effect = abs(difference) / sd

    def wanted(error: float, power: float) -> int:
        return math.ceil(groups * ((error + power) / effect) ** 2)

    error, power = 1 - level / 2, POWER
    count = max(count, wanted(float(stats.norm.ppf(error)), float(stats.norm.ppf(power))))
    while count < wanted(
        float(stats.t.ppf(error, groups * (count - 1))), float(stats.t.ppf(power, groups * (count - 1)))
    ):
        count += 1
    return count


def _fewest(groups: int, level: float) -> int:
    """The fewest seeds with which the least p there is, that of the two utmost ways out of all, is below `level`."""
    count = 2
    while 2 / (2**count if groups == 1 else math.comb(2 * count, count)) >= level:
        count += 1
    return count


def _scores(record: RunRecord) -> dict[int, int]:
    return {outcome.seed: outcome.score for outcome in record.outcomes}


def _standing(record: RunRecord) -> RunStanding:
    scores = [outcome.score for outcome in record.outcomes]
    return RunStanding(
        name=record.name,
        tasks=len(scores),
        best=max(scores, default=None),
        worst=min(scores, default=None),
        mean=statistics.fmean(scores) if scores else None,
        median=statistics.median(scores) if scores else None,
        sd=statistics.stdev(scores) if len(scores) > 1 else None,
        budget=_budget(record),
        nodes=statistics.fmean(outcome.nodes for outcome in record.outcomes) if scores else None,
        seconds=statistics.fmean(outcome.seconds for outcome in record.outcomes) if scores else None,
    )


def _account(record: RunRecord) -> CountStanding:
    totals = record.totals
    return CountStanding(
        name=record.name,
        kind="count" if record.is_count else "solve",
        units=totals.units,
        done=totals.done,
        nodes=totals.nodes,
        solutions=totals.solutions,
        seconds=totals.seconds,
        whole=record.is_count and totals.done == totals.units,
    )


def _budget(record: RunRecord) -> str:
    nodes, seconds = record.settings.get("nodes"), record.settings.get("task_seconds")
    return f"{seconds} s a task" if seconds is not None else f"{nodes} nodes a task"


def _warnings(control: RunRecord, other: RunRecord) -> list[str]:
    """What makes scores no answer to the question which run is better."""
    if control.puzzle_hash != other.puzzle_hash:
        return [
            f"different puzzles: {control.name} has {control.instance.name!r}, {other.name} has "
            f"{other.instance.name!r}; their scores cannot be compared"
        ]
    if _budget(control) != _budget(other):
        return [
            f"unequal budgets: {control.name} has {_budget(control)}, {other.name} has {_budget(other)}; "
            "a difference may be that of the budgets alone"
        ]
    return []


def _dependence(record: RunRecord) -> list[str]:
    if record.settings.get("elite_every") is None:
        return []
    return [f"tasks of {record.name} begin with boards of earlier ones: they are not independent, and p is too small"]


def _left_out(record: RunRecord) -> list[str]:
    left = record.totals.units - record.totals.done
    return [f"{left} of {record.totals.units} tasks of {record.name} are not done and left out"] if left else []


def _efforts(control: RunRecord, other: RunRecord) -> list[str]:
    """Equal nodes that are far from equal time; those of one strategy are equal, and what differs is the machine."""
    if _way(control) == _way(other):
        return []
    one, two = _standing(control).seconds, _standing(other).seconds
    if _warnings(control, other) or control.settings.get("task_seconds") is not None or not one or not two:
        return []
    if max(one, two) < _LONGER * min(one, two):
        return []
    return [f"equal nodes are not equal time: a task took {one:.3g} s of {control.name}, {two:.3g} s of {other.name}"]


def _way(record: RunRecord) -> tuple[object, ...]:
    """How a run searches."""
    return tuple(record.settings.get(name) or None for name in ("strategy", "strategy_hash", "parameters"))


def _count_warnings(control: RunRecord, other: RunRecord) -> list[str]:
    if control.puzzle_hash != other.puzzle_hash:
        return [f"different puzzles: {control.instance.name!r} and {other.instance.name!r}"]
    if not (control.is_count and other.is_count):
        return ["a search of a whole tree and a list of tasks: only what they have come to can be compared"]
    if _tree(control) != _tree(other):
        return [f"different trees: {control.name} and {other.name} have other fill orders, regions or merges"]
    ours, theirs = _account(control), _account(other)
    if ours.whole and theirs.whole and (ours.nodes, ours.solutions) != (theirs.nodes, theirs.solutions):
        return [f"the same tree, counted to the end, came out otherwise: {control.name} or {other.name} is wrong"]
    return []


def _tree(record: RunRecord) -> tuple[object, ...]:
    """What decides the tree of a count, beside its puzzle."""
    return tuple(record.settings.get(name) or None for name in ("parameters", "region", "merge"))
