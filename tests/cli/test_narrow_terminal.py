"""At 80 columns no line is longer than the terminal, and a table names the columns that it leaves out."""

import io
from contextlib import redirect_stdout
from datetime import UTC

import pytest

from mergecast.cli.output import print_table, say
from mergecast.cli.tables import print_tables
from mergecast.queues.model.zone import Zone


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> _Terminal:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")
    return _Terminal()


def _lines(terminal: _Terminal) -> list[str]:
    return terminal.getvalue().splitlines()


def test_sentences_end_between_words(terminal: _Terminal) -> None:
    """Each part is indented as the first one; an address stays whole."""
    address = f"https://mergecast.example/{'a' * 80}"
    with redirect_stdout(terminal):
        say("  " + "word " * 30, address)

    *sentence, last = _lines(terminal)
    assert 80 >= max(map(len, sentence))
    assert all(line.startswith("  word") for line in sentence)
    assert 30 == " ".join(sentence).split().count("word")
    assert address == last


def test_elsewhere_a_line_stays_whole(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    say("word " * 30)

    assert 1 == len(capsys.readouterr().out.splitlines())


def test_a_table_without_room_names_what_it_leaves_out(terminal: _Terminal) -> None:
    columns = [f"column-{number}" for number in range(12)]
    with redirect_stdout(terminal):
        print_table(columns, [["x" * 12] * 12])

    lines = _lines(terminal)
    assert 80 >= max(map(len, lines))
    told = " ".join(lines[2:])
    assert "not shown: column-5, column-6" in told
    assert "column-11 (use a wider terminal" in told


def test_a_table_of_very_many_values_names_those_that_it_leaves_out(terminal: _Terminal) -> None:
    names = [f"{kind}_{number}" for kind in ("p50", "p95") for number in range(8)]
    with redirect_stdout(terminal):
        print_tables([{"outcome": "a", **dict.fromkeys(names, 1)}], "time_to_merge", Zone(UTC, "UTC"))

    lines = _lines(terminal)
    assert 80 >= max(map(len, lines))
    told = " ".join(line.strip() for line in lines)
    assert all(name in told for name in names)
