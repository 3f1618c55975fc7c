"""`mergecast reference`, and alerts against what it pins."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.program import Ending, mergecast
from live_server import TOKEN, LiveServer, live_server
from mergecast.queues.model.instant import DAY, MINUTE, WEEK, parse_instant
from prompt_alerts import prompt_alerts
from signals.two_an_hour import merges
from waiting import wait_until

pytestmark = pytest.mark.server

MONDAY = parse_instant("2026-03-02T00:00:00Z")
PERIOD = ("--start", "2026-03-02", "--end", "2026-03-09", "--utc")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A queue that became slow in its second week, and a server that compares all the time."""
    now = MONDAY + 2 * WEEK + 5 * MINUTE
    with prompt_alerts(), live_server(tmp_path_factory.mktemp("reference"), now=lambda: now) as live:
        live.send([*merges(MONDAY, 7), *merges(MONDAY + 7 * DAY, 7, 40)]).raise_for_status()
        yield live


def _run(server: LiveServer, *words: str) -> Ending:
    group, action, *rest = words
    where = ("--url", server.url, "--token", TOKEN)
    ended = mergecast(group, action, *rest, *where, data=Path("unused"))
    # Servers of this process log to the same place.
    said = "".join(line for line in ended.err.splitlines(keepends=True) if not line.startswith("{"))
    return Ending(ended.code, ended.out, said)


def test_a_period_is_pinned_compared_and_deleted(server: LiveServer) -> None:
    """The commands show what the API answers."""
    listing = ("admin", "reference", "list", "acme/widgets")
    empty = [_run(server, *listing), _run(server, "alerts", "acme/widgets")]
    words = (
        "admin",
        "reference",
        "pin",
        "acme/widgets",
        "march",
        *PERIOD,
        "--limit",
        "time_to_merge_p95=1.4",
    )
    tried = _run(server, *words, "--dry-run")
    untouched = _run(server, *listing)
    pinned = _run(server, *words)
    wait_until(lambda: "alert since" in _run(server, *listing).out)
    listed = _run(server, *listing, "--utc")
    alerts = _run(server, "alerts", "acme/widgets", "--utc", "--check")
    answer = _run(server, "alerts", "acme/widgets", "--json")
    delete = ("admin", "reference", "delete", "acme/widgets")
    misspelt = _run(server, *delete, "mach")
    deleted = [_run(server, *delete, "march", "--utc") for _ in range(2)]
    after = _run(server, "alerts", "acme/widgets")
    past = _run(server, "alerts", "acme/widgets", "--all", "--utc")

    nothing = [
        (
            "acme/widgets has no reference periods; "
            "pin one with `mergecast admin reference pin acme/widgets NAME`\n"
        ),
        "no open alerts; --all shows past ones\n",
    ]
    assert [(0, told) for told in nothing] == [(ended.code, ended.out) for ended in empty]
    assert empty[0] == untouched
    assert (
        "pinned march: main · default, 2026-03-02 00:00 to 2026-03-09 00:00, UTC, 336 merges\n"
        "  time to merge, p95 14m; an alert may begin above 1.4 times that\n"
        "  failure rate 0.0%; an alert may begin above 1.5 times that\n"
        "  CI runs per merge 1.00; an alert may begin above 1.3 times that\n"
        "  Which change an alert would find cannot be told yet: that takes 4 weeks "
        "with at least 20 merges each before the period, and there are 0.\n"
    ) == pinned.out
    assert pinned.out.replace("pinned", "would pin", 1) == tried.out
    header, row = listed.out.splitlines()
    assert "name   branch  queue    from              to, UTC" == header[:49].rstrip()
    assert "14m → 44m (3.14 times)" in row
    assert row.rstrip().endswith("alert since 2026-03-16 00:00")
    said = (
        "one in 20 pull requests stays longer than 44m in the queue default of main, "
        "3.1 times as long as in the reference period march (14m)\n"
    )
    advice = "  Look at what pull requests waited for most: CI, capacity, a schedule or a freeze.\n"
    assert (1, True) == (alerts.code, f"since 2026-03-16 00:00, main: {said}{advice}" in alerts.out)
    (alert,) = [one for one in json.loads(answer.out)["alerts"] if one["origin"] == "reference"]
    assert ("march", "time_to_merge_p95", None) == (
        alert["reference"]["name"],
        alert["figure"],
        alert["ended_at"],
    )
    assert "mergecast: acme/widgets has no reference period mach; did you mean march?\n" == misspelt.err
    told = "reference_periods: deleted march: default on main, 2026-03-02 00:00 to 2026-03-09 00:00, limits "
    assert (0, True) == (deleted[0].code, deleted[0].out.startswith(told))
    assert deleted[0].out.endswith(" (times in UTC)\n")
    assert (1, "mergecast: acme/widgets has no reference period march\n") == (deleted[1].code, deleted[1].err)
    assert said not in after.out
    assert f"2026-03-16 00:00 to 2026-03-16 00:05, main: {said}" in past.out


