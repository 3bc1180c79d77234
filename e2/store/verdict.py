"""What a study says: how good each arm is, and how each differs from the control on the same puzzles and seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from e2.store.estimate import Estimate, estimate


@dataclass(frozen=True)
class Result:
    """What one arm came to on one puzzle with one seed. `seconds` are those of a core."""

    arm: str
    puzzle: str
    seed: int
    score: int
    nodes: int
    seconds: float


@dataclass(frozen=True)
class Standing:
    """An arm by itself: `tasks` of `due` are done. Nodes and seconds are means of a task; None where none is done.

    `score` is None until every puzzle has a result; `by_puzzle` are the means of those that have.
    """

    arm: str
    tasks: int
    due: int
    score: Estimate | None
    best: int | None
    worst: int | None
    nodes: float | None
    seconds: float | None
    by_puzzle: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Difference:
    """An arm less the control, over the `pairs` of results on the same puzzle with the same seed.

    The signs are counted beside the mean, since a few large differences may carry it.
    """

    arm: str
    control: str
    pairs: int
    score: Estimate | None
    better: int
    equal: int
    worse: int

    @property
    def verdict(self) -> str:
        """In words: whether the interval leaves zero out, and on which side."""
        if self.score is None or self.score.low is None or self.score.high is None:
            return "unknown"
        if self.score.low > 0:
            return "better"
        return "worse" if self.score.high < 0 else "no difference shown"


@dataclass(frozen=True)
class Verdict:
    """The arms in the order of the study, and the differences of all but the first, which is the control."""

    standings: tuple[Standing, ...]
    differences: tuple[Difference, ...]

    @property
    def complete(self) -> bool:
        return all(standing.tasks == standing.due for standing in self.standings)


def judged(arms: Sequence[str], puzzles: Sequence[str], seeds: int, results: Sequence[Result]) -> Verdict:
    """Judge the results of a study, complete or not, of `seeds` seeds on each puzzle."""
    scores = {(result.arm, result.puzzle, result.seed): result.score for result in results}
    assert len(scores) == len(results)
    standings = [
        _standing(arm, puzzles, seeds * len(puzzles), [result for result in results if result.arm == arm])
        for arm in arms
    ]
    return Verdict(tuple(standings), tuple(_difference(arm, arms[0], puzzles, scores) for arm in arms[1:]))


def _standing(arm: str, puzzles: Sequence[str], due: int, results: Sequence[Result]) -> Standing:
    groups = {puzzle: [float(result.score) for result in results if result.puzzle == puzzle] for puzzle in puzzles}
    means = [(puzzle, sum(group) / len(group)) for puzzle, group in groups.items() if group]
    return Standing(
        arm=arm,
        tasks=len(results),
        due=due,
        score=_estimate(list(groups.values())),
        best=max((result.score for result in results), default=None),
        worst=min((result.score for result in results), default=None),
        nodes=sum(result.nodes for result in results) / len(results) if results else None,
        seconds=sum(result.seconds for result in results) / len(results) if results else None,
        by_puzzle=tuple(means),
    )


def _difference(arm: str, control: str, puzzles: Sequence[str], scores: dict[tuple[str, str, int], int]) -> Difference:
    groups: dict[str, list[float]] = {puzzle: [] for puzzle in puzzles}
    for (of, puzzle, seed), score in scores.items():
        if of == arm and (control, puzzle, seed) in scores:
            groups[puzzle].append(float(score - scores[control, puzzle, seed]))
    differences = [difference for group in groups.values() for difference in group]
    return Difference(
        arm=arm,
        control=control,
        pairs=len(differences),
        score=_estimate(list(groups.values())),
        better=sum(difference > 0 for difference in differences),
        equal=sum(difference == 0 for difference in differences),
        worse=sum(difference < 0 for difference in differences),
    )


def _estimate(groups: Sequence[Sequence[float]]) -> Estimate | None:
    return estimate(groups) if all(groups) else None
