"""How the branches of queues are set up is read from GitHub with their queues, and again when it changes."""

import asyncio
from pathlib import Path
from typing import Any

from mergecast.incoming.intake.follower import StoreSink
from mergecast.incoming.intake.importing.importer import Importer, Stored
from mergecast.incoming.intake.intake import Intake
from mergecast.queues.answers.audit import AuditQuestion, BranchRules, QueueRule
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.set_ups import read_set_ups
from sources.faulty_server import faulty_server
from sources.imports import NOW, SINCE, MemorySink, Setup
from sources.platforms import GitHubPlatform

_CONFIGURATION: dict[str, Any] = {"maximumEntriesToBuild": 7, "checkResponseTimeout": 60}
_REQUIRED = {
    "type": "required_status_checks",
    "parameters": {"required_status_checks": [{"context": "lint"}]},
}
_BRANCH = {"protection": {"required_status_checks": {"contexts": ["classic"]}}}
_NAME = Repository("acme", "lander")
_CI = {"ci.yml": "on: [merge_group]\njobs: {lint: {runs-on: x}}\n", "README.md": "No workflow."}


def _looks(platform: GitHubPlatform, *changes: dict[str, Any]) -> list[AuditQuestion]:
    """What one importer keeps that looks at the queue, and once more after each change of the platform."""
    sink = MemorySink()

    async def look(importer: Importer) -> Stored:
        stored = await importer.check_queue()
        for change in changes:
            for name, value in change.items():
                setattr(platform, name, value)
            stored = await importer.check_queue()
        return stored

    with faulty_server(platform) as server:
        Setup("github", server, sink, NOW).run(look)
    return sink.set_ups


def test_files_rules_and_settings_of_a_branch_with_a_queue() -> None:
    platform = GitHubPlatform(configuration=_CONFIGURATION, rules=[_REQUIRED], branch=_BRANCH, workflows=_CI)
    (kept,) = _looks(platform)
    assert kept.files == {".github/workflows/ci.yml": _CI["ci.yml"]}
    assert (kept.base_ref, kept.repository, len(kept.commit or "")) == ("main", platform.repository, 40)
    assert kept.rules == BranchRules(
        required=("classic", "lint"),
        queue=QueueRule(max_entries_to_build=7, check_response_timeout_minutes=60),
    )


def test_it_is_read_again_only_when_files_or_rules_change() -> None:
    platform = GitHubPlatform(configuration=_CONFIGURATION, rules=[], branch=_BRANCH, workflows=_CI)
    changed = {"ci.yml": "on: [push]\njobs: {}\n"}
    kept = _looks(platform, {}, {"workflows": changed}, {"rules": [_REQUIRED]}, {})
    assert [(len(one.files), one.rules.required) for one in kept] == [
        (1, ("classic",)),
        (1, ("classic",)),
        (1, ("classic", "lint")),
    ]
    assert kept[1].files == {".github/workflows/ci.yml": changed["ci.yml"]}


def test_a_branch_without_a_queue_or_without_workflows_is_not_kept() -> None:
    assert not _looks(GitHubPlatform(workflows=_CI))
    assert not _looks(GitHubPlatform(configuration=_CONFIGURATION))


def test_rules_that_the_token_may_not_read_are_not_known() -> None:
    (kept,) = _looks(GitHubPlatform(configuration=_CONFIGURATION, workflows=_CI))
    assert kept.rules.required is None


def test_a_server_keeps_what_it_follows(tmp_path: Path) -> None:
    """Once the repository is known; the next look reads it again."""
    platform = GitHubPlatform(configuration=_CONFIGURATION, rules=[_REQUIRED], branch=_BRANCH, workflows=_CI)
    store = open_store(tmp_path)
    sink = StoreSink(store, Intake(store, lambda: NOW, "tests"), _NAME, "github", lambda: NOW)
    with faulty_server(platform) as server:
        Setup("github", server, sink, NOW).once(SINCE)
    known = asyncio.run(store.repository(_NAME))
    assert known is not None
    (kept,) = asyncio.run(store.read(known.id, lambda reader: read_set_ups(reader, known.id)))
    store.close()
    assert (kept.base_ref, kept.read_at) == ("main", NOW)
    assert b"lint" in kept.document
