"""Runs from beginning to end: a new one, or one that goes on. What the command line and `import e2` call."""

from __future__ import annotations

import contextlib
import json
import platform
import socket
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path

from e2.cluster.books import write_ledger_text
from e2.cluster.executor import Executor
from e2.cluster.inline import InlineExecutor
from e2.cluster.interrupt import Interrupts
from e2.cluster.local import LocalExecutor, usable_cores
from e2.cluster.manager import Manager
from e2.cluster.observer import Observer
from e2.cluster.plan import Plan
from e2.cluster.ray_pool import RayExecutor
from e2.cluster.study import COUNT, RunSettings, nth_task, run_settings, settings_from_toml, settings_to_toml, tree_of
from e2.cluster.task_plan import TaskPlan
from e2.cluster.tree_plan import TreePlan
from e2.core.audit import board_faults
from e2.core.instance import Instance
from e2.errors import E2Error, RunError, SettingsError
from e2.search import open_search, strategy
from e2.search.memory import usable_memory
from e2.search.own import RAISED, source_hash, told
from e2.search.repair import START
from e2.search.strategy import Budget, Suiting
from e2.search.units import UnitTree
from e2.store.archive import Archive
from e2.store.documents import (
    Problem,
    check_boards_can_be_written,
    problem_hash,
    read_problem,
    write_problem,
)
from e2.store.inputs import strategy_argument
from e2.store.layout import RunFolder, read_text, write_durably
from e2.store.ledger import FAILED, OPEN, Ledger, Unit
from e2.store.tree_ledger import Branch, TreeLedger

OVERRIDES = ("tasks", "target", "seconds", "executor", "workers", "address", "slice_seconds")
"""The settings that a resumed run may change. `tasks` only grows."""

_LASTING = ("tasks", "target")  # what of them the run keeps; the others are for one sitting


@dataclass(frozen=True)
class BestBoard:
    """The best board of a run; `path` is the file, `url` opens it."""

    score: int
    board_hash: int
    path: str
    url: str


@dataclass(frozen=True)
class TreeSummary:
    """What a count has come to. `solutions` are without what counts once; `apart` is their number with it, if known.

    `whole` says that every unit is done, so that the numbers are those of the whole tree. `elsewhere` are units that
    are left to other parts of the tree; `left` is the part of the tree that is not searched, by a guess, theirs and
    what failed included.
    """

    id: str
    merged: tuple[str, ...]
    apart: int | None
    nodes_by_depth: tuple[int, ...]
    whole: bool
    elsewhere: int
    left: float


@dataclass(frozen=True)
class RunSummary:
    """Where a run stands. Nodes, seconds and solutions are of all sittings together.

    `complete`: nothing is left to do, because every task has had its budget or the target is reached. `interrupted`:
    this sitting ended by a signal. `late` and `rejected` count slices that came too often, and that were not believed.
    """

    run: str
    best: BestBoard | None
    boards: int
    nodes: int
    seconds: float
    tasks: int
    complete: bool
    interrupted: bool
    solutions: int
    late: int
    rejected: int
    failures: tuple[str, ...]
    tree: TreeSummary | None = None


def solve(
    settings: RunSettings,
    problem: Problem,
    path: Path,
    observer: Observer,
    *,
    numbered: bool = False,
    executor: Executor | None = None,
) -> RunSummary:
    """Begin a run in a new folder at `path`, and drive it to its end, a stop or the end of its time.

    Serves both kinds: a count is a run whose units are the parts of one search tree; only a count may be of a cover
    problem. With `numbered` a path that is taken gets a number. An `executor` that is given has been entered, and has
    nothing in flight. Settings that do not fit the problem, a puzzle whose boards have no document, and a cluster that
    cannot be used raise before anything is written.
    """
    settings = settled(settings, problem)
    if isinstance(problem, Instance):
        check_boards_can_be_written(problem)
    if not numbered:
        RunFolder.refuse_taken(path)
    warm_up(settings, problem)
    with _entered(executor, settings) as executor:
        folder = RunFolder.create(path, numbered=numbered)
        with folder.driven(), folder.begun_or_gone():
            write_problem(folder, problem)
            ledger = _ledger_of(settings).create(folder.ledger)
            try:
                _add_first_units(settings, ledger)
                if settings.source:
                    write_durably(folder.strategy, settings.source.encode())
                write_durably(folder.settings, settings_to_toml(settings).encode())
                return _drive(settings, problem, folder, ledger, executor, observer)
            finally:
                ledger.close()


