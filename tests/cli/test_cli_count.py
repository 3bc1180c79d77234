from __future__ import annotations

import re
from pathlib import Path

import pytest
from cli.conftest import Run
from cluster.cutting import cutting

from e2.core.generate import generated
from e2.core.instance import Instance
from e2.core.pieces import PieceSet
from e2.store.documents import puzzle_document

TOMY = Path(__file__).parent.parent / "counts" / "tomy_4x4.json"
COUNT = ("count", "--puzzle", TOMY, "--executor", "inline", "--keep", "2", "--out", "run")
EXHAUSTIVE = ("solve", "--exhaustive", "--executor", "inline", "--out", "run")
RECORD = {
    *("solutions", "nodes", "seconds", "complete", "whole", "merged", "apart"),
    *("nodes_by_depth", "elsewhere", "best", "run"),
}


def puzzle(path: Path, instance: Instance) -> Path:
    path.write_bytes(puzzle_document(instance))
    return path


def unsolvable() -> Instance:
    """A puzzle without a solution, though every colour stands on an even number of sides."""
    sound = generated(5, 5, 5, seed=1).instance
    quads = [list(quad) for quad in sound.pieces.quads]
    quads[0][0], quads[4][0] = quads[4][0], quads[0][0]
    return Instance.checked("unsolvable", 5, 5, PieceSet(tuple((a, b, c, d) for a, b, c, d in quads)))


def lines_of(text: str) -> list[str]:
    """The lines of an answer without its time, which is never the same."""
    return [re.sub(r" in \d+:\d\d$", "", line) for line in text.splitlines()]


def test_a_count_says_solutions_and_nodes(e2: Run) -> None:
    ran = e2(*COUNT)
    assert (ran.code, ran.err) == (0, "")
    assert lines_of(ran.out) == ["2560 solutions, 81120 nodes"]
    assert len(list(Path("run/boards").glob("24_*.json"))) == 2
    assert Path("run/ledger.txt").is_file()


def test_a_count_as_json_is_one_record_after_its_board(e2: Run) -> None:
    board, record = e2(*COUNT, "--json").records
    assert set(record) == RECORD
    assert (record["solutions"], record["nodes"], record["apart"]) == (2560, 81120, 2560)
    assert (record["complete"], record["whole"], record["merged"], record["elsewhere"]) == (True, True, [], 0)
    assert (sum(record["nodes_by_depth"]), record["nodes_by_depth"][-1]) == (81120, 2560)
    assert Path(record["best"]).is_file()
    assert Path(board["board"]["path"]).is_file()
    assert record["run"] == "run"


@pytest.mark.parametrize(
    ("word", "solutions", "said"),
    [
        ("pieces", 1280, ["equal pieces in each other's place"]),
        ("board", 640, ["turns of the board"]),
        ("pieces,board", 320, ["turns of the board", "equal pieces in each other's place"]),
        ("turns", 2560, ["turns of a piece that look the same"]),
        (
            "all",
            320,
            ["turns of the board", "equal pieces in each other's place", "turns of a piece that look the same"],
        ),
    ],
)
def test_what_counts_once_is_said_and_counted_apart_again(e2: Run, word: str, solutions: int, said: list[str]) -> None:
    lines = lines_of(e2(*COUNT, "--merge", word).out)
    assert lines[0].startswith(f"{solutions} solutions, ")
    assert lines[1:] == [*(f"counted once: {what}" for what in said), "counted apart: 2560 solutions"]


def test_a_region_is_filled_in_place_of_the_board(e2: Run) -> None:
    # The four inner pieces, each turned four ways.
    assert lines_of(e2(*COUNT, "--region", "1,1,1,1").out) == ["16 solutions, 16 nodes"]
    (record,) = e2(*COUNT[:-1], "other", "--region", " 0,0, 2,1", "--fill-order", "columns", "--json").records
    assert record["nodes_by_depth"] == [4, 16]
    assert record["best"] is None


