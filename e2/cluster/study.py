"""A run's settings, and the list of tasks that follows from them, whoever works on it."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from e2.core.cover import CoverProblem
from e2.core.instance import Instance
from e2.errors import SettingsError
from e2.search.cover_tree import BoardCover, CoverTree
from e2.search.crossing import ANY
from e2.search.fill_order import fill_order
from e2.search.orders import FILL_ORDER, TURN
from e2.search.parameters import checked_parameters
from e2.search.repair import START
from e2.search.strategy import Value
from e2.search.task import Task
from e2.search.tree import Tree
from e2.search.units import UnitTree
from e2.store.documents import Problem

COUNT = "count"
STRICT, COVER = "strict", "cover"
"""What counts: cell by cell in a fill order, or by exact cover."""

_KEEP = 1000  # solutions of a count that are kept as boards

_Count = Annotated[int, Field(ge=1, lt=2**62, strict=True)]
_Number = Annotated[int, Field(ge=0, le=65_536, strict=True)]
_Seconds = Annotated[float, Field(gt=0, le=1e9, allow_inf_nan=False, strict=True)]
_PREFIXES = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}


def _bytes(value: object) -> object:
    """A text such as 8GB, 1.5 GiB or 1000000 as a number of bytes; what is no text stays as it is."""
    if not isinstance(value, str):
        return value
    parts = re.fullmatch(r"(\d{1,15}(?:\.\d{1,3})?)\s*(?:([kmgt]?)(i?)b)?", value.strip(), re.IGNORECASE)
    if parts is None:
        raise ValueError("expected bytes, or a number with kB, MB, GB, TB, KiB, MiB, GiB or TiB")
    number, prefix, binary = parts.groups(default="")
    return int(float(number) * (1024 if binary else 1000) ** _PREFIXES[prefix.lower()])


_Bytes = Annotated[int, Field(ge=1, lt=2**62, strict=True), BeforeValidator(_bytes)]


Settings = TypeVar("Settings", bound=BaseModel)


class RunSettings(BaseModel):
    """Everything that a run needs besides its puzzle: enough to repeat it.

    What decides results: `kind`, `puzzle_hash`, `strategy`, `strategy_hash`, `parameters`, `seed`, `tasks`, `nodes`,
    `task_seconds`, `elite_every`, `region`, `merge`, `crossing`, `prefix_depth`, `part`, `target`. The rest says how
    fast they come.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["solve", "count"] = "solve"
    puzzle: str = ""
    """The puzzle's name, for people."""
    puzzle_hash: str = ""
    """store.documents.problem_hash of the puzzle beside the settings; empty in a file that is used with any."""
    strategy: str
    """A registered name, or FILE.py:CLASS."""
    source: str = Field("", exclude=True, repr=False)
    """The text of that file; kept as a file of its own beside the settings."""
    strategy_hash: str = ""
    """search.own.source_hash of `source`; empty for a registered strategy."""
    parameters: dict[str, Value] = {}
    seed: Annotated[int, Field(ge=0, lt=2**62, strict=True)] = 0
    """The seed of the first task; the next has the next one."""
    tasks: Annotated[int, Field(ge=1, le=1_000_000, strict=True)] | None = None
    """None is an endless list."""
    nodes: _Count | None = None
    """The budget of each task; None takes the strategy's own."""
    task_seconds: _Seconds | None = None
    """A budget in seconds of a core in place of nodes: results then depend on the machine."""
    memory: _Bytes | None = None
    """Bytes that each worker may take, also as a text such as 8GB: a strategy that has a width chooses it by them."""
    elite_every: _Count | None = None
    """In an endless list: every so many tasks one begins with one of the best boards that the run has by then."""
    region: Annotated[list[_Number], Field(min_length=4, max_length=4)] | None = None
    """Of a count: column, row, width and height of the block that is filled in place of the board."""
    merge: list[Literal["pieces", "turns", "board"]] = []
    """Of a count: what counts once; see search.tree.MERGES."""
    crossing: Literal["some", "each", "connected"] | None = None
    """Of a count of covers: what secondary items the options must share; see search.crossing.CROSSINGS."""
    prefix_depth: Annotated[int, Field(ge=1, le=65_536, strict=True)] | None = None
    """Of a count: every node with so many pieces becomes a unit of its own. Heavy units are cut further either way."""
    part: Annotated[str, Field(pattern=r"^[1-9]\d{0,5}/[1-9]\d{0,5}$")] | None = None
    """Of a count: which units of `prefix_depth` this run does, such as 1/3; the others are done elsewhere."""
    rank: Literal["none", "probes", "model"] = "none"
    """Of a count: which units go first: those that were cut first, or that hold most nodes by random probes, or most
    solutions by the pieces that are left."""
    keep: Annotated[int, Field(ge=0, le=10_000_000, strict=True)] | None = None
    """Of a count: how many solutions are kept as boards."""
    target: _Count | None = None
    """A score that ends the run."""
    seconds: _Seconds | None = None
    """The longest that one sitting may take; a resumed run gets as much again."""
    executor: Literal["inline", "local", "ray"] = "ray"
    workers: Annotated[int, Field(ge=1, le=100_000, strict=True)] | None = None
    """None is one a core, or what the cluster has."""
    address: str | None = None
    """The Ray cluster to use; None starts one on this machine, unless RAY_ADDRESS names one."""
    slice_seconds: Annotated[float, Field(ge=0.01, le=60, allow_inf_nan=False, strict=True)] = 1.0
    """How long a worker searches before it hands in what it has."""

    @property
    def wants_first(self) -> bool:
        """Of a count with a target: whether it ends with the first solution of its tree.

        Where units are ranked, and by cover, any will do.
        """
        return self.target is not None and self.rank == "none" and self.strategy == STRICT

    @model_validator(mode="before")
    @classmethod
    def _with_what_follows_from_the_kind(cls, values: Any) -> Any:
        if not isinstance(values, Mapping):
            return values
        if values.get("kind") == COUNT:
            return {"strategy": STRICT, "keep": _KEEP, **values}
        return {"strategy": "portfolio", **values}

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        if self.kind == COUNT:
            if self.strategy not in (STRICT, COVER):
                raise ValueError(f"only strategies 'strict' and 'cover' count, not {self.strategy!r}")
            if self.strategy == COVER:
                for name in ("parameters", "region", "merge", "rank"):
                    if getattr(self, name) not in (None, [], {}, "none"):
                        raise ValueError(f"{name} has no meaning for a count by cover, which chooses its own order")
            elif self.crossing is not None:
                raise ValueError("crossing has no meaning for strategy 'strict': it is for cover")
            for name in ("tasks", "nodes", "task_seconds", "memory"):
                if getattr(self, name) is not None:
                    raise ValueError(f"{name} has no meaning for a count: it visits the whole tree once")
            if self.part is not None:
                this, parts = map(int, self.part.split("/"))
                if this > parts:
                    raise ValueError(f"part {self.part}: expected 1/{parts} to {parts}/{parts}")
                if self.prefix_depth is None:
                    raise ValueError(
                        f"part {self.part}: expected prefix_depth too, the depth at which the parts are told apart"
                    )
        else:
            for name in ("region", "merge", "crossing", "prefix_depth", "part", "rank", "keep"):
                if getattr(self, name) not in (None, [], "none"):
                    raise ValueError(f"{name} has no meaning for a solve: it is for a count")
        if self.elite_every is not None and (self.kind == COUNT or self.tasks is not None):
            raise ValueError("elite_every needs an endless list of tasks: what they begin with is known only then")
        if self.nodes is not None and self.task_seconds is not None:
            raise ValueError("nodes and task_seconds are two budgets for one task; expected one of them")
        if self.address is not None and self.executor != "ray":
            raise ValueError(f"address names a Ray cluster, but the executor is {self.executor}")
        if self.executor == "inline" and self.workers not in (None, 1):
            raise ValueError("executor inline has one worker; use local or ray for more")
        return self


