"""Full boards that keep every rule of their puzzle: checked, mended, completed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from e2.core.board import EMPTY
from e2.core.instance import Instance
from e2.core.quad import BORDER
from e2.errors import SettingsError
from e2.kernels.tables import Array
from e2.search.shuffle import ranks


def broken_rules(instance: Instance, codes: Sequence[int]) -> dict[int, str]:
    """Cell -> what is wrong with the placement there; a piece that lies twice is right on its first cell or its pin."""
    pinned = instance.pinned
    pinned_pieces = {hint.piece for hint in instance.hints}
    faults: dict[int, str] = {}
    seen: set[int] = set()
    for cell, code in enumerate(codes):
        if code == EMPTY:
            continue
        piece, rot = code >> 2, code & 3
        hint = pinned.get(cell)
        grey = tuple(side for side, colour in enumerate(instance.pieces.placed(piece, rot)) if colour == BORDER)
        if hint is not None:
            if code != 4 * hint.piece + hint.rot:
                faults[cell] = f"piece {piece} at rot {rot} where piece {hint.piece} at rot {hint.rot} is pinned"
        elif piece in pinned_pieces:
            faults[cell] = f"piece {piece}, which is pinned elsewhere"
        elif piece in seen:
            faults[cell] = f"piece {piece} once more"
        elif grey != instance.grid.rim_sides(cell):
            faults[cell] = f"piece {piece} at rot {rot} breaks the rim rule"
        else:
            seen.add(piece)
    return faults


def check_codes(instance: Instance, codes: Sequence[int]) -> None:
    """SettingsError for a start that is no board of this size and these pieces."""
    cells, most = instance.grid.cells, 4 * len(instance.pieces) - 1
    if len(codes) != cells:
        raise SettingsError(f"start has {len(codes)} codes; expected {cells}, one a cell")
    for cell, code in enumerate(codes):
        if not EMPTY <= code <= most:
            raise SettingsError(f"start: {str(code)[:40]} at cell {cell} is no code; expected {EMPTY} to {most}")


def start_board(instance: Instance, codes: Sequence[int], mend: bool, seed: int) -> list[int]:
    """A full board that keeps every rule, and what `codes` has laid: the start of a search that changes boards.

    No codes stand for an empty board. SettingsError for a start that breaks rules, unless they are to be mended.
    """
    codes = list(codes) or [EMPTY] * instance.grid.cells
    check_codes(instance, codes)
    faults = broken_rules(instance, codes)
    if faults and not mend:
        named = "; ".join(f"cell {cell}: {fault}" for cell, fault in list(faults.items())[:6])
        more = f"; and {len(faults) - 6} cells more" if len(faults) > 6 else ""
        raise SettingsError(f"start breaks the rules of {instance.name}: {named}{more}; expected mend = true for it")
    for cell in faults:
        codes[cell] = EMPTY
    for hint in instance.hints:
        codes[hint.cell] = 4 * hint.piece + hint.rot
    return completed(instance, codes, seed)


def completed(instance: Instance, codes: Sequence[int], seed: int) -> list[int]:
    """The board with every empty cell filled, row by row, by the piece that matches most; ties fall by the seed."""
    grid = instance.grid
    board = list(codes)
    count = 4 * len(instance.pieces)
    shows = np.array([instance.pieces.placed(code >> 2, code & 3) for code in range(count)], np.int64)
    tie = ranks(seed, 0, count) >> np.uint64(40)
    free: Array = np.ones(count, np.bool_)
    for code in board:
        if code != EMPTY:
            free[code & ~3 : (code & ~3) + 4] = False
    for cell in range(grid.cells):
        if board[cell] != EMPTY:
            continue
        rim = np.isin(np.arange(4), grid.rim_sides(cell))
        fitting = free & ((shows == BORDER) == rim).all(axis=1)
        if not fitting.any():
            raise SettingsError(f"{instance.name}: no piece is left that could lie on cell {cell}")
        matched = np.zeros(count, np.int64)
        for side in range(4):
            neighbour = grid.neighbour(cell, side)
            if neighbour is not None and board[neighbour] != EMPTY:
                matched += shows[:, side] == shows[board[neighbour], (side + 2) % 4]
        worth = np.where(fitting, (matched + 1 << 24) + tie.astype(np.int64), 0)
        board[cell] = int(np.argmax(worth))
        free[board[cell] & ~3 : (board[cell] & ~3) + 4] = False
    return board