def test_one_solution_is_one(e2: Run, tmp_path: Path) -> None:
    one = puzzle(tmp_path / "one.json", generated(5, 5, 6, seed=1, pins=1).instance)
    ran = e2("count", "--puzzle", one, "--executor", "inline", "--out", "run", "--fill-order", "columns")
    assert lines_of(ran.out) == ["1 solution, 229 nodes"]


def test_any_hints_leaves_the_hints_out(e2: Run, tmp_path: Path) -> None:
    pinned = puzzle(tmp_path / "one.json", generated(5, 5, 6, seed=1, pins=1).instance)
    ran = e2("count", "--puzzle", pinned, "--executor", "inline", "--out", "run", "--any-hints", "--merge", "board")
    assert lines_of(ran.out)[0].startswith("1 solution, ")
    assert lines_of(ran.out)[2] == "counted apart: 4 solutions"


def test_parts_say_what_is_left_to_the_others(e2: Run) -> None:
    parts = [
        e2(*COUNT[:-1], f"part-{number}", "--prefix-depth", "3", "--part", f"{number}/3", "--json").records[-1]
        for number in (1, 2, 3)
    ]
    assert all(record["complete"] and not record["whole"] for record in parts)
    assert sum(record["solutions"] for record in parts) == 2560
    # All of them search the 4 + 16 + 56 nodes above; each only its own below.
    assert [record["nodes_by_depth"][:3] for record in parts] == [[4, 16, 56]] * 3
    assert sum(sum(record["nodes_by_depth"][3:]) for record in parts) == 81120 - 76
    assert sum(record["elsewhere"] for record in parts) == 2 * 56
    ran = e2(*COUNT, "--prefix-depth", "3", "--part", "2/3")
    assert lines_of(ran.out)[0] == f"{parts[1]['solutions']} solutions, {parts[1]['nodes']} nodes so far"
    assert lines_of(ran.out)[1].startswith(f"{parts[1]['elsewhere']} units are for other parts, about ")
    assert ran.out.endswith(" % of the tree\n")


def test_a_count_that_is_out_of_time_says_how_to_go_on(e2: Run) -> None:
    with cutting(50):
        ran = e2(*COUNT, "--seconds", "0.001")
    assert ran.code == 0
    assert ran.err == "to go on: e2 resume run\n"
    assert lines_of(ran.out)[0].endswith(" nodes so far")
    done = e2("resume", "run", "--seconds", "1e6", "--json")
    assert (done.code, done.err) == (0, "")
    assert (done.records[-1]["nodes"], done.records[-1]["whole"]) == (81120, True)
    assert lines_of(e2("resume", "run").out) == ["2560 solutions, 81120 nodes"]


