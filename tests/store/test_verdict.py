from e2.store.estimate import estimate
from e2.store.verdict import Result, judged

PUZZLES = ("p", "q")


def results(arm, scores):
    """Results by puzzle, with seeds 5, 6, ..."""
    return [
        Result(arm, puzzle, 5 + number, score, 100, 0.5)
        for puzzle, row in scores.items()
        for number, score in enumerate(row)
    ]


OURS = results("ours", {"p": [450, 452, 454], "q": [430, 431, 432]})


def test_an_arm_is_estimated_over_its_puzzles():
    standing = judged(("ours",), PUZZLES, 3, OURS).standings[0]
    assert standing.score == estimate([[450, 452, 454], [430, 431, 432]])
    assert (standing.tasks, standing.due, standing.best, standing.worst) == (6, 6, 454, 430)
    assert (standing.nodes, standing.seconds) == (100, 0.5)
    assert standing.by_puzzle == (("p", 452.0), ("q", 431.0))


def test_differences_are_taken_on_the_same_puzzle_and_seed():
    other = results("other", {"p": [452, 454, 456], "q": [430, 430, 435]})
    (difference,) = judged(("ours", "other"), PUZZLES, 3, [*OURS, *reversed(other)]).differences
    assert (difference.arm, difference.control, difference.pairs) == ("other", "ours", 6)
    assert (difference.better, difference.equal, difference.worse) == (4, 1, 1)
    assert difference.score == estimate([[2, 2, 2], [0, -1, 3]])


def test_the_verdict_is_the_side_on_which_the_interval_lies():
    better = results("better", {"p": [455, 457, 460], "q": [435, 436, 436]})
    same = results("same", {"p": [452, 450, 454], "q": [430, 431, 432]})
    verdict = judged(("ours", "better", "same"), PUZZLES, 3, [*OURS, *better, *same])
    assert [difference.verdict for difference in verdict.differences] == ["better", "no difference shown"]
    back = judged(("better", "ours"), PUZZLES, 3, [*OURS, *better])
    assert back.differences[0].verdict == "worse"
    assert verdict.complete


def test_an_unfinished_study_compares_what_both_have():
    half = [result for result in results("half", {"p": [451, 453], "q": [433]}) if result.seed != 6]
    verdict = judged(("ours", "half"), PUZZLES, 3, [*OURS, *half])
    (difference,) = verdict.differences
    assert (difference.pairs, difference.better) == (2, 2)
    assert difference.verdict == "unknown"
    assert not verdict.complete
    assert verdict.standings[1].tasks == 2


def test_an_arm_without_a_result_on_some_puzzle_has_no_mean():
    verdict = judged(("ours", "none"), PUZZLES, 3, [*OURS, *results("none", {"p": [450]})])
    assert verdict.standings[1].score is None
    assert verdict.standings[1].by_puzzle == (("p", 450.0),)
    nothing = judged(("ours", "none"), PUZZLES, 3, OURS)
    assert (nothing.standings[1].best, nothing.standings[1].nodes, nothing.differences[0].pairs) == (None, None, 0)
