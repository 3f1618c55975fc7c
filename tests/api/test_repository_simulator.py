"""The repository simulator on recorded pull requests, and both simulators on a platform."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from api.only_these import OnlyThese
from api.problem_documents import error, invalid, problem, unknown_repository
from api.recorded_pulls import NOON, Simulator, record, rich_record, simulator
from mergecast.api.platform_access import Platform
from mergecast.errors import Conflict, FieldError, NotFound, Unavailable
from mergecast.queues.model.snapshot import Needs

_GREETING = """\
pull_request_rules:
  - name: greet
    conditions: [label = ready]
    actions: {comment: {message: Hello}}
"""
_FAREWELL = _GREETING.replace("Hello", "Farewell")
_INVALID = "queue_rules:\n  - name: default\n    batch_size: 0\n"
_READY = {"labels": [{"name": "ready"}]}
_CLOSED = {"state": "closed", "closed_at": "2026-11-15T12:00:00Z"}


@pytest.fixture(scope="module")
def simulating(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Simulator]:
    with simulator(tmp_path_factory.mktemp("repository")) as made:
        yield made


def test_open_pull_requests(simulating: Simulator, repository: str) -> None:
    """The whole response: overview and table without closed pull requests, identical bytes each time."""
    for one in (record(7), record(8, pull=_READY), record(9, pull=_READY | _CLOSED)):
        simulating.record(repository, one).raise_for_status()

    answers = [simulating.repository(repository, _GREETING) for _ in range(2)]

    assert answers[0].content == answers[1].content
    summary = (
        "### Overview\n\n1 rule:\n\n- **greet**: when `label = ready`, posts a comment\n\n"
        "### Open pull requests\n\n"
        "| Pull request | Matching rules | Queue | Blocked by |\n| --- | --- | --- | --- |\n"
        "| #8 Fix the queue | `greet` | — | — |\n| #7 Fix the queue | — | — | — |"
    )
    assert {
        "title": "1 of 2 open pull requests would be affected",
        "summary": summary,
        "deprecations": [],
    } == answers[0].json()


def test_rules_of_a_disabled_product(simulating: Simulator, repository: str) -> None:
    """The table names the rules that match; a note says why no pull request would be affected."""
    path = f"/v1/repos/{repository}/products"
    simulating.server.http.put(path, json={"products": ["merge_queue"]}).raise_for_status()
    simulating.record(repository, record(8, pull=_READY)).raise_for_status()

    answer = simulating.repository(repository, _GREETING).json()

    assert "0 of 1 open pull request would be affected" == answer["title"]
    assert "| #8 Fix the queue | `greet` | — | — |" in answer["summary"]
    note = "The section `pull_request_rules` is ignored: the product Workflow Automation is not enabled"
    assert note in answer["summary"]


def test_no_open_pull_request(simulating: Simulator, repository: str) -> None:
    """The response still has the overview."""
    simulating.record(repository, record(7, pull=_CLOSED)).raise_for_status()

    answer = simulating.repository(repository, _GREETING).json()

    assert "no open pull requests" == answer["title"]
    assert answer["summary"].startswith("### Overview\n")


def test_more_than_a_hundred_pull_requests(simulating: Simulator, repository: str) -> None:
    """The newest hundred are simulated, the others counted."""
    for number in range(1, 104):
        simulating.record(repository, record(number, pull=_READY)).raise_for_status()

    answer = simulating.repository(repository, _GREETING).json()

    assert "100 of 100 open pull requests would be affected, 3 not simulated" == answer["title"]
    assert "| #4 Fix the queue |" in answer["summary"]
    assert "| #3 Fix the queue |" not in answer["summary"]
    assert "3 pull requests not simulated" in answer["summary"]


def test_large_records(simulating: Simulator, repository: str) -> None:
    """One request simulates a limited amount of data; the others are counted."""
    files = [{"filename": f"{number:060}", "status": "added", "patch": "x" * 700} for number in range(7000)]
    for number in range(1, 6):
        simulating.record(repository, record(number, files=files, pull=_READY)).raise_for_status()

    answer = simulating.repository(repository, _GREETING)

    assert 200 == answer.status_code, answer.text
    assert "2 of 2 open pull requests would be affected, 3 not simulated" == answer.json()["title"]


def test_old_records(simulating: Simulator, repository: str) -> None:
    """One note covers all of them."""
    for number, day in ((7, 13), (8, 14), (9, 16)):
        old = record(number, recorded_at=f"2026-11-{day}T10:00:00Z")
        simulating.record(repository, old).raise_for_status()

    summary = simulating.repository(repository, _GREETING).json()["summary"]

    note = "2 pull requests were recorded over a day ago, the first on 2026-11-13T10:00:00Z"
    assert summary.endswith(f"### Notes\n\n- {note}")


def test_plain_text(simulating: Simulator, repository: str) -> None:
    """Clients that accept nothing else get plain text."""
    simulating.record(repository, record(8, pull=_READY)).raise_for_status()

    answer = simulating.repository(repository, _GREETING, Accept="text/plain")

    assert answer.text.startswith("1 of 1 open pull request would be affected\n\nOverview\n")


def test_errors(simulating: Simulator, repository: str) -> None:
    """An invalid document is reported before an unknown repository."""
    unknown, rejected = (simulating.repository(repository, text) for text in (_GREETING, _INVALID))

    assert (404, unknown_repository(repository)) == (unknown.status_code, unknown.json())
    assert 422 == rejected.status_code
    assert isinstance(rejected.json()["detail"], str)


def test_recorded_extended_documents(simulating: Simulator, repository: str) -> None:
    """`extends` is resolved with the documents recorded for any of the pull requests."""
    document = "extends: shared\n"
    simulating.record(
        repository, record(7, pull=_READY, extends={"Acme/Shared": _GREETING})
    ).raise_for_status()
    simulating.record(repository, record(8)).raise_for_status()

    answer = simulating.repository(repository, document).json()

    assert "1 of 2 open pull requests would be affected" == answer["title"]


@pytest.fixture(scope="module")
def forge() -> OnlyThese:
    return OnlyThese()


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory, forge: OnlyThese) -> Iterator[Simulator]:
    platform = Platform(forge, "ghp_of_the_settings", 250)
    with simulator(tmp_path_factory.mktemp("live"), platform=platform) as made:
        yield made


@pytest.fixture
def platform(forge: OnlyThese) -> OnlyThese:
    forge.__init__()  # type: ignore[misc]
    return forge


def test_a_pull_request_on_the_platform(live: Simulator, platform: OnlyThese) -> None:
    """The server requests only the parts that the document needs, with the token from the settings."""
    platform.pulls = {7: rich_record()}

    answer = live.pull_request("acme/engine", 7, _GREETING)

    assert (200, "1 rule matches — merge protections fail") == (answer.status_code, answer.json()["title"])
    needs = Needs(frozenset({"files", "dependencies", "check_runs", "statuses"}))
    assert [("pull", "acme/engine", 7, needs, "ghp_of_the_settings")] == platform.asked


def test_the_platform_takes_precedence(live: Simulator, platform: OnlyThese, repository: str) -> None:
    """A record is used only if the platform does not show the pull request."""
    live.record(repository, record(7, pull=_READY)).raise_for_status()
    live.record(repository, record(8, pull=_READY)).raise_for_status()
    platform.pulls = {7: record(7)}

    titles = [live.pull_request(repository, number, _GREETING).json()["title"] for number in (7, 8)]
    missing = live.pull_request(repository, 9, _GREETING)

    assert ["1 potential rule", "1 rule matches"] == titles
    detail = (
        f"pull request 9 of {repository} is not known here: no snapshot of it is recorded, "
        "and the code-hosting platform does not show it"
    )
    assert (404, problem(404, detail)) == (missing.status_code, missing.json())


def test_an_invalid_document_costs_no_call(live: Simulator, platform: OnlyThese) -> None:
    """The server rejects it before it asks the platform."""
    assert 422 == live.pull_request("acme/engine", 7, _INVALID).status_code
    assert 422 == live.repository("acme/engine", _INVALID).status_code
    assert [] == platform.asked


def test_extended_documents(live: Simulator, platform: OnlyThese) -> None:
    """The server reads the document that `extends` names from the platform, and the parts it needs."""
    platform.pulls = {7: rich_record()}
    platform.documents = {
        "acme/shared": _GREETING.replace("label = ready", "approved-reviews-by = @reviewers")
    }

    answer = live.pull_request("acme/engine", 7, "extends: shared\n").json()

    assert "1 rule matches — merge protections fail" == answer["title"]
    assert "The configuration of" not in answer["summary"]
    (first, second) = platform.asked
    assert ("document", "acme/shared", "ghp_of_the_settings") == first
    assert frozenset({"acme/reviewers"}) == second[3].teams


@pytest.mark.parametrize("failure", [NotFound("no such repository"), None])
def test_unreadable_extended_documents(
    live: Simulator, platform: OnlyThese, repository: str, failure: Exception | None
) -> None:
    """The simulation continues, and a note says so."""
    live.record(repository, record(7)).raise_for_status()
    platform.pulls, platform.failure = {7: record(7)}, failure

    summary = live.pull_request(repository, 7, "extends: shared\n").json()["summary"]

    reason = "it was not recorded" if failure else "the platform shows no document of it"
    assert f"The configuration of shared could not be read ({reason})" in summary


def test_an_invalid_extended_document(live: Simulator, platform: OnlyThese) -> None:
    """It is an error at `extends`."""
    platform.documents = {"acme/shared": _INVALID}

    answer = live.pull_request("acme/engine", 7, "extends: shared\n")

    assert 422 == answer.status_code
    assert answer.json()["detail"].startswith("the configuration of shared is invalid: ")


def test_a_repository_on_the_platform(live: Simulator, platform: OnlyThese) -> None:
    """The candidate is compared with the current document; the settings limit the number of calls."""
    platform.pulls = {7: record(7), 8: record(8, pull=_READY)}
    platform.documents = {"acme/engine": _FAREWELL}
    platform.not_looked_at = 5

    answer = live.repository("acme/engine", _GREETING).json()

    assert (
        "1 of 2 open pull requests would be affected, 5 not simulated — 1 treated differently than now"
    ) == answer["title"]
    assert "- #8: new: Would post the comment: `Hello`; no longer: " in answer["summary"]
    needs = Needs(frozenset({"files", "dependencies", "check_runs", "statuses"}))
    assert {
        ("open", "acme/engine", needs, "ghp_of_the_settings", 250),
        ("document", "acme/engine", "ghp_of_the_settings"),
    } == set(platform.asked)


def test_an_invalid_current_document(live: Simulator, platform: OnlyThese) -> None:
    """There is no comparison, and a note says so."""
    platform.pulls, platform.documents = {7: record(7)}, {"acme/engine": _INVALID}

    answer = live.repository("acme/engine", _GREETING).json()

    assert "0 of 1 open pull request would be affected" == answer["title"]
    assert "- The current document is invalid, so there is no comparison with it" in answer["summary"]


def test_a_repository_that_the_platform_does_not_show(
    live: Simulator, platform: OnlyThese, repository: str
) -> None:
    """The server uses the recorded pull requests instead."""
    platform.failure = NotFound("no such repository")
    unknown = live.repository(repository, _GREETING)
    live.record(repository, record(7, pull=_READY)).raise_for_status()

    recorded = live.repository(repository, _GREETING)

    assert (404, unknown_repository(repository)) == (unknown.status_code, unknown.json())
    assert "1 of 1 open pull request would be affected" == recorded.json()["title"]


@pytest.mark.parametrize(
    ("failure", "status", "expected"),
    [
        (
            Conflict([FieldError("path", "number", "the head moved; try again")]),
            409,
            invalid(error("path", "number", "the head moved; try again"), status=409),
        ),
        (Unavailable("the platform is down"), 503, None),
    ],
)
def test_platform_failures(
    live: Simulator, platform: OnlyThese, failure: Exception, status: int, expected: object
) -> None:
    """The response reports them and uses no outdated data."""
    live.record("acme/engine", record(7)).raise_for_status()
    platform.failure = failure

    answers = [live.pull_request("acme/engine", 7, _GREETING), live.repository("acme/engine", _GREETING)]

    assert [status, status] == [answer.status_code for answer in answers]
    if expected:
        assert expected == answers[0].json()
    else:
        assert "5" == answers[0].headers["retry-after"]


def test_an_unreadable_answer_of_the_platform(live: Simulator, platform: OnlyThese) -> None:
    """The response is a conflict that names the location."""
    platform.pulls = {7: record(7, pull={"title": None})}

    answer = live.pull_request("acme/engine", 7, _GREETING)

    message = "its record cannot be read; record it again: /pull/title: must be a text, not null"
    assert (409, invalid(error("path", "number", message), status=409)) == (
        answer.status_code,
        answer.json(),
    )


def test_without_a_token_the_platform_is_not_used(tmp_path: Path) -> None:
    """The server sends the platform no request."""
    forge = OnlyThese({7: record(7, pull=_READY)})
    with simulator(tmp_path, platform=Platform(forge)) as made:
        made.clock.instant = NOON
        made.record("acme/engine", record(7)).raise_for_status()

        assert "1 potential rule" == made.pull_request("acme/engine", 7, _GREETING).json()["title"]

    assert [] == forge.asked


def test_one_unreadable_pull_request(live: Simulator, platform: OnlyThese) -> None:
    """The response names and counts it, and the others are simulated."""
    platform.pulls = {7: record(7, pull={"title": None}), 8: record(8, pull=_READY)}

    answer = live.repository("acme/engine", _GREETING)

    assert 200 == answer.status_code
    assert "1 of 1 open pull request would be affected, 1 not simulated" == answer.json()["title"]
    note = (
        "- Cannot read the record of a pull request; record it again: "
        "7 (/pull/title: must be a text, not null)"
    )
    assert note in answer.json()["summary"]


def test_large_pull_requests_on_the_platform(live: Simulator, platform: OnlyThese) -> None:
    """One request simulates a limited amount of data; an excess is not an error of the document."""
    large, huge = ([{"filename": "x" * length, "status": "added"}] for length in (9 << 20, 17 << 20))
    platform.pulls = {7: record(7, files=huge), 8: record(8, files=large), 9: record(9, files=large)}

    several, one = live.repository("acme/engine", _GREETING), live.pull_request("acme/engine", 7, _GREETING)

    assert "0 of 1 open pull request would be affected, 2 not simulated" == several.json()["title"]
    message = "the platform's answer about it takes 17 MiB, more than the 16 MiB that can be simulated"
    assert (409, invalid(error("path", "number", message), status=409)) == (one.status_code, one.json())
