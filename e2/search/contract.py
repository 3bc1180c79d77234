"""What every strategy promises, checked on real searches: `e2 strategy check`, and the contract test of ours.

A run cuts a search into bites, puts it aside and opens it elsewhere; so the promises are that none of this can be seen
in what the search finds. Each check makes the same search in two ways and compares.
"""

from __future__ import annotations

import io
import pickletools
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from e2.core.audit import board_faults
from e2.core.instance import Instance
from e2.errors import SettingsError
from e2.search.own import RAISED, told
from e2.search.stats import SearchStats
from e2.search.strategy import Bite, Search, Strategy, Value, never

_BITES = (1, 2, 17, 50, 150)  # nodes, for looking at where a search rests


@dataclass(frozen=True)
class Subject:
    """A strategy on an instance, and the node budget that each check may spend on a search."""

    strategy: Strategy
    instance: Instance
    nodes: int
    parameters: Mapping[str, Value] = field(default_factory=dict)
    source: str = ""
    name: str = ""

    def search(self, seed: int = 3, state: bytes | None = None) -> Search:
        """A search of the subject: a new one, or one that goes on from a state."""
        search = self.strategy.prepare(self.instance, self.parameters, seed)
        if state is not None:
            search.restore(state)
        return search


@dataclass(frozen=True)
class Broken:
    """One way in which a promise is broken."""

    expected: str
    happened: str


@dataclass(frozen=True)
class Promise:
    """`check` tells each way in which a subject breaks the promise."""

    text: str
    check: Callable[[Subject], Iterator[Broken]]


def broken_promises(subject: Subject) -> Iterator[tuple[Promise, tuple[Broken, ...]]]:
    """Each promise with the ways in which it is broken: none for one that is kept."""
    for promise in PROMISES:
        try:
            yield promise, tuple(promise.check(subject))
        except RAISED as error:
            # The strategy is on trial: whatever it raises is an answer.
            what = told(error, subject.name, subject.source)
            yield promise, (Broken("a search that raises nothing", f"it raised {what}"),)


def refuses_what_it_does_not_know(subject: Subject) -> Iterator[Broken]:
    """An unknown parameter, and a known one with a value of another type, end in a SettingsError."""
    wrong: dict[str, Value] = {"no_such_parameter": 1}
    for parameter in subject.strategy.parameters:
        wrong[parameter.name] = 1 if isinstance(parameter.default, str | list) else "a text"
    for name, value in wrong.items():
        try:
            subject.strategy.prepare(subject.instance, {name: value}, 0)
        except SettingsError:
            continue
        yield Broken(f"a SettingsError for {name} = {value!r}", "it was accepted")


def takes_its_own_defaults(subject: Subject) -> Iterator[Broken]:
    """Every default is a value that the parameter may have, and naming it changes nothing."""
    defaults = {parameter.name: parameter.default for parameter in subject.strategy.parameters}
    spelled = Subject(subject.strategy, subject.instance, subject.nodes, {**defaults, **subject.parameters})
    yield from _differences(_cut(subject, [subject.nodes]), _cut(spelled, [subject.nodes]), "all defaults spelled out")


def rests_where_the_task_says(subject: Subject) -> Iterator[Broken]:
    """A step makes its nodes unless the search ends, and ends at the first resting point from there on.

    Bites of one node show all resting points; a larger bite must end at one of them, the first that is far enough.
    """
    rests, made, finished = [], 0, False
    search = subject.search()
    while made <= max(_BITES) and not finished:
        bite = search.step(1)
        made, finished = made + bite.stats.nodes, bite.finished
        rests.append(made)
        if bite.stats.nodes < 1 and not finished:
            yield Broken("step(1) makes a node or more, or the search is finished", "it made none")
            return
    for nodes in _BITES:
        bite = subject.search().step(nodes)
        due = next((rest for rest in rests if rest >= nodes), rests[-1])
        if bite.stats.nodes != due:
            yield Broken(f"step({nodes}) ends after {due} nodes, as bites of 1 do", f"it made {bite.stats.nodes}")
    if finished:
        last = search.step(1)
        if last.stats.nodes or not last.finished:
            yield Broken("a finished search stays so and makes no nodes", f"it made {last.stats.nodes}")


