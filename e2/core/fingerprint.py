"""Hashes that name a board or a puzzle, with the exact bytes that go in."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable

from e2.core.board import EMPTY, Board
from e2.core.instance import Instance

_FNV_OFFSET = 0xCBF29CE484222325
_FNV_PRIME = 0x100000001B3
_MASK = 0xFFFFFFFFFFFFFFFF

PLACEMENT = "placement"
CODES = "codes"
EDGES_SHA1 = "edges-sha1"


def fnv1a_64(data: bytes) -> int:
    """FNV-1a, 64 bits."""
    value = _FNV_OFFSET
    for byte in data:
        value = (value ^ byte) * _FNV_PRIME & _MASK
    return value


def board_hash(codes: Iterable[int]) -> int:
    """The hash that e2 writes: per cell the piece as u16 little endian (65535 for empty), then rot as u8 (0)."""
    return fnv1a_64(
        b"".join(
            struct.pack("<HB", 65535, 0) if code == EMPTY else struct.pack("<HB", code >> 2, code & 3) for code in codes
        )
    )


def codes_hash(codes: Iterable[int]) -> int:
    """A published cousin, only ever recognised: FNV-1a over the codes as i32 little endian."""
    return fnv1a_64(b"".join(struct.pack("<i", code) for code in codes))


def edges_sha1(board_edges: str) -> str:
    """A published cousin, only ever recognised: the first 16 hex digits of the SHA-1 of the letters."""
    return hashlib.sha1(board_edges.encode("ascii"), usedforsecurity=False).hexdigest()[:16]


def symmetry_hash(board: Board) -> int:
    """The smallest board_hash of the four turns: equal for boards that differ by a turn of the whole board."""
    turns = [board]
    for _ in range(3):
        turns.append(turns[-1].turned())
    return min(board_hash(turn.codes) for turn in turns)


def recognised(claimed: int | str, codes: Iterable[int], board_edges: str | None) -> str | None:
    """Which published definition gives `claimed` for this board, or None.

    A detour through a double is named "... rounded through a double", one through a signed integer "... as a signed
    integer"; a hexadecimal text is compared with the SHA-1 of the letters.
    """
    codes = tuple(codes)
    if isinstance(claimed, str):
        if board_edges is not None and claimed.lower() == edges_sha1(board_edges):
            return EDGES_SHA1
        if not claimed.removeprefix("-").isdecimal() or len(claimed) > 21:
            return None
        claimed = int(claimed)
    candidates = [(PLACEMENT, board_hash(codes)), (CODES, codes_hash(codes))]
    if board_edges is not None:
        candidates.append((EDGES_SHA1, int(edges_sha1(board_edges), 16)))
    for definition, value in candidates:
        if claimed == value:
            return definition
    for definition, value in candidates:
        signed = value - (1 << 64) if value >= 1 << 63 else value
        if claimed == signed:
            return f"{definition} as a signed integer"
        if claimed in (int(float(value)), int(float(signed))):
            return f"{definition} rounded through a double"
    return None


def instance_hash(instance: Instance) -> str:
    """SHA-256 (16 hex digits) of what a search can see: size, catalogue in order, hints. The name is left out."""
    text = f"{instance.width} {instance.height}\n"
    text += "".join("{} {} {} {}\n".format(*quad) for quad in instance.pieces.quads)
    text += "".join(f"{hint.cell} {hint.piece} {hint.rot}\n" for hint in instance.hints)
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]