@pytest.mark.parametrize("name", [".", "..", "../../widgets", ""])
def test_a_name_that_is_part_of_a_path_deletes_nothing(server: LiveServer, name: str) -> None:
    """A URL without its dots would be that of the repository."""
    server.send(merges(MONDAY, 1), repository="acme/kept").raise_for_status()

    ended = _run(server, "admin", "reference", "delete", "acme/kept", name)
    left = server.http.get("/v1/repos").json()["repositories"]

    assert ("", True) == (ended.out, ended.code != 0)
    assert "acme/kept" in {f"{row['owner']}/{row['repository']}" for row in left}


def test_a_figure_above_its_limit_without_an_alert(server: LiveServer) -> None:
    """One slow day raises the p95 of a week, and is no alert."""
    events = [*merges(MONDAY, 13), *merges(MONDAY + 13 * DAY, 1, 40)]
    server.send(events, repository="acme/uneven").raise_for_status()
    _run(server, "admin", "reference", "pin", "acme/uneven", "march", *PERIOD)

    def compared() -> str | None:
        shown = _run(server, "admin", "reference", "list", "acme/uneven").out.rstrip()
        return None if shown.endswith("not compared yet") else shown

    shown = wait_until(compared)

    assert "14m → 43m (3.07 times)" in shown
    assert shown.endswith("no alert: chance may explain it")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("acme", "march"), "`acme` is not a repository; write it as OWNER/REPO, such as acme/widgets"),
        (("acme/widgets", "march", *PERIOD, "--queue", "defalt"),
         "--queue: no event names the queue 'defalt'; known queues of main: default; did you mean default?"),
        (("acme/widgets", "march", *PERIOD, "--branch", "mian"),
         "--branch: no event names the branch 'mian'; known branches: main; did you mean main?"),
        (("acme/widgets", "march", "--since", "14d", "--end", "2026-03-09"),
         "--since counts back from now; it cannot be combined with --start or --end"),
        (("acme/widgets", "march", *PERIOD, "--limit", "p95"),
         "--limit: `p95` is not a figure and a ratio; write time_to_merge_p95=1.5 to alert above 1.5 times"),
        (("acme/widgets", "march", *PERIOD, "--limit", "time_to_merge_p95=inf"),
         ("--limit: `time_to_merge_p95=inf` is not a figure and a ratio; "
          "write time_to_merge_p95=1.5 to alert above 1.5 times")),
        (("acme/widgets", "march", *PERIOD, "--limit", "p59=2", "--limit", "time_to_merge_p95=1"),
         ("--limit time_to_merge_p95: must be a number from 1.05 to 100: "
          "1.5 allows 50 % more than in the period\n"
          "--limit p59: is not a field of limits; "
          "it takes time_to_merge_p95, failure_rate or ci_runs_per_merge")),
        (("acme/widgets", "march", "--start", "2026-03-05", "--end", "2026-03-09", "--utc"),
         ("--start: the period has 4 days, and a reference period needs at least 7: "
          "start at 2026-03-02T00:00:00Z or earlier")),
    ],
    ids=["repository", "queue", "branch", "end", "limit", "infinite", "limits", "short"],
)  # fmt: skip
def test_what_is_wrong_is_said_about_the_options(
    server: LiveServer, words: tuple[str, ...], message: str
) -> None:
    ended = _run(server, "admin", "reference", "pin", *words)

    assert (2, f"mergecast: {message}\n") == (ended.code, ended.err)
