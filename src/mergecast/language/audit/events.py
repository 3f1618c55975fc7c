"""Which events reach a workflow, and what its expressions see of them.

A group is tested on a branch of its own, `gh-readonly-queue/BASE/pr-NUMBER-COMMIT`: GitHub sends
`merge_group` for it,
and `push`, because the branch is created.
"""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from mergecast.language.audit.evaluation import Object, Unknown, Value
from mergecast.language.audit.workflows import Workflow

_CHECKED = (
    "opened",
    "synchronize",
    "reopened",
)  # the types of `pull_request` after which checks are reported


class On(Enum):
    """An event as the audit tells it apart."""

    PULL_REQUEST = "pull_request"
    PULL_REQUEST_TARGET = "pull_request_target"
    GROUP = "merge_group"
    GROUP_PUSH = "push to the branch of a group"
    PUSH = "push to the base branch"
    PULL_REQUEST_PUSH = "push to the branch of a pull request"


ON_PULL_REQUESTS = (On.PULL_REQUEST, On.PULL_REQUEST_TARGET, On.PULL_REQUEST_PUSH)
ON_GROUPS = (On.GROUP, On.GROUP_PUSH)
_PUSHES = (On.GROUP_PUSH, On.PUSH, On.PULL_REQUEST_PUSH)
_BRANCH = "change-of-somebody"  # stands for the branch of any pull request


class Group(NamedTuple):
    """A group of the queue. Its number and commit are invented: no two groups have the same."""

    number: int
    commit: str


GROUPS = (
    Group(101, "1d5c6a0e4b7f83921c0d5e6f7a8b9c0d1e2f3a4b"),
    Group(202, "9f2e8d7c6b5a49382716f5e4d3c2b1a09f8e7d6c"),
)


def reaches(workflow: Workflow, on: On, base_ref: str) -> bool | None:
    """Whether an event starts the workflow; None if that depends on the files that were changed."""
    event = workflow.events.get("push" if on in _PUSHES else on.value)
    if event is None:
        return False
    filters = event.filters
    types = filters.get("types")
    if on is On.GROUP:
        return (types is None or "checks_requested" in types) and passes(filters, base_ref)
    if on not in _PUSHES:
        if types is not None and not set(types) & set(_CHECKED):
            return False
        is_reached = passes(filters, base_ref)
    else:
        of_branches = {"branches", "branches-ignore"} & filters.keys()
        if not of_branches and {"tags", "tags-ignore"} & filters.keys():
            return False
        branches = {On.PUSH: base_ref, On.GROUP_PUSH: queue_branch(base_ref, GROUPS[0])}
        is_reached = passes(filters, branches.get(on, _BRANCH))
    if is_reached and {"paths", "paths-ignore"} & filters.keys():
        return None
    return is_reached


def passes(filters: Mapping[str, tuple[str, ...]], branch: str) -> bool:
    """Whether a branch passes the filters `branches` and `branches-ignore`."""
    if "branches" in filters:
        return _is_chosen(filters["branches"], branch)
    return not any(matches(pattern, branch) for pattern in filters.get("branches-ignore", ()))


def _is_chosen(patterns: Sequence[str], branch: str) -> bool:
    """The last pattern that matches decides; with `!` in front it leaves the branch out."""
    chosen = False
    for pattern in patterns:
        if matches(pattern.removeprefix("!"), branch):
            chosen = not pattern.startswith("!")
    return chosen


def matches(pattern: str, name: str) -> bool:
    """Whether a name matches one of GitHub's filter patterns, in time that grows with both lengths only."""
    parts = _parts(pattern)
    states = _with_skips(parts, {0})
    for character in name:
        after = set()
        for place in states:
            if place < len(parts) and parts[place].allows(character):
                after.add(place if parts[place].repeats else place + 1)
                after.add(place + 1)
        states = _with_skips(parts, after)
    return len(parts) in states


class _Part(NamedTuple):
    """What one place of a pattern allows: these characters (any if None) except those of `but`."""

    characters: str | None
    but: str = ""
    may_be_absent: bool = False
    repeats: bool = False

    def allows(self, character: str) -> bool:
        return (self.characters is None or character in self.characters) and character not in self.but


def _with_skips(parts: Sequence[_Part], states: set[int]) -> set[int]:
    found = set(states)
    for place, part in enumerate(parts):
        if place in found and part.may_be_absent:
            found.add(place + 1)
    return found


