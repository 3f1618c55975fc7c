"""Imports read what ran in CI: the jobs of runs and pipelines, and which checks a branch requires."""

import json
from typing import Any

import pytest

from mergecast.incoming.intake.importing.importer import Importer, Stored
from mergecast.incoming.sources.registry import SOURCES
from mergecast.queues.model.instant import DAY, HOUR, MINUTE
from sources.ci_check_reports import lines_of
from sources.faulty_server import FaultyServer, Reply, Request, faulty_server
from sources.github_deliveries import sha
from sources.imports import NOW, Setup
from sources.platforms import GitHubPlatform, GitLabPlatform, at

_BEFORE = -20 * 24 * 60  # minutes: more than 14 days before now


def _github() -> GitHubPlatform:
    """Three pull requests: one merged long ago, two today."""
    platform = GitHubPlatform()
    for number, minutes in ((1, _BEFORE), (2, 100), (3, 300)):
        platform.added(number, minutes)
        platform.run(number, sha(f"group {number}"), minutes + 1, minutes + 20)
        platform.jobs[platform.runs[-1]["id"]] = [_job(number * 10, minutes), _job(number * 10 + 1, minutes)]
        platform.merged(number, minutes + 21, sha(f"group {number}"))
    return platform


def _job(id: int, minutes: float) -> dict[str, Any]:
    return {
        "id": id, "run_id": 1, "name": f"check {id % 10}", "workflow_name": "ci", "status": "completed",
        "conclusion": "success", "created_at": at(minutes + 1), "started_at": at(minutes + 3),
        "completed_at": at(minutes + 20), "labels": ["linux-x64"], "html_url": f"https://ci.example/{id}",
        "steps": [{"name": "checkout"}],
    }  # fmt: skip


def _kinds(setup: Setup, kind: str) -> list[dict[str, Any]]:
    return [item.body for item in setup.sink.kept.values() if item.kind == kind]


def _lines(setup: Setup) -> list[str]:
    read = SOURCES[setup.source].translator().read_item
    return lines_of(
        read(item.id, item.kind, json.dumps(item.body).encode(), setup.now)
        for item in setup.sink.kept.values()
    )


def _jobs_asked_for(server: FaultyServer) -> list[str]:
    return [request.path for request in server.requests if request.path.endswith("/jobs")]


def test_the_jobs_of_the_last_14_days_are_read() -> None:
    """Each run takes a request; 90 days of a monorepo would take hours."""
    with faulty_server(_github()) as server:
        setup = Setup("github", server)
        setup.once(NOW - 30 * DAY)

        assert [20, 21, 30, 31] == sorted(job["id"] for job in _kinds(setup, "workflow_job"))
        assert not any("steps" in job for job in _kinds(setup, "workflow_job"))
        assert 2 == len(_jobs_asked_for(server))
        assert _lines(setup)[0] == (
            f"main {sha('group 2')[:7]} attempt 1  check 0  11:41:00 → 11:43:00 → 12:00:00  success  "
            "linux-x64  https://ci.example/20"
        )


def test_an_import_without_jobs_has_the_same_other_items() -> None:
    """A token may read runs and not their jobs, or GitHub has deleted them."""
    platform = _github()
    with faulty_server(platform) as server:
        whole = Setup("github", server)
        whole.once()
        server.answer = lambda request: (
            Reply({}, 404) if request.path.endswith("/jobs") else platform(request)
        )
        without = Setup("github", server)
        without.once()

    assert without.sink.kept == {
        id: item for id, item in whole.sink.kept.items() if item.kind != "workflow_job"
    }


@pytest.mark.parametrize("fails_at", range(1, 12))
def test_an_interrupted_import_reads_the_jobs_that_are_missing(fails_at: int) -> None:
    """The position moves past a run only when its jobs are stored."""
    platform = _github()
    asked = 0

    def failing(request: Request) -> Reply:
        nonlocal asked
        asked += 1
        return Reply({}, 401) if asked == fails_at else platform(request)

    with faulty_server(platform) as server:
        setup = Setup("github", server, items_at_once=1)
        server.answer = failing
        try:
            setup.once()
        except Exception:  # noqa: BLE001 - whatever the import says
            server.answer = platform
        setup.once()

        assert [20, 21, 30, 31] == sorted(job["id"] for job in _kinds(setup, "workflow_job"))


