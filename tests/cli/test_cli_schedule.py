"""e2 schedule, and a schedule given to e2 solve."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

ORDER = ("--fill-order", "comb:11", "--set", "turn=2")


def test_a_schedule_is_shown_with_its_cost_and_a_chart(e2):
    ran = e2("schedule", *ORDER, "--mismatches", "30")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0] == "eternity2, comb:11, turn 2, 30 mismatches"
    assert lines[1].startswith("depths          ")
    assert lines[-1].split()[:2] == ["256", "30"]


def test_the_written_file_is_what_the_json_says_and_what_named_reads(e2):
    ran = e2("schedule", *ORDER, "--target", "450", "--json", "-o", "depths.txt", "--svg", "chart.svg")
    (record,) = ran.records
    depths = [int(line) for line in Path("depths.txt").read_text().splitlines() if not line.startswith("#")]
    assert (record["mismatches"], record["depths"]) == (30, depths)
    assert record["nodes_per_board"] == pytest.approx(sum(record["nodes"]))
    assert e2("schedule", *ORDER, "--named", "depths.txt", "--json").records == [record]
    picture = ElementTree.parse("chart.svg").getroot()
    assert len(list(picture.iter("{http://www.w3.org/2000/svg}polyline"))) == 1


def test_a_ladder_goes_by_its_name(e2):
    (record,) = e2("schedule", "--named", "blackwood-470", "--json").records
    assert record["depths"] == [202, 207, 212, 217, 222, 226, 230, 234, 238, 240]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--named", "blackwood"), "expected a file of depths or one of blackwood-470"),
        (("--named", "falling.txt"), "schedule falls from depth 200 to 199"),
        (("--named", "word.txt"), "word.txt, line 3: 'soon' is no number; expected a depth"),
        (("--target", "481"), "expected 0 to 480"),
        (("--mismatches", "481"), "the board has 480 seams"),
        (("--mismatches", "20", "--target", "460"), "expected one of them"),
        (("--set", "width=3"), "no parameter 'width'"),
        (("--puzzle", "clue_1", "--named", "blackwood-470"), "lists depth 202; expected 1 to 36"),
    ],
    ids=str,
)
def test_what_is_no_schedule_is_refused(e2, arguments, said):
    Path("falling.txt").write_text("200\n199\n")
    Path("word.txt").write_text("200 # late\n\n210 soon\n")
    ran = e2("schedule", *arguments)
    assert ran.code == 2
    assert said in ran.err


def test_solve_takes_a_file_of_depths_and_says_what_is_wrong_in_it(e2):
    light = ("--strategy", "breaks", "--executor", "inline", "--tasks", "1", "--nodes", "2000", "--puzzle", "clue_1")
    Path("depths.txt").write_text("# two late ones\n30, 33\n")
    assert e2("solve", *light, "--schedule", "depths.txt", "--out", "run").code == 0
    assert "schedule = [30, 33]" in Path("run/settings.toml").read_text()
    Path("depths.txt").write_text("30\n40\n")
    ran = e2("solve", *light, "--schedule", "depths.txt")
    assert (ran.code, "depth 40; expected 1 to 36" in ran.err) == (2, True)
    ran = e2("solve", *light, "--schedule", "slip")
    assert (ran.code, "expected one of model, blackwood-470" in ran.err) == (2, True)
