"""`mergecast queue`: what is in the queues now, and when it will probably merge."""

from typing import Any

from mergecast.cli.connection import connect
from mergecast.cli.options import AsJson, DataDir, RepositoryName, TimeZone, Token, Url, Utc, check_repository
from mergecast.cli.output import print_json, print_table
from mergecast.cli.periods import Zone, read_zone
from mergecast.model.instant import duration

_COLUMNS = ("", "pull request", "priority", "waited", "batch", "expected", "at the latest", "merges")


def queue(
    repository: RepositoryName,
    tz: TimeZone = None,
    utc: Utc = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    url: Url = None,
    token: Token = None,
) -> int:
    """Show what is in the queues now; nine out of ten pull requests merge before `at the latest`."""
    check_repository(repository)
    zone = read_zone(tz, utc=utc)
    with connect(data_dir, url, token) as client:
        answer = client.queue(repository)
    if as_json:
        print_json(answer)
        return 0
    if not answer["queues"]:
        print("the queues are empty")
        return 0
    for one in answer["queues"]:
        print(f"{one['base_ref']} · {one['queue_name']}")
        print_table(_COLUMNS, [_row(entry, zone) for entry in one["entries"]])
        if one["trust"] is not None:
            print(_trust(one["trust"]["eta"]))
    return 0


def _trust(eta: dict[str, Any]) -> str:
    return (
        f"of {eta['cases']} past cases, {eta['p50']:.0%} merged before the expected time "
        f"and {eta['p90']:.0%} before the latest"
    )


def _row(entry: dict[str, Any], zone: Zone) -> tuple[str, ...]:
    return (
        str(entry["position"]),
        f"#{entry['pull_request']}",
        entry["priority_rule_name"] or "-",
        duration(entry["waited_seconds"]),
        entry["batch_id"] or "-",
        *_expected(entry["expected_merge"], zone),
    )


def _expected(expected: dict[str, Any] | None, zone: Zone) -> tuple[str, str, str]:
    from datetime import datetime

    if expected is None:
        return "-", "-", "-"
    p50, p90 = (
        "-" if expected[name] is None else zone.shown(datetime.fromisoformat(expected[name]))
        for name in ("p50", "p90")
    )
    return p50, p90, f"{expected['chance']:.0%}"