def resume(
    path: Path,
    observer: Observer,
    overrides: Mapping[str, object] | None = None,
    *,
    executor: Executor | None = None,
) -> RunSummary:
    """Go on with the run at `path`. A run that is complete just says so; `overrides` may extend it."""
    folder = RunFolder.open(path)
    with folder.driven():
        settings = settings_from_toml(read_text(folder.settings))
        problem = read_problem(folder)
        if problem_hash(problem) != settings.puzzle_hash:
            file, what = (folder.puzzle, "puzzle") if isinstance(problem, Instance) else (folder.cover, "problem")
            raise RunError(f"{file} is not the {what} that this run began with")
        if settings.strategy_hash:
            settings = settings.model_copy(update={"source": read_text(folder.strategy)})
            if source_hash(settings.source) != settings.strategy_hash:
                raise RunError(f"{folder.strategy} is not the strategy that this run began with")
        sitting = _overridden(settings, overrides or {})
        _check_target(sitting, problem)
        ledger = _ledger_of(settings).open(folder.ledger)
        try:
            known = ledger.totals().units
            if sitting.tasks is not None and sitting.tasks > known:
                ledger.add_units(_task_units(sitting, known))
            lasting = settings.model_copy(update={name: getattr(sitting, name) for name in _LASTING})
            if lasting != settings:
                write_durably(folder.settings, settings_to_toml(lasting).encode())
            if isinstance(problem, Instance):
                _refuse_false_boards(folder, problem, ledger)
                Archive(folder, problem).settle(_boards_of(ledger, problem))
            summary = _summary(sitting, problem, folder, ledger, interrupted=False)
            if summary.complete:
                return summary
            warm_up(sitting, problem)
            with _entered(executor, sitting) as executor:
                return _drive(sitting, problem, folder, ledger, executor, observer)
        finally:
            ledger.close()


def _drive(
    settings: RunSettings,
    problem: Problem,
    folder: RunFolder,
    ledger: Ledger,
    executor: Executor,
    observer: Observer,
) -> RunSummary:
    began = time.monotonic()
    ledger.begin_sitting()
    # Ray sets signal handlers of its own when it starts, so ours come after.
    with Interrupts(folder.stop) as interrupts:
        Manager(
            settings,
            _plan(settings, problem, folder, ledger),
            ledger,
            executor,
            observer,
            stop=folder.stop,
            stopping=lambda: interrupts.asked,
        ).run()
        ledger.add_seconds(time.monotonic() - began)
        if isinstance(ledger, TreeLedger):
            write_ledger_text(folder, settings, problem, ledger)
        summary = _summary(settings, problem, folder, ledger, interrupted=interrupts.asked)
        _write_summary(folder, summary)
    return summary


def _entered(executor: Executor | None, settings: RunSettings) -> contextlib.AbstractContextManager[Executor]:
    return executor_of(settings) if executor is None else contextlib.nullcontext(executor)


def executor_of(settings: RunSettings) -> Executor:
    """The executor that the settings name, not yet started."""
    return executor_named(settings.executor, settings.workers, settings.address)


def executor_named(name: str, workers: int | None = None, address: str | None = None) -> Executor:
    """The executor of that name, not yet started; SettingsError for an unknown one."""
    if name == "inline":
        return InlineExecutor()
    if name == "local":
        return LocalExecutor(workers)
    if name == "ray":
        return RayExecutor(address, workers)
    raise SettingsError(f"executor {name[:40]!r}: expected inline, local or ray")


def settled(settings: RunSettings, problem: Problem) -> RunSettings:
    """The settings as the run on a puzzle keeps them, with all that follows from both; settling twice changes nothing.

    SettingsError for an unknown strategy, for settings that name another puzzle, and for too little memory.
    """
    settings = _with_source(settings)
    if settings.kind == COUNT:
        tree_of(settings, problem)
    _check_target(settings, problem)
    search = strategy(settings.strategy, settings.source)
    fixed: dict[str, object] = {"puzzle_hash": problem_hash(problem)}
    if isinstance(problem, Instance):
        fixed["puzzle"] = problem.name
    if settings.kind != COUNT and settings.nodes is None and settings.task_seconds is None:
        fixed["nodes"] = search.default_nodes
    if isinstance(search, Suiting) and isinstance(problem, Instance):
        seconds = settings.seconds if settings.task_seconds is None else settings.task_seconds
        budget = Budget(seconds, settings.nodes, settings.memory)
        parameters = fixed["parameters"] = search.suited(settings.parameters, problem, budget)
        if settings.memory is not None and (needed := search.memory(parameters, problem)) > settings.memory:
            raise SettingsError(
                f"memory = {settings.memory}: {settings.strategy} takes {needed}; expected more or a smaller width"
            )
    elif settings.memory is not None:
        raise SettingsError(f"memory = {settings.memory}: strategy {settings.strategy} chooses nothing by it")
    if settings.elite_every is not None and all(parameter.name != START.name for parameter in search.parameters):
        raise SettingsError(f"elite_every = {settings.elite_every}: {settings.strategy} cannot begin with a board")
    if settings.puzzle_hash not in ("", fixed["puzzle_hash"]):
        raise SettingsError(
            f"the settings are for puzzle {settings.puzzle!r} ({settings.puzzle_hash}), not for this one"
        )
    return settings.model_copy(update=fixed)


