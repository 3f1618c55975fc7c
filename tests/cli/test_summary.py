"""`mergecast summary`: figures for a whole period, the previous period and the change."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from builders import entered, left
from cli.program import Ending, mergecast
from cli.served_folder import served_folder

pytestmark = pytest.mark.server

_WEEK = ("--start", "2026-03-09", "--end", "2026-03-16", "--utc")


def _stay(day: int, number: int, minutes: int, reason: str = "PR_MERGED") -> list[dict[str, object]]:
    session = f"s{day}-{number}"
    return [
        entered(f"2026-03-{day:02}T10:00:00Z", session, number),
        left(f"2026-03-{day:02}T10:{minutes:02}:00Z", session, number, reason),
    ]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """10 and 20 minutes in the first week, one of two failed; 20 and 40 in the second, all merged."""
    events = [
        *_stay(1, 9, 5),
        *_stay(3, 1, 10),
        *_stay(4, 2, 20, "CHECKS_FAILED"),
        *_stay(10, 3, 20),
        *_stay(11, 4, 40),
    ]
    lines = "".join(json.dumps(event) + "\n" for event in events).encode()
    with served_folder(tmp_path_factory.mktemp("data")) as folder:
        assert 0 == mergecast("import", "events", "acme/widgets", "-", data=folder, stdin=lines).code
        yield folder


def test_a_table(data: Path) -> None:
    """Every figure is printed with the previous one; rates change in points, others in percent."""
    ended = mergecast("summary", "acme/widgets", *_WEEK, data=data)

    lines = ended.out.splitlines()
    assert 0 == ended.code
    assert [
        "acme/widgets · 2026-03-09 00:00 to 2026-03-16 00:00, UTC",
        "compared with 2026-03-02 00:00 to 2026-03-09 00:00",
        (
            "Too few to compare: 2 stays, 2 in the week before; p50 30m (up 100%), p95 39m (up 100%), 0.0% "
            "failed (\N{MINUS SIGN}50 points)."
        ),
    ] == lines[:3]
    *rows, reason = [" ".join(line.split()) for line in lines[4:]]
    assert "No CI runs were reported for these queues, so figures about CI are not known." == reason
    assert 22 == len(rows)
    assert {
        "entered 2 2 0%",
        "merged 2 1 +100%",
        "failure rate 0.0% 50.0% −50.0 points",
        "time in queue, p50 30m 15m +100%",
        "time to merge, p50 30m 10m +200%",
        "CI runs per merge - - -",
        "waiting for capacity, mean - - -",
        "batch size, mean - - -",
    } <= set(rows)


def test_a_merge_in_a_year(data: Path) -> None:
    """What is little is not printed as nothing."""
    year = ("--start", "2025-03-02", "--end", "2026-03-02", "--utc")
    ended = mergecast("summary", "acme/widgets", *year, data=data)

    assert "merged per day 0.003 0 -" in [" ".join(line.split()) for line in ended.out.splitlines()]


@pytest.mark.parametrize(("until", "has_rate"), [("2026-03-11T23:59", False), ("2026-03-12", True)])
def test_below_two_days_there_is_no_rate_per_day(data: Path, until: str, *, has_rate: bool) -> None:
    """The number of merges is printed anyway."""
    ended = mergecast("summary", "acme/widgets", "--start", "2026-03-10", "--end", until, "--utc", data=data)

    assert "\nmerged  " in ended.out
    assert has_rate == ("merged per day" in ended.out)


def test_json(data: Path) -> None:
    """The output is the response of the server."""
    ended = mergecast("summary", "acme/widgets", *_WEEK, "--json", data=data)

    found = json.loads(ended.out)
    fields = {
        "window",
        "window_before",
        "all",
        "queues",
        "state",
        "comparison",
        "first_event_at",
        "thresholds",
        "missing",
        "not_compared",
    }
    assert {*fields, "removal_causes", "removals_not_judged"} == found.keys()
    assert {"value": 2, "before": 1, "change": 1.0, "count": 2, "count_before": 1} == found["all"]["merged"]
    unknown = "No CI runs were reported for these queues, so figures about CI are not known."
    assert unknown == found["missing"]["ci_runs_per_merge"]
    assert "No CI run started in this period." == found["missing"]["batch_size"]
    assert found["not_compared"] is None
    assert [("main", "default")] == [(one["base_ref"], one["queue_name"]) for one in found["queues"]]


def test_the_previous_period_precedes_the_first_event(data: Path) -> None:
    """The change would mislead, so it is omitted."""
    period = ("--start", "2026-03-02", "--end", "2026-03-09", "--utc", "--json")

    ended = mergecast("summary", "acme/widgets", *period, data=data)

    found = json.loads(ended.out)
    assert "Nothing is known of 2026-02-23T00:00:00Z to 2026-03-01T10:00:00Z." == found["not_compared"]
    merged = found["all"]["merged"]
    assert {"value": 1, "before": 1, "change": None, "count": 1, "count_before": 1} == merged


def test_a_short_period_is_compared_with_the_same_hours_a_week_earlier(data: Path) -> None:
    """A Tuesday is compared with a Tuesday."""
    period = ("--start", "2026-03-10", "--end", "2026-03-11", "--utc")

    ended = mergecast("summary", "acme/widgets", *period, data=data)

    assert "compared with 2026-03-03 00:00 to 2026-03-04 00:00" == ended.out.splitlines()[1]


def test_an_empty_period_says_where_the_events_are(data: Path) -> None:
    ended = mergecast("summary", "acme/widgets", "--end", "2020-01-08", "--utc", data=data)

    assert 0 == ended.code
    assert 0 == mergecast("summary", "acme/widgets", "--end", "2020-01-08", "--json", data=data).code
    period = "2020-01-01 00:00 to 2020-01-08 00:00, UTC"
    assert ended.out.startswith(f"nothing in this period ({period}); the newest event is from 2026-03-")


def test_an_unknown_queue(data: Path) -> None:
    ended = mergecast("summary", "acme/widgets", *_WEEK, "--queue", "defualt", data=data)

    message = "mergecast: acme/widgets has no queue `defualt`; did you mean `default`?\n"
    assert Ending(1, "", message) == ended
