"""A study: arms (strategies with parameters) x puzzles x seeds at equal budget, as one run for each arm and puzzle.

The runs lie in OUT/ARM/PUZZLE and are ordinary ones. So a study goes on where it stopped, grows by seeds, puzzles and
arms, and is judged from the ledgers alone.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from e2.cluster import run
from e2.cluster.executor import Executor
from e2.cluster.observer import Observer
from e2.cluster.study import RunSettings, checked_settings, run_settings, settings_from_toml, toml_table
from e2.core.instance import Instance
from e2.errors import E2Error, RunError, SettingsError
from e2.search.strategy import Value
from e2.store.inputs import strategy_argument, the_puzzle
from e2.store.layout import RunFolder, read_text, safe_name
from e2.store.ledger import Ledger, Outcome
from e2.store.verdict import Result, Verdict, judged

_FIXED = ("kind", "puzzle_hash", "strategy", "strategy_hash", "parameters", "seed", "nodes", "task_seconds")
"""What a run of a study may not change; the rest says how fast it goes, or grows."""

_Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.+-]{0,39}$")]


class Arm(BaseModel):
    """One way to search. `strategy` is a registered name or FILE.py:CLASS, from the study file's folder."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    strategy: str
    parameters: dict[str, Value] = {}


class StudySettings(BaseModel):
    """What a study file says. The first arm is the control; each task has either so many nodes or so many seconds."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    puzzles: Annotated[list[str], Field(min_length=1)]
    """Names of puzzles that come with e2, or files, from the study file's folder."""
    arms: Annotated[dict[_Name, Arm], Field(min_length=1)]
    seeds: Annotated[int, Field(ge=1, le=1_000_000, strict=True)] = 40
    seed: int = 0
    """The first of the seeds."""
    nodes: int | None = None
    seconds: float | None = None
    executor: str = "ray"
    workers: int | None = None
    address: str | None = None
    slice_seconds: float = 1.0

    @model_validator(mode="after")
    def _has_one_budget(self) -> Self:
        if (self.nodes is None) == (self.seconds is None):
            raise ValueError("a study has one budget for every task: nodes or seconds")
        return self


@dataclass(frozen=True)
class Part:
    """One run of a study: an arm on a puzzle, with all seeds."""

    arm: str
    puzzle: str
    settings: RunSettings
    instance: Instance

    @property
    def label(self) -> str:
        return f"{self.arm} on {self.puzzle}"

    def path(self, out: Path) -> Path:
        """The folder of the run."""
        return out / self.arm / self.puzzle


@dataclass(frozen=True)
class Study:
    """A study whose puzzles and strategies have been read. `parts` run in this order: puzzle by puzzle, all arms."""

    settings: StudySettings
    puzzles: tuple[str, ...]
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class StudySummary:
    """Where a study stands. `failures` name the runs and units that failed in this sitting."""

    verdict: Verdict
    failures: tuple[str, ...]
    interrupted: bool


def read_study(text: str, folder: Path, overrides: Mapping[str, object] | None = None) -> Study:
    """A study from its file's text, with some of its settings replaced; paths in it count from `folder`.

    Reads every puzzle and every strategy, and raises SettingsError for what no study can have.
    """
    values = toml_table(text, "the study is no TOML")
    settings = checked_settings(StudySettings, {**values, **(overrides or {})})
    puzzles: dict[str, Instance] = {}
    for entry in settings.puzzles:
        label = safe_name(Path(entry).stem)
        if label in puzzles:
            raise SettingsError(f"puzzles: {label!r} stands there twice")
        puzzles[label] = the_puzzle(str(folder / entry) if os.path.isfile(folder / entry) else entry)
    arms = {name: _arm_settings(settings, name, arm, folder) for name, arm in settings.arms.items()}
    parts = tuple(
        Part(arm, label, _settled(f"{arm} on {label}", shared, instance), instance)
        for label, instance in puzzles.items()
        for arm, shared in arms.items()
    )
    return Study(settings, tuple(puzzles), parts)


