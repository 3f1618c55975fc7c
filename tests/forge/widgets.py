"""Pull request 12 of Acme/Widgets, as GitHub returns it."""

from typing import Any

from github_server import Reply, Route

REPOSITORY = {"id": 1296269, "name": "Widgets", "full_name": "Acme/Widgets", "default_branch": "main",
              "owner": {"login": "Acme", "type": "Organization"}}  # fmt: skip
ROOT = "/repos/Acme/Widgets"
HEAD = "6dcb09b5b57875f334f61aebed695e2e4193db5e"
BASE = "553c2077f0edc3d5dc5d17262f6aa498e69d6f8e"


def user(login: str, type: str = "User") -> dict[str, Any]:
    return {"login": login, "id": 1, "type": type, "site_admin": False}


def pull(number: int = 12, **changes: Any) -> dict[str, Any]:
    return {
        "number": number, "state": "open", "title": "Round the edges", "locked": False, "draft": False,
        "user": user("octocat"), "merged": False, "merged_at": None, "merged_by": None, "closed_at": None,
        "body": "Smoother.\r\n\r\nDepends-On: #7\r\nDepends-On: Acme/Engine#3", "labels": [{"name": "ui"}],
        "milestone": None, "assignees": [], "requested_reviewers": [user("ann")],
        "requested_teams": [{"slug": "design", "name": "Design"}], "merge_commit_sha": BASE,
        "mergeable": True,
        "changed_files": 2, "additions": 10, "deletions": 3, "commits": 1,
        "created_at": "2026-11-01T09:00:00Z", "updated_at": "2026-11-02T09:00:00Z",
        "head": {"ref": "edges/round", "sha": HEAD, "repo": REPOSITORY, "label": "Acme:edges/round"},
        "base": {"ref": "release/1.0", "sha": BASE, "repo": REPOSITORY, "label": "Acme:release/1.0"},
        **changes,
    }  # fmt: skip


def moved_head(number: int = 12, **changes: Any) -> dict[str, Any]:
    head = {"ref": "edges/round", "sha": "f" * 40, "repo": REPOSITORY}
    return pull(number, **{"head": head, **changes})


def changed_file(number: int) -> dict[str, Any]:
    return {"sha": "b" * 40, "filename": f"src/edge{number}.py", "status": "modified", "additions": 1,
            "deletions": 1, "changes": 2, "patch": "@@ -1 +1 @@\n-sharp\n+round"}  # fmt: skip


def commit() -> dict[str, Any]:
    person = {"name": "Mona", "email": "mona@acme.example", "date": "2026-11-01T08:00:00Z"}
    return {"sha": HEAD, "parents": [{"sha": BASE}], "author": user("octocat"), "committer": {},
            "commit": {"message": "Round the edges", "author": person, "committer": person,
                       "verification": {"verified": False, "reason": "unsigned"}}}  # fmt: skip


def review(login: str, state: str = "APPROVED", type: str = "User") -> dict[str, Any]:
    return {"id": 80, "user": user(login, type), "state": state, "submitted_at": "2026-11-02T10:00:00Z"}


def check_run(number: int) -> dict[str, Any]:
    return {"id": number, "name": f"build ({number})", "status": "completed", "conclusion": "success",
            "completed_at": "2026-11-02T11:00:00Z", "app": {"slug": "github-actions"},
            "output": {"title": "Report", "summary": "long", "text": "longer"}}  # fmt: skip


def thread(*, is_resolved: bool, author: str | None) -> dict[str, Any]:
    comment = {"author": {"login": author} if author else None}
    return {"isResolved": is_resolved, "comments": {"nodes": [comment]}}


def conversation(threads: list[dict[str, Any]], after: str | None = None, **more: Any) -> dict[str, Any]:
    found = {"pageInfo": {"hasNextPage": after is not None, "endCursor": after}, "nodes": threads}
    told = {"reviewDecision": "APPROVED", "reviewThreads": found, **more}
    return {"data": {"repository": {"pullRequest": told}}}


def push(before: str, after: str, at: str, type: str = "push") -> dict[str, Any]:
    return {"id": 1, "before": before * 40, "after": after * 40, "ref": "refs/heads/edges/round",
            "timestamp": at, "activity_type": type, "actor": user("octocat")}  # fmt: skip


def permission(level: str, role: str) -> dict[str, Any]:
    return {"permission": level, "role_name": role, "user": user("x")}


NOT_PROTECTED = Reply(404, {"message": "Branch not protected", "status": "404"})
PROTECTION = {"url": "https://api.github.com", "required_status_checks": {"strict": True, "contexts": ["ci"]}}


def routes(**changes: Route) -> dict[str, Route]:
    """Every response needed to read pull request 12, by path."""
    commit_path = f"{ROOT}/commits/{HEAD}"
    return {
        f"{ROOT}/pulls/12": pull(),
        f"{ROOT}/pulls/12/files": [changed_file(1), changed_file(2)],
        f"{ROOT}/pulls/12/commits": [commit()],
        f"{ROOT}/pulls/12/reviews": [review("bob"), review("app[bot]", type="Bot"), review("bob")],
        f"{commit_path}/check-runs": {"total_count": 1, "check_runs": [check_run(1)]},
        f"{commit_path}/status": {"state": "success", "statuses": [
            {"context": "legacy", "state": "success", "updated_at": "2026-11-02T11:00:00Z"}]},
        f"{ROOT}/branches/release%2F1.0/protection": PROTECTION,
        f"{ROOT}/rules/branches/release%2F1.0": [{"type": "deletion"}],
        f"{ROOT}/collaborators/ann/permission": permission("write", "maintain"),
        f"{ROOT}/collaborators/bob/permission": permission("write", "release-captain"),
        f"{ROOT}/pulls/7": pull(7, state="closed", merged_at="2026-10-30T09:00:00Z"),
        "/repos/Acme/Engine/pulls/3": pull(3),
        f"{ROOT}/compare/release%2F1.0...{HEAD}": {"behind_by": 4, "ahead_by": 1, "commits": []},
        f"{ROOT}/deployments": [{"id": 5, "environment": "staging", "created_at": "2026-11-02T11:00:00Z"}],
        f"{ROOT}/deployments/5/statuses": [{"state": "success"}, {"state": "pending"}],
        f"{ROOT}/activity": [
            push("b", "c", "2026-11-02T08:00:00Z", "force_push"), push("a", "b", "2026-11-01T20:00:00Z"),
            push("0", "a", "2026-10-31T08:00:00Z", "branch_creation")],
        f"{ROOT}/teams": [{"slug": "design"}],
        "/orgs/Acme/teams/design/members": [user("ann"), user("bob")],
        "/orgs/Acme/teams": [{"slug": "design"}],
        "/graphql": conversation(
            [thread(is_resolved=True, author="ann"), thread(is_resolved=False, author=None)]),
        **changes,
    }  # fmt: skip
