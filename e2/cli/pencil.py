"""e2 pencil: the neighbours. The table of their commands."""

from __future__ import annotations

from collections.abc import Callable

from e2.cli.pencil_cover import cover
from e2.cli.pencil_decode import decode
from e2.cli.pencil_encode import encode
from e2.cli.pencil_rectangle import rectangle
from e2.cli.pencil_replay import replay
from e2.cli.pencil_slink import slink
from e2.cli.pencil_solve import solve
from e2.cli.pencil_words import words

PENCIL: dict[str, Callable[..., int]] = {
    "decode": decode,
    "encode": encode,
    "replay": replay,
    "solve": solve,
    "slink": slink,
    "words": words,
    "rectangle": rectangle,
    "cover": cover,
}
