"""`GET …/export/{table}`: the tables as files."""

from collections.abc import Iterator

import pytest

from api.problem_documents import unknown_repository
from builders import entered, event, left, worked_example
from live_server import LiveServer, live_server

_PATH = "/v1/repos/acme/widgets/export"
_STAYS = (
    "repository,session_id,pull_request,"
    "entered_at,entered_base_ref,entered_queue_name,entered_priority_rule_name,"
    "left_at,left_base_ref,left_queue_name,left_priority_rule_name,reason,is_merged,batch_id,retries,"
    "time_in_queue_seconds,ci_seconds,capacity_wait_seconds,schedule_wait_seconds,freeze_wait_seconds,"
    "head_sha\r\n"
)

_RUNS = (
    "repository,batch_id,attempt,base_ref,queue_name,priority_rule_name,started_in_group,verdict_in_group,"
    "started_at,ended_at,runtime_seconds,batch_size"
)
_BISECTIONS = (
    "repository,batch_id,step,at,base_ref,queue_name,priority_rule_name,depth,batch_size,culprit_found,"
    "max_failures_reached"
)

_CI_CHECKS = (
    "repository,id,at,base_ref,queue_name,batch_id,check_id,name,conclusion,attempt,queued_at,started_at,"
    "ended_at,url,runner,is_required,source"
)
_ENDED = (
    'acme/checked,\'=ended,2026-03-02T10:20:00Z,main,default,X,7,"unit, linux",failure,2,'
    "2026-03-02T10:10:00Z,2026-03-02T10:11:00Z,2026-03-02T10:20:00.500000Z,https://ci.example/7,"
    "linux-x64-16,false,api"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("data")) as live:
        live.send(worked_example()).raise_for_status()
        yield live


def test_stays_as_csv(server: LiveServer) -> None:
    """The worked example, to the byte; CSV is the format unless another is asked for."""
    answer = server.http.get(f"{_PATH}/stays")

    assert "text/csv; charset=utf-8; header=present" == answer.headers["content-type"]
    assert 'attachment; filename="acme-widgets-stays.csv"' == answer.headers["content-disposition"]
    assert (
        f"{_STAYS}"
        "acme/widgets,a,1,2026-03-02T10:00:00Z,main,default,,2026-03-02T11:02:00Z,main,default,,"
        "PR_MERGED,true,,1,3720.0,3000.0,720.0,0.0,0.0,\r\n"
        "acme/widgets,b,2,2026-03-02T10:05:00Z,main,default,,2026-03-02T11:03:00Z,main,default,,"
        "PR_MERGED,true,,1,3480.0,3000.0,480.0,0.0,0.0,\r\n"
    ) == answer.text


def test_checks_and_runs_as_csv(server: LiveServer) -> None:
    """Two stays share two CI runs."""
    checks = server.http.get(f"{_PATH}/checks?format=csv").text.splitlines()
    runs = server.http.get(f"{_PATH}/runs?format=csv").text.splitlines()

    assert 5 == len(checks)
    assert (
        "acme/widgets,a,X,1,2026-03-02T10:10:00Z,main,default,,2,2026-03-02T10:40:00Z,main,default,,"
        "CHECKS_RETRIED,1800.0"
    ) == checks[1]
    assert [
        _RUNS,
        "acme/widgets,X,1,main,default,,true,true,2026-03-02T10:10:00Z,2026-03-02T10:40:00Z,1800.0,2",
        "acme/widgets,X,2,main,default,,true,true,2026-03-02T10:41:00Z,2026-03-02T11:01:00Z,1200.0,2",
    ] == runs


def test_bisections_and_events_as_csv(server: LiveServer) -> None:
    """The end of a bisection follows its splits; an event has the columns of all types."""
    day = "2026-03-02T10:00:0"
    batch = {"batch_id": "X", "queue_name": "q"}
    server.send(
        [
            event("bisection_ended", f"{day}3Z", culprit_found=True, max_failures_reached=False, **batch),
            event("bisection_started", f"{day}2.5Z", depth=1, batch_pull_requests=[3, 4], **batch),
            event("bisection_started", f"{day}1Z", depth=0, batch_pull_requests=[1, 2, 3, 4], **batch),
            left(f"{day}4Z", "a", 1, id="last", seconds_waiting_for_freeze=1.5, head_sha="A1" * 20),
        ],
        "acme/split",
    ).raise_for_status()

    steps = server.http.get("/v1/repos/acme/split/export/bisections").text.splitlines()
    events = server.http.get("/v1/repos/acme/split/export/events").text.splitlines()

    assert [
        _BISECTIONS,
        "acme/split,X,started,2026-03-02T10:00:01Z,main,q,,0,4,,",
        "acme/split,X,started,2026-03-02T10:00:02.500000Z,main,q,,1,2,,",
        "acme/split,X,ended,2026-03-02T10:00:03Z,main,q,,,,true,false",
    ] == steps
    assert (
        "acme/split,last,queue_left,2026-03-02T10:00:04Z,main,default,,api,a,1,,,,PR_MERGED,,0.0,1.5,,,,"
        f"{'a1' * 20}"
    ) == events[-1]
    assert events[2].endswith(',,,X,,"3,4",,,,,1,,,')


