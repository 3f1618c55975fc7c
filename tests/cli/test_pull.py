"""`mergecast pull` and `mergecast store stays`: one pull request, and the list of those that left."""

import csv
import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from builders import ended, entered, event, left, reported, started
from cli.program import Ending, mergecast
from cli.served_folder import served_folder
from live_server import TOKEN, LiveServer
from local_http import Asked, Reply, local_server
from waiting import wait_until

pytestmark = pytest.mark.server

_DAY = "2026-03-10T"
_WEEK = ("--start", "2026-03-09", "--end", "2026-03-16", "--utc")
_CULPRIT_FOUND = {"culprit_found": True, "max_failures_reached": False}
_NOW = datetime.now(UTC).replace(microsecond=0)


_NO_NUMBER = (
    "the number is missing; write acme/widgets#42, or search titles: "
    "mergecast pull acme/widgets --search WORDS"
)
_NOT_ITS_PAGE = (
    "`https://github.com/acme/widgets/issues/7` is not the page of a pull request; "
    "write OWNER/REPO#NUMBER, such as acme/widgets#42"
)


def _ago(minutes: int) -> str:
    return (_NOW - timedelta(minutes=minutes)).isoformat()


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """#7 merged on its second try, #8 failed, #9 waits; a branch has a hostile name."""
    events = [
        entered(f"{_DAY}09:00:00Z", "s7-1", 7),
        started(f"{_DAY}09:10:00Z", "s7-1", 7, "X", [7, 8]),
        ended(f"{_DAY}09:31:00Z", "s7-1", 7, "X", "CHECKS_FAILED"),
        reported(f"{_DAY}09:20:00Z", "X", "unit [2J", "failure", url="https://ci.test/1"),
        reported(f"{_DAY}09:30:00Z", "X", "late", "timed_out"),
        reported(f"{_DAY}11:20:00Z", "Y", "odd", "failure"),
        event("bisection_started", f"{_DAY}09:32:00Z", batch_id="X", depth=0, batch_pull_requests=[7, 8]),
        event("bisection_ended", f"{_DAY}09:50:00Z", batch_id="X", **_CULPRIT_FOUND),
        left(f"{_DAY}10:00:00Z", "s7-1", 7, "CHECKS_FAILED"),
        entered(f"{_DAY}11:00:00Z", "s7-2", 7, priority_rule_name="urgent"),
        started(f"{_DAY}11:05:00Z", "s7-2", 7, "Y", [7], priority_rule_name="urgent"),
        ended(f"{_DAY}11:35:00Z", "s7-2", 7, "Y", priority_rule_name="urgent"),
        event("bisection_started", f"{_DAY}11:36:00Z", batch_id="Y", depth=0, batch_pull_requests=[7]),
        left(f"{_DAY}11:40:00Z", "s7-2", 7, priority_rule_name="urgent"),
        entered(f"{_DAY}12:00:00Z", "s8", 8, base_ref="=1+1\x1b[2J"),
        left(f"{_DAY}12:30:00Z", "s8", 8, "CHECKS_FAILED", base_ref="=1+1\x1b[2J", head_sha="1a" * 20),
        entered(_ago(20), "s9", 9),
        started(_ago(5), "s9", 9, "Z", [9]),
        event("bisection_started", _ago(1), batch_id="Z", depth=0, batch_pull_requests=[9]),
    ]  # fmt: skip
    lines = "".join(json.dumps(event) + "\n" for event in events).encode()
    with served_folder(tmp_path_factory.mktemp("data")) as folder:
        assert 0 == mergecast("import", "events", "acme/widgets", "-", data=folder, stdin=lines).code
        yield folder


def _lines(ending: Ending) -> list[str]:
    assert (0, "") == (ending.code, ending.err)
    return [" ".join(line.split()) for line in ending.out.splitlines()]


