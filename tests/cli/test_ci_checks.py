"""`mergecast ci-checks`: a table, JSON and CSV of CI checks, one check with its failures, and kind errors."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from builders import ended, entered, event, left, started
from cli.program import mergecast
from cli.served_folder import served_folder

pytestmark = pytest.mark.server

_DAY = "2026-03-10T"
_WEEK = ("--start", "2026-03-09", "--end", "2026-03-16", "--utc")


def _report(name: str, id: str, conclusion: str, ended_at: str, runner: str) -> dict[str, object]:
    return event(
        "ci_check_reported", f"{_DAY}{ended_at}Z", batch_id="X", check_id=id, name=name,
        conclusion=conclusion, queued_at=f"{_DAY}09:10:00Z", started_at=f"{_DAY}09:12:00Z",
        ended_at=f"{_DAY}{ended_at}Z",
        runner=runner, url=f"https://ci.test/{id}",
    )  # fmt: skip


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One run whose tests fail, and then pass when they are repeated."""
    events = [
        entered(f"{_DAY}09:00:00Z", "s7", 7),
        started(f"{_DAY}09:10:00Z", "s7", 7, "X", [7]),
        _report("build", "b1", "success", "09:20:00", "small"),
        _report("test", "t1", "failure", "09:22:00", "small"),
        _report("test", "t2", "success", "09:30:00", "large"),
        ended(f"{_DAY}09:31:00Z", "s7", 7, "X"),
        left(f"{_DAY}09:32:00Z", "s7", 7),
    ]
    lines = "".join(json.dumps(one) + "\n" for one in events).encode()
    with served_folder(tmp_path_factory.mktemp("data")) as folder:
        assert 0 == mergecast("import", "events", "acme/widgets", "-", data=folder, stdin=lines).code
        yield folder


def test_the_table(data: Path) -> None:
    shown = mergecast("ci-checks", "acme/widgets", *_WEEK, data=data)

    assert (0, "") == (shown.code, shown.err)
    assert [
        "acme/widgets · 2 CI checks · 100.0% of CI runs have reports",
        "check runs failed removed held up flaky p50 p95 waited p50 waited p95 last to end",
        "test 2 1 (50.0%) 0 0s 50.0% (6.9% to 93.1%) 14m 18m 2m 2m 100.0%",
        "build 1 0 (0.0%) 0 0s 0.0% (0.0% to 74.1%) 8m 8m 2m 2m 0.0%",
    ] == [" ".join(line.split()) for line in shown.out.splitlines()]


def test_a_narrow_terminal_has_fewer_columns(data: Path) -> None:
    """Each check keeps its one line, and the last line says what is not shown."""
    shown = mergecast("ci-checks", "acme/widgets", *_WEEK, data=data, COLUMNS="80")

    _, header, *rows, missing = (" ".join(line.split()) for line in shown.out.splitlines())
    assert header.startswith("check runs failed removed held up flaky")
    assert ["test", "build"] == [row.partition(" ")[0] for row in rows]
    assert missing.startswith("not shown: ")
    assert missing.endswith("waited p95, last to end (use a wider terminal, --csv or --json)")


def test_one_check_has_its_failures(data: Path) -> None:
    shown = mergecast("ci-checks", "acme/widgets", "--name", "test", *_WEEK, data=data)

    assert [
        "last failures · times in UTC",
        "at result pull requests flaky link",
        "2026-03-10 09:22 failure #7 flaky https://ci.test/t1",
    ] == [" ".join(line.split()) for line in shown.out.splitlines()][-3:]


def test_csv_has_a_row_for_each_runner(data: Path) -> None:
    shown = mergecast("ci-checks", "acme/widgets", "--csv", *_WEEK, data=data)
    rows = list(csv.DictReader(io.StringIO(shown.out)))

    assert [("test", ""), ("test", "large"), ("test", "small"), ("build", "")] == [
        (row["name"], row["runner"]) for row in rows
    ]
    assert {"2", "1"} == {row["runs"] for row in rows}


def test_json_is_the_answer(data: Path) -> None:
    shown = mergecast("ci-checks", "acme/widgets", "--json", *_WEEK, data=data)

    assert ["test", "build"] == [check["name"] for check in json.loads(shown.out)["checks"]]


def test_a_period_without_reports_exits_with_0(data: Path) -> None:
    empty = mergecast(
        "ci-checks", "acme/widgets", "--start", "2020-01-01", "--end", "2020-01-02", "--utc", data=data
    )

    message = (
        "no CI check was reported from 2020-01-01 00:00 to 2020-01-02 00:00, UTC; "
        "`mergecast admin sources` says what reports about this repository\n"
    )
    assert (0, message, "") == (empty.code, empty.out, empty.err)


def test_a_misspelt_check_has_a_suggestion(data: Path) -> None:
    empty = mergecast("ci-checks", "acme/widgets", "--name", "biuld", *_WEEK, "--json", data=data)

    assert (0, []) == (empty.code, json.loads(empty.out)["checks"])
    assert empty.err.startswith("no CI check `biuld` was reported from ")
    assert empty.err.endswith("; did you mean `build`?\n")


def test_an_unknown_queue_is_an_error(data: Path) -> None:
    refused = mergecast("ci-checks", "acme/widgets", "--queue", "defualt", *_WEEK, data=data)

    assert (1, "") == (refused.code, refused.out)
    assert "did you mean `default`?" in refused.err
