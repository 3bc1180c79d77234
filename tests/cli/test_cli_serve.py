"""e2 serve: what it refuses before it listens. What it does then is in tests/web/."""

import pytest


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere",), "nowhere is no folder; expected a folder of runs"),
        ((".", "--host", "0.0.0.0"), "host '0.0.0.0' can be reached by others: expected --token too"),
        ((".", "--host", "::"), "host '::' can be reached by others: expected --token too"),
        ((".", "--host", "board.example"), "host 'board.example' can be reached by others: expected --token too"),
        ((".", "--token", "short"), "the token needs 12 or more letters, digits and signs of ASCII"),
        ((".", "--token", "a word with a \x07"), "the token needs 12 or more"),
        ((".", "--token", "caf\u00e9caf\u00e9caf\u00e9"), "the token needs 12 or more"),
        ((".", "--host", "256.1.1.1", "--token", "a-word-of-16-letters"), "host '256.1.1.1' is no address"),
        ((".", "--host", "203.0.113.1", "--token", "a-word-of-16-letters"), "of 203.0.113.1 cannot be used"),
    ],
)
def test_what_cannot_be_served_is_refused(e2, arguments, said):
    ran = e2("serve", "--port", "0", *arguments)
    assert ran.code == 2
    assert ran.err.startswith("error: ")
    assert said in ran.err
    assert ran.out == ""


def test_a_token_may_stand_in_the_environment(e2, monkeypatch):
    monkeypatch.setenv("E2_TOKEN", "short")
    ran = e2("serve", ".", "--port", "0")
    assert ran.code == 2
    assert "the token needs 12" in ran.err


def test_a_port_out_of_range_is_refused(e2):
    assert e2("serve", ".", "--port", "65536").code == 2
