"""The score by its definition, cell by cell, written without a look at e2.core.score."""

from __future__ import annotations


def slow_score(letters: str, width: int, height: int, *, grey_matches: bool = False) -> int:
    """Count equal neighbouring letters; `a` on both sides counts only where `grey_matches`."""
    score = 0
    for row in range(height):
        for column in range(width):
            here = letters[4 * (row * width + column) :][:4]
            if column + 1 < width:
                right = letters[4 * (row * width + column + 1) :][:4]
                score += here[1] == right[3] and (grey_matches or here[1] != "a")
            if row + 1 < height:
                below = letters[4 * ((row + 1) * width + column) :][:4]
                score += here[2] == below[0] and (grey_matches or here[2] != "a")
    return score


def slow_grey_pairs(letters: str, width: int, height: int) -> int:
    """Inner boundaries of two filled cells with `a` on both sides; `aaaa` is an empty cell."""
    cells = [letters[4 * cell : 4 * cell + 4] for cell in range(width * height)]
    pairs = 0
    for cell, here in enumerate(cells):
        if here == "aaaa":
            continue
        if (cell + 1) % width and cells[cell + 1] != "aaaa":
            pairs += here[1] == "a" == cells[cell + 1][3]
        if cell + width < width * height and cells[cell + width] != "aaaa":
            pairs += here[2] == "a" == cells[cell + width][0]
    return pairs
