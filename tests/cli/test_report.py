"""`mergecast report`: one page about a period, which needs nothing else."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path

import httpx
import pytest

from builders import entered, left, reported
from cli.program import mergecast
from live_server import LiveServer, live_server
from waiting import wait_until

pytestmark = pytest.mark.server

_HOSTILE = "<img src=x onerror=alert(1)>\"'\x1b"
_WEEK = ("--start", "2026-03-02", "--end", "2026-03-09", "--utc")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """Two stays of 10 and 30 minutes on one day, and one on a branch with a hostile name on another."""
    day = "2026-03-02T10:"
    with live_server(tmp_path_factory.mktemp("data")) as live:
        live.send(
            [
                *(entered(f"{day}00:00Z", "a", 1), left(f"{day}10:00Z", "a", 1)),
                *(entered(f"{day}00:00Z", "b", 2), left(f"{day}30:00Z", "b", 2, "CHECKS_FAILED")),
                entered("2026-03-04T10:00:00Z", "c", 3, base_ref=_HOSTILE),
                left("2026-03-04T10:20:00Z", "c", 3, base_ref=_HOSTILE),
            ]
        ).raise_for_status()
        yield live


class _Tags(HTMLParser):
    """The names and attributes of all elements."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def _report(server: LiveServer, tmp_path: Path, *options: str) -> str:
    file, key = tmp_path / "report.html", server.key("acme")["key"]
    where = ("--url", server.url, "--token", key, "-o", file)
    ended = mergecast("report", "acme/widgets", *options, *where, data=tmp_path)
    # The server of the test writes its log to the same place.
    assert (0, True) == (ended.code, f"wrote the report of acme/widgets to {file}\n" in ended.err)
    return file.read_text(encoding="utf-8")