def any_cut_gives_the_same(subject: Subject) -> Iterator[Broken]:
    """Totals, board and state after the budget are the same for bites of any size."""
    whole = _cut(subject, [subject.nodes])
    for bites in _cuts(subject.nodes):
        yield from _differences(whole, _cut(subject, bites), f"bites of {_words(bites)} nodes in turn")


def goes_on_elsewhere(subject: Subject) -> Iterator[Broken]:
    """A new search that is given the state goes on as the first one would have."""
    whole = _cut(subject, [subject.nodes])
    for bites in _cuts(subject.nodes):
        how = f"bites of {_words(bites)} nodes in turn, put aside and opened anew after each"
        yield from _differences(whole, _cut(subject, bites, reopen=True), how)


def knows_nothing_of_other_searches(subject: Subject) -> Iterator[Broken]:
    """Searches that take turns in one process find what each finds alone: nothing is kept outside a search."""
    alone = [_cut(subject, [subject.nodes // 4 + 1], seed=seed) for seed in (3, 4)]
    searches = [_Cutting(subject, seed) for seed in (3, 4)]
    while not all(cutting.through for cutting in searches):
        for cutting in searches:
            cutting.go_on(subject.nodes // 4 + 1)
    for seed, before, cutting in zip((3, 4), alone, searches, strict=True):
        yield from _differences(before, _cut(subject, [subject.nodes // 4 + 1], seed=seed), f"seed {seed} once more")
        yield from _differences(before, cutting.outcome, f"seed {seed}, in turns with another")


def loses_nothing_by_a_stop(subject: Subject) -> Iterator[Broken]:
    """A step that is told to stop leaves the search at a resting point, from which it goes on to the same end."""
    stopped = _Cutting(subject)
    stopped.go_on(subject.nodes, stopping=lambda: True)
    stopped.go_on(subject.nodes)
    yield from _differences(_cut(subject, [subject.nodes]), stopped.outcome, "a step that was told to stop, then on")


def keeps_code_out_of_its_state(subject: Subject) -> Iterator[Broken]:
    """The state is bytes, and no pickle: opening a pickle runs whatever is in it."""
    search = subject.search()
    for nodes in (1, subject.nodes // 2 + 1):
        search.step(nodes)
        state: object = search.state()
        if not isinstance(state, bytes):
            yield Broken("state() is bytes", f"it is {type(state).__name__}")
        elif _is_pickle(state) or _holds_pickles(state):
            yield Broken("a state that holds no code, such as JSON or search.state.packed", "it is a pickle")


def boards_are_what_it_says(subject: Subject) -> Iterator[Broken]:
    """Pins stay, no piece lies twice, grey lies on the rim alone, the score is the board's, the best never falls."""
    search, best_score, seen = subject.search(seed=2), -1, False
    for _ in range(6):
        bite = search.step(subject.nodes // 6 + 1)
        if bite.best is not None:
            seen = True
            for fault in board_faults(bite.best.codes, bite.best_score, subject.instance):
                yield Broken("the best board is sound and its score is core.score's", fault)
            if bite.best_score < best_score:
                yield Broken(f"the best score stays {best_score} or rises", f"it fell to {bite.best_score}")
            best_score = max(best_score, bite.best_score)
        if bite.finished:
            break
    if not seen:
        yield Broken(f"a board within {subject.nodes} nodes", "there is none")


PROMISES = (
    Promise("refuses unknown parameters and wrong types", refuses_what_it_does_not_know),
    Promise("takes its own defaults", takes_its_own_defaults),
    Promise("makes the nodes asked for, and rests where the task says", rests_where_the_task_says),
    Promise("gives the same for bites of any size", any_cut_gives_the_same),
    Promise("goes on elsewhere from its state", goes_on_elsewhere),
    Promise("is repeatable, and knows nothing of other searches", knows_nothing_of_other_searches),
    Promise("loses nothing by a stop", loses_nothing_by_a_stop),
    Promise("keeps code out of its state", keeps_code_out_of_its_state),
    Promise("keeps the pins and tells the score of its boards", boards_are_what_it_says),
)
"""All that a run relies on."""


@dataclass(frozen=True)
class _Outcome:
    stats: SearchStats
    last: Bite
    state: bytes


class _Cutting:
    """A search on its way to the subject's budget."""

    def __init__(self, subject: Subject, seed: int = 3) -> None:
        self._subject = subject
        self._seed = seed
        self._search = subject.search(seed)
        self._stats = SearchStats()
        self._last: Bite | None = None

    @property
    def nodes(self) -> int:
        return self._stats.nodes

    @property
    def through(self) -> bool:
        return self._stats.nodes >= self._subject.nodes or (self._last is not None and self._last.finished)

    def go_on(self, nodes: int, *, reopen: bool = False, stopping: Callable[[], bool] = never) -> None:
        if self.through:
            return
        self._last = self._search.step(min(nodes, self._subject.nodes - self._stats.nodes), stopping)
        self._stats += self._last.stats
        if reopen:
            self._search = self._subject.search(self._seed, self._search.state())

    @property
    def outcome(self) -> _Outcome:
        assert self._last is not None
        return _Outcome(self._stats, self._last, self._search.state())


def _cut(subject: Subject, bites: Sequence[int], *, reopen: bool = False, seed: int = 3) -> _Outcome:
    """What a search comes to after the subject's budget, in bites of the given sizes in turn."""
    cutting, at = _Cutting(subject, seed), 0
    while not cutting.through:
        before, asked = cutting.nodes, min(bites[at % len(bites)], subject.nodes - cutting.nodes)
        cutting.go_on(asked, reopen=reopen)
        at += 1
        if cutting.nodes == before and not cutting.through:
            raise RuntimeError(f"a step of {asked} nodes made none and did not finish")
    return cutting.outcome


def _cuts(nodes: int) -> list[list[int]]:
    return [[nodes // 3 + 1], [17, nodes // 9 + 1, 1]]


def _differences(whole: _Outcome, other: _Outcome, how: str) -> Iterator[Broken]:
    pairs: tuple[tuple[str, object, object], ...] = (
        *((name, getattr(whole.stats, name), getattr(other.stats, name)) for name in vars(whole.stats)),
        ("finished", whole.last.finished, other.last.finished),
        ("best score", whole.last.best_score, other.last.best_score),
    )
    found = [Broken(f"{name} {one} as in one bite, also for {how}", str(two)) for name, one, two in pairs if one != two]
    if not found and whole.last.best != other.last.best:
        found = [Broken(f"the board of one bite, also for {how}", "another board of the same score")]
    if not found and whole.state != other.state:
        found = [Broken(f"the state of one bite, also for {how}", "another state, so that the searches may part")]
    yield from found


def _words(bites: Sequence[int]) -> str:
    return ", ".join(str(nodes) for nodes in bites)


def _is_pickle(state: bytes) -> bool:
    """Whether the bytes are one pickle from the first to the last; nothing in them is run."""
    at = -1
    try:
        for opcode, _, position in pickletools.genops(state):
            at = position if position is not None and opcode.name == "STOP" else -1
    except Exception:  # genops raises whatever the bytes make of it
        return False
    return len(state) > 1 and at == len(state) - 1


def _holds_pickles(state: bytes) -> bool:
    """Whether the bytes are a npz archive with an array of objects."""
    try:
        with zipfile.ZipFile(io.BytesIO(state)) as archive:
            return any(
                _is_pickle(data) or (data.startswith(b"\x93NUMPY") and not _is_plain(data))
                for data in map(archive.read, archive.namelist())
            )
    except zipfile.BadZipFile:
        return False


def _is_plain(array: bytes) -> bool:
    try:
        np.load(io.BytesIO(array), allow_pickle=False)
    except ValueError:
        return False
    return True
