"""Settings over HTTP: one document with thresholds, reference periods, prices and notification rules."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.problem_documents import error, invalid, problem
from live_server import LiveServer, live_server
from mergecast.queues.model.instant import DAY, parse_instant
from mergecast.signals.notices.delivery import NoticeSettings
from postgres.server import new_store
from signals.two_an_hour import merges

MONDAY = parse_instant("2026-03-02T00:00:00Z")
NOW = MONDAY + 14 * DAY
PATH = "/v1/repos/acme/widgets/settings"
EMPTY: dict[str, Any] = {"thresholds": [], "reference_periods": [], "prices": None, "notifications": []}
HOUR = {
    "figure": "time_to_merge_p95",
    "base_ref": None,
    "queue_name": "default",
    "value": 3600.0,
    "alert": True,
}
OFF = {"figure": "run_too_long", "base_ref": "main", "queue_name": "default", "value": None, "alert": True}
PRICES = {"currency": "USD", "per_minute": "0.008", "by_runner": {"linux-x64-16": "0.064"}}
MARCH: dict[str, Any] = {
    "name": "march",
    "base_ref": "main",
    "queue_name": "default",
    "start_at": "2026-03-02T00:00:00Z",
    "end_at": "2026-03-09T00:00:00Z",
    "limits": {"time_to_merge_p95": 1.5, "failure_rate": 1.5, "ci_runs_per_merge": 1.3},
}
SLACK = {"kind": "slack", "url": "https://hooks.slack.example/services/T0/B0/x", "name": "#merge-queue"}
RULE = {"what": "alert", "figures": ["no_run_started"], "origins": None, "queues": ["default"]}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("settings"), now=lambda: NOW) as live:
        live.send(merges(MONDAY, 14)).raise_for_status()
        yield live


@pytest.fixture
def server(shared: LiveServer) -> LiveServer:
    """A repository with two weeks of merges, and nothing set."""
    for channel in shared.http.get("/v1/repos/acme/widgets/channels").json()["channels"]:
        shared.http.delete(f"/v1/repos/acme/widgets/channels/{channel['id']}").raise_for_status()
    _put(shared, {"thresholds": None, "reference_periods": None, "prices": None}).raise_for_status()
    return shared


def _get(server: LiveServer) -> httpx.Response:
    return server.http.get(PATH)


def _put(server: LiveServer, body: Any, etag: str | None = None, **query: str) -> httpx.Response:
    headers = {"If-Match": etag or _get(server).headers["etag"]}
    return server.http.put(PATH, json=body, headers=headers, params=query)


def _channel(server: LiveServer, **fields: Any) -> Any:
    made = server.http.post("/v1/repos/acme/widgets/channels", json={**SLACK, "rules": [], **fields})
    assert 201 == made.status_code, made.text
    return made.json()


def test_all_sections_are_written_together(server: LiveServer) -> None:
    """What is left out of a value has its default, and the answer says in words what changed."""
    _channel(server)
    assert {**EMPTY, "notifications": [{"channel": "#merge-queue", "rules": []}]} == _get(server).json()

    put = _put(
        server,
        {
            "thresholds": [
                {"figure": "time_to_merge_p95", "queue_name": "default", "value": "1h"},
                {"figure": "run_too_long", "base_ref": "main", "queue_name": "default", "value": None},
                {"figure": "failure_rate", "value": "5%", "alert": False},
            ],
            "reference_periods": [{name: MARCH[name] for name in MARCH if name != "limits"}],
            "prices": PRICES,
            "notifications": [{"channel": "#merge-queue", "rules": [{**RULE}, {"what": "digest"}]}],
        },
    )

    assert 200 == put.status_code, put.text
    everything = {"what": "digest", "figures": None, "origins": None, "queues": None}
    rate = {"figure": "failure_rate", "base_ref": None, "queue_name": None, "value": 0.05, "alert": False}
    settings = {
        "thresholds": [OFF, rate, HOUR],
        "reference_periods": [MARCH],
        "prices": PRICES,
        "notifications": [{"channel": "#merge-queue", "rules": [RULE, everything]}],
    }
    limits = "limits time_to_merge_p95 1.5, failure_rate 1.5, ci_runs_per_merge 1.3"
    assert {
        "settings": settings,
        "changes": [
            "thresholds: added run_too_long of default on main: off",
            "thresholds: added failure_rate of all queues: above 5%, without alerts",
            "thresholds: added time_to_merge_p95 of default: above 1h",
            (
                "reference_periods: added march: default on main, "
                f"2026-03-02T00:00:00Z to 2026-03-09T00:00:00Z, {limits}"
            ),
            "prices: set to USD 0.008 a minute, linux-x64-16 0.064",
            "notifications: #merge-queue receives alerts of no_run_started in default; digest",
        ],
    } == put.json()
    assert settings == _get(server).json()
    assert put.headers["etag"] == _get(server).headers["etag"]


def test_a_section_that_is_left_out_stays_and_null_deletes_it(server: LiveServer) -> None:
    _put(server, {"thresholds": [HOUR], "prices": PRICES}).raise_for_status()

    deleted = _put(server, {"prices": None}).json()

    assert {**EMPTY, "thresholds": [HOUR]} == deleted["settings"]
    assert ["prices: deleted"] == deleted["changes"]


def test_the_same_document_changes_nothing(server: LiveServer) -> None:
    """An unchanged reference period is not pinned again, and no line of the audit is written."""
    first = _put(server, {"thresholds": [HOUR], "reference_periods": [MARCH], "prices": PRICES})
    period = server.http.get("/v1/repos/acme/widgets/reference-periods/march").json()
    lines = server.http.get("/v1/log").json()["lines"]

    again = _put(server, _get(server).json())

    assert (200, []) == (again.status_code, again.json()["changes"])
    assert first.headers["etag"] == again.headers["etag"]
    assert period == server.http.get("/v1/repos/acme/widgets/reference-periods/march").json()
    assert lines == server.http.get("/v1/log").json()["lines"]


def test_other_limits_keep_the_pinned_hours(server: LiveServer) -> None:
    """Even if the events of the period are deleted."""
    repository = "/v1/repos/acme/forgetful"
    server.send(merges(MONDAY, 14), "acme/forgetful").raise_for_status()
    any_tag = {"If-Match": "*"}
    server.http.put(f"{repository}/settings", json={"reference_periods": [MARCH]}, headers=any_tag)
    before = server.http.get(f"{repository}/reference-periods/march").json()
    server.http.delete(f"{repository}/events?end_at=2026-03-10T00:00:00Z").raise_for_status()

    strict = {**MARCH, "limits": {**MARCH["limits"], "failure_rate": 1.2}}
    put = server.http.put(f"{repository}/settings", json={"reference_periods": [strict]}, headers=any_tag)

    assert 200 == put.status_code, put.text
    after = server.http.get(f"{repository}/reference-periods/march").json()
    assert (1.2, before["figures"], before["merges"]) == (
        after["limits"]["failure_rate"],
        after["figures"],
        after["merges"],
    )


def test_a_dry_run_changes_nothing(server: LiveServer) -> None:
    before = _get(server)

    tried = _put(server, {"thresholds": [HOUR]}, dry_run="true")

    assert (200, ["thresholds: added time_to_merge_p95 of default: above 1h"]) == (
        tried.status_code,
        tried.json()["changes"],
    )
    assert (before.json(), before.headers["etag"]) == (_get(server).json(), _get(server).headers["etag"])


def test_a_change_needs_the_etag_of_what_it_changes(server: LiveServer) -> None:
    old = _get(server).headers["etag"]
    missing = server.http.put(PATH, json={"thresholds": [HOUR]})
    _put(server, {"thresholds": [HOUR]}).raise_for_status()
    late = _put(server, {"thresholds": [OFF]}, old)

    needed = (
        "PUT needs the header If-Match with the ETag of the settings that you read, so that no change is lost"
    )
    changed = "the settings have changed since they were read; read them again, and change those"
    assert problem(428, needed) == missing.json()
    assert problem(412, changed) == late.json()
    assert [HOUR] == _get(server).json()["thresholds"]


def test_the_etag_of_a_change_is_the_one_of_the_next(server: LiveServer) -> None:
    """A value with more decimals than the store keeps is shown, and compared, as it is stored."""
    wanted = {"thresholds": [{"figure": "failure_rate", "value": 0.0512345678}]}

    first = _put(server, wanted)
    again = _put(server, wanted, first.headers["etag"])

    assert (200, []) == (again.status_code, again.json()["changes"])
    assert first.json()["settings"] == _get(server).json()


def test_several_etags_in_several_lines(server: LiveServer) -> None:
    etag = _get(server).headers["etag"]
    lines = [("If-Match", '"of another version"'), ("If-Match", f'"a", {etag}')]

    assert 200 == server.http.put(PATH, json={"prices": None}, headers=lines).status_code


def test_a_weak_etag_does_not_match(server: LiveServer) -> None:
    """A proxy that compresses answers makes their tags weak; the message says what to send instead."""
    weak = _put(server, {"prices": None}, f"W/{_get(server).headers['etag']}")

    assert 412 == weak.status_code
    assert weak.json()["detail"].endswith("; a tag with W/ before it never matches: send it without")


def test_an_unchanged_answer_is_not_sent_again(server: LiveServer) -> None:
    first = _get(server)

    again = server.http.get(PATH, headers={"If-None-Match": first.headers["etag"]})

    assert (304, b"") == (again.status_code, again.content)


_SAVED = ["everyone_fails", "going_round", "splits", "run_too_long", "source_silent", "runs_slow"]


def _save(server: LiveServer, path: str, figure: str) -> list[int]:
    """Add a threshold and a rule for a figure, until both are stored; returns the refusals."""
    refusals: list[int] = []
    while True:
        present = server.http.get(path)
        settings = present.json()
        (channel,) = settings["notifications"]
        rule = {
            "what": "alert",
            "origins": ["set"],
            "figures": [figure if figure != "splits" else "forgotten"],
        }
        wanted = {
            "thresholds": [*settings["thresholds"], {"figure": figure, "value": 5}],
            "notifications": [{**channel, "rules": [*channel["rules"], rule]}],
        }
        put = server.http.put(path, json=wanted, headers={"If-Match": present.headers["etag"]})
        if put.status_code == 200:
            return refusals
        refusals.append(put.status_code)


def _save_at_once(servers: list[LiveServer], repository: str) -> None:
    """Several people save, on all servers, while another one changes the schedule of the channel."""
    path = f"/v1/repos/{repository}"
    servers[0].send(merges(MONDAY, 1), repository).raise_for_status()
    made = servers[0].http.post(f"{path}/channels", json={**SLACK, "rules": []}).json()

    def reschedule(hour: int) -> int:
        change = {"digest": {"hour": hour}}
        return servers[-1].http.put(f"{path}/channels/{made['id']}", json=change).status_code

    with ThreadPoolExecutor(len(_SAVED) + 4) as pool:
        changed = [pool.submit(reschedule, hour) for hour in range(24)]
        saved = [
            pool.submit(_save, servers[place % len(servers)], f"{path}/settings", figure)
            for place, figure in enumerate(_SAVED)
        ]
        refusals = {status for one in saved for status in one.result()}

    assert {412} >= refusals
    assert {200} == {one.result() for one in changed}
    settings = servers[0].http.get(f"{path}/settings").json()
    assert set(_SAVED) == {one["figure"] for one in settings["thresholds"]}
    assert len(_SAVED) == len(settings["notifications"][0]["rules"])


def test_two_people_save_at_once(server: LiveServer) -> None:
    """Of those that read the same settings one wins, and those that read again lose nothing."""
    _save_at_once([server], "acme/busy")


def test_people_save_at_once_on_two_servers(tmp_path: Path, database_server: str) -> None:
    url = new_store(database_server)
    notices = NoticeSettings(secret_keys=("0123456789abcdef" * 2,))
    with (
        live_server(tmp_path / "one", database_url=url, notices=notices, now=lambda: NOW) as one,
        live_server(tmp_path / "two", database_url=url, notices=notices, now=lambda: NOW) as two,
    ):
        _save_at_once([one, two], "acme/busy")


_FIGURES = (
    "no_run_started, run_too_long, everyone_fails, going_round, splits, nothing_merges, source_silent, "
    "runs_slow, forgotten, failure_rate, time_in_queue_p95, time_to_merge_p95, ci_runs_per_merge"
)
_FEW = {**MARCH, "start_at": "2026-02-20T00:00:00Z", "end_at": "2026-03-03T00:00:00Z"}
_WRONG: dict[str, tuple[Any, list[tuple[str, str]]]] = {
    "nothing": (
        {},
        [("", "is empty; it takes any of thresholds, reference_periods, prices and notifications")],
    ),
    "another section": (
        {"threshold": []},
        [
            (
                "/threshold",
                (
                    "is not a field of settings, did you mean thresholds? "
                    "It takes thresholds, reference_periods, prices or notifications"
                ),
            )
        ],
    ),
    "an unknown figure": (
        {"thresholds": [{"figure": "time_to_merge_p59", "value": 60}, {"figure": "zzz", "value": 1}]},
        [
            (
                "/thresholds/0/figure",
                f"time_to_merge_p59: is not a figure; did you mean time_to_merge_p95? There are {_FIGURES}",
            ),
            ("/thresholds/1/figure", f"zzz: is not a figure; there are {_FIGURES}"),
        ],
    ),
    "an unknown queue": (
        {
            "thresholds": [
                {"figure": "run_too_long", "queue_name": "defualt", "value": 60},
                {"figure": "run_too_long", "base_ref": "main", "queue_name": "zzz", "value": 60},
                {"figure": "run_too_long", "base_ref": "mian", "value": 60},
            ]
        },
        [
            ("/thresholds/0/queue_name", "there is no queue defualt; did you mean default?"),
            ("/thresholds/1/queue_name", "there is no queue zzz on main; there are default on main"),
            ("/thresholds/2/base_ref", "there is no branch mian; did you mean main?"),
        ],
    ),
    "an unknown channel": (
        {
            "notifications": [
                {"channel": "#merge-qeue", "rules": [{"what": "digest"}]},
                {"channel": "zzz", "rules": [{**RULE, "queues": ["defualt"]}]},
            ]
        },
        [
            ("/notifications/0/channel", "there is no channel #merge-qeue; did you mean #merge-queue?"),
            ("/notifications/1/channel", "there is no channel zzz; there are #merge-queue"),
            ("/notifications/1/rules/0/queues", "there is no queue defualt; did you mean default?"),
        ],
    ),
    "a unit that does not fit": (
        {
            "thresholds": [
                {"figure": "failure_rate", "value": "1h"},
                {"figure": "run_too_long", "value": "5%"},
                {"figure": "everyone_fails", "value": "many"},
            ]
        },
        [
            (
                "/thresholds/0/value",
                "`1h` is a duration, but failure_rate is a rate from 0 to 1, such as `5%` or 0.05",
            ),
            (
                "/thresholds/1/value",
                (
                    "`5%` is a percentage, but run_too_long is a duration, "
                    "such as `45m`, `1h30m` or 2700 (in seconds)"
                ),
            ),
            (
                "/thresholds/2/value",
                (
                    "`many` is not a number, a duration or a percentage; "
                    "everyone_fails is a number (runs), such as 4"
                ),
            ),
        ],
    ),
    "zero": (
        {"thresholds": [{"figure": "failure_rate", "value": 0}]},
        [("/thresholds/0/value", "must be above 0: any failure rate would be beyond a threshold of 0")],
    ),
    "a number of 400 digits": (
        {"thresholds": [{"figure": "failure_rate", "value": 10**400}]},
        [("/thresholds/0/value", f"must be from 0.01% to 100%, and `1{'0' * 39}…` is not")],
    ),
    "a period with too few merges": (
        {"reference_periods": [{**_FEW}, {**MARCH, "name": "empty", "queue_name": "defualt"}]},
        [
            (
                "/reference_periods/0/start_at",
                (
                    "the period has 48 merges, and a reference period needs at least 200; "
                    "the 92 days before its end, the longest period possible, have 48"
                ),
            ),
            (
                "/reference_periods/1/queue_name",
                "no event names the queue 'defualt'; known queues of main: default; did you mean default?",
            ),
        ],
    ),
    "twice": (
        {"thresholds": [HOUR, HOUR], "reference_periods": [MARCH, MARCH]},
        [
            ("/thresholds/1", "is about the same as /thresholds/0"),
            ("/reference_periods/1", "is about the same as /reference_periods/0"),
        ],
    ),
    "more than 1,000 thresholds": (
        {"thresholds": [HOUR] * 1001},
        [("/thresholds", "has 1,001 thresholds, more than 1,000")],
    ),
    "prices": (
        {"prices": {"currency": "usd", "per_minute": 0.008}},
        [
            ("/prices/currency", "must be three capital letters such as USD"),
            (
                "/prices/per_minute",
                'must be a price as a string such as "0.008": up to 6 digits, and up to 9 decimals',
            ),
        ],
    ),
    "no lists": (
        {"thresholds": 3, "reference_periods": [3], "notifications": {}},
        [
            ("/thresholds", "must be a list of thresholds, or null"),
            ("/reference_periods", "must be a list of reference periods, or null"),
            ("/notifications", "must be a list of channels, or null"),
        ],
    ),
}


@pytest.mark.parametrize("wrong", _WRONG)
def test_wrong_settings_change_nothing(server: LiveServer, wrong: str) -> None:
    """Every error is told at once, with its place."""
    body, errors = _WRONG[wrong]
    _channel(server)
    before = _get(server).json()

    answer = _put(server, body)

    assert invalid(*(error("body", name, message) for name, message in errors)) == answer.json()
    assert before == _get(server).json()


def test_a_field_that_comes_twice_is_refused(server: LiveServer) -> None:
    """A decoder would keep the last of them."""
    headers = {"If-Match": "*", "Content-Type": "application/json"}
    body = (
        b'{"prices": null, "thresholds": [{"figure": "failure_rate", "value": "5%", "value": "9%"}],'
        b' "prices": null}'
    )
    before = _get(server).json()
    answer = server.http.put(PATH, content=body, headers=headers)

    message = "is given more than once; keep only one of them"
    assert (
        invalid(error("body", "/thresholds/0/value", message), error("body", "/prices", message))
        == answer.json()
    )
    assert before == _get(server).json()


def test_deep_nesting_is_refused_whatever_finds_it(server: LiveServer) -> None:
    """Two decoders read the body, and each has a limit of its own."""
    headers = {"If-Match": "*", "Content-Type": "application/json"}
    depths = range(850, 1001, 2)
    found = {
        server.http.put(
            PATH, content=b'{"prices": ' + b"[" * depth + b"]" * depth + b"}", headers=headers
        ).json()["errors"][0]["message"]
        for depth in depths
    }

    assert {
        "must be an object with currency and per_minute, or null",
        "the body is not valid JSON: nested too deeply",
    } == found


def test_from_when_on_a_period_would_have_enough_merges(server: LiveServer) -> None:
    """Its start is named in the message, and accepted."""
    short = {**MARCH, "start_at": "2026-03-09T00:00:00Z", "end_at": "2026-03-16T00:00:00Z"}
    slow = "acme/sparse"
    sparse = [event for day in range(14) for event in merges(MONDAY + day * DAY, 1)[:96]]
    server.send(sparse, slow).raise_for_status()
    path, headers = f"/v1/repos/{slow}/settings", {"If-Match": "*"}

    refused = server.http.put(path, json={"reference_periods": [short]}, headers=headers).json()
    (found,) = refused["errors"]
    start = found["message"].partition("start at ")[2].removesuffix(" or earlier")
    earlier = {**short, "start_at": start}

    assert "/reference_periods/0/start_at" == found["name"]
    assert 200 == server.http.put(path, json={"reference_periods": [earlier]}, headers=headers).status_code


def test_more_than_1000_rules(server: LiveServer) -> None:
    names = [_channel(server, name=f"c{number}")["name"] for number in range(11)]
    rules = [
        {"what": "alert", "figures": [figure]} for figure in _FIGURES.replace("splits, ", "").split(", ")
    ]
    many = [
        {**rule, "origins": [origin], "queues": queues}
        for rule in rules
        for origin in ("set", "learned", "reference", "built_in")
        for queues in (None, ["default"])
    ]
    given = [{"channel": name, "rules": many[:95]} for name in names]

    answer = _put(server, {"notifications": given})

    message = "has 1,045 rules, more than 1,000"
    assert invalid(error("body", "/notifications", message)) == answer.json()


def test_a_channel_that_is_deleted_while_a_rule_names_it(server: LiveServer) -> None:
    """The settings have changed with it; whoever reads them again learns that it is gone."""
    channel = _channel(server)
    _put(server, {"notifications": [{"channel": "#merge-queue", "rules": [RULE]}]}).raise_for_status()
    read = _get(server)
    server.http.delete(f"/v1/repos/acme/widgets/channels/{channel['id']}").raise_for_status()

    wanted = {"thresholds": [HOUR], "notifications": read.json()["notifications"]}
    late, again = _put(server, wanted, read.headers["etag"]), _put(server, wanted)

    assert 412 == late.status_code
    gone = "there is no channel #merge-queue; create it with POST …/channels first"
    assert invalid(error("body", "/notifications/0/channel", gone)) == again.json()
    assert EMPTY == _get(server).json()


def test_a_channel_of_the_owner_is_not_changed_here(server: LiveServer) -> None:
    made = server.http.post("/v1/owners/acme/channels", json={**SLACK, "name": "everyone"}).json()

    answer = _put(server, {"notifications": [{"channel": "everyone", "rules": []}]})

    server.http.delete(f"/v1/owners/acme/channels/{made['id']}").raise_for_status()
    message = "everyone is a channel of the owner; change its rules among the owner's channels"
    assert invalid(error("body", "/notifications/0/channel", message)) == answer.json()


def test_a_channel_that_is_not_listed_receives_nothing_more(server: LiveServer) -> None:
    _channel(server)
    _put(server, {"notifications": [{"channel": "#merge-queue", "rules": [RULE]}]}).raise_for_status()

    put = _put(server, {"notifications": None}).json()

    assert ["notifications: #merge-queue receives nothing"] == put["changes"]
    (channel,) = server.http.get("/v1/repos/acme/widgets/channels").json()["channels"]
    assert [] == channel["rules"]


def test_who_may_change_what(server: LiveServer) -> None:
    """Who may not manage channels sees no notifications; the ETag is that of what is shown."""
    etag, statuses = _get(server).headers["etag"], {}
    for scope in ("ingest", "admin"):
        token = server.key(scopes=["read", scope])["key"]
        headers = {"Authorization": f"Bearer {token}", "If-Match": etag}
        shown = server.ask(token, PATH)
        put = server.http.put(PATH, json={"prices": None}, headers=headers)
        statuses[scope] = put.status_code, "notifications" in shown.json(), shown.headers["etag"] == etag

    assert {"ingest": (403, False, False), "admin": (200, True, True)} == statuses


def test_a_reader_does_not_learn_that_notifications_change(server: LiveServer) -> None:
    """The ETag of a reader stays; the one of those who may see the rules changes."""
    _channel(server)
    reader = server.key(scopes=["read"])["key"]
    asked = [(server.ask(reader, PATH).headers["etag"], _get(server).headers["etag"])]
    _put(server, {"notifications": [{"channel": "#merge-queue", "rules": [{"what": "digest"}]}]})
    asked.append((server.ask(reader, PATH).headers["etag"], _get(server).headers["etag"]))

    assert asked[0][0] == asked[1][0]
    assert asked[0][1] != asked[1][1]


def test_what_was_set_for_a_queue_that_is_gone_may_stay(server: LiveServer) -> None:
    """A document that was read can be sent back, whatever happened to the queues."""
    repository = "acme/renamed-queue"
    server.send(merges(MONDAY, 1), repository).raise_for_status()
    path, headers = f"/v1/repos/{repository}/settings", {"If-Match": "*"}
    server.http.put(path, json={"thresholds": [HOUR]}, headers=headers).raise_for_status()
    server.http.delete(f"/v1/repos/{repository}/events?end_at=2026-03-20T00:00:00Z").raise_for_status()
    other = [{**event, "queue_name": "fast"} for event in merges(MONDAY, 1)]
    server.send(other, repository).raise_for_status()

    again = server.http.put(path, json=server.http.get(path).json(), headers=headers)

    assert 200 == again.status_code, again.text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("targets", "settings"),
        ("prices", "settings"),
        ("baselines", "reference-periods"),
        ("baselines/march", "reference-periods/march"),
        ("baseline-preview", "reference-periods/preview"),
        ("queue-problems", "alerts"),
    ],
)
def test_former_paths_name_the_present_ones(server: LiveServer, old: str, new: str) -> None:
    answer = server.http.get(f"/v1/repos/acme/widgets/{old}")

    detail = f"there is no such path; it is now /v1/repos/acme/widgets/{new}"
    assert problem(404, detail) == answer.json()


@pytest.mark.parametrize("path", ["thresholds", "reference-periods/march", "alerts"])
def test_what_can_only_be_read_names_the_path_that_changes_it(server: LiveServer, path: str) -> None:
    for method in ("PUT", "DELETE"):
        answer = server.http.request(method, f"/v1/repos/acme/widgets/{path}")

        detail = "this path allows GET, HEAD; PUT /v1/repos/acme/widgets/settings changes this"
        assert problem(405, detail) == answer.json()