BAD = [
    (["--region", "3,3,2,2"], "region 3,3,2,2: expected COLUMN,ROW,WIDTH,HEIGHT of a block within 4x4 cells"),
    (["--region", "0,0,5,1"], "region 0,0,5,1: expected COLUMN,ROW,WIDTH,HEIGHT of a block within 4x4 cells"),
    (["--region", "0,0,0,1"], "region 0,0,0,1: expected COLUMN,ROW,WIDTH,HEIGHT of a block within 4x4 cells"),
    (["--region", "1,2,3"], "--region '1,2,3': expected COLUMN,ROW,WIDTH,HEIGHT, such as 0,0,3,3"),
    (["--region", "1,2,3,4,"], "--region '1,2,3,4,': expected COLUMN,ROW,WIDTH,HEIGHT, such as 0,0,3,3"),
    (["--region", "-1,0,2,2"], "--region '-1,0,2,2': expected COLUMN,ROW,WIDTH,HEIGHT, such as 0,0,3,3"),
    (["--region", "a,b,c,d"], "--region 'a,b,c,d': expected COLUMN,ROW,WIDTH,HEIGHT, such as 0,0,3,3"),
    (["--region", "0,0,1,²"], "--region '0,0,1,²': expected COLUMN,ROW,WIDTH,HEIGHT, such as 0,0,3,3"),
    (["--region", "0,0,1," + "9" * 5000], f"--region '0,0,1,{'9' * 34}': expected COLUMN,ROW,WIDTH,HEIGHT, such as"),
    (["--region", "0,0,1,99999"], "region.3 = 99999: Input should be less than or equal to 65536"),
    (["--merge", "colours"], "--merge 'colours': expected some of pieces, turns, board, or all"),
    (["--merge", "pieces,"], "--merge '': expected some of pieces, turns, board, or all"),
    (["--merge", "all,pieces"], "--merge 'all': expected some of pieces, turns, board, or all"),
    (["--merge", "board", "--region", "0,0,2,2"], "turns of the board count once on whole square boards without hints"),
    (["--part", "1/3"], "part 1/3: expected prefix_depth too, the depth at which the parts are told apart"),
    (["--part", "3/2", "--prefix-depth", "3"], "part 3/2: expected 1/2 to 2/2"),
    (["--part", "0/2", "--prefix-depth", "3"], "part = '0/2': "),
    (["--part", "half", "--prefix-depth", "3"], "part = 'half': "),
    (["--prefix-depth", "16"], "prefix_depth = 16: expected less than the 16 cells that are filled"),
    (["--prefix-depth", "4", "--region", "0,0,2,2"], "prefix_depth = 4: expected less than the 4 cells that are"),
    (["--prefix-depth", "0"], "prefix_depth = 0: Input should be greater than or equal to 1"),
    (["--keep", "-1"], "keep = -1: Input should be greater than or equal to 0"),
    (["--fill-order", "zigzag"], "fill_order: 'zigzag' is unknown; expected "),
    (["--workers", "2"], "executor inline has one worker; use local or ray for more"),
    (["--seconds", "0"], "seconds = 0.0: Input should be greater than 0"),
    (["--puzzle", "nowhere.json"], "no such file"),
]


@pytest.mark.parametrize(("options", "said"), BAD, ids=[" ".join(options)[:40] for options, _ in BAD])
@pytest.mark.parametrize("json", [False, True])
def test_what_cannot_be_counted_is_refused_in_one_line_before_anything_is_written(
    e2: Run, tmp_path: Path, options: list[str], said: str, json: bool
) -> None:
    ran = e2(*COUNT, *options, *["--json"] * json)
    assert ran.code == 2
    assert len(ran.err.splitlines()) == 1
    assert ran.err.startswith("error: ")
    assert said in ran.err
    assert list(tmp_path.iterdir()) == []
    if json:
        (record,) = ran.records
        assert set(record) == {"error"}
        assert said in record["error"]["message"]
    else:
        assert ran.out == ""


def test_turns_of_a_board_with_hints_do_not_count_once(e2: Run, tmp_path: Path) -> None:
    pinned = puzzle(tmp_path / "one.json", generated(5, 5, 6, seed=1, pins=1).instance)
    ran = e2("count", "--puzzle", pinned, "--executor", "inline", "--out", "run", "--merge", "board")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "error: turns of the board count once on whole square boards without hints\n"
    assert not Path("run").exists()


def test_a_count_needs_a_puzzle_and_a_place_of_its_own(e2: Run) -> None:
    ran = e2("count", "--executor", "inline")
    assert (ran.code, ran.out, ran.err) == (2, "", "error: count needs --puzzle\n")
    Path("run").mkdir()
    ran = e2(*COUNT)
    assert ran.code == 2
    assert ran.err == "error: run exists already: resume it, or choose another name\n"


def test_a_count_without_a_name_gets_one(e2: Run) -> None:
    (record,) = e2(*COUNT[:-2], "--region", "1,1,1,1", "--json").records
    assert Path(record["run"]).name.startswith("tomy_4x4-count-")
    assert Path(record["run"]).parent == Path("runs")


