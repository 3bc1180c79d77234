"""The pages without a browser: what they say, and what strangers cannot do to them."""

from __future__ import annotations

import os
import sqlite3
import time
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

import pytest
from live_pages import CASES, INSTANCE, Copy, client_of, make_endless, tree
from starlette.testclient import TestClient

from e2.cluster.observer import Silent
from e2.cluster.run import solve
from e2.cluster.study import run_settings
from e2.views.web import run_page

EDGES_470 = (CASES / "edges-470.txt").read_text().strip()
VIEWER_470 = f"/viewer?puzzle=Blackwood&puzzle_size=16&board_edges={EDGES_470}"


class Tags(HTMLParser):
    """All tags of a page with their attributes, and all its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def is_harmless(page: str) -> bool:
    """No script but our own, no handler in an attribute, no address that runs code or leaves this server by itself."""
    for tag, attributes in Tags(page).tags:
        if tag == "script" and attributes != {"src": "/live.js", "defer": None}:
            return False
        if tag in ("iframe", "object", "embed", "base", "style"):
            return False
        for name, value in attributes.items():
            if name.startswith("on") or (value or "").strip().lower().startswith("javascript:"):
                return False
            if name in ("src", "action") and not (value or "").startswith("/"):
                return False
    return True


def test_the_list_shows_a_run_with_its_figures(client: TestClient) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert is_harmless(page.text)
    text = " ".join(Tags(page.text).text.split())
    assert "good complete" in text
    assert "3 of 3" in text
    assert "breaks" in text


def test_a_folder_without_runs_says_how_one_begins(tmp_path: Path) -> None:
    page = client_of(tmp_path).get("/")
    assert page.status_code == 200
    assert "There is no run here yet" in page.text


def test_a_run_shows_its_best_board_its_settings_and_who_worked(client: TestClient, made: Path) -> None:
    page = client.get("/run/good")
    assert page.status_code == 200
    assert is_harmless(page.text)
    text = Tags(page.text).text
    names = sorted((path.name for path in (made / "boards").iterdir()), key=lambda name: -int(name.split("_")[0]))
    assert f"Score {names[0].split('_')[0]} of 24" in text
    assert "slice_seconds" in text
    assert "Who worked on it" in text
    for name in names:
        assert name.removesuffix(".json").split("_")[1] in text
        shown = client.get(f"/run/good?board={name}")
        assert f"Score {name.split('_')[0]} of 24" in Tags(shown.text).text
        assert client.get(f"/picture/good?board={name}").headers["content-type"] == "image/svg+xml"


@pytest.mark.parametrize("board", ["../settings.toml", "480_1.json", "../../secret.json", "%2e%2e/x"])
def test_only_boards_that_are_listed_are_opened(client: TestClient, board: str) -> None:
    assert "There is no such board in this run." in client.get("/run/good", params={"board": board}).text
    assert client.get("/picture/good", params={"board": board}).status_code == 404


@pytest.mark.parametrize("name", ["../runs/good", "%2e%2e%2fruns%2fgood", "good/..", "/etc", "good/boards", "x"])
def test_only_runs_that_are_listed_are_opened(client: TestClient, name: str) -> None:
    for page in ("run", "picture"):
        assert client.get(f"/{page}/{name}").status_code == 404


def test_runs_of_a_study_are_listed_by_their_path(client: TestClient, another: Copy, runs: Path) -> None:
    (runs / "study" / "late").mkdir(parents=True)
    another("study/late/clue & more")
    page = client.get("/").text
    assert "study/late/clue &amp; more" in page
    assert 'href="/run/study/late/clue%20%26%20more"' in page
    assert client.get("/run/study/late/clue%20%26%20more").status_code == 200
    assert client.get("/run/study/late/clue%20&%20more").status_code == 200


def test_the_viewer_takes_the_link_of_the_470_board(client: TestClient) -> None:
    page = client.get(VIEWER_470)
    text = Tags(page.text).text
    assert page.status_code == 200
    assert "Score 470 of 480" in text
    assert "10 mismatched" in text
    assert "1438720972308980989" in text
    assert "1 of 5 kept, the mandatory one too" in text
    assert f"https://eternity2.dev/viewer?puzzle=Blackwood&amp;puzzle_size=16&amp;board_edges={EDGES_470}" in page.text
    assert "https://e2.bucas.name/#puzzle=Blackwood" in page.text


def test_the_viewer_shows_pins_of_the_link_and_keeps_them_in_its_links(client: TestClient) -> None:
    page = client.get(f"{VIEWER_470}&hints=135.0-0.1")
    text = " ".join(Tags(page.text).text.split())
    assert "I8 piece 139, rot 0, kept" in text
    assert "Hints: 2" in text
    assert "&amp;hints=135.0-0.1" in page.text


def test_the_viewer_knows_the_puzzles_that_come_with_e2_by_their_names(client: TestClient) -> None:
    letters = (CASES / "url-clue1-6x6.txt").read_text()
    query = letters.partition("?")[2].partition("#")[2] or letters.partition("#")[2] or letters.partition("?")[2]
    named = "&".join(part for part in query.strip().split("&") if not part.startswith("puzzle="))
    assert "of the puzzle's set, none twice" in Tags(client.get(f"/viewer?puzzle=clue_1&{named}").text).text
    assert "of no known set" in Tags(client.get(f"/viewer?puzzle=nobody&{named}").text).text


@pytest.mark.parametrize("style", ["motifs", "colours", "letters"])
def test_a_board_is_saved_as_a_picture_in_any_style(client: TestClient, style: str) -> None:
    svg = client.get(VIEWER_470.replace("/viewer?", "/viewer.svg?") + f"&style={style}")
    assert svg.text.startswith("<svg ")
    assert svg.headers["content-type"] == "image/svg+xml"
    png = client.get(VIEWER_470.replace("/viewer?", "/viewer.png?") + f"&style={style}")
    assert png.content.startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("puzzle=x", "no board in it"),
        ("board_edges=abc", "make no square board"),
        (f"puzzle_size=15&board_edges={EDGES_470}", "board_edges"),
        (f"puzzle_size=99999999&board_edges={EDGES_470}", "is no size"),
        (f"board_edges={EDGES_470}&board_edges={EDGES_470}", "comes 2 times"),
        (f"board_edges={EDGES_470}&hints=999.9", "hints"),
        (f"board_edges={EDGES_470}&style=%3Cscript%3E", "style"),
        ("board_edges=" + "%3Cscript%3Ealert(1)%3C/script%3E", "viewer_url"),
    ],
)
def test_the_viewer_says_what_is_wrong_with_a_link(client: TestClient, query: str, said: str) -> None:
    page = client.get(f"/viewer?{query}")
    assert page.status_code == 400
    assert said in Tags(page.text).text
    assert is_harmless(page.text)


def test_a_title_with_a_script_and_direction_marks_is_only_text(client: TestClient) -> None:
    name = quote("\u202e<script>alert('x')</script>\"'\x00", safe="")
    page = client.get(VIEWER_470.replace("Blackwood", name))
    assert page.status_code == 200
    assert is_harmless(page.text)
    assert "\u202e" not in page.text
    assert "&lt;script&gt;" in page.text
    assert r"\u202e" in Tags(page.text).text


def test_the_converter_writes_every_form_of_a_link(client: TestClient) -> None:
    page = client.post("/convert", data={"text": (CASES / "url-470-blackwood.txt").read_text()})
    assert page.status_code == 200
    assert is_harmless(page.text)
    text = Tags(page.text).text
    assert f"https://eternity2.dev/viewer?puzzle=Joshua_Blackwood_470&puzzle_size=16&board_edges={EDGES_470}" in text
    assert "Score 470 of 480" in text
    for key in ("board_doc", "puzzle_csv", "e2pieces", "board_pieces", "bucas_url"):
        assert f'id="{key}"' in page.text
    assert "there are no hints to write" in text


def test_the_converter_takes_a_puzzle_and_draws_its_hints(client: TestClient) -> None:
    page = client.post("/convert", data={"text": (CASES / "puzzle-official.json").read_text()})
    assert page.status_code == 200
    assert "34.1-45.1-135.0-210.1-221.2" in Tags(page.text).text
    assert "<svg " in page.text


def test_the_converter_takes_hints_that_come_without_a_board(client: TestClient) -> None:
    page = client.post("/convert", data={"text": "34.1-45.2-135.0"})
    assert page.status_code == 200
    text = Tags(page.text).text
    assert "34.1-45.2-135.0" in text
    assert "Cannot be written: viewer_url" in text
    assert "<svg " not in page.text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<script>alert(1)</script>",
        "[" * 100_000,
        '{"board_edges": ' + '{"a":' * 50_000,
        "z" * 100_001,
        "\x00\u202e",
        (CASES / "bad-truncated-1001.txt").read_text(),
    ],
    ids=["empty", "script", "deep", "deeper", "long", "marks", "truncated"],
)
def test_the_converter_words_an_error_and_keeps_what_was_pasted(client: TestClient, text: str) -> None:
    page = client.post("/convert", data={"text": text})
    assert page.status_code == 400
    assert is_harmless(page.text)
    assert 'class="error"' in page.text
    assert "Traceback" not in page.text
    kept = text if len(text) <= 100_000 else ""
    assert kept.strip("\n")[:20].replace("<", "&lt;").replace(">", "&gt;").replace('"', "&#34;") in page.text


def test_an_illegal_board_is_shown_with_what_makes_it_so(client: TestClient) -> None:
    page = client.post("/convert", data={"text": (CASES / "bad-duplicate-piece.txt").read_text()})
    assert "piece numbers used more than once: 179" in Tags(page.text).text
    assert "<svg " in page.text


def test_hostile_names_and_settings_are_only_text(client: TestClient, another: Copy) -> None:
    names = ["<img src=x onerror=alert(1)>", "\"><b>'", "\u202egpj.exe", "a?b#c%41", "a\\..\\b", "\U000e0001tag"]
    for name in names:
        run = another(name)
        text = (run / "settings.toml").read_text()
        hostile = text.replace('"breaks"', '"</td><script>alert(1)</script>\\u202e"')
        assert hostile != text
        (run / "settings.toml").write_text(hostile)
    page = client.get("/")
    assert is_harmless(page.text)
    assert "\u202e" not in page.text
    links = [str(attributes["href"]) for tag, attributes in Tags(page.text).tags if tag == "a"]
    opened = [link for link in links if link.startswith("/run/") and "?" not in link and link != "/run/good"]
    assert len(opened) == len(names)
    for link in opened:
        run_page = client.get(link)
        assert run_page.status_code == 200, link
        assert is_harmless(run_page.text)
        assert "\u202e" not in run_page.text


def test_a_name_that_is_no_text_opens(client: TestClient, another: Copy) -> None:
    another("x").rename(os.fsdecode(os.fsencode(another("y").parent) + b"/caf\xe9"))
    page = client.get("/")
    assert 'href="/run/caf%E9"' in page.text
    assert client.get("/run/caf%E9").status_code == 200


def broken_in_each_way(another: Copy, secret: Path) -> dict[str, str]:
    """Runs that are broken, by name, and what their pages are to say."""
    said = {
        "torn-ledger": "ledger.sqlite",
        "no-ledger": "ledger.sqlite cannot be read",
        "text-ledger": "ledger.sqlite",
        "torn-settings": "settings.toml is damaged",
        "deep-settings": "settings.toml is damaged",
        "long-settings": "settings.toml is too long",
        "binary-settings": "settings.toml is damaged",
        "piped-settings": "settings.toml is no plain file",
        "linked-settings": "settings.toml cannot be read: it is a link, not followed",
        "linked-ledger": "ledger.sqlite cannot be read: it is a link, not followed",
        "linked-boards": "boards is no folder: not looked into",
        "deep-summary": "summary.json is damaged",
        "long-puzzle": "puzzle.json is too long",
        "torn-board": "boards/24_1.json: ",
        "long-board": "boards/24_2.json: 24_2.json is too long",
        "lying-board": "its name claims 25",
    }
    for name in said:
        run = another(name)
        ledger, settings, boards = run / "ledger.sqlite", run / "settings.toml", run / "boards"
        if name == "torn-ledger":
            ledger.write_bytes(ledger.read_bytes()[:9000])
            (run / "summary.json").unlink()
        elif name == "no-ledger":
            ledger.unlink()
            (run / "summary.json").unlink()
        elif name == "text-ledger":
            ledger.write_text("<script>alert(1)</script>" * 1000)
        elif name == "torn-settings":
            settings.write_text(settings.read_text()[:-5] + '"<script>')
        elif name == "deep-settings":
            settings.write_text("a = " + "[" * 50_000)
        elif name == "long-settings":
            settings.write_text(f'a = "{"x" * 10_000_000}"')
        elif name == "binary-settings":
            settings.write_bytes(b"\xff\x00\xfe")
        elif name == "piped-settings":
            settings.unlink()
            os.mkfifo(settings)
        elif name == "linked-settings":
            settings.unlink()
            settings.symlink_to(secret)
        elif name == "linked-ledger":
            ledger.rename(run / "elsewhere.sqlite")
            ledger.symlink_to(run / "elsewhere.sqlite")
        elif name == "linked-boards":
            boards.rename(run / "elsewhere")
            boards.symlink_to(run / "elsewhere")
        elif name == "deep-summary":
            (run / "summary.json").write_text("[" * 100_000)
        elif name == "long-puzzle":
            (run / "puzzle.json").write_text('{"name": "' + "x" * 10_000_000 + '"}')
        elif name == "torn-board":
            (boards / "24_1.json").write_bytes(next(iter(boards.iterdir())).read_bytes()[:300])
        elif name == "long-board":
            (boards / "24_2.json").write_text('{"name": "' + "x" * 10_000_000 + '"}')
        elif name == "lying-board":
            next(iter(sorted(boards.iterdir()))).rename(boards / "25_3.json")
    return said


def test_what_is_broken_is_reported_and_the_rest_is_shown(
    client: TestClient, another: Copy, runs: Path, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.toml"
    secret.write_text('kind = "of great secrecy"\n')
    said = broken_in_each_way(another, secret)
    (runs / "linked-run").symlink_to(tmp_path)
    (runs / "good" / "boards" / "24_9.json").symlink_to(secret)
    began = time.monotonic()
    page = client.get("/")
    assert time.monotonic() - began < 5
    assert page.status_code == 200
    assert is_harmless(page.text)
    assert "linked-run: a link, not followed" in Tags(page.text).text
    assert client.get("/run/linked-run").status_code == 404
    for name in ("good", *said):
        assert f'href="/run/{name}"' in page.text
        shown = client.get(f"/run/{name}")
        assert shown.status_code == 200, name
        assert is_harmless(shown.text)
        assert "great secrecy" not in shown.text
        assert said.get(name, "good") in " ".join(Tags(shown.text).text.split()), name
    assert "What cannot be read" not in client.get("/run/good").text
    assert client.get("/picture/good?board=24_9.json").status_code == 404
    assert client.get("/picture/torn-board?board=24_1.json").status_code == 400


@pytest.mark.parametrize("schema", [3, 4])
def test_a_ledger_that_never_ends_is_given_up(
    client: TestClient, another: Copy, monkeypatch: pytest.MonkeyPatch, schema: int
) -> None:
    monkeypatch.setattr(run_page, "_LONGEST_LOOK", 0.5)
    run = another("endless")
    (run / "summary.json").unlink()
    (run / "ledger.sqlite").unlink()
    make_endless(run / "ledger.sqlite", schema)
    began = time.monotonic()
    assert "interrupted" in Tags(client.get("/run/endless").text).text
    assert client.get("/run/good").status_code == 200
    assert time.monotonic() - began < 12


@pytest.mark.parametrize(
    ("change", "is_said"),
    [
        ("UPDATE totals SET seconds = '<script>'", True),
        ("UPDATE improvements SET seconds = '<script>', score = 'high'", True),
        # SQLite sums a text as nothing.
        ("UPDATE slices SET host = '<script>alert(1)</script>', slices = 'many', seconds = x'ff00'", False),
        ("UPDATE units SET nodes = 'none', best_hash = '<script>'", True),
    ],
)
def test_numbers_of_a_ledger_that_are_none_break_no_page(
    client: TestClient, another: Copy, change: str, is_said: bool
) -> None:
    run = another("strange")
    raw = sqlite3.connect(run / "ledger.sqlite")
    raw.execute(change)
    raw.commit()
    raw.close()
    page = client.get("/run/strange")
    assert page.status_code == 200
    assert ("What cannot be read here" in page.text) == is_said
    assert is_harmless(page.text)
    assert client.get("/").status_code == 200


def test_looking_at_everything_leaves_every_byte_as_it_was(
    client: TestClient, another: Copy, runs: Path, tmp_path: Path
) -> None:
    broken_in_each_way(another, tmp_path / "secret")
    before = tree(runs)
    pages = ["/", "/run/good", "/picture/good", "/compare?a=good&b=torn-board", VIEWER_470, "/convert", "/style.css"]
    pages += [f"/run/{path.name}" for path in runs.iterdir()]
    for page in pages:
        assert client.get(page).status_code == 200, page
    client.post("/convert", data={"text": EDGES_470})
    assert tree(runs) == before


def test_two_runs_are_held_against_each_other(client: TestClient, another: Copy) -> None:
    another("twin")
    page = client.get("/compare?a=good&b=twin")
    assert page.status_code == 200
    assert is_harmless(page.text)
    text = " ".join(Tags(page.text).text.split())
    assert "twin: no difference shown: all 3 pairs are equal." in text
    assert "Boards: the same boards; " in text
    assert "The best board of each, over each other" in text
    assert "same piece and turn 16, same piece turned 0" in text
    chosen = [tags["value"] for tag, tags in Tags(page.text).tags if tag == "option" and "selected" in tags]
    assert chosen == ["good", "twin"]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("a=good&b=nobody", "there is no run 'nobody' here"),
        ("a=good", "expected two runs"),
        ("a=good&b=../runs/good", "there is no run '../runs/good' here"),
        ("a=%3Cscript%3E&b=good", "there is no run '<script>' here"),
        ("a=good&b=torn", "ledger.sqlite is damaged or no ledger"),
    ],
)
def test_what_cannot_be_compared_is_said(client: TestClient, another: Copy, query: str, said: str) -> None:
    run = another("torn")
    (run / "ledger.sqlite").write_text("torn")
    page = client.get(f"/compare?{query}")
    assert page.status_code == 400
    assert said in Tags(page.text).text
    assert is_harmless(page.text)


def test_a_count_shows_its_solutions_and_is_compared_by_its_account(client: TestClient, runs: Path) -> None:
    settings = run_settings({"kind": "count", "executor": "inline", "keep": 5})
    summary = solve(settings, INSTANCE, runs / "count", Silent())
    assert summary.solutions > 0
    text = " ".join(Tags(client.get("/run/count").text).text.split())
    assert f"Solutions{summary.solutions} " in text
    assert "a count" in text
    assert "Nodes by depth" in text
    page = client.get("/compare?a=good&b=count").text
    for number in (summary.nodes, summary.solutions):
        assert f'<td class="number">{number}</td>' in page


def test_hostile_texts_are_compared_as_texts(client: TestClient, another: Copy) -> None:
    another("<img src=x onerror=alert(1)>")
    page = client.get("/compare", params={"a": "good", "b": "<img src=x onerror=alert(1)>"})
    assert page.status_code == 200
    assert is_harmless(page.text)
    assert "&lt;img src=x" in page.text


@pytest.mark.parametrize("page", ["/", "/run/good", "/viewer", "/events", "/style.css"])
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_nothing_but_the_converter_takes_more_than_a_question(client: TestClient, page: str, method: str) -> None:
    assert client.request(method, page).status_code == 405


def test_an_address_that_is_none_has_a_page_that_says_so(client: TestClient) -> None:
    page = client.get("/nowhere")
    assert page.status_code == 404
    assert "There is no such page" in page.text