def run_settings(values: Mapping[str, object]) -> RunSettings:
    """Settings from plain values; SettingsError with one line that names each wrong one."""
    return checked_settings(RunSettings, values)


def checked_settings(model: type[Settings], values: Mapping[str, object]) -> Settings:
    """The values as a model of settings; SettingsError with one line that names each wrong one."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise SettingsError("; ".join(_fault(fault) for fault in error.errors())) from None


def settings_from_toml(text: str) -> RunSettings:
    """Settings as a file has them."""
    return run_settings(toml_table(text, "settings are no TOML"))


def toml_table(text: str, refusal: str) -> dict[str, Any]:
    """What a text in TOML says; SettingsError, which begins with `refusal`, for one that its reader gives up on."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{refusal}: {error}") from None


def settings_to_toml(settings: RunSettings) -> str:
    """The settings as a file that reads back the same. What is None is left out."""
    values = settings.model_dump(exclude_none=True)
    parameters = values.pop("parameters")
    lines = [f"{name} = {_toml(value)}" for name, value in values.items()]
    if parameters:
        lines += ["", "[parameters]"]
        lines += [f"{_toml_key(name)} = {_toml(value)}" for name, value in parameters.items()]
    return "\n".join(lines) + "\n"


def nth_task(settings: RunSettings, instance: Instance, number: int, start: Sequence[int] | None = None) -> Task:
    """Task `number` (from 0) of a run, which may begin with the board of these codes."""
    seed = settings.seed + number
    parameters = settings.parameters if start is None else {**settings.parameters, START.name: list(start)}
    return Task(instance, settings.strategy, parameters, seed, settings.nodes, settings.source)


