"""Other people's catalogues of the official set: their colours, turns and numbers, held against the published order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from e2.core.official import official_pieces
from e2.core.quad import Quad, turned

_MOST_ASTRAY = 8
"""A catalogue with more pieces astray than this is another set, not the official one with slips."""


def remarks(quads: Sequence[Quad]) -> tuple[str, ...]:
    """How a catalogue differs from the official set, colours aside; empty for the set itself and for other sets.

    The colours are matched by majority: for each turn that all pieces might share, every colour takes the partner it
    meets most often. The turn with the fewest pieces astray wins.
    """
    official = official_pieces().quads
    if tuple(quads) == official or not is_official_at_heart(quads):
        return ()
    rot, recoloured = _best_turn(quads)
    astray = _astray(recoloured, rot)
    notes = []
    if tuple(recoloured) != tuple(quads):
        notes.append("the official set in other colours")
    if rot:
        notes.append(f"rotations count from another frame: official rot = rot here + {rot}")
    for index in list(astray):
        swapped = next((other for other in astray if _same_piece(recoloured[index], official[other])), None)
        if swapped is None:
            notes.append(f"piece number {index + 1} is not the official piece")
        elif swapped == index:
            notes.append(f"piece number {index + 1} is turned against the others")
        elif swapped > index:
            notes.append(f"piece numbers disagree with the published ones: {index + 1} and {swapped + 1} are swapped")
    return tuple(notes)


def is_official_at_heart(quads: Sequence[Quad]) -> bool:
    """Whether this is the official set in some colours and turned frame, a few slips aside."""
    if len(quads) != len(official_pieces()):
        return False
    rot, recoloured = _best_turn(quads)
    return len(_astray(recoloured, rot)) <= _MOST_ASTRAY


def _best_turn(quads: Sequence[Quad]) -> tuple[int, list[Quad]]:
    trials = ((rot, _recoloured(quads, rot)) for rot in range(4))
    return min(trials, key=lambda trial: len(_astray(trial[1], trial[0])))


def _recoloured(quads: Sequence[Quad], rot: int) -> list[Quad]:
    pairs: Counter[tuple[int, int]] = Counter()
    for quad, official in zip(quads, official_pieces().quads, strict=True):
        pairs.update(zip(quad, turned(official, rot), strict=True))
    partner: dict[int, int] = {}
    for (colour, official_colour), _ in pairs.most_common():
        if colour not in partner and official_colour not in partner.values():
            partner[colour] = official_colour
    spare = 1 + len(pairs)
    return [
        tuple(partner.get(colour, spare + colour) for colour in quad)  # type: ignore[misc]
        for quad in quads
    ]


def _astray(recoloured: Sequence[Quad], rot: int) -> list[int]:
    official = official_pieces().quads
    return [piece for piece, quad in enumerate(recoloured) if quad != turned(official[piece], rot)]


def _same_piece(quad: Quad, other: Quad) -> bool:
    return any(turned(quad, rot) == other for rot in range(4))
