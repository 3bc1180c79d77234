"""Where compiled code is kept, and what happens when that cannot be read or written."""

import os
import subprocess
import sys

SOLVE = (
    "from e2.kernels.compile import CACHE_FOLDER\nfrom e2.kernels.rehearse import warm_up\n"
    "warm_up('beam')\n"
    "from e2.core.official import official_instance\n"
    "from e2.search import Task, open_search\n"
    "print(CACHE_FOLDER, open_search(Task(official_instance(), 'beam', {'width': 9})).step(1).best_score, sep='|')\n"
)


def solved(cache):
    """The cache folder and the score of a short search in a process of its own."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    done = subprocess.run([sys.executable, "-c", SOLVE], env=environment, capture_output=True, text=True, check=True)
    folder, score = done.stdout.strip().split("|")
    return folder, int(score)


def test_a_torn_cache_is_compiled_again(tmp_path):
    folder, score = solved(tmp_path)
    assert folder.startswith(str(tmp_path))
    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.suffix == ".nbi" for path in kept)
    for path in kept:
        path.write_bytes(path.read_bytes()[:20])
    assert solved(tmp_path) == (folder, score)


def test_a_cache_that_cannot_be_written_is_replaced_by_a_private_folder(tmp_path):
    in_the_way = tmp_path / "file"
    in_the_way.write_text("not a folder")
    folder, score = solved(in_the_way)
    assert not folder.startswith(str(in_the_way))
    assert not os.path.exists(folder)
    assert score > 0
