"""`mergecast forecast` and `mergecast queue` on a store, with the server and the child that they start."""

import json
import re
from pathlib import Path

import pytest

from builders import entered, left
from cli.program import mergecast
from local_http import Reply, local_server
from mergecast.forecasting.replay.values import Policy, QueueRule
from mergecast.queues.model.instant import format_instant
from worlds.events import history_of
from worlds.wire import wire_event
from worlds.world import START, World

pytestmark = pytest.mark.server

WORLD = World(5, days=16, pulls_per_day=20, length_median=20, weekend=0.5)
PERIOD = ("--start", format_instant(START), "--end", format_instant(WORLD.end))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixteen days of a queue with batches of two; the last pull requests are still in it."""
    folder = tmp_path_factory.mktemp("forecast")
    record = WORLD.play(Policy(rules=(QueueRule(2, 2, 60_000_000),), max_parallel_checks=2))
    lines = [json.dumps(wire_event(event)) for event in history_of(WORLD, record)]
    file = folder / "events.ndjson"
    file.write_text("\n".join(lines), encoding="utf-8")
    assert mergecast("import", "events", "acme/widgets", file, data=folder / "data").code == 0
    return folder / "data"


def test_a_forecast_shows_the_grade_the_changes_and_every_figure(data: Path) -> None:
    ended = mergecast("forecast", "acme/widgets", *PERIOD, "--set", "batch_size=5", data=data)

    assert (ended.code, ended.err) == (0, "")
    head, period, changes, columns, *rows = ended.out.splitlines()
    assert head.partition(":")[0] in {"GOOD", "FAIR", "POOR, do not base a decision on this"}
    assert period == "acme/widgets · main · 16 days"
    assert changes == "default: batch_size 2 → 5"
    assert re.split("  +", columns.strip()) == [
        "for the weeks recorded", "recorded", "baseline", "candidate", "difference",
    ]  # fmt: skip
    assert rows[0].startswith("time to merge, p50")
    assert re.fullmatch(
        r"The next two weeks: p50 \S+, probably \S+ to \S+; no earlier forecast could be checked\.", rows[8]
    )
    assert re.split("  +", rows[9].strip()) == ["for the next two weeks", "baseline", "candidate"]
    assert re.match(r"time to merge, p95 +\S+ \(\S+ to \S+\) +\S+ \(\S+ to \S+\)$", rows[11].strip())
    assert any(row.startswith("The forecast assumes that people") for row in rows)


def test_the_branch_with_the_history_is_the_one_that_is_meant(data: Path) -> None:
    """Without --branch; the others are named."""
    record = WORLD.play(Policy(rules=(QueueRule(2, 2, 60_000_000),), max_parallel_checks=2))
    events = [{**wire_event(event), "base_ref": "trunk"} for event in history_of(WORLD, record)]
    at = format_instant(START)
    events += [entered(at, "one", 7_000_001), left(at, "one", 7_000_001)]
    lines = b"\n".join(json.dumps(event).encode() for event in events)
    assert mergecast("import", "events", "acme/trunk", "-", data=data, stdin=lines).code == 0

    ended = mergecast("forecast", "acme/trunk", *PERIOD, "--set", "batch_size=5", "--json", data=data)
    nothing = mergecast(
        "forecast",
        "acme/trunk",
        "--start",
        "2020-01-01",
        "--end",
        "2020-02-01",
        "--set",
        "batch_size=5",
        data=data,
    )

    assert ended.code == 0
    assert json.loads(ended.out)["base_ref"] == "trunk"
    assert re.fullmatch(
        r"branch trunk, which merged most \([0-9]+\); --branch chooses another: main \(1\)\n", ended.err
    )
    assert nothing.err == (
        "mergecast: acme/trunk merged nothing in this period; choose a longer one with --since\n"
    )


def test_a_document_is_a_candidate(data: Path, tmp_path: Path) -> None:
    document = tmp_path / "candidate.yml"
    document.write_text("queue_rules:\n  - name: default\n    batch_size: 4\n", encoding="utf-8")

    ended = mergecast("forecast", "acme/widgets", *PERIOD, "-f", document, "--json", data=data)

    assert (ended.code, ended.err) == (0, "")
    assert json.loads(ended.out)["settings"]["candidate"]["default"]["batch_size"] == 4


def test_two_documents_are_compared(data: Path, tmp_path: Path) -> None:
    """No platform has to know either of them."""
    one, other = tmp_path / "one.yml", tmp_path / "other.yml"
    one.write_text("queue_rules:\n  - name: default\n    batch_size: 4\n", encoding="utf-8")
    other.write_text("queue_rules:\n  - name: default\n    batch_size: 3\n", encoding="utf-8")

    ended = mergecast("forecast", "acme/widgets", *PERIOD, "-f", one, "--against", other, "--json", data=data)

    assert (ended.code, ended.err) == (0, "")
    settings = json.loads(ended.out)["settings"]
    sizes = [settings[side]["default"]["batch_size"] for side in ("baseline", "candidate")]
    assert (sizes, settings["source_of_baseline"]) == ([3, 4], "request")


def test_a_setting_can_be_that_of_one_queue(data: Path) -> None:
    own = ("--set", "default/batch_size=5", "--set", "max_parallel_checks=3")

    ended = mergecast("forecast", "acme/widgets", *PERIOD, *own, data=data)

    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines()[2] == "default: batch_size 2 → 5, max_parallel_checks 2 → 3"


def test_a_search_is_a_map_of_two_settings(data: Path) -> None:
    tried = ("--vary", "batch_size=1,4", "--vary", "max_parallel_checks=1..2")

    ended = mergecast("forecast", "acme/widgets", *PERIOD, *tried, data=data)

    assert (ended.code, ended.err) == (0, "")
    grade, _, columns, *rows, mechanics, drift, tested, people = ended.out.splitlines()
    assert grade.startswith(("GOOD: ", "FAIR: ", "POOR, do not base a decision on this: "))
    assert mechanics.startswith("mechanics: Replayed with the inputs of these weeks, the unchanged settings")
    assert drift.startswith("drift: From one recorded week to the next (")
    assert tested.startswith("back-test: Forecasts made at ")
    assert people.startswith("The forecast assumes that people queue the same pull requests")
    assert columns.split() == ["batch_size", "\\", "max_parallel_checks", "1", "2"]
    assert [row.split()[0] for row in rows] == ["1", "4"]
    assert any("*" in row for row in rows)


def test_too_little_history_is_an_error_that_says_how_much_there_is(data: Path) -> None:
    short = ("--start", format_instant(START), "--end", format_instant(START + 5 * 86_400_000_000))

    ended = mergecast("forecast", "acme/widgets", *short, "--set", "batch_size=5", data=data)

    assert ended.code == 2
    assert "A forecast needs at least 200 merged pull requests and 14 days; there are" in ended.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--capacity", "--set", "batch_size=2"), "--capacity cannot be combined with --file or --set"),
        (("--set", "batch_size=2", "--limit", "time_to_merge_p95=2h"), "--limit needs --vary or --capacity"),
        (
            ("--capacity", "--limit", "time_to_merge_p95=soon"),
            (
                "--limit: `time_to_merge_p95=soon` is not a limit; "
                "write for example time_to_merge_p95=2h or ci_runs_per_merge=1.2"
            ),
        ),
        (
            ("--capacity", "--limit", "ci_runs_per_merge=2h"),
            (
                "--limit: `ci_runs_per_merge=2h` is not a limit; "
                "write for example time_to_merge_p95=2h or ci_runs_per_merge=1.2"
            ),
        ),
        (
            ("--capacity", "--limit", "p50=2"),
            '--limit: must be an object such as {"time_to_merge_p95": 7200}, in seconds',
        ),
        (
            ("--set", "ci_speed=0.01"),
            "--set ci_speed: must be a number from 0.05 to 20, where 1 is as recorded",
        ),
        (
            ("--set", "hotfix/batch_size=2"),
            "--set hotfix: is not a queue in the recorded weeks of this branch, which has default",
        ),
        (
            ("--set", "default/max_parallel_checks=2"),
            "--set default/max_parallel_checks: is the same for all queues of a branch; set it for all",
        ),
        (
            ("--set", "batch_size=2", "--since", "30d"),
            "--since counts back from now; it cannot be combined with --start or --end",
        ),
        (("--capacity", "--vary", "arrivals=1,2"), "--vary arrivals: is what this request varies by itself"),
    ],
)
def test_wrong_questions_name_the_option(data: Path, options: tuple[str, ...], message: str) -> None:
    ended = mergecast("forecast", "acme/widgets", *PERIOD, *options, data=data)

    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err


@pytest.mark.thorough
def test_the_capacity_is_a_sentence_and_a_table(data: Path) -> None:
    asked = ("--capacity", "--limit", "time_to_merge_p95=3h", "--vary", "max_parallel_checks=2,4")

    ended = mergecast("forecast", "acme/widgets", *PERIOD, *asked, data=data)

    assert (ended.code, ended.err) == (0, "")
    sentence, columns, today, *_ = ended.out.splitlines()
    assert "3h00m" in sentence
    assert sentence.endswith(" a day are recorded")
    assert columns.split()[:4] == ["settings", "pull", "requests", "a"]
    assert today.split()[:3] == ["today", "as", "today"]


def test_one_candidate_is_required(data: Path) -> None:
    """The messages say what is missing, or what is too much."""
    nothing = mergecast("forecast", "acme/widgets", data=data)
    both = mergecast("forecast", "acme/widgets", "--file", "a.yml", "--set", "batch_size=2", data=data)

    ways = "--set NAME=VALUE, --file DOCUMENT, --vary NAME=VALUES or --capacity"
    assert (2, f"mergecast: nothing to forecast: add {ways}\n") == (nothing.code, nothing.err)
    assert (2, "mergecast: --file and --set cannot be used together\n") == (both.code, both.err)


def test_errors_name_the_options(data: Path) -> None:
    """Not the members of the request."""
    wrong = ("--set", "batch_siz=5", "--set", "max_parallel_checks=0")

    ended = mergecast("forecast", "acme/widgets", *PERIOD, *wrong, data=data)

    message = (
        "mergecast: --set batch_siz: is not a setting; did you mean `batch_size`?\n"
        "--set max_parallel_checks: must be a whole number from 1 to 128\n"
    )
    assert (2, message) == (ended.code, ended.err)


def test_the_queue_does_not_wait_for_a_forecast(tmp_path: Path) -> None:
    """A server that keeps running is asked once, and what it knows is printed."""
    entry = {
        "position": 1,
        "is_estimated": False,
        "pull_request": 7,
        "session_id": "stay",
        "priority_rule_name": None,
        "entered_at": "2026-03-02T09:00:00Z",
        "waited_seconds": 90,
        "batch_id": None,
    }
    queue = {"base_ref": "main", "queue_name": "default", "trust": None}
    found = {"queues": [{**queue, "expected_merges": "pending", "entries": [entry]}]}

    with local_server(lambda _: Reply(200, json.dumps(found).encode())) as server:
        place = ("--url", server.url, "--token", "t")
        ended = mergecast("queue", "acme/widgets", *place, data=tmp_path / "none")

    assert (0, "", 1) == (ended.code, ended.err, len(server.asked))
    _, _, row, reason = ended.out.splitlines()
    assert ["1", "#7", "-", "2m", "-", "-", "-", "-"] == row.split()
    assert "no expected time: it is being computed …" == reason


def test_the_queue_shows_the_waiting_pull_requests(data: Path, tmp_path: Path) -> None:
    """And says why it does not know when they will merge."""
    file = tmp_path / "events.ndjson"
    file.write_text(json.dumps(entered("2026-03-02T10:00:00Z", "stay", 7)), encoding="utf-8")
    assert mergecast("import", "events", "acme/waits", file, data=data).code == 0

    empty, ended = (mergecast("queue", name, data=data) for name in ("acme/widgets", "acme/waits"))

    assert (0, ["the queues are empty"], "") == (empty.code, empty.out.splitlines()[1:], empty.err)
    silence, head, _, row, reason = ended.out.splitlines()
    assert silence.startswith("No event has arrived for ")
    assert (0, "", "main · default") == (ended.code, ended.err, head)
    assert ["1", "#7"] == row.split()[:2]
    assert (
        "no expected time: a forecast needs 14 days and 200 merges on this branch within the last 60 days."
        == reason
    )


def test_a_check_of_the_queue_needs_a_server_that_tells_of_alerts(tmp_path: Path) -> None:
    """A script must not take the silence of an older server for health."""
    with local_server(lambda _: Reply(200, b'{"queues": []}')) as server:
        place = ("--url", server.url, "--token", "t")
        ended = mergecast("queue", "acme/widgets", "--check", *place, data=tmp_path / "none")

    message = "mergecast: this server is older and does not tell of alerts; upgrade it\n"
    assert (1, message) == (ended.code, ended.err)