def test_ci_checks_as_csv(server: LiveServer) -> None:
    """One row for each execution, with the report that counts; the other tables do not have them."""
    run = {"batch_id": "X", "check_id": "7", "name": "unit, linux"}
    server.send(
        [
            *worked_example(),
            event("ci_check_reported", "2026-03-02T10:11:00Z", id="running", conclusion=None, **run),
            event(
                "ci_check_reported", "2026-03-02T10:20:00Z", id="=ended", conclusion="failure",
                queued_at="2026-03-02T10:10:00Z", started_at="2026-03-02T10:11:00Z",
                ended_at="2026-03-02T10:20:00.5Z", url="https://ci.example/7", runner="linux-x64-16",
                is_required=False, attempt=2, **run,
            ),
            event("ci_check_reported", "2026-03-02T10:20:01Z", id="again", conclusion="success", **run),
        ],
        "acme/checked",
    ).raise_for_status()  # fmt: skip

    checks = server.http.get("/v1/repos/acme/checked/export/ci_checks").text.splitlines()
    events = server.http.get("/v1/repos/acme/checked/export/events").text.splitlines()

    assert _CI_CHECKS == checks[0]
    assert {
        'acme/checked,again,2026-03-02T10:20:01Z,main,default,X,7,"unit, linux",success,1,,,,,,,api',
        _ENDED,
    } == set(checks[1:])
    assert len(worked_example()) + 1 == len(events)


def test_names_that_look_like_formulas_are_escaped(server: LiveServer) -> None:
    """A spreadsheet computes no text, and numbers stay numbers."""
    names = ["=1+1", "+a", "-fix", "@SUM(A1)", "\tx", "\rx", "'=1", "'x", 'say "hi", then', "\uff1d1"]
    at = "2026-03-02T10:00:00Z"
    events = [entered(at, f"-{place}", place, base_ref=name) for place, name in enumerate(names)]
    server.send(events, "acme/odd").raise_for_status()

    answer = server.http.get("/v1/repos/acme/odd/export/stays?format=csv").text

    cells = [
        "'=1+1",
        "'+a",
        "'-fix",
        "'@SUM(A1)",
        "'\tx",
        '"\'\rx"',
        "''=1",
        "'x",
        '"say ""hi"", then"',
        "'\uff1d1",
    ]
    assert answer == _STAYS + "".join(
        f"acme/odd,'-{place},{place},{at},{cell},default,,,,,,,,,0,,,,,,\r\n"
        for place, cell in enumerate(cells)
    )


def test_parquet(server: LiveServer) -> None:
    """The media type, the name of the file, and its first and last bytes."""
    answer = server.http.get(f"{_PATH}/runs", params={"format": "parquet"})

    assert "application/vnd.apache.parquet" == answer.headers["content-type"]
    assert 'attachment; filename="acme-widgets-runs.parquet"' == answer.headers["content-disposition"]
    assert (b"PAR1", b"PAR1") == (answer.content[:4], answer.content[-4:])


def test_a_repository_without_events(server: LiveServer) -> None:
    """Its tables are empty."""
    server.http.put("/v1/repos/acme/new/products", json={"products": []}).raise_for_status()

    assert _STAYS == server.http.get("/v1/repos/acme/new/export/stays").text
    assert b"PAR1" == server.http.get("/v1/repos/acme/new/export/runs?format=parquet").content[-4:]


def test_head(server: LiveServer) -> None:
    answer = server.http.head(f"{_PATH}/stays?format=parquet")

    assert (200, "application/vnd.apache.parquet") == (answer.status_code, answer.headers["content-type"])


@pytest.mark.parametrize(
    ("asked", "place", "name", "message"),
    [
        ("users", "path", "table", "must be one of stays, checks, runs, bisections, events, ci_checks"),
        ("stays?format=xlsx", "query", "format", "must be one of csv, parquet"),
        ("stays?format=csv&format=csv", "query", "format", "is given twice but takes one value"),
        (
            "stays?formt=csv",
            "query",
            "formt",
            "is not a parameter of this endpoint, did you mean format? It takes format",
        ),
    ],
)
def test_wrong_requests(server: LiveServer, asked: str, place: str, name: str, message: str) -> None:
    """The message says what would be right."""
    answer = server.http.get(f"{_PATH}/{asked}")

    assert 422 == answer.status_code
    assert [{"in": place, "name": name, "message": message}] == answer.json()["errors"]


def test_a_repository_that_does_not_exist(server: LiveServer) -> None:
    answer = server.http.get("/v1/repos/acme/none/export/stays")

    assert unknown_repository("acme/none") == answer.json()
