"""e2 pencil words, rectangle and cover, as a user or a program sees them."""

import pytest

MATHEMATICIANS = ("ABEL", "CANTOR", "GAUSS", "EULER")


def test_words_are_placed_and_listed(e2):
    ran = e2("pencil", "words", *MATHEMATICIANS, "--rows", "6", "--cols", "6")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "C A N T O R",
        "G A U S S .",
        "E U L E R .",
        "A B E L . .",
        ". . . . . .",
        ". . . . . .",
        "ABEL from D1 E",
        "CANTOR from A1 E",
        "GAUSS from B1 E",
        "EULER from C1 E",
    ]


@pytest.mark.parametrize(
    ("options", "solutions"),
    [
        ((), 244_792),
        (("--directions", "4"), 197_256),
        (("--crossing",), 43_448),
        (("--each-crossing",), 1_160),
        (("--connected",), 392),
    ],
)
def test_counts_for_programs_and_for_people(e2, options, solutions):
    ran = e2("pencil", "words", *MATHEMATICIANS, "--count", *options, "--json")
    assert (ran.code, ran.records) == (0, [{"solutions": solutions}])
    ran = e2("pencil", "words", *MATHEMATICIANS, "--count", *options)
    assert ran.out == f"{solutions:,} ways to place 4 words on 6x6\n"


def test_counts_are_the_same_in_other_processes(e2, cases):
    run = ("pencil", "cover", cases / "xcc" / "em5_3_3_1.dlx", "--count", "--json", "--executor")
    assert e2(*run, "inline").records == e2(*run, "local", "--workers", "2").records == [{"solutions": 765}]


def test_where_to_count_is_asked_of_counts_only(e2):
    ran = e2("pencil", "words", "AB", "--executor", "local")
    assert (ran.code, ran.err) == (2, "error: --out, --executor, --workers, --address and --seconds are for --count\n")
    ran = e2("pencil", "words", "AB", "--count", "--workers", "2")
    assert (ran.code, ran.err) == (2, "error: --workers and --address are for --executor local or ray\n")
    ran = e2("pencil", "words", "AB", "--count", "--seconds", "2")
    assert (ran.code, ran.err) == (2, "error: --seconds needs --out: a count that is not kept cannot go on\n")


def test_a_seed_and_filler_give_a_full_grid_again_and_again(e2):
    run = ("pencil", "words", "abel", "land", "--rows", "3", "--cols", "5", "--seed", "7", "--fill", "--json")
    record = e2(*run).records[0]
    assert record == e2(*run).records[0]
    assert record["grid"] != e2(*run[:-3], "8", "--fill", "--json").records[0]["grid"]
    assert [len(row) for row in record["grid"]] == [5, 5, 5]
    assert all(letter.isalpha() for row in record["grid"] for letter in row)
    assert [word["word"] for word in record["words"]] == ["ABEL", "LAND"]
    assert record["words"][0].keys() == {"word", "cell", "direction"}


def test_words_without_a_way_are_a_no(e2):
    run = ("pencil", "words", "AB", "CD", "--rows", "1", "--cols", "2")
    assert (e2(*run).code, e2(*run).out) == (1, "no way to place 2 words on 2x1\n")
    assert e2(*run, "--json").records == [{"cols": 2, "rows": 1, "grid": None, "words": []}]
    assert (e2(*run, "--count").code, e2(*run, "--count").out) == (1, "0 ways to place 2 words on 2x1\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("ABCDEFG",), "word 1, 'ABCDEFG', has 7 letters; expected at most 6 on 6 rows and 6 columns"),
        (("AB", ""), "word 2 is empty; expected one letter or more"),
        (("A-B",), "word 1, 'A-B': letter 2 is '-'; expected A to Z"),
        (("AB", "--rows", "65"), "65 rows; expected 1 to 64"),
        (("AB", "--directions", "5"), "5 directions; expected 2 (E S), 4 (E S W N) or 8"),
        (("AB", "--crossing", "--connected"), "expected one of --crossing, --each-crossing and --connected"),
        (("AB", "--count", "--fill"), "--count makes no grid; expected no --seed, --fill or --svg"),
    ],
)
def test_what_cannot_be_asked_is_refused_and_nothing_is_written(e2, tmp_path, arguments, message):
    svg = () if "--count" in arguments else ("--svg", "w.svg")
    ran = e2("pencil", "words", *arguments, *svg)
    assert (ran.code, ran.err) == (2, f"error: words: {message}\n")
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def lists(tmp_path):
    (tmp_path / "rows.txt").write_text("cat\nDOG\n\nEEL\nHORSE\n")
    (tmp_path / "cols.txt").write_text("CDE\nAOE\nTGL\n")
    return "--rows-from", "rows.txt", "--cols-from", "cols.txt"


def test_a_rectangle_is_filled_and_counted(e2, lists):
    assert e2("pencil", "rectangle", *lists, "--size", "3x3").out == "CAT\nDOG\nEEL\n"
    ran = e2("pencil", "rectangle", *lists, "--size", "3x3", "--json")
    assert ran.records == [{"cols": 3, "rows": 3, "grid": ["CAT", "DOG", "EEL"]}]
    assert e2("pencil", "rectangle", *lists, "--size", "3x3", "--count").out == "1 rectangle of 3x3\n"


