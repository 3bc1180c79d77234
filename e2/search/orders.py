"""Parameters that several strategies share: in what order cells are filled and candidates are tried."""

from __future__ import annotations

from e2.search.strategy import Parameter

PIECE, SHUFFLED = "piece", "shuffled"

FILL_ORDER = Parameter(
    "fill_order",
    "rows",
    "rows, columns, spiral-in, comb or comb:H (H full rows, then columns), blackwood (16x16), or a list of all cells",
    or_list=True,
)
TURN = Parameter(
    "turn", 0, "quarter turns of the board under the fill order: 2 fills from the bottom up; 4 to 7: mirrored"
)
ORDER = Parameter("order", SHUFFLED, "candidates by piece number, or shuffled by the seed", choices=(PIECE, SHUFFLED))