def run_study(study: Study, out: Path, observer: Observer) -> StudySummary:
    """Do what is left of a study in the folder `out`, and judge what there is.

    Raises before anything runs where a parameter does not fit, or where `out` holds a run of other settings. A stop by
    a signal leaves everything for the next call.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"{out} cannot be made: {error.strerror}") from error
    with RunFolder(out).driven():
        for part in study.parts:
            _refuse_another_run(part, part.path(out))
        left = [part for part in study.parts if len(_outcomes(part, out)) < study.settings.seeds]
        failures, interrupted = _run_parts(left, out, observer)
        results = [
            Result(part.arm, part.puzzle, outcome.seed, outcome.score, outcome.nodes, outcome.seconds)
            for part in study.parts
            for outcome in _outcomes(part, out)
        ]
    verdict = judged(list(study.settings.arms), study.puzzles, study.settings.seeds, results)
    return StudySummary(verdict, tuple(failures), interrupted)


def _arm_settings(settings: StudySettings, name: str, arm: Arm, folder: Path) -> RunSettings:
    """What the runs of an arm have in common."""
    try:
        strategy, source = strategy_argument(arm.strategy, folder)
        return run_settings(
            {
                "strategy": strategy,
                "source": source,
                "parameters": arm.parameters,
                "seed": settings.seed,
                "tasks": settings.seeds,
                "nodes": settings.nodes,
                "task_seconds": settings.seconds,
                "executor": settings.executor,
                "workers": settings.workers,
                "address": settings.address,
                "slice_seconds": settings.slice_seconds,
            }
        )
    except E2Error as error:
        raise SettingsError(f"arm {name}: {error}") from error


def _settled(label: str, settings: RunSettings, instance: Instance) -> RunSettings:
    try:
        return run.settled(settings, instance)
    except E2Error as error:
        raise SettingsError(f"arm {label}: {error}") from error


def _refuse_another_run(part: Part, path: Path) -> None:
    """SettingsError where the folder of a part holds a run that is not the part's."""
    if not os.path.isfile(RunFolder(path).settings):
        return
    found = settings_from_toml(read_text(RunFolder(path).settings))
    for name in _FIXED:
        before, now = getattr(found, name), getattr(part.settings, name)
        if before != now:
            raise SettingsError(
                f"{path} was begun with {name} = {before!r}, the study has {now!r}; "
                "expected another folder, or another name for the arm"
            )


def _outcomes(part: Part, out: Path) -> list[Outcome]:
    """The tasks of a part that are done, of the study's seeds."""
    folder, tasks = RunFolder(part.path(out)), part.settings.tasks
    assert tasks is not None
    if not os.path.isfile(folder.settings):
        return []
    with folder.driven(), contextlib.closing(Ledger.open(folder.ledger)) as ledger:
        return [outcome for outcome in ledger.outcomes() if outcome.number < tasks]


def _run_parts(parts: list[Part], out: Path, observer: Observer) -> tuple[list[str], bool]:
    """Run what is left, on one executor; the failures, and whether a signal ended it."""
    failures: list[str] = []
    if not parts:
        return failures, False
    for part in parts:
        try:
            run.warm_up(part.settings, part.instance)
        except E2Error as error:
            raise SettingsError(f"arm {part.label}: {error}") from error
    with run.executor_of(parts[0].settings) as executor:
        for part in parts:
            summary = _run_part(part, part.path(out), observer, executor)
            failures += [f"{part.label}: {failure}" for failure in summary.failures]
            if summary.interrupted:
                return failures, True
    return failures, False


def _run_part(part: Part, path: Path, observer: Observer, executor: Executor) -> run.RunSummary:
    if not os.path.isfile(RunFolder(path).settings):
        RunFolder(path).remove_unbegun()
        return run.solve(part.settings, part.instance, path, observer, executor=executor)
    known = settings_from_toml(read_text(RunFolder(path).settings)).tasks or 0
    overrides = part.settings.model_dump(include={"executor", "workers", "address", "slice_seconds"})
    assert part.settings.tasks is not None
    return run.resume(path, observer, {**overrides, "tasks": max(part.settings.tasks, known)}, executor=executor)
