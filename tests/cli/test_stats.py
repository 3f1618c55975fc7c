"""`mergecast stats`: periods, time zones, filters, narrow terminals, pipes and hostile names."""

import csv
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile

import pytest

from builders import entered, left, worked_example
from cli.program import mergecast
from cli.served_folder import served_folder
from robustness.forked_process import ForkedProcess

pytestmark = pytest.mark.server

_DAY = ("--start", "2026-03-02", "--end", "2026-03-03", "--utc")
_HOSTILE = "=cmd\x1b[31m\u202e"


def _import(data: Path, events: list[dict[str, object]], repository: str = "acme/widgets") -> None:
    lines = "".join(json.dumps(event) + "\n" for event in events).encode()
    assert 0 == mergecast("import", "events", repository, "-", data=data, stdin=lines).code


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with served_folder(tmp_path_factory.mktemp("data")) as folder:
        _import(folder, worked_example())
        hostile = {"base_ref": _HOSTILE}
        _import(
            folder,
            [
                {**entered("2026-03-02T10:00:00Z", "h", 1), **hostile},
                {**left("2026-03-02T10:30:00Z", "h", 1), **hostile},
            ],
            "acme/hostile",
        )
        yield folder


def _start_of(out: str) -> str:
    return out.splitlines()[3][:16]


def test_dates_are_in_the_time_zone(data: Path) -> None:
    """--tz decides where a day starts and how times are printed; the local zone is the default."""
    arguments = ("stats", "acme/widgets", "failure_rate", "--start", "2026-03-02", "--end", "2026-03-03")

    paris = mergecast(*arguments, "--tz", "Europe/Paris", data=data)
    local = mergecast(*arguments, data=data, TZ="America/New_York")
    utc = mergecast(*arguments, "--utc", data=data, TZ="America/New_York")

    assert "2026-03-02 00:00 to 2026-03-03 00:00, Europe/Paris" in paris.out
    assert "2026-03-02 00:00 to 2026-03-03 00:00, America/New_York" in local.out
    assert "2026-03-02 00:00 to 2026-03-03 00:00, UTC" in utc.out
    assert ["2026-03-02 12:00", "2026-03-02 06:00", "2026-03-02 11:00"] == [
        _start_of(ended.out) for ended in (paris, local, utc)
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("queue_sise",), "there is no statistic `queue_sise`; did you mean `queue_size`?"),
        (("queues", "--start", "2026-02-30"),
         "--start: `2026-02-30`: this date does not exist; a date-time is written like 2026-01-31T09:00:00Z"),
        (("queues", "--tz", "Europe/Pari"),
         "--tz: there is no time zone `Europe/Pari`; did you mean Europe/Paris?"),
        (("queues", "--tz", "UTC", "--utc"), "--tz and --utc cannot be used together"),
        (("queues", "--since", "999999w"), "--since: `999999w` goes back before the year 1"),
        (("queues", "--start", "2026-03-03", "--end", "2026-03-02"),
         "--start (2026-03-03T00:00:00Z) must be before --end (2026-03-02T00:00:00Z)"),
        (("queues", "--at", "2026-03-03"), "--at is only for time_to_merge; use --start and --end"),
        (("time_to_merge", "--since", "30d"),
         "time_to_merge always covers the 7 days before --at; leave out --since, --start and --end"),
        (("time_to_merge", "--end", "2026-03-03"),
         "time_to_merge always covers the 7 days before --at; leave out --since, --start and --end"),
        (("time_to_merge", "--queue", "default"),
         "time_to_merge cannot be filtered with --queue; it has --branch"),
        (("time_to_merge", "--branch", "a", "--branch", "b"), "time_to_merge takes one --branch"),
    ],
)  # fmt: skip
def test_wrong_usage(data: Path, arguments: tuple[str, ...], message: str) -> None:
    """The message names the option and what is right."""
    ended = mergecast("stats", "acme/widgets", *arguments, data=data)

    assert (2, "", f"mergecast: {message}\n") == (ended.code, ended.out, ended.err)