def test_a_pull_request_with_two_stays(data: Path) -> None:
    """The headline counts both; the newest comes first."""
    found = mergecast("pull", "acme/widgets#7", "--utc", data=data)

    assert [
        "acme/widgets#7 · times in UTC",
        "merged after two tries, 1h40m in all",
        "",
        "stay 2 · default → main, urgent · 2026-03-10 11:00 to 2026-03-10 11:40 · PR_MERGED",
        "40m: CI 30m · capacity 10m · schedule 0s · freeze 0s",
        "CI run started took ended together with",
        "Y · 1 2026-03-10 11:05 30m SUCCESS -",
        "bisection of Y: end not reported, 1 step",
        "",
        "stay 1 · default → main · 2026-03-10 09:00 to 2026-03-10 10:00 · CHECKS_FAILED",
        "1h00m: CI 21m · capacity 39m · schedule 0s · freeze 0s",
        "CI run started took ended together with",
        "X · 1 2026-03-10 09:10 21m CHECKS_FAILED #8",
        "X · 1: unit [2J failed · https://ci.test/1",
        "bisection of X: culprit found in 1 step",
    ] == _lines(found)


def test_a_removed_pull_request_says_why_and_what_that_rests_on(server: LiveServer, tmp_path: Path) -> None:
    """The sentence of the verdict and its evidence, before the CI runs of the stay."""
    server.send(
        [
            entered(_ago(20), "s", 5),
            started(_ago(19), "s", 5, "X", [5]),
            reported(_ago(9), "X", "unit", "failure"),
            ended(_ago(9), "s", 5, "X", "CHECKS_FAILED"),
            left(_ago(8), "s", 5, "CHECKS_FAILED"),
        ]
    ).raise_for_status()

    def judged() -> Any:
        answer = server.http.get("/v1/repos/acme/widgets/pulls/5/verdict")
        return answer.json() if answer.is_success else None

    verdict = wait_until(judged)
    found = mergecast(
        *("pull", "acme/widgets#5", "--utc"), data=tmp_path, MERGECAST_URL=server.url, MERGECAST_TOKEN=TOKEN
    )

    lines = _lines(found)
    assert ["acme/widgets#5 · times in UTC", "left without merging after 12m: CHECKS_FAILED", ""] == lines[:3]
    assert lines[3].startswith("stay 1 · default → main · ")
    texts = [one["text"] for one in verdict["evidence"]]
    assert "`unit` failed when it was tested alone." in texts
    assert [verdict["sentence"], *texts] == lines[4 : 5 + len(texts)]
    assert "CI run started took ended together with" in lines[5 + len(texts) :]


def test_what_several_runs_show_is_said_once(server: LiveServer, tmp_path: Path) -> None:
    """Here two batches failed alone, each at two attempts."""
    events = [entered(_ago(60), "retried", 6)]
    for batch, begun in (("first", 50), ("second", 30)):
        for attempt, outcome in ((1, "CHECKS_RETRIED"), (2, "CHECKS_FAILED")):
            of_run = {"attempt": attempt}
            start, end = _ago(begun - 8 * attempt + 8), _ago(begun - 8 * attempt)
            events += [
                started(start, "retried", 6, batch, [6], **of_run),
                reported(end, batch, "unit", "failure", **of_run, check_id=f"{batch}{attempt}"),
                ended(end, "retried", 6, batch, outcome, **of_run),
            ]
    server.send([*events, left(_ago(8), "retried", 6, "CHECKS_FAILED")]).raise_for_status()
    wait_until(lambda: server.http.get("/v1/repos/acme/widgets/pulls/6/verdict").is_success)

    found = mergecast("pull", "acme/widgets#6", "--url", server.url, "--token", TOKEN, data=tmp_path)

    alone = "`unit` failed when it was tested alone."
    assert [f"{alone} (2 runs)", f"{alone} That was attempt 2. (2 runs)"] == [
        line for line in _lines(found) if line.startswith(alone)
    ]


def test_a_waiting_pull_request_says_why(data: Path) -> None:
    lines = _lines(mergecast("pull", "acme/widgets#9", data=data))

    assert lines[1].startswith("in the queue for ")
    assert lines[2].startswith("First in `default`; CI has run for ")


