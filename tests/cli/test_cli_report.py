"""e2 report: one file that opens offline, whatever strangers have put into a run."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
from html.parser import HTMLParser
from pathlib import Path

import pytest
from cli.conftest import Run

import e2 as house
from e2.core.generate import generated

HOSTILE = "\"><script>alert(1)</script><img src=http://evil.example/x onerror=alert(2)>\u202e'"
VOID = {"meta", "link", "br", "img", "input", "hr"}


class Page(HTMLParser):
    """What a browser would make of a page: its elements with their attributes, its texts, and what it would load."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == [], "every element is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return "".join(self.texts)

    def faults(self) -> list[str]:
        """Scripts, and whatever would be fetched when the page is opened."""
        found = []
        for tag, attributes in self.elements:
            if tag in ("script", "iframe", "object", "embed", "base", "form", "foreignobject"):
                found.append(f"<{tag}>")
            for name, value in attributes.items():
                if name.startswith("on"):
                    found.append(f"<{tag} {name}>")
                loads = name in ("src", "srcset", "poster", "data", "action", "background", "xlink:href")
                loads |= name == "href" and tag != "a"
                if loads and not value.startswith(("data:", "#")):
                    found.append(f"<{tag} {name}={value}>")
                if (
                    name == "href"
                    and tag == "a"
                    and not value.startswith(("https://eternity2.dev/", "https://e2.bucas.name/"))
                ):
                    found.append(f"a link to {value}")
                if "url(" in value and "url(#" not in value:
                    found.append(f"<{tag} {name}={value}>")
        styles = self.text
        return found + [word for word in ("@import", "url(") if word in styles]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reported")
    puzzle = generated(6, 6, 6, seed=2).instance
    for name, seed in (("one", 0), ("two", 100)):
        house.solve(puzzle, strategy="breaks", tasks=8, nodes=500, seed=seed, executor="inline", out=folder / name)
    return folder


@pytest.fixture
def one(made: Path, tmp_path: Path) -> Path:
    """A copy of a run, to be spoilt."""
    shutil.copytree(made / "one", tmp_path / "one")
    return tmp_path / "one"


def page_of(e2: Run, *arguments: str | Path) -> Page:
    ran = e2("report", *arguments, "-o", "report.html")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "report.html\n"
    return Page(Path("report.html").read_text("utf-8"))


def test_a_report_on_one_run_holds_what_it_was_and_did(e2: Run, made: Path) -> None:
    page = page_of(e2, made / "one")
    assert page.faults() == []
    for said in ("strategy", "breaks", "puzzle_hash", "numba", "8 of 8", socket.gethostname(), "Best score over nodes",
                 "Tasks by score", "board_hash"):  # fmt: skip
        assert said in page.text, said
    assert "Comparison" not in page.text
    links = [attributes["href"] for tag, attributes in page.elements if tag == "a"]
    assert len([link for link in links if link.startswith("https://eternity2.dev/viewer?")]) == 3
    assert len([link for link in links if link.startswith("https://e2.bucas.name/#")]) == 3


def test_so_many_boards_are_shown_as_were_asked_for(e2: Run, made: Path) -> None:
    for most in (0, 2, 100):
        page = page_of(e2, made / "one", "--boards", str(most))
        figures = [tag for tag, _ in page.elements if tag == "figure"]
        assert len(figures) == min(most, len(list((made / "one" / "boards").glob("*.json"))))


def test_the_best_boards_come_first(e2: Run, made: Path) -> None:
    from e2.store.record import run_record

    kept, faults = run_record(made / "one").best_boards(3)
    every, _ = run_record(made / "one").best_boards()
    scores = [one.judged.audit.score for one in every]
    assert faults == []
    assert scores == sorted(scores, reverse=True)
    assert [one.judged.audit.score for one in kept] == scores[:3]


def test_a_report_on_several_runs_compares_them(e2: Run, made: Path) -> None:
    page = page_of(e2, made / "one", made / "two", made / "one")
    assert page.faults() == []
    assert "Comparison" in page.text
    assert "no difference shown: all 8 pairs are equal" in page.text
    assert "share too few seeds" in page.text


def test_what_is_unfair_is_said_in_the_report_too(e2: Run, made: Path) -> None:
    e2("solve", "--puzzle", made / "one" / "puzzle.json", "--strategy", "breaks", "--tasks", "2", "--nodes", "300",
       "--executor", "inline", "--out", "short")  # fmt: skip
    assert "unequal budgets" in page_of(e2, made / "one", "short").text


def test_a_count_has_its_account_by_depth(e2: Run) -> None:
    assert e2("generate", "--size", "4", "--colours", "4", "--seed", "1", "--out", ".").code == 0
    e2("count", "--puzzle", "planted_4x4_c4_s1.json", "--executor", "inline", "--out", "count")
    page = page_of(e2, "count")
    assert page.faults() == []
    assert "Nodes by depth" in page.text
    assert "solutions" in page.text
    assert "Tasks by score" not in page.text


def test_a_report_changes_nothing_in_the_run(e2: Run, one: Path) -> None:
    before = {path: path.read_bytes() for path in one.rglob("*") if path.is_file()}
    page_of(e2, one)
    assert {path: path.read_bytes() for path in one.rglob("*") if path.is_file()} == before