def test_one_list_serves_rows_and_columns(e2, tmp_path):
    (tmp_path / "all.txt").write_text("CAT\nDOG\nEEL\nCDE\nAOE\nTGL\n")
    run = ("pencil", "rectangle", "--rows-from", "all.txt", "--size", "3x3")
    assert e2(*run, "--count", "--json").records == [{"solutions": 2}]
    assert e2(*run, "--first", "5").out == "CAT\nDOG\nEEL\n\nCDE\nAOE\nTGL\n"
    assert e2(*run).out.count("\n") == 3


@pytest.mark.parametrize(
    ("content", "size", "message"),
    [
        ("CAT\nD0G\n", "3x3", "words: all.txt, line 2, 'D0G': letter 2 is '0'; expected A to Z"),
        ("CAT\n", "3", "--size '3': expected COLUMNSxROWS, such as 3x3"),
        ("CAT\n", "3x4", "rectangle: none of the 1 words for the columns has 4 letters; expected one"),
    ],
)
def test_a_wrong_list_or_size_is_named(e2, tmp_path, content, size, message):
    (tmp_path / "all.txt").write_text(content)
    ran = e2("pencil", "rectangle", "--rows-from", "all.txt", "--size", size)
    assert (ran.code, ran.err) == (2, f"error: {message}\n")


def test_no_rectangle_is_a_no(e2, tmp_path):
    (tmp_path / "all.txt").write_text("AB\nCD\n")
    run = ("pencil", "rectangle", "--rows-from", "all.txt", "--size", "2x2")
    assert (e2(*run).code, e2(*run).out) == (1, "no rectangle of 2x2\n")


def test_a_cover_problem_is_solved_and_counted(e2, cases):
    ran = e2("pencil", "cover", cases / "xcc" / "em6_6_4_3.dlx", "--count", "--json")
    assert (ran.code, ran.records) == (0, [{"solutions": 2}])
    ran = e2("pencil", "cover", "-", "--first", "3", stdin=b"p q r | x y\np q x y:A\np r x:A y\np x:B\nq x:A\nr y:B\n")
    assert (ran.code, ran.out) == (0, "p r x:A y\nq x:A\n")
    ran = e2("pencil", "cover", "-", "--json", stdin=b"a b\na\nb\n")
    assert ran.records == [{"options": [1, 2]}]


def test_more_solutions_than_can_be_counted_are_not_asked_for(e2, lists):
    for command in (("cover", "-"), ("rectangle", *lists, "--size", "3x3")):
        ran = e2("pencil", *command, "--first", "9" * 20, stdin=b"a\na\n")
        assert (ran.code, ran.out) == (2, "")
        assert "Traceback" not in ran.err


def test_an_option_of_many_items_is_written_whole(e2):
    items = " ".join(f"item{number}" for number in range(1000))
    assert e2("pencil", "cover", "-", stdin=f"{items}\n{items}\n".encode()).out == f"{items}\n"


def test_a_cover_problem_without_a_solution_or_with_a_fault(e2):
    ran = e2("pencil", "cover", "-", stdin=b"a b\na\n")
    assert (ran.code, ran.out) == (1, "no solution\n")
    ran = e2("pencil", "cover", "-", stdin=b"a b\na c\n")
    assert (ran.code, ran.err) == (2, "error: cover: 'c' is no item (at line 2); expected one of the first line\n")
    assert e2("pencil", "cover").err == "error: cover: expected a FILE or --puzzle\n"
    assert e2("pencil", "cover", "-", "--puzzle", "clue_1").code == 2
    ran = e2("pencil", "cover", "-", "--text", stdin=b"a\na\n")
    assert (ran.code, ran.err) == (2, "error: cover: --text goes with --puzzle, and without --count or --json\n")


def test_solve_takes_cover_as_a_strategy(e2):
    assert e2("generate", "--size", "5", "--colours", "8", "--framed", "--out", ".").code == 0
    run = ("solve", "--puzzle", "planted_5x5_c8_s1_framed.json", "--strategy", "cover", "--executor", "inline")
    ran = e2(*run, "--tasks", "1", "--target", "40", "--json", "--out", "run")
    assert ran.code == 0
    assert ran.records[-1]["best"]["score"] == 40
    assert ran.records[-1]["solutions"] == 1


def test_a_whole_tree_tells_its_solutions(e2):
    assert e2("generate", "--size", "4", "--colours", "5", "--framed", "--out", ".").code == 0
    puzzle = "planted_4x4_c5_s1_framed.json"
    known = e2("count", "--puzzle", puzzle, "--executor", "inline", "--json", "--out", "count").records[-1]["solutions"]
    assert known > 1
    run = ("solve", "--puzzle", puzzle, "--strategy", "cover", "--set", "exhaustive=true", "--tasks", "1")
    ran = e2(*run, "--executor", "inline", "--out", "run")
    assert ran.out.splitlines()[1] == f"{known} solutions were met"
    assert e2("pencil", "cover", "--puzzle", puzzle, "--count", "--json").records == [{"solutions": known}]
    text = e2("pencil", "cover", "--puzzle", puzzle, "--text").out
    assert e2("pencil", "cover", "-", "--count", "--json", stdin=text.encode()).records == [{"solutions": known}]
    resumed = e2("resume", "run", "--json").records[-1]
    assert (resumed["solutions"], resumed["complete"]) == (known, True)
