"""The open pull requests of the invented repository, as GitHub would show them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

_PEOPLE: Final = ("ada", "bela", "chi", "dan", "eva")
_BOT: Final = "dependabot[bot]"
_UPDATE: Final = """\
Bump httpx from 0.28.0 to 0.28.1

---
updated-dependencies:
- dependency-name: httpx
  dependency-version: 0.28.1
  dependency-type: direct:production
  update-type: version-update:semver-patch
...
"""


@dataclass(frozen=True, slots=True)
class _Sketch:
    """What distinguishes one pull request from another; everything else follows from it."""

    number: int
    title: str
    head: str
    hours_old: float
    hours_quiet: float
    author: str = _PEOPLE[0]
    base: str = "main"
    labels: tuple[str, ...] = ()
    files: tuple[str, ...] = ("src/harbor/berths.py", "tests/test_berths.py")
    approved_by: tuple[str, ...] = ()
    refused_by: tuple[str, ...] = ()
    failed_check: str | None = None
    running_check: str | None = None
    is_draft: bool = False
    has_conflict: bool = False
    message: str | None = None  # of its commit, if that is more than the title


_SKETCHES: Final = (
    _Sketch(
        12208, "Assign berths by draught", "berths-by-draught", 30, 1,
        labels=("ready",), approved_by=("bela",),
    ),
    _Sketch(
        12207, "Stop double bookings of berth 12", "double-bookings", 3, 0.5, author="chi",
        labels=("hotfix", "ready"), approved_by=("ada", "dan"), running_check="unit tests",
    ),
    _Sketch(
        12206, "Bump httpx from 0.28.0 to 0.28.1", "dependabot/pip/httpx-0.28.1", 9, 8, author=_BOT,
        labels=("dependencies",), files=("requirements.txt",), message=_UPDATE,
    ),
    _Sketch(
        12205, "Show tides on the quay display", "tides", 52, 4, author="dan", labels=("ready",),
        approved_by=("eva",), failed_check="build",
    ),
    _Sketch(
        12204, "Rewrite the crane scheduler", "crane-scheduler", 400, 20, author="eva", is_draft=True,
        files=("src/harbor/cranes.py", "src/harbor/scheduler.py"),
    ),
    _Sketch(
        12203, "Keep pilots' hours in UTC", "pilots-in-utc", 26, 2, author="bela",
        labels=("ready", "backport to 2.4"), approved_by=("chi",), refused_by=("dan",),
    ),
    _Sketch(
        12202, "Round tonnage up", "tonnage-2.4", 70, 30, author="chi", base="release/2.4",
        labels=("ready",), approved_by=("ada",),
    ),
    _Sketch(
        12201, "Move customs forms to templates", "customs-forms", 1300, 900, has_conflict=True,
        files=("src/harbor/customs.py", "templates/form.html"),
    ),
)  # fmt: skip


def demo_pull_requests(repository: str, now: datetime) -> Iterator[tuple[int, dict[str, Any]]]:
    """The number and the recorded document of each; their ages count back from now."""
    for sketch in _SKETCHES:
        yield sketch.number, _record(sketch, repository, now)


def _record(sketch: _Sketch, repository: str, now: datetime) -> dict[str, Any]:
    quiet = _instant(now, sketch.hours_quiet)
    reviews = {
        **dict.fromkeys(sketch.approved_by, "APPROVED"),
        **dict.fromkeys(sketch.refused_by, "CHANGES_REQUESTED"),
    }
    return {
        "recorded_at": _instant(now, 0),
        "pull": _pull(sketch, repository, now),
        "files": [{"filename": path, "status": "modified"} for path in sketch.files],
        "commits": [_commit(sketch, quiet)],
        "reviews": [
            {"user": {"login": login, "type": "User"}, "state": state, "submitted_at": quiet}
            for login, state in reviews.items()
        ],
        "review_threads": [],
        "check_runs": [_check_run(sketch, name, quiet) for name in ("build", "unit tests", "integration")],
        "statuses": [],
        "branch_protection": None,
        "rules": [],
        "teams": {f"{repository.partition('/')[0]}/harbor": list(_PEOPLE)},
        "permissions": dict.fromkeys(_PEOPLE, "write"),
        "dependencies": {},
        "behind": 0,
        "deployments": [],
        "review_decision": None,
        "head_history": [],
        "scopes": [],
        "dequeue_reason": None,
        "queue": None,
    }


def _pull(sketch: _Sketch, repository: str, now: datetime) -> dict[str, Any]:
    owner, _, name = repository.partition("/")
    repo = {"id": 1, "name": name, "full_name": repository, "default_branch": "main"}
    repo |= {"owner": {"login": owner}}
    return {
        "number": sketch.number,
        "title": sketch.title,
        "body": None,
        "state": "open",
        "draft": sketch.is_draft,
        "locked": False,
        "merged": False,
        "mergeable": not sketch.has_conflict,
        "merged_by": None,
        "merge_commit_sha": None,
        "user": {"login": sketch.author, "type": "Bot" if sketch.author == _BOT else "User"},
        "base": {"ref": sketch.base, "repo": repo},
        "head": {"ref": sketch.head, "sha": _sha(sketch), "repo": repo},
        "milestone": None,
        "labels": [{"name": label} for label in sketch.labels],
        "assignees": [],
        "requested_reviewers": [],
        "requested_teams": [],
        "changed_files": len(sketch.files),
        "additions": 12 * len(sketch.files),
        "deletions": 3 * len(sketch.files),
        "commits": 1,
        "created_at": _instant(now, sketch.hours_old),
        "updated_at": _instant(now, sketch.hours_quiet),
        "closed_at": None,
        "merged_at": None,
    }


def _commit(sketch: _Sketch, at: str) -> dict[str, Any]:
    person = {"name": sketch.author, "email": f"{sketch.author}@harbor.example", "date": at}
    return {
        "sha": _sha(sketch),
        "commit": {
            "message": sketch.message or sketch.title,
            "author": person,
            "committer": person,
            "verification": {"verified": sketch.author == _BOT},
        },
        "parents": [{"sha": "0" * 40}],
        "author": {"login": sketch.author},
    }


def _check_run(sketch: _Sketch, name: str, at: str) -> dict[str, Any]:
    is_running = name == sketch.running_check
    conclusion = "failure" if name == sketch.failed_check else "success"
    return {
        "name": name,
        "status": "in_progress" if is_running else "completed",
        "conclusion": None if is_running else conclusion,
        "completed_at": None if is_running else at,
        "app": {"slug": "github-actions"},
    }


def _sha(sketch: _Sketch) -> str:
    return f"{sketch.number:040x}"


def _instant(now: datetime, hours_ago: float) -> str:
    moment = (now - timedelta(hours=hours_ago)).replace(microsecond=0)
    return moment.isoformat().replace("+00:00", "Z")