def _check_target(settings: RunSettings, problem: Problem) -> None:
    if settings.kind != COUNT or settings.target is None:
        return
    if not isinstance(problem, Instance):
        raise SettingsError(f"target = {settings.target}: solutions of a cover problem have no score")
    most = problem.grid.max_score
    if settings.target != most:
        raise SettingsError(f"target = {settings.target}: a count stops at its first solution with {most}, or never")


def _with_source(settings: RunSettings) -> RunSettings:
    """The settings with the text of the strategy's file, if it has one, and its hash."""
    name, source = settings.strategy, settings.source
    if not source:
        name, source = strategy_argument(name)
    digest = source_hash(source) if source else ""
    if settings.strategy_hash not in ("", digest):
        raise SettingsError(f"the settings are for another text of {name} ({settings.strategy_hash[:16]}...)")
    return settings.model_copy(update={"strategy": name, "source": source, "strategy_hash": digest})


def warm_up(settings: RunSettings, problem: Problem) -> None:
    """Take one step here: it checks the parameters, and compiles what workers would else compile each for itself.

    SettingsError too where the tasks that are worked on at a time do not fit into the memory of this machine.
    """
    if settings.kind == COUNT:
        tree_of(settings, problem).search()
        return
    instance = _puzzle_of(problem)
    try:
        search = open_search(nth_task(settings, instance, 0))
        if not strategy(settings.strategy, settings.source).patience:
            search.step(1)
        _check_memory(settings, instance)
    except RAISED as error:
        if isinstance(error, E2Error) or not settings.source:
            raise
        raise SettingsError(f"{settings.strategy}: {told(error, settings.strategy, settings.source)}") from error


def _puzzle_of(problem: Problem) -> Instance:
    """The puzzle of a run that is no count; SettingsError where it has none."""
    if isinstance(problem, Instance):
        return problem
    raise SettingsError("covers of a problem are counted, not solved in a run; expected kind count")


def _check_memory(settings: RunSettings, instance: Instance) -> None:
    search, usable = strategy(settings.strategy, settings.source), usable_memory()
    if isinstance(search, Suiting) and usable is not None:
        needed, tasks = search.memory(settings.parameters, instance), _tasks_here(settings)
        if tasks * needed > usable:
            raise SettingsError(
                f"{settings.strategy}: {tasks} tasks at a time, each of {needed >> 20} MiB, of which {usable >> 20} MiB"
                " may be used; expected fewer workers or a smaller width"
            )


def _tasks_here(settings: RunSettings) -> int:
    """How many tasks are worked on at a time on this machine, at most."""
    workers = 1 if settings.executor == "inline" else settings.workers or usable_cores()
    if settings.address is not None:
        # The workers are spread over hosts that only the cluster knows: taken to be like this one, a task a core.
        workers = min(workers, usable_cores())
    return workers if settings.tasks is None else min(workers, settings.tasks)


def _ledger_of(settings: RunSettings) -> type[Ledger]:
    return TreeLedger if settings.kind == COUNT else Ledger


def _plan(settings: RunSettings, problem: Problem, folder: RunFolder, ledger: Ledger) -> Plan:
    archive = Archive(folder, problem) if isinstance(problem, Instance) else None
    if isinstance(ledger, TreeLedger):
        return TreePlan(settings, tree_of(settings, problem), ledger, archive, str(folder.stop))
    assert archive is not None
    return TaskPlan(settings, archive.instance, ledger, archive, str(folder.stop))


def _refuse_false_boards(folder: RunFolder, instance: Instance, ledger: Ledger) -> None:
    """Raise the RunError of a ledger whose solutions are none, or whose best board is not what it says."""
    if isinstance(ledger, TreeLedger):
        boards = [(instance.grid.max_score, codes) for _, codes in ledger.boards()]
    else:
        best = _best_board(instance, ledger, None)
        boards = [] if best is None else [best]
    for score, codes in boards:
        fault = next(board_faults(codes, score, instance), None)
        if fault is not None:
            raise RunError(f"{folder.ledger} is damaged: it has a board that is none of the run: {fault}")


def _boards_of(ledger: Ledger, instance: Instance) -> set[tuple[int, int]]:
    """Score and hash of the boards that a run keeps as its best."""
    if isinstance(ledger, TreeLedger):
        return {(instance.grid.max_score, name) for name, _ in ledger.boards()}
    return {(best.score, best.board_hash) for _, best in ledger.bests()}