def test_the_address_of_its_page_names_it_too(data: Path) -> None:
    expected = mergecast("pull", "acme/widgets#7", data=data)

    for page in (
        "https://github.com/acme/widgets/pull/7",
        "https://github.com/acme/widgets/pull/7/files#diff-1",
        "https://gitlab.com/acme/widgets/-/merge_requests/7?tab=1",
        "http://127.0.0.1:8000/prefix/r/acme/widgets/pulls/7?since=7d",
    ):
        assert expected == mergecast("pull", page, data=data)


def test_json_is_the_answer_of_the_server(data: Path) -> None:
    found = json.loads(mergecast("pull", "acme/widgets#7", "--json", data=data).out)

    assert {"pull_request", "pull", "waiting_for", "stays"} == found.keys()
    assert (7, None, ["s7-2", "s7-1"]) == (
        found["pull_request"], found["waiting_for"], [stay["session_id"] for stay in found["stays"]],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["acme/widgets"], _NO_NUMBER),
        (["acme/widgets/7"], "`acme/widgets/7` is not a pull request; did you mean acme/widgets#7?"),
        (
            ["acme/widgets#seven"],
            "`acme/widgets#seven` is not a pull request; write OWNER/REPO#NUMBER, such as acme/widgets#42",
        ),
        (["#7"], "`` is not a repository; write it as OWNER/REPO, such as acme/widgets"),
        (["https://github.com/acme/widgets/issues/7"], _NOT_ITS_PAGE),
        (
            ["acme/widgets#7", "--search", "x"],
            "--search needs a repository alone; write acme/widgets without #7",
        ),
    ],
)
def test_wrong_references(data: Path, given: list[str], message: str) -> None:
    assert Ending(2, "", f"mergecast: {message}\n") == mergecast("pull", *given, data=data)


def test_an_unknown_pull_request(data: Path) -> None:
    message = (
        "mergecast: pull request 404 of acme/widgets is not known here: it has not been in a queue, and "
        "neither a source nor a snapshot describes it; `mergecast queue acme/widgets` lists those that wait, "
        "`mergecast store stays acme/widgets` those that left\n"
    )
    assert Ending(1, "", message) == mergecast("pull", "acme/widgets#404", data=data)


def test_titles_that_contain_nothing_of_the_kind(data: Path) -> None:
    """An empty list is an answer."""
    found = mergecast("pull", "acme/widgets", "--search", "log\x1bin", data=data)

    assert Ending(0, "no title in acme/widgets contains `log\\x1bin`\n", "") == found


def test_titles_are_searched_until_enough_are_found(tmp_path: Path) -> None:
    """A page of a large repository may be empty although there are more; hostile titles stay text."""
    one = {"pull_request": 7, "title": "Fix \x1b[2Jlogin", "author": None, "url": None}
    pages = iter([{"pulls": [], "next": 900}, {"pulls": [one], "next": None}])
    paths: list[str] = []

    def answer(asked: Asked) -> Reply:
        paths.append(asked.path)
        return Reply(200, json.dumps(next(pages)).encode())

    with local_server(answer) as server:
        place = ("--url", server.url, "--token", "t")
        found = mergecast("pull", "acme/widgets", "--search", "login", *place, data=tmp_path / "none")

    assert ["pull request title author", "#7 Fix \\x1b[2Jlogin -"] == _lines(found)
    assert [
        "/v1/repos/acme/widgets/pulls?search=login&limit=100",
        "/v1/repos/acme/widgets/pulls?search=login&after=900&limit=100",
    ] == paths


