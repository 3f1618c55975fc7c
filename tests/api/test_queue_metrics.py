"""`GET …/metrics` and `GET /v1/metrics`: metrics of queues for Prometheus."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_open_metrics
from prometheus_client.parser import text_string_to_metric_families as parse_plain

from builders import ended, entered, left, started
from live_server import LiveServer, live_server
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.alerts import store_alerts
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.signals.thresholds.judged import ALERTED_NOW
from signals.stored import begun_alert

_OPEN_METRICS = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"
_OWNERS = count(1)
Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


def _ago_from(now: datetime) -> Callable[[float], str]:
    return lambda minutes: (now - timedelta(minutes=minutes)).isoformat(timespec="microseconds")


def _ago(minutes: float) -> str:
    return _ago_from(datetime.now(UTC))(minutes)


def _text(server: LiveServer, path: str, **headers: str) -> str:
    answer = server.http.get(path, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.text


def _samples(server: LiveServer, repository: str) -> Samples:
    families = parse_plain(_text(server, f"/v1/repos/{repository}/metrics"))
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in families
        for sample in family.samples
    }


class _Queue:
    """The samples of one queue by name and further labels."""

    def __init__(self, server: LiveServer, repository: str, queue_name: str = "default") -> None:
        self._labels = {"repository": repository, "base_ref": "main", "queue_name": queue_name}
        self._samples = _samples(server, repository)

    def __call__(self, name: str, **labels: str) -> float | None:
        key = (f"mergecast_queue_{name}", frozenset((self._labels | labels).items()))
        return self._samples.get(key)


def test_a_merge_is_counted_with_its_time_and_its_run(server: LiveServer, repository: str) -> None:
    """Everything else of the queue appears at 0, so that the first increment is seen."""
    entry, start, end, exit = map(_ago_from(datetime.now(UTC)), (33, 25, 5, 1))
    server.send([entered(entry, "a", 1), started(start, "a", 1, "X", [1])], repository)
    before = _Queue(server, repository)
    server.send([ended(end, "a", 1, "X"), left(exit, "a", 1)], repository)

    after = _Queue(server, repository)

    assert (1, 1, 1) == (before("entered_total"), before("size"), before("running_ci_runs"))
    assert (0, 0) == (before("left_total", reason="PR_MERGED"), before("time_seconds_count"))
    assert (1, 1) == (after("left_total", reason="PR_MERGED"), after("time_seconds_count"))
    assert (0, 1) == (after("time_seconds_bucket", le="1800.0"), after("time_seconds_bucket", le="2400.0"))
    assert 32 * 60 == after("time_seconds_sum")
    assert 1 == after("ci_run_seconds_count", outcome="passed")
    assert (0, 0) == tuple(after("ci_run_seconds_count", outcome=other) for other in ("failed", "stopped"))
    assert (0, 0) == (after("left_total", reason="CHECKS_FAILED"), after("left_total", reason="PR_DEQUEUED"))
    assert (None, 0, 0) == (
        after("left_total", reason="UNKNOWN"), after("retries_total"), after("bisections_total"),
    )  # fmt: skip
    assert (0, 0, 0) == (after("size"), after("running_ci_runs"), after("oldest_seconds"))


def test_a_history_that_is_sent_later_counts_nothing(server: LiveServer) -> None:
    """The queue has its series all the same: the worked example happened long ago."""
    queue = _Queue(server, "acme/widgets")

    assert (0, 0) == (queue("entered_total"), queue("left_total", reason="PR_MERGED"))


def test_gauges_follow_the_clock(server: LiveServer, repository: str) -> None:
    """The oldest entry waits longer with every scrape, although nothing changes."""
    server.send([entered(_ago(90), "a", 1), entered(_ago(20), "b", 2)], repository)

    first, second = (_Queue(server, repository)("oldest_seconds") or 0 for _ in range(2))

    assert 5400 <= first < second < 5400 + 600


def test_gauges_agree_with_the_queue(server: LiveServer, repository: str) -> None:
    """Also if a pull request entered again and the end of its earlier stay is missing."""
    server.send(
        [
            *(entered(_ago(50), "lost", 1), entered(_ago(40), "again", 1), entered(_ago(30), "b", 2)),
            *(entered(_ago(45), "gone", 3), entered(_ago(20), "left", 3), left(_ago(10), "left", 3)),
            *(started(_ago(15), "again", 1, "X", [1, 2]), started(_ago(15), "b", 2, "X", [1, 2])),
            *(started(_ago(14), "b", 2, "Y", [2]), ended(_ago(12), "b", 2, "Y")),
            entered(_ago(5), "other", 1, queue_name="other"),
        ],
        repository,
    ).raise_for_status()

    listed = server.http.get(f"/v1/repos/{repository}/queue").json()["queues"]

    found = {queue["queue_name"]: (len(queue["entries"]), len(queue["batches"])) for queue in listed}
    assert {"default": (2, 1), "other": (1, 0)} == found
    for name, figures in found.items():
        queue = _Queue(server, repository, name)
        assert figures == (queue("size"), queue("running_ci_runs"))
    assert 2400 <= (_Queue(server, repository)("oldest_seconds") or 0) < 2400 + 600


def test_an_entry_in_the_near_future_appears_when_its_time_comes(tmp_path: Path) -> None:
    """Nothing is kept while events are ahead of the clock."""
    now = [datetime(2026, 3, 2, 10, tzinfo=UTC)]
    with live_server(tmp_path, now=lambda: round(now[0].timestamp() * 1e6)) as server:
        server.send([entered("2026-03-02T10:01:00Z", "a", 1)]).raise_for_status()
        before = _Queue(server, "acme/widgets")("size")
        now[0] += timedelta(minutes=2)

        assert (0, 1) == (before, _Queue(server, "acme/widgets")("size"))


def test_labels_are_escaped(server: LiveServer, repository: str) -> None:
    """Both parsers read back the names of the queue and of its branch, which may contain any character."""
    name = 'a "b\\c d é{},=#'
    branch = 'a "b\\c\nd é{},=#'
    server.send([entered(_ago(1), "a", 1, queue_name=name, base_ref=branch)], repository)

    assert 1 == _Queue(server, repository, name)("size", base_ref=branch)
    text = _text(server, f"/v1/repos/{repository}/metrics", Accept=_OPEN_METRICS)
    parse: Any = parse_open_metrics
    (family,) = [one for one in parse(text) if one.name == "mergecast_queue_size"]
    assert [(branch, name)] == [
        (sample.labels["base_ref"], sample.labels["queue_name"]) for sample in family.samples
    ]


@pytest.mark.parametrize(
    ("accept", "is_open_metrics"),
    [
        (_OPEN_METRICS, True),
        ("application/openmetrics-text", True),
        ("application/openmetrics-text;q=0.3,text/plain;q=0.5", False),
        ("application/openmetrics-text;q=0,*/*", False),
        ("application/openmetrics-text;q=nonsense", False),
        ("text/plain;version=0.0.4", False),
        ("*/*", False),
        ("", False),
    ],
)
def test_the_format_follows_the_accept_header(server: LiveServer, accept: str, is_open_metrics: bool) -> None:  # noqa: FBT001
    """The samples are the same, and both parse."""
    answer = server.http.get("/v1/repos/acme/widgets/metrics", headers={"Accept": accept})

    expected = (
        "application/openmetrics-text; version=1.0.0; charset=utf-8"
        if is_open_metrics
        else "text/plain; version=0.0.4; charset=utf-8"
    )
    assert expected == answer.headers["content-type"]
    assert is_open_metrics == answer.text.endswith("# EOF\n")
    parse: Any = parse_open_metrics if is_open_metrics else parse_plain
    families = list(parse(answer.text))
    assert 11 == len(families)
    assert {"counter", "gauge", "histogram"} == {family.type for family in families}


@pytest.fixture
def owner(server: LiveServer) -> str:
    """An owner with two repositories."""
    name = f"metrics-{next(_OWNERS)}"
    for repository in ("one", "two"):
        server.send([entered(_ago(1), "a", 1)], f"{name}/{repository}").raise_for_status()
    return name


def _repositories(text: str) -> set[str]:
    return {sample.labels["repository"] for family in parse_plain(text) for sample in family.samples}


def test_a_key_gets_all_repositories_of_its_owner(server: LiveServer, owner: str) -> None:
    """And none of others; every metric is one block."""
    key = server.key(owner.upper(), scopes=["read"])["key"]

    answer = server.ask(key, "/v1/metrics")

    assert {f"{owner}/one", f"{owner}/two"} == _repositories(answer.text)
    heads = [line for line in answer.text.splitlines() if line.startswith("# TYPE")]
    assert len(set(heads)) == len(heads)


def test_the_admin_token_gets_all_repositories(server: LiveServer, owner: str) -> None:
    assert {f"{owner}/one", f"{owner}/two", "acme/widgets"} <= _repositories(_text(server, "/v1/metrics"))


@pytest.mark.parametrize(
    ("path", "status", "detail"),
    [
        (
            "/v1/repos/acme/nothing/metrics",
            404,
            "the repository acme/nothing is not known here: it has no events",
        ),
        (
            "/v1/repos/acme/widgets/metrics?queue_name=x",
            422,
            "queue_name: is not a parameter of this endpoint, which has no parameters",
        ),
        (
            "/v1/metrics?owner=acme",
            422,
            "owner: is not a parameter of this endpoint, which has no parameters",
        ),
    ],
)
def test_bad_requests_are_refused(server: LiveServer, path: str, status: int, detail: str) -> None:
    answer = server.http.get(path)

    assert (status, detail) == (answer.status_code, answer.json()["detail"])


def _add_problem(held: HeldRepository) -> None:
    store_alerts(held, [begun_alert("run_too_long", "default", held.now)], ())


def test_problems_are_shown_at_once(server: LiveServer, repository: str) -> None:
    """Every queue has a line for each of them, 0 or 1, although no event has changed anything."""
    server.send([entered(_ago(1), "a", 1), entered(_ago(1), "b", 1, queue_name="other")], repository)
    before = _Queue(server, repository)
    asyncio.run(server.store.change(Repository(*repository.split("/")), _add_problem, create=False))

    after, other = _Queue(server, repository), _Queue(server, repository, "other")

    assert [0] * len(ALERTED_NOW) == [before("problem", problem=name) for name in ALERTED_NOW]
    assert {"run_too_long": 1} == {name: 1 for name in ALERTED_NOW if after("problem", problem=name)}
    assert [0] * len(ALERTED_NOW) == [other("problem", problem=name) for name in ALERTED_NOW]


def test_alerts_are_shown_while_they_are_open(server: LiveServer, repository: str) -> None:
    """With their figure and origin, whoever chose the threshold."""
    server.send([entered(_ago(1), "a", 1)], repository).raise_for_status()
    begun = [
        replace(begun_alert(figure, "default", 1), id=f"{figure} {origin}", origin=origin)
        for figure, origin in (
            ("failure_rate", "set"),
            ("failure_rate", "reference"),
            ("failure_rate", "built_in"),
            ("forgotten", "learned"),
        )
    ]
    name, before = Repository(*repository.split("/")), _alert_lines(server, repository)
    asyncio.run(server.store.change(name, partial(store_alerts, begun=begun, ended=()), create=False))
    shown = _alert_lines(server, repository)
    over = [replace(alert, ended_at=2) for alert in begun]
    asyncio.run(server.store.change(name, partial(store_alerts, begun=(), ended=over), create=False))

    labels = f'repository="{repository}",base_ref="main",queue_name="default"'
    assert [
        f'mergecast_queue_alert{{{labels},figure="{figure}",origin="{origin}"}} 1'
        for figure, origin in (
            ("failure_rate", "built_in"),
            ("failure_rate", "reference"),
            ("failure_rate", "set"),
            ("forgotten", "learned"),
        )
    ] == shown
    assert ([], []) == (before, _alert_lines(server, repository))


def _alert_lines(server: LiveServer, repository: str) -> list[str]:
    lines = server.http.get(f"/v1/repos/{repository}/metrics").text.splitlines()
    return [line for line in lines if line.startswith("mergecast_queue_alert{")]


def test_sources_have_their_age(server: LiveServer, repository: str) -> None:
    """A source that was read to its end an hour ago is an hour old, and nothing is wrong with it."""
    server.send([entered(_ago(1), "a", 1)], repository).raise_for_status()
    page = {"items": [], "cursor": "{}", "reached": _ago(60)}
    server.http.post(f"/v1/repos/{repository}/sources/gitlab/deliveries", json=page).raise_for_status()

    samples = _samples(server, repository)

    labels = frozenset({"repository": repository, "source": "gitlab"}.items())
    assert 3600 <= samples["mergecast_source_age_seconds", labels] < 3600 + 600
    assert (0, 0) == (
        samples["mergecast_source_untranslated", labels], samples["mergecast_source_problem", labels],
    )  # fmt: skip


@pytest.fixture
def crowded(tmp_path: Path) -> Iterator[LiveServer]:
    """15 repositories with 101 queues each."""
    with live_server(tmp_path) as server:
        for place in range(15):
            events = [entered(_ago(1), str(number), 1, queue_name=f"q{number}") for number in range(101)]
            server.send(events, f"acme/r{place}").raise_for_status()
        yield server


def test_too_many_series_are_refused_with_advice(crowded: LiveServer) -> None:
    """A single repository is never too large: it shows the hundred queues that were reported first."""
    answer: Any = crowded.http.get("/v1/metrics")

    detail = (
        "the metrics of these 15 repositories have more than 200,000 series, too many for one answer: let "
        "Prometheus read /v1/repos/{owner}/{repository}/metrics of the repositories that matter, or use one "
        "application key per owner"
    )
    assert (422, detail) == (answer.status_code, answer.json()["detail"])
    text = _text(crowded, "/v1/repos/acme/r3/metrics")
    assert 'mergecast_queues_left_out{repository="acme/r3"} 1\n' in text
    assert 'queue_name="q99"' in text
    assert 'queue_name="q100"' not in text