def test_a_poll_reads_the_jobs_of_runs_that_have_just_ended() -> None:
    """Jobs that were read are not asked for with every poll."""
    platform = _github()
    with faulty_server(platform) as server:
        setup = Setup("github", server)

        async def polls(importer: Importer) -> Stored:
            await importer.run(NOW - 10 * HOUR)
            setup.now += 10 * MINUTE
            await importer.run(NOW - 10 * HOUR)
            server.requests.clear()
            platform.run(4, sha("group 4"), 595, 615)
            platform.jobs[platform.runs[-1]["id"]] = [_job(40, 595)]
            setup.now += 10 * MINUTE
            return await importer.run(NOW - 10 * HOUR)

        setup.run(polls)
        assert 1 == len(_jobs_asked_for(server))
        assert [20, 21, 30, 31, 40] == sorted(job["id"] for job in _kinds(setup, "workflow_job"))


_RULES = [
    {"type": "merge_queue", "parameters": {}},
    {
        "type": "required_status_checks",
        "parameters": {"required_status_checks": [{"context": "check 0"}, {"context": "e2e"}]},
    },
]
_PROTECTED = {"protected": True, "protection": {"required_status_checks": {"contexts": ["legacy"]}}}


@pytest.mark.parametrize(
    ("rules", "branch", "names"),
    [
        (_RULES, {"protected": False}, ["check 0", "e2e"]),
        ([], _PROTECTED, ["legacy"]),
        (_RULES, _PROTECTED, ["check 0", "e2e", "legacy"]),
        (_RULES, None, None),
        (None, _PROTECTED, None),
        ([*_RULES, {"type": "workflows"}], {}, None),
        ([], {}, None),
        ([{"type": "required_status_checks", "parameters": 7}], {"protection": []}, None),
    ],
)
def test_required_checks_are_known_if_the_token_may_read_all_rules(
    rules: list[dict[str, Any]] | None, branch: dict[str, Any] | None, names: list[str] | None
) -> None:
    """A check that part of the rules does not require may be required by the rest."""
    platform = _github()
    platform.rules, platform.branch = rules, branch
    with faulty_server(platform) as server:
        setup = Setup("github", server)
        setup.once()

        found = _kinds(setup, "required_checks")
        assert ([] if names is None else [{"base_ref": "main", "names": names, "at": at(600)}]) == found


def test_rules_are_stored_once_a_day_and_when_they_change() -> None:
    """They are read with every poll."""
    platform = _github()
    platform.rules, platform.branch = _RULES, {}
    with faulty_server(platform) as server:
        setup = Setup("github", server)
        setup.once()
        setup.once()
        one = len(_kinds(setup, "required_checks"))
        platform.branch = _PROTECTED
        setup.once()
        two = len(_kinds(setup, "required_checks"))
        setup.now += DAY
        setup.once()

        assert (1, 2, 3) == (one, two, len(_kinds(setup, "required_checks")))


def test_the_jobs_of_recent_pipelines_are_read_from_gitlab() -> None:
    """Those of pipelines that do not belong to a train are left out."""
    platform = GitLabPlatform()
    for number, id, minutes in ((58, 245, _BEFORE), (59, 246, 100), (60, 247, 200)):
        platform.car(id, number, minutes, merged=minutes + 21)
        platform.pipeline(id, number, minutes + 1, minutes + 20, "success")
        job = {"id": id * 10, "name": "rspec", "status": "success", "created_at": at(minutes + 1)}
        platform.jobs[id] = [{**job, "started_at": at(minutes + 2), "finished_at": at(minutes + 20)}]
    platform.pipelines[59].append({"id": 300, "ref": "refs/merge-requests/59/head", "updated_at": at(130)})
    del platform.jobs[247]  # GitLab has deleted them
    with faulty_server(platform) as server:
        setup = Setup("gitlab", server)
        setup.once(NOW - 30 * DAY)

        assert [2460] == [job["id"] for job in _kinds(setup, "job")]
        assert ["main 246 attempt 1  rspec  ? → 11:42:00 → 12:00:00  success"] == _lines(setup)
        assert 2 == len(_jobs_asked_for(server))