def test_what_strangers_wrote_is_shown_and_never_run(e2: Run, one: Path) -> None:
    settings = (one / "settings.toml").read_text("utf-8")
    hostile = json.dumps(HOSTILE, ensure_ascii=True)
    settings = "".join(
        f"puzzle = {hostile}\n" if line.startswith("puzzle =") else f"{line}\n" for line in settings.splitlines()
    )
    (one / "settings.toml").write_text(settings + f"\n[{hostile}]\n{hostile} = {hostile}\n", "utf-8")
    puzzle = json.loads((one / "puzzle.json").read_text("utf-8"))
    puzzle["name"] = HOSTILE
    (one / "puzzle.json").write_text(json.dumps(puzzle), "utf-8")
    for path in (one / "boards").glob("*.json"):
        document = json.loads(path.read_text("utf-8"))
        document["name"] = HOSTILE
        path.write_text(json.dumps(document), "utf-8")
    summary = json.loads((one / "summary.json").read_text("utf-8"))
    summary["host"], summary["versions"] = HOSTILE, {HOSTILE: HOSTILE}
    (one / "summary.json").write_text(json.dumps(summary), "utf-8")
    raw = sqlite3.connect(one / "ledger.sqlite")
    raw.execute("UPDATE slices SET host = ?", (HOSTILE,))
    raw.execute("UPDATE units SET status = 'failed', reason = ? WHERE number = 0", (HOSTILE,))
    raw.commit()
    raw.close()
    named = one.with_name("a<script>b")
    one.rename(named)
    page = page_of(e2, named)
    assert page.faults() == []
    assert page.text.count("<script>alert(1)") >= 6, "shown as text"
    assert "\u202e" not in page.text
    assert "\\u202e" in page.text


def test_torn_files_are_told_of_and_the_rest_is_shown(e2: Run, one: Path) -> None:
    (one / "summary.json").write_bytes((one / "summary.json").read_bytes()[:40])
    boards = sorted((one / "boards").glob("*.json"))
    first, second, third, *rest = boards
    first.write_bytes(first.read_bytes()[:100])
    second.write_bytes(b"[" * 100_000)
    third.unlink()
    third.symlink_to("/etc/hostname")
    os.mkfifo(one / "boards" / "480_1.json")
    page = page_of(e2, one, "--boards", "100")
    assert page.faults() == []
    assert "summary.json is damaged" in page.text
    assert f"{first.name}: " in page.text
    assert f"{second.name}: " in page.text
    assert f"{third.name} is a link and was not followed" in page.text
    assert "480_1.json is no plain file" in page.text
    assert len([tag for tag, _ in page.elements if tag == "figure"]) == len(rest) > 0
    assert "no sitting of this run has come to its end" in page.text


def test_torn_files_do_not_stop_a_comparison(e2: Run, one: Path, made: Path) -> None:
    (path, *_) = (one / "boards").glob("*.json")
    path.write_bytes(b"{")
    assert "Comparison" in page_of(e2, made / "one", one).text


def test_a_run_of_an_older_version_has_no_curves_and_says_so(e2: Run, one: Path) -> None:
    raw = sqlite3.connect(one / "ledger.sqlite")
    raw.executescript("DROP TABLE improvements; ALTER TABLE boards DROP COLUMN clock; PRAGMA user_version=3;")
    raw.close()
    page = page_of(e2, one)
    assert "This run has no curves" in page.text
    assert "Tasks by score" in page.text


@pytest.mark.parametrize("part", ["settings.toml", "puzzle.json", "ledger.sqlite"])
@pytest.mark.parametrize("spoilt", ["torn", "link", "missing"])
def test_a_run_that_cannot_be_read_is_an_error_and_nothing_is_written(
    e2: Run, one: Path, part: str, spoilt: str
) -> None:
    data = (one / part).read_bytes()
    (one / part).unlink()
    if spoilt == "torn":
        (one / part).write_bytes(data[: len(data) // 2] + b"\0\1")
    elif spoilt == "link":
        (one.parent / "elsewhere").write_bytes(data)
        (one / part).symlink_to(one.parent / "elsewhere")
    ran = e2("report", one, "-o", "report.html")
    assert ran.code == 2
    assert part in ran.err
    assert not Path("report.html").exists()


@pytest.mark.parametrize(
    "spoil",
    [
        "UPDATE totals SET seconds = '<script>'",
        "UPDATE units SET best_score = 'many'",
        "UPDATE units SET max_depth = 'deep'",
        "UPDATE slices SET nodes = 'x', seconds = 9e999",
        "UPDATE improvements SET board_hash = 'none'",
        "UPDATE improvements SET clock = 'noon'",
        "UPDATE improvements SET score = x'00'",
    ],
)
def test_a_ledger_with_texts_for_numbers_is_an_error(e2: Run, one: Path, spoil: str) -> None:
    raw = sqlite3.connect(one / "ledger.sqlite")
    raw.execute(spoil)
    raw.commit()
    raw.close()
    ran = e2("report", one, "-o", "report.html")
    assert ran.code == 2
    assert "ledger.sqlite" in ran.err
    assert "damaged" in ran.err
    assert not Path("report.html").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-o", "nowhere/report.html"), "there is no folder nowhere"),
        (("-o", "report.html", "--boards", "-1"), "expected 0 to 100"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(e2: Run, made: Path, arguments: tuple[str, ...], said: str) -> None:
    ran = e2("report", made / "one", *arguments)
    assert ran.code == 2
    assert said in ran.err
    assert not list(Path().glob("*.html"))