def test_older_servers(tmp_path: Path) -> None:
    """They know no such path, or do not say why a pull request waits."""
    missing = {"status": 404, "detail": "there is no such path; /docs lists all paths"}
    empty: dict[str, object] = {"pull_request": 7, "pull": None, "stays": []}
    asked = {
        ("pull", "acme/widgets#7"): "know the history of pull requests",
        ("pull", "acme/widgets", "--search", "x"): "search titles",
        ("store", "stays", "acme/widgets"): "list stays",
    }

    with local_server(lambda _: Reply(404, json.dumps(missing).encode())) as server:
        place = ("--url", server.url, "--token", "t")
        endings = {what: mergecast(*arguments, *place, data=tmp_path) for arguments, what in asked.items()}
    with local_server(lambda _: Reply(200, json.dumps(empty).encode())) as server:
        place = ("--url", server.url, "--token", "t")
        silent = mergecast("pull", "acme/widgets#7", "--utc", *place, data=tmp_path)

    for what, ending in endings.items():
        assert Ending(1, "", f"mergecast: this server is older and does not {what}; upgrade it\n") == ending
    assert [
        "acme/widgets#7 · times in UTC",
        "has not been in a queue",
        "this server is older and does not say why a pull request waits; upgrade it",
    ] == _lines(silent)


def test_the_stays_of_a_period(data: Path) -> None:
    """The slowest first, unless another order is chosen."""
    found = _lines(mergecast("store", "stays", "acme/widgets", *_WEEK, "--limit", "2", data=data))
    oldest = _lines(mergecast("store", "stays", "acme/widgets", *_WEEK, "--order", "oldest", data=data))

    head = "pull request queue branch entered left reason time CI capacity schedule freeze retries"
    first = "#7 default main 2026-03-10 09:00 2026-03-10 10:00 CHECKS_FAILED 1h00m 21m 39m 0s 0s 0"
    assert ["acme/widgets · 2 stays of 3; --limit lists up to 1,000 · times in UTC", head, first] == found[:3]
    assert "acme/widgets · 3 stays · times in UTC" == oldest[0]
    assert ["#7", "#7", "#8"] == [line.split()[0] for line in oldest[2:]]
    assert "=1+1\\x1b[2J" in oldest[4]


def test_stays_as_csv(data: Path) -> None:
    """A name that a spreadsheet would compute is text."""
    found = mergecast("store", "stays", "acme/widgets", *_WEEK, "--branch", "=1+1\x1b[2J", "--csv", data=data)

    (row,) = csv.DictReader(io.StringIO(found.out))
    assert {
        "session_id": "s8",
        "pull_request": "8",
        "base_ref": "'=1+1\\x1b[2J",
        "queue_name": "default",
        "priority_rule_name": "",
        "entered_at": f"{_DAY}12:00:00Z",
        "left_at": f"{_DAY}12:30:00Z",
        "reason": "CHECKS_FAILED",
        "seconds": "1800.0",
        "ci_seconds": "0.0",
        "capacity_seconds": "1800.0",
        "schedule_seconds": "0.0",
        "freeze_seconds": "0.0",
        "retries": "0",
        "head_sha": "1a" * 20,
    } == row


def test_no_stay_is_an_answer(data: Path) -> None:
    """With the columns of CSV, and with advice where it does no harm."""
    period = ("--start", "2020-01-01", "--end", "2020-01-08", "--utc")
    table, table_csv, as_json = (
        mergecast("store", "stays", "acme/widgets", *period, *form, data=data)
        for form in ((), ("--csv",), ("--json",))
    )

    advice = "nothing in this period (2020-01-01 00:00 to 2020-01-08 00:00, UTC); the newest event is from "
    assert (0, True) == (table.code, table.out.startswith(advice))
    assert (0, True) == (table_csv.code, table_csv.err.startswith(advice))
    assert table_csv.out.startswith("session_id,pull_request,")
    assert {"total": 0, "stays": []} == json.loads(as_json.out)


def test_what_stays_refuses(data: Path) -> None:
    both = mergecast("store", "stays", "acme/widgets", "--csv", "--json", data=data)
    queue = mergecast("store", "stays", "acme/widgets", *_WEEK, "--queue", "defualt", data=data)

    assert (2, "") == (both.code, both.out)
    assert "--json and --csv cannot be used together" == json.loads(both.err)["error"]["detail"]
    assert (1, "mergecast: acme/widgets has no queue `defualt`; did you mean `default`?\n") == (
        queue.code, queue.err,
    )  # fmt: skip