def _add_first_units(settings: RunSettings, ledger: Ledger) -> None:
    """What a run begins with: its tasks, or its whole tree."""
    if isinstance(ledger, TreeLedger):
        ledger.add_branches([Branch((), 1.0)], [OPEN])
    elif settings.tasks is not None:
        ledger.add_units(_task_units(settings, 0))


def _task_units(settings: RunSettings, first: int) -> Iterator[Unit]:
    assert settings.tasks is not None
    return (Unit(number, settings.seed + number, settings.nodes) for number in range(first, settings.tasks))


def _overridden(settings: RunSettings, overrides: Mapping[str, object]) -> RunSettings:
    for name in overrides:
        if name not in OVERRIDES:
            raise SettingsError(f"a resumed run keeps its {name}; it may change {', '.join(OVERRIDES)}")
    values = {**settings.model_dump(), "source": settings.source, **overrides}
    if values["executor"] != settings.executor:
        # Another executor may not know the workers or the cluster of the one before.
        values |= {name: overrides.get(name) for name in ("workers", "address")}
    changed = run_settings(values)
    if settings.tasks is not None and changed.tasks is not None and changed.tasks < settings.tasks:
        raise SettingsError(
            f"tasks = {changed.tasks}: the run has {settings.tasks} already, and a resumed run only grows"
        )
    return changed


def _summary(
    settings: RunSettings, problem: Problem, folder: RunFolder, ledger: Ledger, *, interrupted: bool
) -> RunSummary:
    totals = ledger.totals()
    tree = tree_of(settings, problem) if settings.kind == COUNT else None
    best = _best_board(problem, ledger, tree) if isinstance(problem, Instance) else None
    endless = settings.kind != COUNT and settings.tasks is None
    reached = settings.target is not None and best is not None and best[0] >= settings.target
    if reached and best is not None and tree is not None and isinstance(ledger, TreeLedger):
        reached = not settings.wants_first or _is_first(best[1], tree, ledger)
    shown = None
    if best is not None and isinstance(problem, Instance):
        found = Archive(folder, problem).write(best[1], best[0])
        shown = BestBoard(found.score, found.board_hash, str(found.path), found.url)
    of_tree = _tree_summary(tree, ledger) if tree is not None and isinstance(ledger, TreeLedger) else None
    ours = totals.units - (0 if of_tree is None else of_tree.elsewhere)
    return RunSummary(
        run=str(folder.path),
        best=shown,
        boards=totals.boards,
        nodes=totals.nodes,
        seconds=totals.seconds,
        tasks=totals.done,
        complete=reached or (not endless and totals.done == ours),
        interrupted=interrupted,
        solutions=totals.solutions,
        late=totals.late,
        rejected=totals.rejected,
        failures=tuple(f"unit {number}: {reason}" for number, reason in ledger.failures()),
        tree=of_tree,
    )


def _best_board(instance: Instance, ledger: Ledger, tree: UnitTree | None) -> tuple[int, tuple[int, ...]] | None:
    """Score and codes of the best board; of solutions the one that comes first in the tree."""
    if tree is not None and isinstance(ledger, TreeLedger):
        first = min((codes for _, codes in ledger.boards()), key=tree.path_of, default=None)
        return None if first is None else (instance.grid.max_score, first)
    best = ledger.best()
    return None if best is None else (best.score, best.codes)


def _is_first(codes: tuple[int, ...], tree: UnitTree, ledger: TreeLedger) -> bool:
    """Whether nothing is left to do that comes before a solution in the tree, but for what others are to do."""
    path = tree.path_of(codes)
    left = (account for account in ledger.accounts() if account.status in (OPEN, FAILED))
    return all(path <= (account.path if account.place is None else account.place[1:]) for account in left)


def _tree_summary(tree: UnitTree, ledger: TreeLedger) -> TreeSummary:
    totals = ledger.totals()
    elsewhere, left = ledger.share_elsewhere()
    return TreeSummary(
        tree.id,
        tuple(sorted(tree.merged)),
        None if tree.apart is None else totals.solutions * tree.apart,
        ledger.nodes_by_depth(tree.depths),
        totals.done == totals.units,
        elsewhere,
        left + ledger.open_share()[1] + ledger.failed_share()[1],
    )


def _write_summary(folder: RunFolder, summary: RunSummary) -> None:
    versions = {name: metadata.version(name) for name in ("e2", "numba", "numpy", "ray")}
    machine = {
        "versions": {**versions, "python": platform.python_version()},
        "host": socket.gethostname(),
        "cores": usable_cores(),
    }
    # Not orjson: solutions apart may have more than 64 bits, and the folder a name that is no UTF-8.
    text = json.dumps({**asdict(summary), **machine}, ensure_ascii=False, indent=2) + "\n"
    write_durably(folder.summary, text.encode(errors="replace"))