def test_an_exhaustive_solve_ends_with_the_link_of_a_solution(e2: Run, tmp_path: Path) -> None:
    one = puzzle(tmp_path / "one.json", generated(5, 5, 6, seed=1, pins=1).instance)
    ran = e2(*EXHAUSTIVE, "--puzzle", one)
    assert ran.code == 0
    said, link = ran.out.splitlines()
    (record,) = e2("resume", "run", "--json").records
    assert said.startswith(f"a solution, after {record['nodes']} nodes in ")
    assert link.startswith("https://")
    assert record["nodes"] <= 108
    assert len(list(Path("run/boards").glob("40_*.json"))) == 1


def test_an_exhaustive_solve_stops_at_a_solution(e2: Run) -> None:
    with cutting(50):
        ran = e2(*EXHAUSTIVE, "--puzzle", TOMY)
        again = e2("resume", "run", "--json")
    assert ran.code == again.code == 0
    assert ran.err == ""
    (record,) = again.records
    assert lines_of(ran.out)[0] == f"a solution, after {record['nodes']} nodes"
    assert (record["complete"], record["whole"]) == (True, False)
    assert record["nodes"] < 81120


def test_an_exhaustive_solve_takes_no_target(e2: Run) -> None:
    ran = e2(*EXHAUSTIVE, "--puzzle", TOMY, "--target", "5")
    assert (ran.code, ran.out) == (2, "")
    assert "--exhaustive ends with a solution, or with none" in ran.err


def test_an_exhaustive_solve_proves_that_there_is_no_solution(e2: Run, tmp_path: Path) -> None:
    none = puzzle(tmp_path / "none.json", unsolvable())
    ran = e2(*EXHAUSTIVE, "--puzzle", none)
    assert (ran.code, ran.err) == (1, "")
    assert lines_of(ran.out) == ["0 solutions, 3858 nodes", "there is no solution: the whole tree has been searched"]
    (record,) = e2("resume", "run", "--json").records
    assert (record["solutions"], record["whole"], record["best"]) == (0, True, None)


def test_an_exhaustive_solve_that_is_out_of_time_proves_nothing(e2: Run, tmp_path: Path) -> None:
    none = puzzle(tmp_path / "none.json", unsolvable())
    with cutting(20):
        ran = e2(*EXHAUSTIVE, "--puzzle", none, "--seconds", "0.001")
    assert ran.code == 1
    assert ran.err == "to go on: e2 resume run\n"
    assert len(lines_of(ran.out)) == 1
    assert lines_of(ran.out)[0].endswith(" nodes so far")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--tasks", "2"], "tasks has no meaning for a count"),
        (["--nodes", "5"], "nodes has no meaning for a count"),
        (["--memory", "1GB"], "memory has no meaning for a count"),
        (["--strategy", "beam"], "only strategies 'strict' and 'cover' count, not 'beam'"),
        (["--set", "width=5"], "width"),
        (["--schedule", "model"], "schedule"),
    ],
    ids=str,
)
def test_what_has_no_meaning_for_an_exhaustive_solve_is_refused(
    e2: Run, tmp_path: Path, options: list[str], said: str
) -> None:
    ran = e2(*EXHAUSTIVE, "--puzzle", TOMY, *options)
    assert (ran.code, ran.out) == (2, "")
    assert len(ran.err.splitlines()) == 1
    assert said in ran.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--tasks", "2"], "tasks has no meaning for a count"),
        (["--target", "5"], "target = 5: a count stops at its first solution with 24, or never"),
    ],
    ids=str,
)
def test_a_resumed_count_stays_a_count(e2: Run, options: list[str], said: str) -> None:
    with cutting(50):
        e2(*COUNT, "--seconds", "0.001")
        settings = Path("run/settings.toml").read_text()
        ran = e2("resume", "run", *options)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert Path("run/settings.toml").read_text() == settings
