import pytest
from hypothesis import given
from hypothesis import strategies as st

from e2.cluster.study import nth_task, run_settings, settings_from_toml, settings_to_toml
from e2.errors import SettingsError

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VALUE = st.one_of(
    st.booleans(),
    st.integers(-(2**62), 2**62),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXT,
    st.lists(st.integers(0, 300), max_size=5),
)


@given(
    puzzle=TEXT,
    seed=st.integers(0, 2**62 - 1),
    tasks=st.none() | st.integers(1, 10**6),
    seconds=st.none() | st.floats(0.001, 1e9),
    parameters=st.dictionaries(TEXT, VALUE, max_size=5),
)
def test_settings_read_back_as_they_were_written(puzzle, seed, tasks, seconds, parameters):
    settings = run_settings(
        {"puzzle": puzzle, "seed": seed, "tasks": tasks, "seconds": seconds, "parameters": parameters}
    )
    again = settings_from_toml(settings_to_toml(settings))
    assert again == settings
    assert [type(value) for value in again.parameters.values()] == [type(value) for value in parameters.values()]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"seconds": 0}, "seconds = 0: Input should be greater than 0"),
        ({"seconds": -1}, "seconds = -1"),
        ({"seconds": float("nan")}, "seconds = nan"),
        ({"seconds": float("inf")}, "seconds = inf"),
        ({"seconds": True}, "seconds = True"),
        ({"seconds": "5"}, "seconds = '5'"),
        ({"slice_seconds": True}, "slice_seconds = True"),
        ({"memory": 0}, "memory = 0"),
        ({"memory": 1.5}, "memory = 1.5"),
        ({"memory": True}, "memory = True"),
        ({"memory": "8 XB"}, "memory = '8 XB': expected bytes, or a number with kB, MB"),
        ({"memory": "-8GB"}, "memory = '-8GB'"),
        ({"memory": "9" * 5000}, "memory = '999"),
        ({"nodes": 0}, "nodes = 0"),
        ({"nodes": 1.5}, "nodes = 1.5"),
        ({"nodes": True}, "nodes = True"),
        ({"workers": 0}, "workers = 0"),
        ({"workers": -2}, "workers = -2"),
        ({"tasks": 0}, "tasks = 0"),
        ({"tasks": 10**9}, "tasks = 1000000000"),
        ({"tasks": "many"}, "tasks = 'many'"),
        ({"seed": -1}, "seed = -1"),
        ({"executor": "dask"}, "executor = 'dask'"),
        ({"kind": "guess"}, "kind = 'guess'"),
        ({"slice_seconds": 0}, "slice_seconds = 0"),
        ({"colour": "red"}, "'colour' is no setting"),
        ({"executor": "local", "address": "host:6379"}, "address names a Ray cluster"),
        ({"executor": "inline", "workers": 2}, "inline has one worker"),
        ({"kind": "count", "strategy": "breaks"}, "only strategies 'strict' and 'cover' count"),
        ({"kind": "count", "nodes": 5}, "nodes has no meaning for a count"),
        ({"kind": "count", "tasks": 5}, "tasks has no meaning for a count"),
        ({"kind": "count", "memory": 5}, "memory has no meaning for a count"),
        ({"prefix_depth": 5}, "prefix_depth has no meaning for a solve"),
        ({"merge": ["board"]}, "merge has no meaning for a solve"),
        ({"kind": "count", "merge": ["colours"]}, "merge.0"),
        ({"kind": "count", "region": [0, 0, 3]}, "region"),
        ({"kind": "count", "part": "1/2"}, "part 1/2: expected prefix_depth too"),
        ({"kind": "count", "part": "3/2", "prefix_depth": 4}, "part 3/2: expected 1/2 to 2/2"),
        ({"kind": "count", "part": "0/2", "prefix_depth": 4}, "part"),
        ({"parameters": {"a": None}}, "parameters.a"),
    ],
)
def test_settings_that_no_run_can_have_are_refused_in_one_line(values, message):
    with pytest.raises(SettingsError) as refused:
        run_settings(values)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("memory", "number"),
    [
        (8000, 8000),
        ("8000", 8000),
        ("8GB", 8 * 10**9),
        ("8 gb", 8 * 10**9),
        ("1.5 GiB", 3 * 2**29),
        ("512MiB", 2**29),
        ("7kB", 7000),
        ("2TB", 2 * 10**12),
        ("3B", 3),
    ],
)
def test_memory_is_a_number_of_bytes_or_a_text(memory, number):
    assert run_settings({"memory": memory}).memory == number


def test_every_wrong_setting_is_named_and_no_long_value_is_repeated():
    with pytest.raises(SettingsError) as refused:
        run_settings({"seconds": -1, "tasks": "x" * 10_000_000})
    assert "seconds" in str(refused.value)
    assert "tasks" in str(refused.value)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("text", ["seconds = = 3", "seed = " + 5000 * "1", "parameters = " + 20_000 * "["])
def test_a_text_that_is_no_toml_is_refused(text):
    with pytest.raises(SettingsError, match="settings are no TOML"):
        settings_from_toml(text)


def test_a_run_without_tasks_and_seconds_is_endless():
    settings = run_settings({})
    assert (settings.tasks, settings.seconds, settings.executor) == (None, None, "ray")


def test_the_strategy_follows_from_the_kind():
    assert run_settings({}).strategy == "portfolio"
    assert run_settings({"kind": "count"}).strategy == "strict"


def test_tasks_differ_by_their_seed_alone_and_do_not_know_the_workers(small):
    few = run_settings({"seed": 7, "nodes": 100, "workers": 1})
    many = run_settings({"seed": 7, "nodes": 100, "workers": 64, "executor": "local", "slice_seconds": 5})
    assert [nth_task(few, small, number).seed for number in range(3)] == [7, 8, 9]
    assert nth_task(few, small, 2) == nth_task(many, small, 2)


def test_a_start_is_a_parameter_of_its_task_alone(small):
    settings = run_settings({"seed": 7, "nodes": 100, "strategy": "repair", "parameters": {"width": 9}})
    assert nth_task(settings, small, 1, (3, -1)).parameters == {"width": 9, "start": [3, -1]}
    assert nth_task(settings, small, 1).parameters == {"width": 9}


@pytest.mark.parametrize("other", [{"tasks": 4}, {"kind": "count"}])
def test_elite_boards_need_an_endless_list(other):
    with pytest.raises(SettingsError, match="elite_every needs an endless list"):
        run_settings({"elite_every": 2, **other})