@pytest.mark.parametrize(
    ("statistic", "arguments", "message"),
    [
        (
            "queue_size",
            ("--queue", "defualt"),
            "acme/widgets has no queue `defualt`; did you mean `default`?",
        ),
        ("queue_size", ("--branch", "mian"), "acme/widgets has no branch `mian`; did you mean `main`?"),
        (
            "queue_size",
            ("--queue", "default", "--queue", "x"),
            "acme/widgets has no queue `x`; there is default",
        ),
        ("queue_size", ("--priority-rule", "x"), "acme/widgets has no priority rule `x`; it has none"),
        ("time_to_merge", ("--branch", "mian"), "acme/widgets has no branch `mian`; did you mean `main`?"),
    ],
)
def test_unknown_names(data: Path, statistic: str, arguments: tuple[str, ...], message: str) -> None:
    """They are errors with the nearest name, also for a program that reads JSON."""
    period = () if statistic == "time_to_merge" else _DAY

    asked = ("stats", "acme/widgets", statistic, *arguments, *period)
    as_text, as_json = mergecast(*asked, data=data), mergecast(*asked, "--json", data=data)

    assert (1, "", f"mergecast: {message}\n") == (as_text.code, as_text.out, as_text.err)
    assert (1, "", message) == (as_json.code, as_json.out, json.loads(as_json.err)["error"]["detail"])


def test_an_empty_answer_for_a_program(data: Path) -> None:
    """It is a success: an empty list, or only the header row; the reason goes to standard error."""
    as_json = mergecast("stats", "acme/widgets", "queue_size", "--since", "1h", "--json", data=data)
    as_csv = mergecast("stats", "acme/widgets", "failure_rate", "--since", "1h", "--csv", data=data)

    assert 0 == as_json.code
    assert {"groups"} == json.loads(as_json.out).keys()
    header = "base_ref,queue_name,priority_rule_name,start,end,total,failures,failure_rate\n"
    assert (0, header) == (as_csv.code, as_csv.out)
    assert "; the newest event is from 2026-03-02 " in as_csv.err


def test_a_narrow_terminal(data: Path) -> None:
    """No line is longer than the terminal, and a message names the columns that do not fit."""
    ended = mergecast("stats", "acme/widgets", "total_queue_time", *_DAY, data=data, COLUMNS="60")

    assert max(map(len, ended.out.splitlines()[1:-1])) <= 60
    assert ended.out.endswith("not shown: p90, p95, p99 (use a wider terminal, --csv or --json)\n")


def test_the_bar_shows_the_rate(data: Path) -> None:
    """The bar of failure_rate is the rate and not the number of pull requests."""
    failed = [
        entered("2026-03-02T10:00:00Z", "f", 9),
        {**left("2026-03-02T10:20:00Z", "f", 9), "reason": "CHECKS_FAILED"},
        entered("2026-03-02T12:00:00Z", "m", 10),
        left("2026-03-02T12:20:00Z", "m", 10),
    ]
    _import(data, failed, "acme/failures")

    ended = mergecast("stats", "acme/failures", "failure_rate", *_DAY, data=data)

    rates = {line.split()[2]: "█" in line for line in ended.out.splitlines()[3:]}
    assert {"1.00": True, "0.00": False} == rates


def test_hostile_names(data: Path) -> None:
    """Control and bidirectional characters are escaped; no cell of a CSV file is a formula."""
    table = mergecast("stats", "acme/hostile", "failure_rate", *_DAY, data=data)
    as_csv = mergecast("stats", "acme/hostile", "failure_rate", *_DAY, "--csv", data=data)
    unknown = mergecast("stats", "acme/hostile", "failure_rate", *_DAY, "--branch", "=cmd\x1b[31m", data=data)

    (row,) = csv.DictReader(io.StringIO(as_csv.out))
    assert "=cmd\\x1b[31m\\u202e · default\n" in table.out
    assert "'=cmd\\x1b[31m\\u202e" == row["base_ref"]
    assert "\x1b" not in table.out + as_csv.out + unknown.err
    assert "\u202e" not in table.out + as_csv.out + unknown.err


def test_a_closed_pipe(data: Path) -> None:
    """A reader that stops reading, such as `head`, gets no error message."""
    ours, theirs = os.pipe()
    os.close(ours)
    with os.fdopen(theirs, "wb") as closed, TemporaryFile() as errors:
        command = ["store", "export", "acme/widgets", "--data-dir", str(data)]
        code = ForkedProcess(closed, errors, command=command).wait(60)
        errors.seek(0)

        assert (141, b"") == (code, errors.read())


def test_statistics_are_listed() -> None:
    """Without a name, and by `?`; no store is needed."""
    ended = mergecast("stats", "acme/widgets", data=Path("nowhere"))

    assert ended == mergecast("stats", "acme/widgets", "?", data=Path("nowhere"))
    assert (0, 18) == (ended.code, len(ended.out.splitlines()))
    assert "queue_size" in ended.out