def tree_of(settings: RunSettings, problem: Problem) -> UnitTree:
    """The tree that a count searches; SettingsError where the settings do not fit the problem."""
    tree: UnitTree
    if isinstance(problem, CoverProblem):
        if settings.strategy != COVER:
            raise SettingsError(f"strategy {settings.strategy!r} counts no covers; expected cover")
        tree = _cover_tree(problem, settings.crossing or ANY)
    elif settings.strategy == COVER:
        if settings.crossing is not None:
            raise SettingsError("crossing has no meaning for a board: it is for words")
        tree = BoardCover(problem)
    else:
        tree = strict_tree(settings, problem)
    if settings.prefix_depth is not None and settings.prefix_depth >= max(1, tree.depths):
        filled = "options of a solution" if isinstance(problem, CoverProblem) else "cells that are filled"
        raise SettingsError(f"prefix_depth = {settings.prefix_depth}: expected less than the {tree.depths} {filled}")
    return tree


@lru_cache(maxsize=2)
def _cover_tree(problem: CoverProblem, crossing: str) -> CoverTree:
    """A tree is asked for several times in a run, and laying out a large problem takes a second."""
    return CoverTree.of(problem, crossing)


def strict_tree(settings: RunSettings, instance: Instance) -> Tree:
    """The tree of a count in a fill order; SettingsError where the settings do not fit the puzzle."""
    given = checked_parameters("count", (FILL_ORDER, TURN), settings.parameters)
    spec, turn = given[FILL_ORDER.name], given[TURN.name]
    assert isinstance(spec, str | list)
    assert isinstance(turn, int)
    cells = fill_order(instance.grid, spec, turn)
    if settings.region is not None:
        left, top, width, height = settings.region
        if not (0 < width <= instance.width - left and 0 < height <= instance.height - top):
            raise SettingsError(
                f"region {','.join(map(str, settings.region))}: expected COLUMN,ROW,WIDTH,HEIGHT of a block within "
                f"{instance.width}x{instance.height} cells"
            )
        columns, rows = range(left, left + width), range(top, top + height)
        cells = tuple(cell for cell in cells if cell % instance.width in columns and cell // instance.width in rows)
    return Tree(instance, cells, frozenset(settings.merge))


def _fault(fault: Any) -> str:
    place = ".".join(str(part) for part in fault["loc"] if not str(part).startswith(("function-", "constrained-")))
    message = str(fault["msg"]).removeprefix("Value error, ")
    if fault["type"] == "extra_forbidden":
        return f"{place[:60]!r} is no setting"
    if not place:
        return message
    shown = repr(fault["input"])
    return f"{place[:60]} = {shown if len(shown) <= 40 else shown[:37] + '...'}: {message}"


def _toml(value: Value | Sequence[Value]) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _toml_text(value)
    if isinstance(value, list):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    if isinstance(value, float) and not math.isfinite(value):
        raise SettingsError(f"{value} is no value for a setting")
    return repr(value)


def _toml_text(text: str) -> str:
    # JSON escapes what TOML's basic strings need escaped, all but DEL.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _toml_key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _toml_text(name)
