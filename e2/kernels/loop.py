"""One closed loop on the lines of a grid: what follows from what, and a complete search behind it.

Every cell is inside or outside the loop, so a line is drawn exactly where the two cells beside it differ. Nothing is
decided but whether two cells are alike; cells of which that is known make a component, each with a parity. Rules draw
conclusions until nothing changes: a vertex has no or two lines; a cell has as many as its clue says (both are sets of
patterns of a few cells); a path may close only if that makes the whole loop; what is inside is connected, and what is
outside too. Then every line is tried both ways, and at last one is decided by trial.

The hand rules of the books (adjacent 3s, diagonal 3s, ...) follow where they are true. The one for adjacent 3s, which
puts lines beyond them, is false of a loop round two cells: no rule here says it, and such a loop is found.

Cells are row-major; number width x height is all that lies outside the grid. Vertices are row-major, width + 1 a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from e2.core.grid import Grid
from e2.core.quad import DOWN, LEFT, RIGHT, UP
from e2.kernels.compile import lean_kernel

Array = Any

SCOPE = 5
"""Cells that a rule looks at, at most: a cell and its neighbours."""

BEGUN, DONE, NODES, SOLUTIONS, LEVEL, MERGES, JOINS, PATHS, CLOSED, OWED, ROUND = range(11)
CHOSEN, VALUE, THOROUGH, DOUBT, CONTROL = range(11, 16)
"""Places in `control`. OWED is how many lines the clues still lack, with a line between two clues counted twice. DOUBT
is 1 at the start and where a trial has failed, until the next one."""
_WAITING, _HEAD, _TAIL, _KNOWN, _COUNTS = range(5)
_NUMBER, _LOW, _ABOVE, _SIDE, _HOLDS, _VISIT = range(6)


class LoopRules(NamedTuple):
    """What does not change: a puzzle as flat arrays, all int64."""

    scope: Array  # (rules, SCOPE) cells
    size: Array  # (rules) how many of them
    allowed: Array  # (rules) set of patterns: pattern x has bit i - 1 where cell i differs from cell 0, a set bit x
    touch_start: Array  # (cells + 2) where a cell's rules begin in `touch`
    touch: Array
    beside: Array  # (cells, 4) the cell across each side, in the order of core.quad
    corners: Array  # (cells, 4, 2) the vertices at the ends of each side
    lines: Array  # (lines, 2) the cells on both sides of each line
    clued: Array  # (cells + 1) 1 where a clue stands
    related: Array  # (SCOPE, SCOPE, 2) set of the patterns in which two cells are alike, unlike


class LoopState(NamedTuple):
    """Where a search stands; all int64."""

    control: Array
    root: Array  # (cells + 1) the component of a cell, named by one of its cells
    parity: Array  # (cells + 1) 1 where it differs from that cell
    following: Array  # (cells + 1) the next cell of the component, in a circle
    weight: Array  # (cells + 1) of a root: cells of its component
    degree: Array  # (vertices) lines drawn there
    far: Array  # (vertices) of the end of a path: its other end; of a free vertex: itself
    merges: Array  # (cells + 1, 4) small root, large root, flip, joins before
    joins: Array  # (vertices + 1, 4) two vertices, what it paid of OWED, whether it closed the loop
    decisions: Array  # (cells + 1, 4) merges before, two cells, unlike


class LoopWork(NamedTuple):
    """Room to work in; empty between calls."""

    counts: Array  # what waits, head and tail of the queue, weight of the outside when that was last looked at
    waiting: Array  # (room, 3) two cells, unlike: conclusions to be drawn
    queue: Array  # (rules + 1) rules to be looked at, in a circle
    queued: Array  # (rules)
    drawn: Array  # (4 * cells) lines that a merge has drawn: 4 * cell + side
    asked: Array  # (cells + 1, 2) of a root: the one it was tried with last, and in which round
    visit: Array  # (cells + 1, 5) of a walk through the board
    alike: Array  # (cells + 1, 2) root and parity after the first of two tries
    common: Array  # (cells + 1, 3) what both tries say: two cells, unlike


class _Geometry(NamedTuple):
    """What depends on the size of the board only, as in LoopRules; `around` are the cells at each vertex."""

    beside: Array
    corners: Array
    lines: Array
    around: tuple[tuple[int, ...], ...]


@lru_cache(maxsize=8)
def _geometry(grid: Grid) -> _Geometry:
    outside = grid.cells
    beside = np.full((grid.cells, 4), outside, np.int64)
    corners = np.zeros((grid.cells, 4, 2), np.int64)
    for cell in range(grid.cells):
        row, column = grid.row_column(cell)
        top = row * (grid.width + 1) + column
        low = top + grid.width + 1
        corners[cell, UP], corners[cell, RIGHT] = (top, top + 1), (top + 1, low + 1)
        corners[cell, DOWN], corners[cell, LEFT] = (low, low + 1), (top, low)
        for side in range(4):
            neighbour = grid.neighbour(cell, side)
            beside[cell, side] = outside if neighbour is None else neighbour
    around = tuple(
        tuple(
            grid.cell(y, x) if 0 <= y < grid.height and 0 <= x < grid.width else outside
            for y, x in ((row - 1, column - 1), (row - 1, column), (row, column), (row, column - 1))
        )
        for row in range(grid.height + 1)
        for column in range(grid.width + 1)
    )
    lines = [(cell, other) for cell in range(grid.cells) for other in beside[cell].tolist() if other > cell]
    return _Geometry(beside, corners, np.array(lines, np.int64), around)


def loop_rules(grid: Grid, clues: Sequence[int | None], full: bool) -> LoopRules:
    """The puzzle as arrays; `clues` by cell, 0 to 4. With `full` the loop passes every vertex."""
    geometry = _geometry(grid)
    rules: list[tuple[tuple[int, ...], int]] = []
    for cell, clue in enumerate(clues):
        if clue is not None:
            rules.append(((cell, *geometry.beside[cell].tolist()), _CLUE_PATTERNS[clue]))
    # On the rim there are never four lines at a vertex.
    patterns = _FULL_PATTERNS if full else _VERTEX_PATTERNS
    rules += [(around, patterns) for around in geometry.around if full or grid.cells not in around]
    touched: list[list[int]] = [[] for _ in range(grid.cells + 1)]
    for number, (scope, _) in enumerate(rules):
        for cell in dict.fromkeys(scope):
            touched[cell].append(number)
    return LoopRules(
        np.array([scope + scope[:1] * (SCOPE - len(scope)) for scope, _ in rules], np.int64).reshape(-1, SCOPE),
        np.array([len(scope) for scope, _ in rules], np.int64),
        np.array([allowed for _, allowed in rules], np.int64),
        np.cumsum([0, *map(len, touched)], dtype=np.int64),
        np.array([rule for numbers in touched for rule in numbers], np.int64),
        geometry.beside,
        geometry.corners,
        geometry.lines,
        np.array([clue is not None for clue in (*clues, None)], np.int64),
        _RELATED,
    )


def _differs(pattern: int, place: int) -> int:
    """Whether the cell at that place of a scope differs from the first one."""
    return pattern >> (place - 1) & 1 if place else 0


def _set(patterns: Iterable[int]) -> int:
    return sum(1 << pattern for pattern in patterns)


_PATTERNS = range(1 << (SCOPE - 1))
_CLUE_PATTERNS = tuple(_set(pattern for pattern in _PATTERNS if pattern.bit_count() == clue) for clue in range(5))
# The cells at a vertex are given in a circle, so that four lines are 1, 0, 1 after the first; the fifth is the first.
_VERTEX_PATTERNS = _set(pattern for pattern in range(8) if pattern != 0b101)
_FULL_PATTERNS = _set(pattern for pattern in range(8) if pattern not in (0, 0b101))
_RELATED = np.array(
    [
        [
            [_set(x for x in _PATTERNS if _differs(x, i) ^ _differs(x, j) == unlike) for unlike in (0, 1)]
            for j in range(SCOPE)
        ]
        for i in range(SCOPE)
    ],
    np.int64,
)


def fresh_loop_state(grid: Grid, clues: Sequence[int | None]) -> LoopState:
    """Nothing decided yet."""
    cells, vertices = grid.cells + 1, (grid.width + 1) * (grid.height + 1)
    control = np.zeros(CONTROL, np.int64)
    control[OWED] = sum(clue or 0 for clue in clues)
    weight = np.ones(cells, np.int64)
    weight[-1] = cells  # so that what lies outside is never the smaller part of a merge
    return LoopState(
        control,
        np.arange(cells),
        np.zeros(cells, np.int64),
        np.arange(cells),
        weight,
        np.zeros(vertices, np.int64),
        np.arange(vertices),
        np.zeros((cells, 4), np.int64),
        np.zeros((vertices + 1, 4), np.int64),
        np.zeros((cells, 4), np.int64),
    )


def loop_work(grid: Grid, rules: LoopRules) -> LoopWork:
    """Room for the search of a puzzle."""
    # A scan for a closed loop leaves up to two conclusions a cell waiting, a join one, and a rule ten.
    room = 8 * (grid.width + 1) * (grid.height + 1) + 16
    return LoopWork(
        np.zeros(_COUNTS, np.int64),
        np.zeros((room, 3), np.int64),
        np.zeros(len(rules.size) + 1, np.int64),
        np.zeros(len(rules.size), np.int64),
        np.zeros(4 * grid.cells, np.int64),
        np.zeros((grid.cells + 1, 2), np.int64),
        np.zeros((grid.cells + 1, _VISIT), np.int64),
        np.zeros((grid.cells + 1, 2), np.int64),
        np.zeros((grid.cells + 1, 3), np.int64),
    )


@lean_kernel
def _conclude(first, second, unlike, work):
    at = work.counts[_WAITING]
    work.waiting[at, 0], work.waiting[at, 1], work.waiting[at, 2] = first, second, unlike
    work.counts[_WAITING] = at + 1


@lean_kernel
def _enqueue(rule, work):
    if not work.queued[rule]:
        work.queued[rule] = 1
        tail = work.counts[_TAIL]
        work.queue[tail] = rule
        work.counts[_TAIL] = tail + 1 if tail + 1 < len(work.queue) else 0


@lean_kernel
def _join(cell, side, rules, state, work):
    """Draw a line between two paths or free vertices; False if the loop cannot be one any more."""
    control, degree, far = state.control, state.degree, state.far
    first, second = rules.corners[cell, side, 0], rules.corners[cell, side, 1]
    if control[CLOSED] or degree[first] == 2 or degree[second] == 2:
        return False
    pays = rules.clued[cell] + rules.clued[rules.beside[cell, side]]
    closing = degree[first] == 1 and far[first] == second
    if closing:
        if control[PATHS] != 1 or control[OWED] != pays:
            return False
        control[CLOSED], control[PATHS] = 1, 0
    head, tail = far[first], far[second]
    if not closing:
        far[head], far[tail] = tail, head
        control[PATHS] += 1 - degree[first] - degree[second]
    degree[first] += 1
    degree[second] += 1
    control[OWED] -= pays
    record = state.joins[control[JOINS]]
    record[0], record[1], record[2], record[3] = first, second, pays, closing
    control[JOINS] += 1
    if not closing:
        _keep_apart(head, tail, rules, state, work)
    return True


@lean_kernel
def _keep_apart(head, tail, rules, state, work):
    """Leave out the line that would close the path from `head` to `tail` too early."""
    one, other = _between(head, tail, rules)
    if one >= 0 and state.root[one] != state.root[other]:
        pays = rules.clued[one] + rules.clued[other]
        if state.control[PATHS] != 1 or state.control[OWED] != pays:
            _conclude(one, other, 0, work)


@lean_kernel
def _between(head, tail, rules):
    """The cells on both sides of the line between two vertices, -1 twice if they are no neighbours."""
    width = rules.corners[0, LEFT, 1] - 1
    low, high = min(head, tail), max(head, tail)
    outside = len(rules.beside)
    row, column = low // (width + 1), low % (width + 1)
    cell = row * width + column
    if high == low + 1 and column < width:
        return cell - width if row > 0 else outside, min(cell, outside)
    if high == low + width + 1:
        return cell - 1 if column > 0 else outside, cell if column < width else outside
    return -1, -1


@lean_kernel
def _closes(rules, state):
    """The cells beside the line that makes the only path the whole loop, -1 twice if no line does."""
    if state.control[PATHS] != 1:
        return -1, -1
    head = 0
    while state.degree[head] != 1:
        head += 1
    one, other = _between(head, state.far[head], rules)
    if one < 0 or state.root[one] == state.root[other]:
        return -1, -1
    if state.control[OWED] != rules.clued[one] + rules.clued[other]:
        return -1, -1
    return one, other


@lean_kernel
def _merge(first, second, unlike, rules, state, work):
    """Make two cells alike or unlike; False if that contradicts what is known, or makes a loop that is not the one."""
    control, root, parity, following = state.control, state.root, state.parity, state.following
    small, large = root[first], root[second]
    flip = parity[first] ^ parity[second] ^ unlike
    if small == large:
        return flip == 0
    if state.weight[small] > state.weight[large]:
        small, large = large, small
    drawn = 0
    cell = small
    while True:
        for side in range(4):
            other = rules.beside[cell, side]
            if root[other] == large and parity[cell] ^ flip != parity[other]:
                work.drawn[drawn] = 4 * cell + side
                drawn += 1
        cell = following[cell]
        if cell == small:
            break
    while True:
        root[cell] = large
        parity[cell] ^= flip
        for at in range(rules.touch_start[cell], rules.touch_start[cell + 1]):
            _enqueue(rules.touch[at], work)
        cell = following[cell]
        if cell == small:
            break
    following[small], following[large] = following[large], following[small]
    state.weight[large] += state.weight[small]
    record = state.merges[control[MERGES]]
    record[0], record[1], record[2], record[3] = small, large, flip, control[JOINS]
    control[MERGES] += 1
    at = 0
    while at < drawn and _join(work.drawn[at] // 4, work.drawn[at] % 4, rules, state, work):
        at += 1
    return at == drawn


@lean_kernel
def _undo(merges, state):
    """Go back to where there were so many merges."""
    control, degree, far = state.control, state.degree, state.far
    while control[MERGES] > merges:
        control[MERGES] -= 1
        small, large, flip, joins = state.merges[control[MERGES]]
        while control[JOINS] > joins:
            control[JOINS] -= 1
            first, second, pays, closing = state.joins[control[JOINS]]
            degree[first] -= 1
            degree[second] -= 1
            control[OWED] += pays
            if closing:
                control[CLOSED], control[PATHS] = 0, 1
            else:
                # A vertex inside a path still knows the far end that it had when it was an end.
                head = far[first] if degree[first] else first
                tail = far[second] if degree[second] else second
                far[head], far[tail] = first, second
                control[PATHS] -= 1 - degree[first] - degree[second]
        following, root = state.following, state.root
        following[small], following[large] = following[large], following[small]
        state.weight[large] -= state.weight[small]
        cell = small
        while True:
            root[cell] = small
            state.parity[cell] ^= flip
            cell = following[cell]
            if cell == small:
                break


@lean_kernel
def _apply(rule, rules, state, work):
    """What a rule says of its cells, given what is known of them; False if it cannot be kept."""
    scope, size, related = rules.scope[rule], rules.size[rule], rules.related
    root, parity = state.root, state.parity
    left = rules.allowed[rule]
    open_pairs = 0
    for i in range(size):
        for j in range(i + 1, size):
            if root[scope[i]] == root[scope[j]]:
                left &= related[i, j, parity[scope[i]] ^ parity[scope[j]]]
            else:
                open_pairs += 1
    if left == 0:
        return False
    if open_pairs:
        for i in range(size):
            for j in range(i + 1, size):
                if root[scope[i]] != root[scope[j]]:
                    if left & related[i, j, 0] == 0:
                        _conclude(scope[i], scope[j], 1, work)
                    elif left & related[i, j, 1] == 0:
                        _conclude(scope[i], scope[j], 0, work)
    return True


@lean_kernel
def _walk(start, kind, order, rules, state, work):
    """Walk from `start` through all cells that may be of a kind (0 outside, 1 inside); the number of the last one.

    A cell that parts two that are known to be of the kind (Tarjan's articulation points) must be so too.
    """
    visit, root, parity = work.visit, state.root, state.parity
    outside = len(root) - 1
    cell = start
    visit[cell, _ABOVE] = -1
    while cell >= 0:
        if visit[cell, _NUMBER] == 0:
            order += 1
            visit[cell, _NUMBER], visit[cell, _LOW], visit[cell, _SIDE] = order, order, 0
            visit[cell, _HOLDS] = root[cell] == outside
        if visit[cell, _SIDE] < 4:
            other = rules.beside[cell, visit[cell, _SIDE]]
            visit[cell, _SIDE] += 1
            if visit[other, _NUMBER]:
                visit[cell, _LOW] = min(visit[cell, _LOW], visit[other, _NUMBER])
            elif root[other] != outside or parity[other] == kind:
                visit[other, _ABOVE] = cell
                cell = other
            continue
        above = visit[cell, _ABOVE]
        if above >= 0:
            visit[above, _LOW] = min(visit[above, _LOW], visit[cell, _LOW])
            if visit[cell, _HOLDS]:
                visit[above, _HOLDS] = 1
                if visit[cell, _LOW] >= visit[above, _NUMBER] and root[above] != outside:
                    _conclude(above, outside, kind, work)
        cell = above
    return order


@lean_kernel
def _connect(kind, rules, state, work):
    """What follows from the cells inside (kind 1), or outside, being connected; False if they cannot be."""
    visit, root, parity = work.visit, state.root, state.parity
    outside = len(root) - 1
    visit[:, _NUMBER] = 0
    order = 0
    if kind == 0:
        order = 1
        visit[outside, _NUMBER] = 1
    for cell in range(outside):
        known = root[cell] == outside
        if kind == 1:
            starts = order == 0 and known and parity[cell] == 1
        else:
            rim = False
            for side in range(4):
                rim |= rules.beside[cell, side] == outside
            starts = rim and visit[cell, _NUMBER] == 0 and not (known and parity[cell] == 1)
        if starts:
            order = _walk(cell, kind, order, rules, state, work)
    if order:
        for cell in range(outside):
            if visit[cell, _NUMBER] == 0:
                if root[cell] != outside:
                    _conclude(cell, outside, 1 - kind, work)
                elif parity[cell] == kind:
                    return False
    return True


@lean_kernel
def _propagate(rules, state, work):
    """Draw all conclusions; False on a contradiction, after which everything since must be undone."""
    counts, control = work.counts, state.control
    outside = len(state.root) - 1
    counts[_KNOWN] = state.weight[outside]
    held = True
    while held:
        if counts[_WAITING]:
            counts[_WAITING] -= 1
            pair = work.waiting[counts[_WAITING]]
            held = _merge(pair[0], pair[1], pair[2], rules, state, work)
        elif counts[_HEAD] != counts[_TAIL]:
            rule = work.queue[counts[_HEAD]]
            counts[_HEAD] = counts[_HEAD] + 1 if counts[_HEAD] + 1 < len(work.queue) else 0
            work.queued[rule] = 0
            held = _apply(rule, rules, state, work)
        elif control[CLOSED] and control[MERGES] < outside:
            # The loop is closed: every line that is open is none.
            for line in range(len(rules.lines)):
                if state.root[rules.lines[line, 0]] != state.root[rules.lines[line, 1]]:
                    _conclude(rules.lines[line, 0], rules.lines[line, 1], 0, work)
        elif control[THOROUGH] and counts[_KNOWN] != state.weight[outside]:
            counts[_KNOWN] = state.weight[outside]
            held = _connect(1, rules, state, work) and (counts[_WAITING] > 0 or _connect(0, rules, state, work))
        else:
            return True
    counts[_WAITING] = 0
    while counts[_HEAD] != counts[_TAIL]:
        work.queued[work.queue[counts[_HEAD]]] = 0
        counts[_HEAD] = counts[_HEAD] + 1 if counts[_HEAD] + 1 < len(work.queue) else 0
    return False


@lean_kernel
def _look_ahead(rules, state, work):
    """Try every open line both ways until no try says anything new; False on a contradiction.

    Quickly first; if that leaves anything open, and there is doubt, with the rules that look at the whole board. These
    take twenty times as long, and find little where trials succeed: on a board with few clues and many loops nearly all
    of them do. CHOSEN is then the line whose two ways settle the most, VALUE the way that settles more.
    """
    control = state.control
    control[THOROUGH] = 0
    if not _try_all(rules, state, work):
        return False
    if control[MERGES] == len(state.root) - 1 or not control[DOUBT]:
        return True
    control[THOROUGH] = 1
    held = _connect(1, rules, state, work) and _connect(0, rules, state, work)
    # On a contradiction there may be conclusions that still wait, and `_propagate` takes them away.
    return _propagate(rules, state, work) and held and _try_all(rules, state, work)


@lean_kernel
def _try_all(rules, state, work):
    """Try every open line both ways, and again after each that said something; False on a contradiction."""
    control, root = state.control, state.root
    lines = len(rules.lines)
    at, since, best = 0, 0, 0
    control[ROUND] += 1
    while since < lines and control[MERGES] < len(root) - 1:
        first, second = rules.lines[at, 0], rules.lines[at, 1]
        small, large = root[first], root[second]
        if state.weight[small] > state.weight[large]:
            small, large = large, small
        # Two lines between the same components are one question; they often come one after the other.
        if small != large and not (work.asked[small, 0] == large and work.asked[small, 1] == control[ROUND]):
            work.asked[small, 0], work.asked[small, 1] = large, control[ROUND]
            before = control[MERGES]
            gained = 1
            larger, value, failed, common = 0, 0, -1, 0
            for unlike in range(2):
                _conclude(first, second, unlike, work)
                held = _propagate(rules, state, work)
                gain = control[MERGES] - before
                if held and control[THOROUGH]:
                    common = _compare(unlike, before, state, work)
                _undo(before, state)
                if not held:
                    failed = unlike
                    break
                gained *= gain
                if gain >= larger:
                    larger, value = gain, unlike
            if failed >= 0:
                _conclude(first, second, 1 - failed, work)
            elif common:
                for number in range(common):
                    pair = work.common[number]
                    _conclude(pair[0], pair[1], pair[2], work)
            elif gained > best:
                best = gained
                control[CHOSEN], control[VALUE] = at, value
            if failed >= 0 or common:
                if not _propagate(rules, state, work):
                    return False
                since, best = 0, 0
                control[ROUND] += 1
        since += 1
        at = at + 1 if at + 1 < lines else 0
    return True


@lean_kernel
def _compare(second, before, state, work):
    """Keep what a first try has come to; of a second one, list what both say, and return how much that is."""
    root, parity = state.root, state.parity
    if not second:
        for cell in range(len(root)):
            work.alike[cell, 0], work.alike[cell, 1] = root[cell], parity[cell]
        return 0
    common = 0
    for number in range(before, state.control[MERGES]):
        cell = state.merges[number, 0]
        other = root[cell]
        same = work.alike[cell, 0] == work.alike[other, 0]
        if same and work.alike[cell, 1] ^ work.alike[other, 1] == parity[cell]:
            work.common[common, 0], work.common[common, 1], work.common[common, 2] = cell, other, parity[cell]
            common += 1
    return common


@lean_kernel
def search_loops(nodes, rules, state, work, found):
    """Search until DONE, or until `nodes` more lines are decided by trial; solutions go to `found`.

    DONE is set when everything is searched or `found`, (most solutions, cells + 1), is full. A row of it holds 1 for
    cells inside the loop. The same state gives the same search, however it is cut into calls.
    """
    control, decisions = state.control, state.decisions
    held = True
    if not control[BEGUN]:
        control[BEGUN] = control[DOUBT] = 1
        for rule in range(len(rules.size)):
            _enqueue(rule, work)
        held = _propagate(rules, state, work)
    while not control[DONE]:
        if held and control[MERGES] < len(state.root) - 1:
            held = _look_ahead(rules, state, work)
        if held and control[MERGES] == len(state.root) - 1:
            if control[CLOSED]:
                for cell in range(len(state.root)):
                    found[control[SOLUTIONS], cell] = state.parity[cell]
                control[SOLUTIONS] += 1
                control[DONE] = control[SOLUTIONS] == len(found)
            held = False
        elif held:
            if nodes == 0:
                return
            nodes -= 1
            control[NODES] += 1
            decision = decisions[control[LEVEL]]
            decision[0], decision[3] = control[MERGES], control[VALUE]
            decision[1], decision[2] = rules.lines[control[CHOSEN], 0], rules.lines[control[CHOSEN], 1]
            one, other = _closes(rules, state)
            if one >= 0:
                decision[1], decision[2], decision[3] = one, other, 1
            control[LEVEL] += 1
            control[DOUBT] = 0
            _conclude(decision[1], decision[2], decision[3], work)
            held = _propagate(rules, state, work)
        elif control[LEVEL] == 0:
            control[DONE] = 1
        else:
            control[LEVEL] -= 1
            control[DOUBT] = 1
            decision = decisions[control[LEVEL]]
            _undo(decision[0], state)
            _conclude(decision[1], decision[2], 1 - decision[3], work)
            held = _propagate(rules, state, work)
