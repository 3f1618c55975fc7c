"""Twenty questions that developers ask, the call that answers each, and facts that the answer must contain.

The facts come from the API, not from the tools.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from live_server import LiveServer
from mergecast.queues.model.figures import FIGURES
from mergecast.queues.model.words import CAUSE_WORDS, causes_in_words, percentage
from tools.conftest import REPOSITORY, removed_pull

WEEK = "2026-03-11T15:10:00Z"
DOCUMENT = "queue_rules:\n  - name: default\n    batch_sise: 5\n"
_ACTS = {
    "queue_again": "Queue it again",
    "wait": "Wait",
    "fix": "Fix it before it is queued again",
    "look": "Look at the log first",
    "nothing": "Do nothing",
}
_CERTAINTIES = {"sure": "almost certainly", "likely": "probably", "cannot_tell": "perhaps"}
Facts = Callable[[LiveServer], Sequence[str]]


class Question(NamedTuple):
    text: str  # `{}` is the number of the pull request
    facts: Facts


class Call(NamedTuple):
    """What is asked, of which pull request if of one, and the questions that the answer contains."""

    tool: str
    arguments: dict[str, Any]
    questions: tuple[Question, ...]
    number: Callable[[LiveServer], int] | None = None

    def asked(self, server: LiveServer) -> dict[str, Any]:
        number = {} if self.number is None else {"number": self.number(server)}
        return {"repository": REPOSITORY, **number, **self.arguments}


def get(server: LiveServer, path: str, **query: str) -> Any:
    answer = server.http.get(f"/v1/repos/{REPOSITORY}{path}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def _minute(instant: str) -> str:
    return f"{instant[:16].replace('T', ' ')} UTC"


def _merged(server: LiveServer) -> int:
    merged = [stay for stay in get(server, "/stays")["stays"] if stay["reason"] == "PR_MERGED"]
    number: int = max(merged, key=lambda stay: str(stay["left_at"]))["pull_request"]
    return number


def _first(server: LiveServer) -> dict[str, Any]:
    entry: dict[str, Any] = get(server, "/queue")["queues"][0]["entries"][0]
    return entry


def _state(server: LiveServer, number: int) -> Any:
    return get(server, f"/pulls/{number}/state")


def _verdict(server: LiveServer) -> Any:
    return get(server, f"/pulls/{removed_pull(server)}/verdict")


def _merge_facts(server: LiveServer) -> list[str]:
    return [f"merged at {_minute(_state(server, _merged(server))['since'])}"]


def _expected_facts(server: LiveServer) -> list[str]:
    expected = _first(server)["expected_merge"]
    return [_minute(expected["p50"]), _minute(expected["p90"]), percentage(expected["chance"])]


def _waiting_reason(server: LiveServer) -> list[str]:
    found = _state(server, _first(server)["pull_request"])
    assert found["waiting_for"]["reason"] == "ci"
    return [f"at position {found['position']}", "It waits: its CI run is in progress"]


def _removal_facts(server: LiveServer) -> list[str]:
    removal = _state(server, removed_pull(server))["removal"]
    return ["removed", _minute(removal["at"]), CAUSE_WORDS[removal["cause"]]]


def _failed_check(server: LiveServer) -> list[str]:
    (name,) = _verdict(server)["checks"]
    newest = get(server, f"/pulls/{removed_pull(server)}/history")["stays"][0]
    failed = [run["failed_ci_check"] for run in newest["checks"] if run["failed_ci_check"] is not None]
    urls = [check["url"] for check in failed if check["name"] == name]
    return [f"«{name}»", f"«{urls[-1]}»"]


def _certainty_facts(server: LiveServer) -> list[str]:
    verdict = _verdict(server)
    said = verdict["sentence"].replace(f"`{verdict['checks'][0]}`", f"«{verdict['checks'][0]}»")
    return [_CERTAINTIES[verdict["certainty"]], said, f"{verdict['basis']['runs']:,} CI runs"]


def _checks(server: LiveServer) -> list[dict[str, Any]]:
    checks = get(server, "/ci-checks", start_at=WEEK)["checks"]
    return sorted(checks, key=lambda one: -one["failed"])


def _most_failing(server: LiveServer) -> list[str]:
    return [
        f"«{one['name']}»: failed {one['failed']:,} of {one['runs']:,} runs" for one in _checks(server)[:3]
    ]


def _flaky_facts(server: LiveServer) -> list[str]:
    found = next(one for one in _checks(server) if one["name"] == "types")
    evidence = found["evidence"]
    passed = sum(evidence[name] for name in ("same_commit", "other_run", "built_on"))
    tried = passed + evidence["failed_again"]
    return [f"of {tried} tried again unchanged, {passed} passed", f"{found['flake_rate']:.1%}"]


def _stuck_facts(server: LiveServer) -> list[str]:
    found = get(server, "/queue")
    assert found["alerts"] == []
    return ["No alert.", *(f"«{one['queue_name']}»" for one in found["undiagnosed"])]


def _waiting_facts(server: LiveServer) -> list[str]:
    return [f"{len(queue['entries'])} pull request" for queue in get(server, "/queue")["queues"]]


def _figure_facts(*names: str) -> Facts:
    def facts(server: LiveServer) -> list[str]:
        found = get(server, "/summary", start_at=WEEK)["all"]
        return [FIGURES[name].written(found[name][side]) for name in names for side in ("value", "before")]

    return facts


def _cause_facts(server: LiveServer) -> list[str]:
    return [causes_in_words(get(server, "/summary", start_at=WEEK)["removal_causes"])]


def _alert_facts(server: LiveServer) -> list[str]:
    incidents = get(server, "/alerts", start_at=WEEK, state="all")["incidents"]
    since = [one["since"][:16].replace("T", " ") for one in incidents[:2]]
    queues = [f"«{one['queue_name']}» of «{one['base_ref']}»" for one in incidents[:2]]
    return [f"Alert in {queue} since {at} UTC" for queue, at in zip(queues, since, strict=True)]


def _forecast_facts(server: LiveServer) -> list[str]:
    body = {"base_ref": "main", "candidate": {"settings": {"batch_size": 5}}}
    found = server.http.post(f"/v1/repos/{REPOSITORY}/forecast", json=body).json()
    sides = (found["candidate"], found["baseline"])
    names = ("time_to_merge_p95", "ci_runs_per_merge")
    return [
        *(FIGURES[name].written(side[name]["value"]) for name in names for side in sides),
        f"Trust is {found['trust']['grade']}",
    ]


def _document_facts(_: LiveServer) -> list[str]:
    return ["invalid: 1 error", "Line 3, column 5", "did you mean `batch_size`?"]


CALLS = (
    Call("pull_request_status", {}, (Question("Is #{} merged?", _merge_facts),), _merged),
    Call(
        "pull_request_status",
        {},
        (
            Question("When will #{} merge?", _expected_facts),
            Question("Why is #{} still waiting?", _waiting_reason),
        ),
        lambda server: int(_first(server)["pull_request"]),
    ),
    Call(
        "pull_request_status",
        {},
        (
            Question(
                "Is #{} in the queue at all?", lambda _: ["is not known here: it has not been in a queue"]
            ),
        ),
        lambda _: 1,
    ),
    Call(
        "pull_request_status",
        {},
        (Question("What happened to #{}?", _removal_facts),),
        removed_pull,
    ),
    Call(
        "explain_removal",
        {},
        (
            Question(
                "Why was #{} evicted, whose fault was it?",
                lambda server: [CAUSE_WORDS[_verdict(server)["cause"]]],
            ),
            Question("Should #{} be queued again?", lambda server: [_ACTS[_verdict(server)["act"]]]),
            Question("Which check failed in #{}, and where is its log?", _failed_check),
            Question(
                "How certain is that, and what is the evidence?",
                _certainty_facts,
            ),
        ),
        removed_pull,
    ),
    Call("check_flakiness", {}, (Question("Which checks fail most?", _most_failing),)),
    Call("check_flakiness", {"check": "types"}, (Question("Is the check `types` flaky?", _flaky_facts),)),
    Call(
        "queue_status",
        {},
        (
            Question("Is the queue stuck?", _stuck_facts),
            Question("How many pull requests are waiting?", _waiting_facts),
            Question("What merges next?", lambda server: [f"First: #{_first(server)['pull_request']}"]),
        ),
    ),
    Call(
        "what_changed",
        {},
        (
            Question(
                "Is the queue slower than last week?", _figure_facts("time_in_queue_p50", "time_in_queue_p95")
            ),
            Question("Do more pull requests fail than last week?", _figure_facts("failure_rate", "merged")),
            Question("Why are pull requests being removed?", _cause_facts),
            Question("Were there alerts?", _alert_facts),
        ),
    ),
    Call(
        "forecast_settings",
        {"settings": {"batch_size": 5}},
        (Question("What would a batch size of 5 do?", _forecast_facts),),
    ),
    Call(
        "check_configuration",
        {"document": DOCUMENT},
        (Question("Is this document valid?", _document_facts),),
    ),
)