def _parts(pattern: str) -> list[_Part]:
    parts: list[_Part] = []
    place = 0
    while place < len(pattern):
        character = pattern[place]
        if pattern.startswith("**", place):
            parts.append(_Part(None, "", True, True))
            place += 1
        elif character == "*":
            parts.append(_Part(None, "/", True, True))
        elif character in "?+" and parts:
            last = parts[-1]
            parts[-1] = last._replace(may_be_absent=True) if character == "?" else last._replace(repeats=True)
        elif character == "[" and (end := pattern.find("]", place)) > 0:
            parts.append(_Part(_characters(pattern[place + 1 : end])))
            place = end
        else:
            place += character == "\\" and place + 1 < len(pattern)
            parts.append(_Part(pattern[place]))
        place += 1
    return parts


def _characters(listed: str) -> str:
    """The characters of `[a-z_]`."""
    found = ""
    place = 0
    while place < len(listed):
        if listed[place + 1 : place + 2] == "-" and place + 2 < len(listed):
            first, last = ord(listed[place]), ord(listed[place + 2])
            found += "".join(map(chr, range(first, min(last, first + 255) + 1)))
            place += 3
        else:
            found += listed[place]
            place += 1
    return found


def queue_branch(base_ref: str, group: Group) -> str:
    return f"gh-readonly-queue/{base_ref}/pr-{group.number}-{group.commit}"


def context_of(
    on: On, base_ref: str, group: Group = GROUPS[0], repository: str | None = None, workflow: str = "CI"
) -> dict[str, Value]:
    """What expressions of a workflow see when this event starts it."""
    same = {name: Unknown(name) for name in ("inputs", "matrix", "vars", "strategy")}
    name = Unknown("github.repository", is_name=True) if repository is None else repository
    owner = (
        Unknown("github.repository_owner", is_name=True)
        if repository is None
        else repository.partition("/")[0]
    )
    apart = {key: Unknown(f"github.{key}", True, is_distinct=True) for key in ("run_id", "run_number")}
    fields: dict[str, Value] = {
        **apart,
        "event_name": "push" if on in _PUSHES else on.value,
        "repository": name,
        "repository_owner": owner,
        "workflow": workflow,
        "run_attempt": Unknown("github.run_attempt", True),
        "actor": Unknown(is_name=True),
        "triggering_actor": Unknown(is_name=True),
        "head_ref": "",
        "base_ref": "",
        "ref_type": "branch",
        **_event(on, base_ref, group),
    }
    return {
        **same,
        "github": Object(fields, Unknown()),
        "env": Unknown(),
        "success()": True,
        "failure()": False,
        "cancelled()": False,
    }


def _event(on: On, base_ref: str, group: Group) -> dict[str, Value]:
    sender: dict[str, Value] = {name: Unknown() for name in ("repository", "sender", "organization")}
    branch = queue_branch(base_ref, group)
    on_group: dict[str, Value] = {"ref": f"refs/heads/{branch}", "ref_name": branch, "sha": group.commit}
    on_base: dict[str, Value] = {
        "ref": f"refs/heads/{base_ref}",
        "ref_name": base_ref,
        "sha": Unknown("github.sha", True, is_name=True, is_distinct=True),
    }
    no_pull: dict[str, Value] = {"pull_request": None, "merge_group": None, "number": None, "inputs": None}
    match on:
        case On.GROUP:
            merge_group: dict[str, Value] = {
                "head_ref": f"refs/heads/{branch}",
                "base_ref": f"refs/heads/{base_ref}",
                "head_sha": group.commit,
                "base_sha": Unknown(is_name=True),
                "head_commit": Unknown(),
            }
            event: dict[str, Value] = {
                **sender,
                "action": "checks_requested",
                "merge_group": Object(merge_group),
            }
            return {**on_group, "event": Object(event)}
        case On.GROUP_PUSH:
            pushed: dict[str, Value] = {**sender, **no_pull, "ref": f"refs/heads/{branch}", "created": True}
            return {**on_group, "event": Object(pushed, Unknown())}
        case On.PUSH:
            return {
                **on_base,
                "event": Object({**sender, **no_pull, "ref": f"refs/heads/{base_ref}"}, Unknown()),
            }
        case On.PULL_REQUEST_PUSH:
            branch_of_pull = {**on_base, "ref": Unknown(is_name=True), "ref_name": Unknown(is_name=True)}
            return {**branch_of_pull, "event": Object({**sender, **no_pull}, Unknown())}
    pull = Object({"draft": False, "base": Object({"ref": base_ref}, Unknown()), "merged": False}, Unknown())
    number = Unknown("github.event.number", True)
    return {
        "ref": f"refs/pull/{group.number}/merge" if on is On.PULL_REQUEST else f"refs/heads/{base_ref}",
        "ref_name": f"{group.number}/merge" if on is On.PULL_REQUEST else base_ref,
        "sha": group.commit,
        "base_ref": base_ref,
        "head_ref": Unknown(truth=True),
        "event": Object({**sender, "pull_request": pull, "number": number, "merge_group": None}, Unknown()),
    }
