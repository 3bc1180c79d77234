"""Every case of tests/cases: real inputs, and every field that the index expects of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from oracles.slow_score import slow_grey_pairs, slow_score

from e2.core.audit import Audit
from e2.core.fingerprint import codes_hash
from e2.core.grid import Grid
from e2.core.instance import Instance
from e2.core.official import OFFICIAL_HINTS, official_pieces
from e2.core.pieces import PieceSet
from e2.errors import E2Error, FormatError, LossError
from e2.formats import board_edges
from e2.formats.convert import convert
from e2.formats.detect import read, read_all
from e2.formats.format import Reading
from e2.formats.judge import Judged, judge
from e2.formats.load import load_puzzle
from e2.formats.motifs_order import reread

CASES = Path(__file__).parents[1] / "cases"
INDEX = json.loads((CASES / "index.json").read_text(encoding="utf-8"))


def text_of(file: str) -> str:
    return (CASES / file).read_bytes().decode("utf-8")


class Case:
    """One case, read and judged when a check asks for it."""

    def __init__(self, entry: dict[str, Any]) -> None:
        self.id: str = entry["id"]
        self.expect: dict[str, Any] = entry["expect"]
        self.text = text_of(entry["file"])

    @cached_property
    def reading(self) -> Reading:
        return read(self.text)

    @property
    def instance(self) -> Instance | None:
        # This solution names pieces of a puzzle that lies beside it.
        return load_puzzle(text_of("csv-thesil-clue2-12x6.csv")) if self.id == "csv-thesil-clue2-solved" else None

    @cached_property
    def judged(self) -> Judged:
        return judge(self.reading, self.instance)

    @property
    def audit(self) -> Audit:
        return self.judged.audit

    @property
    def letters(self) -> str:
        return board_edges.letters_of("test", self.judged.quads)

    @property
    def pieces(self) -> PieceSet:
        assert self.reading.catalogue is not None
        return PieceSet(self.reading.catalogue)

    @cached_property
    def error(self) -> FormatError:
        format = "puzzle_csv" if self.expect["status"] == "error_as_puzzle_csv" else None
        with pytest.raises(FormatError) as caught:
            judge(read(self.text, format=format))
        return caught.value

    @property
    def said(self) -> str:
        """All that the reader says about the input, or the error."""
        if self.expect["status"] in ("error", "ambiguous", "error_or_ambiguous", "error_or_warn"):
            return str(self.error)
        return "\n".join(self.audit.warnings if self.reading.has_board and self.can_judge else self.reading.warnings)

    @property
    def can_judge(self) -> bool:
        return self.reading.quads is not None or self.reading.codes is not None


def holds(case: Case, _: object) -> None:
    """`status`: what the input is, on the whole."""
    status = case.expect["status"]
    if status == "ok":
        assert case.reading.warnings is not None
        if case.can_judge:
            assert case.audit.is_legal
        else:
            assert case.reading.catalogue or case.reading.hints or case.reading.numbers
    elif status == "illegal" or case.expect.get("error") == "cells_not_in_official_set":
        assert not case.audit.is_legal
    elif case.id == "csv-blank-lines-spaces":
        assert case.reading.catalogue == official_pieces().quads
    else:
        assert case.error.message
        assert case.error.expected


def error_says(word: str) -> Callable[[Case, object], None]:
    def check(case: Case, _: object) -> None:
        assert word in str(case.error)
        assert case.error.place

    return check


def illegal_says(word: str) -> Callable[[Case, object], None]:
    def check(case: Case, _: object) -> None:
        assert word in " ".join(case.audit.illegal)

    return check


ERRORS: dict[str, Callable[[Case, object], None]] = {
    "edges_length": error_says("letters"),
    "piece_count": error_says("pieces"),
    "bad_edge_letter": error_says("is no colour"),
    "duplicate_pieces": illegal_says("used more than once"),
    "missing_size_header": error_says("size line is missing"),
    "cells_not_in_official_set": illegal_says("are not in the set"),
    "hints_syntax": error_says("is no hint"),
    "json_syntax": error_says("not JSON"),
    "csv_word": error_says("16-bit word"),
    "colour_zero_collides_with_border": error_says("the word 0 as a colour"),
    "not_a_puzzle_csv": error_says("size line is missing: 'https://"),
    "duplicate_parameter": error_says("comes 2 times"),
    "piece_number_out_of_range": error_says("piece number 999"),
    "missing_board_edges": error_says("no board in it"),
    "empty_input": lambda case, _: contains(str(case.error), "empty"),
    "rotation_out_of_range": error_says("rotation 4"),
    "duplicate_position": error_says("pinned twice"),
    "hint_piece_out_of_range": error_says("hints[0].piece"),
    "piece_shape": error_says("4 colours"),
    "csv_border_is_zero": error_says("the word 0 is no colour"),
    "board_pieces_alone_is_not_a_board": lambda case, _: contains(str(case.error), "numbers alone are no board"),
}

WARNINGS = {
    "numColors_counts_the_border": "counts the grey border",
    "no_name_field": "there is no name",
    "pieces_not_distinct": "not distinct",
    "board_pieces_000_on_filled_cell": "0-based here: 000 stands on filled cell",
    "board_pieces_disagree": "disagrees with the edges",
    "column_order": "column order",
    "piece_number_disagrees": "piece numbers disagree",
    "score_mismatch": "claimed score",
    "breaks_mismatch": "claimed breaks",
    "motifs_order_missing": "motifs_order is missing",
    "frame_violations": "frame violations",
    "board_hash_mismatch_float_rounding": "rounded through a double",
    "border_is_22": "grey is 22",
    "colour_zero_is_a_motif": "0 is a real colour",
    "last_piece_not_official": "piece number 256 is not the official piece",
    "rotation_frame": "rotations count from another frame",
    "duplicate_hint_entry": "duplicate entry",
    "ten_columns": "10 columns",
    "word_zero_is_a_colour": "the word 0 as a colour",
    "letter_a_inside_the_board": "letter a stands on both sides",
}


def contains(text: str, part: str) -> None:
    assert part in text


def warns(case: Case, words: list[str]) -> None:
    for word in words:
        if word == "crlf":
            assert "\r" in case.text  # read in spite of it; nobody needs to be told
        elif word == "hint_not_representable_in_csv":
            refuses_csv(case, None)
        else:
            assert WARNINGS[word] in case.said
    if not words:
        assert all("claimed score" not in warning and "frame" not in warning for warning in case.audit.warnings)


def size(case: Case, value: list[int]) -> None:
    if case.expect["status"] == "error_or_ambiguous":
        assert case.text.startswith(f"{value[0]}\n")
    else:
        assert [case.reading.width, case.reading.height] == value


def official_set(case: Case, value: bool) -> None:
    if case.reading.has_board:
        assert case.audit.official_set is value
    else:
        assert (case.reading.catalogue == official_pieces().quads) is value


def hints(case: Case, value: object) -> None:
    assert case.reading.hints is not None
    if isinstance(value, int):
        assert len(case.reading.hints) == value
    else:
        assert [[hint.cell, hint.rot] for hint in case.reading.hints] == value


def hints_list(case: Case, value: list[list[int]]) -> None:
    assert case.reading.hints is not None
    assert sorted([hint.cell, hint.piece, hint.rot] for hint in case.reading.hints) == sorted(value)


def pieces(case: Case, value: int) -> None:
    if case.expect["status"] in ("error", "ambiguous", "error_or_ambiguous"):
        if "want" in case.expect:
            assert f"{value} pieces" in case.error.message
        else:
            assert case.error.format in ("e2pieces", "puzzle_csv")
    else:
        assert len(case.pieces) == value


def claimed_score(case: Case, value: int) -> None:
    claimed = case.reading.claims.score
    assert (case.audit.score if claimed is None else claimed) == value


def hash_definition(case: Case, value: str) -> None:
    names = {
        "B": "placement",
        "A": "codes",
        "B rounded through a double": "placement rounded through a double",
        "sha1(board_edges)[:16], hex string": "edges-sha1",
    }
    assert case.audit.hash_definition == names[value]


def cells_outside(case: Case, value: int) -> None:
    ways = official_pieces().placements
    assert sum(quad is not None and quad not in ways for quad in case.judged.quads) == value
    if (case.judged.grid.width, case.judged.grid.height) == (16, 16):
        assert case.audit.outside_set == value


def disagreeing_cells(case: Case, value: list[int]) -> None:
    said = [warning for warning in case.audit.warnings if "disagrees" in warning]
    assert said == (
        [f"board or board_pieces disagrees with the edges on cells {', '.join(map(str, value))}: the edges win"]
        if value
        else []
    )


def twin(case: Case, _: object) -> None:
    json_file = case.id.replace("csv-", "puzzle-") + ".json"
    csv_file = case.id.replace("puzzle-", "csv-") + ".csv"
    left, right = read(text_of(json_file)), read(text_of(csv_file))
    assert left.catalogue == right.catalogue
    assert sorted(left.hints or (), key=str) == sorted(right.hints or (), key=str)
    assert (left.width, left.height) == (right.width, right.height)


def columns(case: Case, value: str) -> None:
    words = {
        "top bottom left right": "top bottom left right",
        "N S W E": "(N S W E)",
        "id T R B L": "id top right bottom left",
        "id,E,S,W,N, blank = border": "id right bottom left top",
        "id,N,E,S,W as its author reads it": "id top right bottom left",
    }
    assert words[value] in case.said


def uses_same_pieces(case: Case, _: object) -> None:
    number = case.id[-1]
    solved = judge(
        read(next(text_of(path.name) for path in CASES.glob(f"url-clue{number}-*.txt"))), load_puzzle(case.text)
    )
    assert solved.board is not None
    assert solved.board.pieces_used_twice() == ()
    assert solved.audit.is_legal


def official_rotations(case: Case, value: list[list[int]]) -> None:
    assert sorted(value) == sorted([hint.cell, hint.piece, hint.rot] for hint in OFFICIAL_HINTS)
    hints_list(case, value)


def turned_twin(case: Case, _: object) -> None:
    other = judge(read(text_of("edges-465.txt"))).audit
    assert case.audit.score == other.score
    assert case.audit.board_hash != other.board_hash
    assert case.audit.symmetry_hash == other.symmetry_hash


def all_scores(case: Case, value: list[int]) -> None:
    assert [judge(reading).audit.score for reading in read_all(case.text)] == value


def under_blackwood(case: Case, value: dict[str, Any]) -> None:
    assert "motifs_order=jblackwood" in case.said
    assert case.audit.motifs_order == "jblackwood"
    again = Reading("test", 16, 16, quads=reread(case.judged.quads, "default", "jblackwood"))
    judged = judge(again)
    assert judged.audit.official_set is value["official_set"]
    assert judged.audit.score == value["score"]
    assert judged.audit.board_hash == value["hash_b"]
    assert board_edges.letters_of("test", judged.quads).startswith(value["edges_default_head"])


def without_label(case: Case, value: dict[str, Any]) -> None:
    assert "motifs_order=default" in " ".join(case.audit.warnings)
    seen = judge(read(case.text.replace("&motifs_order=jef", ""))).audit
    assert (seen.score, seen.official_set, seen.hints_kept) == (
        value["score"],
        value["official_set"],
        value["clues_ok"],
    )


def accepted(case: Case, value: dict[str, int]) -> None:
    assert judge(read(case.text, lenient=True)).audit.score == value["score"]


def refuses_csv(case: Case, _: object) -> None:
    with pytest.raises(LossError, match="cell 0 with rot 0"):
        convert(case.reading, "puzzle_csv")
    dropped = read(convert(case.reading, "puzzle_csv", lossy=True))
    assert len(dropped.hints or ()) == len(case.reading.hints or ()) - 1


def score(case: Case, value: int) -> None:
    if case.expect["status"] == "error_or_warn":
        assert judge(read(case.text, lenient=True)).audit.score == value
        return
    assert case.audit.score == value
    assert slow_score(case.letters, case.judged.grid.width, case.judged.grid.height) == value


def names_board(case: Case, digits: str) -> None:
    assert case.reading.numbers == tuple(int(digits[place : place + 3]) for place in range(0, len(digits), 3))


def rounded_or_claimed(case: Case, value: int | str) -> None:
    assert case.reading.claims.board_hash == value


def hint_equality(case: Case, value: bool) -> None:
    found = {(hint.cell, hint.rot) for hint in case.reading.hints or ()}
    assert (found == {(hint.cell, hint.rot) for hint in OFFICIAL_HINTS}) is value


def hint_differences(case: Case, value: list[int]) -> None:
    official = {hint.cell: hint.rot for hint in OFFICIAL_HINTS}
    assert [hint.cell for hint in case.reading.hints or () if official[hint.cell] != hint.rot] == value


def raw_hints(case: Case, value: list[int]) -> None:
    assert all(f",{code}," in case.text for code in value)
    hints_list(case, [[hint.cell, hint.piece, hint.rot] for hint in OFFICIAL_HINTS])


CHECKS: dict[str, Callable[[Case, Any], None]] = {
    "status": holds,
    "error": lambda case, value: ERRORS[value](case, value),
    "warn": warns,
    "size": size,
    "max": lambda case, value: equals(Grid(case.reading.width or 0, case.reading.height or 0).max_score, value),
    "score": score,
    "breaks": lambda case, value: equals(case.audit.breaks, value),
    "placed": lambda case, value: equals(case.audit.placed, value),
    "official_set": official_set,
    "clues_ok": lambda case, value: equals(case.audit.hints_kept, value),
    "clue139_ok": lambda case, value: equals(case.audit.mandatory_hint_kept, value),
    "duplicate_piece_numbers": lambda case, value: equals(case.audit.duplicates, tuple(value)),
    "frame_violations": lambda case, value: equals(case.audit.frame_violations, value),
    "hash_b": lambda case, value: equals(case.audit.board_hash, value),
    "hash_a": lambda case, value: equals(codes_hash(case.judged.board.codes), value),  # type: ignore[union-attr]
    "board_head": lambda case, value: equals(list(case.judged.board.codes[: len(value)]), value),  # type: ignore[union-attr]
    "board_pieces_head": lambda case, value: contains(
        "<" + convert(case.judged, "board_pieces", lossy=True), "<" + value
    ),
    "edges_default_sha1": lambda case, value: equals(hashlib.sha1(case.letters.encode()).hexdigest(), value),
    "edges_default_head": lambda case, value: contains("<" + case.letters, "<" + value),
    "name": lambda case, value: equals(case.reading.name, value),
    "motifs_order": lambda case, value: equals(case.reading.motifs_order, value),
    "claimed_score": claimed_score,
    "placed_claimed": lambda case, value: equals(case.reading.claims.placed, value),
    "board_hash": rounded_or_claimed,
    "hash_definition": hash_definition,
    "cells_not_in_official_set": cells_outside,
    "board_pieces_disagree_cells": disagreeing_cells,
    "board_pieces": names_board,
    "interior_grey_grey_pairs": lambda case, value: equals(
        slow_grey_pairs(case.letters, case.judged.grid.width, case.judged.grid.height), value
    ),
    "pieces": pieces,
    "hints": hints,
    "hints_list": hints_list,
    "hints_site": official_rotations,
    "hints_param": lambda case, value: equals(convert(case.reading, "hints"), value),
    "hints_raw": raw_hints,
    "n": hints,
    "equals_official": hint_equality,
    "disagree_positions": hint_differences,
    "numColors": lambda case, value: equals(
        json.loads(case.text)["numColors"] if case.text.startswith("{") else case.pieces.colours, value
    ),
    "max_colour": lambda case, value: equals(case.pieces.colours, value),
    "duplicate_shapes": lambda case, value: equals(case.pieces.sharing_a_shape, value),
    "rotation_symmetric_pieces": lambda case, value: equals(len(case.pieces.symmetric_pieces), value),
    "solved_board_uses_same_pieces": uses_same_pieces,
    "json_equals_csv": twin,
    "no_name": lambda case, _: contains(case.said, "there is no name"),
    "all_distinct": lambda case, value: equals(case.pieces.is_distinct, value),
    "official_order": lambda case, _: equals(case.reading.catalogue, official_pieces().quads),
    "official_set_up_to_recolour": lambda case, _: contains(case.said, "the official set in other colours"),
    "own_colours": lambda case, _: equals(case.reading.catalogue == official_pieces().quads, False),
    "numbers_swapped": lambda case, value: contains(case.said, f"{value[0]} and {value[1]} are swapped"),
    "columns": columns,
    "header": lambda case, value: contains("<" + case.text, "<" + value.split("(")[0].strip()),
    "border_value": lambda case, value: contains(case.error.message, f"grey is {value}"),
    "length": lambda case, value: contains(case.error.message, str(value)),
    "want": lambda case, value: contains(case.error.expected, str(value)),
    "offset": lambda case, value: contains(case.error.place + "<", f"character {value}<"),
    "line": lambda case, value: contains(case.error.place, f"line {value},"),
    "parameter": lambda case, value: equals(case.error.place, value),
    "cell": lambda case, value: contains(case.error.place + "<", f"cell {value}<"),
    "cells": lambda case, value: equals(len(case.judged.quads), value),
    "urls": lambda case, value: equals(len(read_all(case.text)), value),
    "scores": all_scores,
    "relation": turned_twin,
    "rot_convention": lambda case, _: contains(case.said, "rot here = rot + 2"),
    "grid_agrees_with_url": lambda case, _: equals("disagrees" in case.said, False),
    "with_motifs_order_jblackwood": under_blackwood,
    "decoded_without_motifs_order": without_label,
    "if_accepted": accepted,
    "to_csv": refuses_csv,
    "score_grey_never_matches": lambda case, value: equals(case.audit.score, value),
    "score_if_a_is_a_colour": lambda case, value: equals(slow_score(case.letters, 7, 7, grey_matches=True), value),
    "score_wall_distinct": lambda case, value: equals(case.audit.score, value),
}

PROSE = {"note", "hint", "format", "optional", "colours", "grid_rule", "grid_convention", "site_rot"}
"""Keys for people: words on the source, or on a convention that another key of the case checks."""


def equals(found: object, expected: object) -> None:
    assert found == expected


@pytest.mark.parametrize("entry", INDEX, ids=[entry["id"] for entry in INDEX])
def test_a_case_is_read_as_the_index_expects(entry: dict[str, Any]) -> None:
    case = Case(entry)
    for key, value in entry["expect"].items():
        if key not in PROSE:
            CHECKS[key](case, value)


def test_every_expected_field_has_a_check() -> None:
    keys = {key for entry in INDEX for key in entry["expect"]}
    assert keys <= CHECKS.keys() | PROSE
    assert {entry["expect"]["error"] for entry in INDEX if "error" in entry["expect"]} == ERRORS.keys()


def test_every_failure_is_one_of_ours_and_fits_on_a_line() -> None:
    messages = []
    for entry in INDEX:
        try:
            judge(read(text_of(entry["file"])))
        except E2Error as error:
            messages.append(str(error))
    assert len(messages) > 30
    assert all(message.isprintable() and len(message) < 300 for message in messages)