def test_the_page_on_standard_output(
    server: LiveServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For a pipe; no file is written, and nothing else is printed there."""
    monkeypatch.chdir(tmp_path)
    where = ("--url", server.url, "--token", server.key("acme")["key"], "-o", "-")

    ended = mergecast("report", "acme/widgets", *_WEEK, *where, data=tmp_path)

    assert (0, "<!doctype html>", "</html>", []) == (
        ended.code,
        ended.out.splitlines()[0],
        ended.out.splitlines()[-1],
        list(tmp_path.iterdir()),
    )


def test_the_page_has_the_figures_of_the_api(server: LiveServer, tmp_path: Path) -> None:
    """A key that may read is enough."""
    asked = {"start_at": "2026-03-02T00:00:00Z", "end_at": "2026-03-09T00:00:00Z"}
    summary = server.http.get("/v1/repos/acme/widgets/summary", params=asked).json()

    tags = _Tags()
    tags.feed(_report(server, tmp_path, *_WEEK))

    words = re.sub(r"\s+", " ", tags.text)
    assert summary["state"]["sentence"] in words
    assert "2026-03-02 00:00 to 2026-03-09 00:00, UTC · all branches and queues" in words
    assert "p50 in queue20m" in words
    assert "failures33.3%" in words
    assert "merged2 in 7 days" in words
    assert "checks failed1" in words
    assert ["checks failed", "merged"] == re.findall(r"main(merged|checks failed)", words)
    assert "1 stay left without a merge, 2 merged." in words
    assert ["#2", "#3", "#1"] == re.findall(r"#\d", tags.text[tags.text.index("Slowest stays") :])


def test_the_page_says_whose_fault_removals_were(tmp_path: Path) -> None:
    """With how often verdicts were right, as the API counts it."""
    now = datetime.now(UTC)
    before = (now - timedelta(minutes=20)).isoformat()
    with live_server(tmp_path / "data") as live:
        live.send([entered(before, "p", 7), left(now.isoformat(), "p", 7, "PR_MANUALLY_DEQUEUED")])
        wait_until(lambda: live.http.get("/v1/repos/acme/widgets/pulls/7/verdict").is_success)
        period = {"start_at": before, "end_at": (now + timedelta(minutes=1)).isoformat()}
        (queue,) = live.http.get("/v1/repos/acme/widgets/verdicts", params=period).json()["queues"]
        tags = _Tags()
        tags.feed(_report(live, tmp_path))

    assert f"Whose fault: removed by hand (1).default → main: {queue['sentence']}" in tags.text


def test_a_short_period_has_a_number_of_merges_and_no_rate(server: LiveServer, tmp_path: Path) -> None:
    tags = _Tags()
    tags.feed(_report(server, tmp_path, "--start", "2026-03-02T06:00", "--end", "2026-03-02T14:30", "--utc"))

    assert "merged1 in 8.5 hours" in re.sub(r"\s+", " ", tags.text)


def test_the_page_runs_nothing_and_loads_nothing(server: LiveServer, tmp_path: Path) -> None:
    """Hostile names stay text, and every reference stays inside the page."""
    text = _report(server, tmp_path, *_WEEK)
    tags = _Tags()
    tags.feed(text)

    assert not tags.names & {"script", "img", "link", "iframe", "image", "use", "a"}
    assert not [name for name in tags.attributes if name.startswith("on") or name in ("src", "href", "style")]
    assert "<img src=x onerror=alert(1)>\"'\ufffd" in tags.text
    assert "content=\"default-src 'none'; style-src 'unsafe-inline'\"" in text
    assert 3 == text.count('role="img"')


def test_a_period_in_which_nothing_happened(server: LiveServer, tmp_path: Path) -> None:
    """The page says so."""
    text = _report(server, tmp_path, "--start", "2026-01-01", "--end", "2026-01-02", "--utc")

    assert "Nothing happened in this period." in text
    assert "No pull request left the queue in this period." in text


@pytest.mark.parametrize("span", ["1h", "12h", "26h", "28d", "400w"])
def test_any_length_of_time(server: LiveServer, tmp_path: Path, span: str) -> None:
    """Pictures contain no number that a browser cannot draw."""
    text = _report(server, tmp_path, "--since", span)

    assert "nan" not in re.findall(r'(?:x|y|width|height|points)="([^"]*)"', text)
    assert "inf" not in text.partition("<body>")[2].replace("information", "")


def test_a_folder_that_does_not_exist(server: LiveServer, tmp_path: Path) -> None:
    """The message names it."""
    file = tmp_path / "none" / "report.html"
    ended = mergecast(
        "report", "acme/widgets", "-o", file, "--url", server.url, "--token", "x" * 40, data=tmp_path
    )

    message = f"mergecast: cannot write `{file}`: there is no folder `{file.parent}`\n"
    assert (2, message) == (ended.code, ended.err)


def _page(server: LiveServer, **headers: str) -> httpx.Response:
    week = {"start_at": "2026-03-02T00:00:00Z", "end_at": "2026-03-09T00:00:00Z"}
    return server.http.get("/v1/repos/acme/widgets/report", params=week, headers=headers)


def test_the_command_writes_what_the_api_answers(server: LiveServer, tmp_path: Path) -> None:
    assert _page(server).text == _report(server, tmp_path, *_WEEK)


def test_a_browser_runs_nothing_of_the_page_and_keeps_it_to_itself(server: LiveServer) -> None:
    """Whoever has the page already gets no other copy of it."""
    answer = _page(server)

    policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    assert (
        f"{policy}; frame-ancestors 'none'",
        "text/html; charset=utf-8",
        "private, no-cache",
        "nosniff",
    ) == (
        answer.headers["content-security-policy"],
        answer.headers["content-type"],
        answer.headers["cache-control"],
        answer.headers["x-content-type-options"],
    )
    assert 304 == _page(server, **{"If-None-Match": answer.headers["etag"]}).status_code


def test_times_are_in_the_zone_that_was_asked_for(server: LiveServer, tmp_path: Path) -> None:
    days = ("--start", "2026-03-02", "--end", "2026-03-09", "--tz", "Asia/Tokyo")
    text = _report(server, tmp_path, *days)

    assert "2026-03-02 00:00 to 2026-03-09 00:00, Asia/Tokyo" in text
    assert "times in Asia/Tokyo" in text


def test_an_unknown_time_zone(server: LiveServer) -> None:
    answer = server.http.get("/v1/repos/acme/widgets/report?time_zone=Mars/Base")

    (error,) = answer.json()["errors"]
    assert (422, "must be the name of a time zone, such as Europe/Berlin") == (
        answer.status_code,
        error["message"],
    )


def test_the_page_shows_what_ci_cost(tmp_path: Path) -> None:
    """With prices only; in all, per merge, by queue and by check, and the names of checks stay text."""
    day, name = "2026-03-02T10:", _HOSTILE[:-1]
    times = {"started_at": f"{day}00:00Z", "ended_at": f"{day}20:00Z"}
    check = reported(f"{day}20:00Z", "one", name, **times)
    with live_server(tmp_path / "data") as live:
        live.send([entered(f"{day}00:00Z", "a", 1), left(f"{day}20:00Z", "a", 1), check]).raise_for_status()
        without = _page(live).text
        prices = {"prices": {"currency": "USD", "per_minute": "0.5"}}
        live.http.put(
            "/v1/repos/acme/widgets/settings", json=prices, headers={"If-Match": "*"}
        ).raise_for_status()
        tags = _Tags()
        tags.feed(_page(live).text)
        key = live.key("acme")["key"]
        where = ("--url", live.url, "--token", key)
        summary = mergecast("summary", "acme/widgets", *_WEEK, *where, data=tmp_path).out

    assert "Cost of CI" not in without
    words = re.sub(r"\s+", " ", tags.text)
    costs = "USD 10.00USD 0.00-"
    assert f"costbeforechangeall CI runs{costs}per mergeUSD 10.00--queue default → main{costs}" in words
    assert f"CI check {name}{costs}" in words
    rows = [" ".join(line.split()) for line in summary.splitlines()]
    assert [
        "all USD 10.00 USD 0.00 -",
        "per merge USD 10.00 - -",
        f"check {name} USD 10.00 USD 0.00 -",
    ] == (rows[rows.index("cost of CI value before change") + 1 :][:3])
