"""A webhook's body → its repository, and the observations that translation needs.

Only the parts of a body that are read are decoded; the rest of it costs hardly any time or memory. A webhook
may have 25 MiB, most of it commits of a push. Decoding lists in lists of that size takes ten seconds and 800
MiB, and nothing else runs in the server meanwhile.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from mergecast.incoming.sources.commits import commit_of
from mergecast.incoming.sources.github.ci_reports import (
    check_run,
    check_suite,
    commit_status,
    job,
    on_queue_branch,
    workflow_run,
)
from mergecast.incoming.sources.github.observation import Observation, Seen, overlong_field, shortened
from mergecast.incoming.sources.github.queue_branch import branch_name, is_queue_branch, read_queue_branch
from mergecast.incoming.sources.github.server_clock import AT_ONCE, MOST_SKEW
from mergecast.incoming.sources.github.threads import is_commit
from mergecast.incoming.sources.payload import Payload, instant, is_number, member, members, text
from mergecast.incoming.sources.webhooks import NotAWebhook, RepositoryNamed
from mergecast.queues.model.delivery import About
from mergecast.queues.model.instant import SECOND

# A pull request with the longest description that GitHub accepts has less than half of it.
LONGEST_READ = 1 << 20

_Part = Raw | UnsetType


class _Parts(Struct, frozen=True):
    """The members of a body that some reader of `webhook.py` asks for, in JSON."""

    action: _Part = UNSET
    after: _Part = UNSET
    before: _Part = UNSET
    branches: _Part = UNSET
    changes: _Part = UNSET
    check_run: _Part = UNSET
    check_suite: _Part = UNSET
    context: _Part = UNSET
    created_at: _Part = UNSET
    deleted: _Part = UNSET
    head_commit: _Part = UNSET
    id: _Part = UNSET
    merge_group: _Part = UNSET
    pull_request: _Part = UNSET
    pusher: _Part = UNSET
    reason: _Part = UNSET
    ref: _Part = UNSET
    repository: _Part = UNSET
    sender: _Part = UNSET
    sha: _Part = UNSET
    state: _Part = UNSET
    target_url: _Part = UNSET
    workflow_job: _Part = UNSET
    workflow_run: _Part = UNSET


_parts = msgspec.json.Decoder(_Parts)


def read_payload(body: bytes) -> Payload:
    """The members of the body that are read."""
    try:
        parts = _parts.decode(body)
        found = {
            name: part
            for name in _Parts.__struct_fields__
            if not isinstance(part := getattr(parts, name), UnsetType)
        }
        if len(body) > LONGEST_READ and sum(map(len, map(bytes, found.values()))) > LONGEST_READ:
            raise NotAWebhook(
                f"the parts of the body that Mergecast reads have more than {LONGEST_READ >> 20} MiB"
            )
        return {name: msgspec.json.decode(part) for name, part in found.items()}
    except msgspec.ValidationError:
        raise NotAWebhook("the body is not a JSON object") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise NotAWebhook("the body is not valid JSON") from None


_QUEUE_ACCOUNT = "github-merge-queue[bot]"
_NO_COMMIT = "0" * 40
# payload, GUID of the delivery, instant of reception → observations
_Observe = Callable[[Payload, str, int], Iterable[Observation]]
_LONGEST_WORD = 60
_GROUP_ACTIONS = ("checks_requested", "destroyed")
_PULL_ACTIONS = ("enqueued", "dequeued")
_PUSHED = "synchronize"
# Where each event names the branch that it is about.
_BRANCHES: Mapping[str, Callable[[Payload], str | None]] = {
    "push": lambda payload: text(payload, "ref"),
    "check_run": lambda payload: text(member(member(payload, "check_run"), "check_suite"), "head_branch"),
    "check_suite": lambda payload: text(member(payload, "check_suite"), "head_branch"),
    "workflow_run": lambda payload: text(member(payload, "workflow_run"), "head_branch"),
    "workflow_job": lambda payload: text(member(payload, "workflow_job"), "head_branch"),
}
# A job that has not ended says nothing that its check run does not say.
_JOB_ENDS = "completed"


class Webhook(NamedTuple):
    action: str
    repository: RepositoryNamed | None
    observations: tuple[Observation, ...] = ()
    about: About | None = None
    former_name: str | None = None  # `owner/name` before a rename or transfer
    not_understood: str | None = None  # why it has no observations although it concerns a queue


def read_webhook(event: str, delivery: str, body: bytes, received_at: int) -> Webhook:
    """Read a delivery; one that does not concern a queue has no observations."""
    payload = read_payload(body)
    repository = _repository(payload)
    action = text(payload, "action") or ""
    observe = _OBSERVE.get(event)
    seen = observe(payload, delivery, received_at) if observe is not None and repository is not None else ()
    observations = tuple(map(shortened, seen))
    for observation in observations:
        if overlong := overlong_field(observation):
            raise NotAWebhook(f"{overlong.name} may have at most {overlong.longest} characters")
    return Webhook(
        action,
        repository,
        observations,
        _about(payload) if event == "pull_request" else None,
        _former_name(payload) if event == "repository" else None,
        None if observations or repository is None else why_not_understood(event, action, payload),
    )


def _repository(payload: Payload) -> RepositoryNamed | None:
    repository = member(payload, "repository")
    owner, _, name = (text(repository, "full_name") or "").partition("/")
    id = repository.get("id")
    return RepositoryNamed(owner, name, id if is_number(id) else None) if owner and name else None


def _former_name(payload: Payload) -> str | None:
    """The name before a rename or a transfer."""
    repository, changes = member(payload, "repository"), member(payload, "changes")
    owner, _, name = (text(repository, "full_name") or "").partition("/")
    renamed = text(member(member(changes, "repository"), "name"), "from")
    giver = member(member(changes, "owner"), "from")
    former_owner = text(member(giver, "organization"), "login") or text(member(giver, "user"), "login")
    if not owner or not (renamed or former_owner):
        return None
    return f"{former_owner or owner}/{renamed or name}"


def _about(payload: Payload) -> About | None:
    pull = member(payload, "pull_request")
    number = pull.get("number")
    if not is_number(number):
        return None
    author = text(member(pull, "user"), "login") or ""
    return About(number, text(pull, "title") or "", author, text(pull, "html_url") or "")


def _pull_request(payload: Payload, delivery: str, received_at: int) -> Iterable[Observation]:
    pull = member(payload, "pull_request")
    # GitHub mostly sends the short name of the branch, but has been seen to send the full one.
    number, base_ref = pull.get("number"), branch_name(text(member(pull, "base"), "ref") or "")
    action = payload.get("action")
    if not is_number(number) or not base_ref or action not in (*_PULL_ACTIONS, "closed", _PUSHED):
        return ()
    common: dict[str, Any] = {
        "id": delivery, "received_at": received_at, "base_ref": base_ref, "number": number,
        "pull_sha": commit_of(text(member(pull, "head"), "sha")),
    }  # fmt: skip
    changed_at = instant(pull, "updated_at")
    if action == _PUSHED:
        before = commit_of(text(payload, "before"))
        return (Observation(**common, seen=Seen.PUSHED, at=changed_at, pull_sha_before=before),)
    if action == "closed":
        merged_at = instant(pull, "merged_at")
        closer = text(member(pull, "merged_by"), "login") or text(member(payload, "sender"), "login")
        closed = Observation(
            **common,
            seen=Seen.CLOSED,
            at=merged_at or instant(pull, "closed_at"),
            is_merged=pull.get("merged") is True,
            is_by_queue=closer == _QUEUE_ACCOUNT,
        )
        return (closed,)
    seen = Seen.ENTERED if action == "enqueued" else Seen.LEFT
    if changed_at is not None and -MOST_SKEW <= received_at - changed_at <= AT_ONCE:
        common["at"] = changed_at
    elif changed_at is not None and changed_at < received_at:
        common["changed_at"] = changed_at
    return (Observation(**common, seen=seen, reason=text(payload, "reason")),)


def _merge_group(payload: Payload, delivery: str, received_at: int) -> Iterable[Observation]:
    group = member(payload, "merge_group")
    head_sha, branch = text(group, "head_sha"), read_queue_branch(text(group, "head_ref"))
    action = payload.get("action")
    if head_sha is None or branch is None or action not in ("checks_requested", "destroyed"):
        return ()
    is_built = action == "checks_requested"
    seen = Observation(
        seen=Seen.GROUP_BUILT if is_built else Seen.GROUP_DESTROYED,
        id=delivery,
        received_at=received_at,
        at=instant(member(group, "head_commit"), "timestamp") if is_built else None,
        base_ref=branch_name(text(group, "base_ref") or branch.base_ref),
        number=branch.number,
        reason=text(payload, "reason"),
        head_sha=head_sha,
        base_sha=text(group, "base_sha") or branch.built_on,
    )
    return (seen,)


def _push(payload: Payload, delivery: str, received_at: int) -> Iterable[Observation]:
    ref = text(payload, "ref") or ""
    branch = read_queue_branch(ref)
    common: dict[str, Any] = {"id": delivery, "received_at": received_at}
    if branch is None:
        if not ref.startswith("refs/heads/") or is_queue_branch(ref):
            return ()
        pusher = text(member(payload, "sender"), "login") or text(member(payload, "pusher"), "name")
        pushed = Observation(
            **common,
            seen=Seen.BASE_PUSHED,
            at=_pushed_at(payload, received_at),
            base_ref=branch_name(ref),
            is_by_queue=pusher == _QUEUE_ACCOUNT,
        )
        return (pushed,)
    is_deleted = payload.get("deleted") is True
    head_sha = text(payload, "before" if is_deleted else "after")
    if head_sha is None or head_sha == _NO_COMMIT:
        return ()
    seen = Observation(
        **common,
        seen=Seen.GROUP_DESTROYED if is_deleted else Seen.GROUP_BUILT,
        at=None if is_deleted else instant(member(payload, "head_commit"), "timestamp"),
        base_ref=branch.base_ref,
        number=branch.number,
        head_sha=head_sha,
        base_sha=branch.built_on,
    )
    return (seen,)


def _pushed_at(payload: Payload, received_at: int) -> int | None:
    """When the repository was last pushed to, which in this webhook is a number of seconds."""
    seconds = member(payload, "repository").get("pushed_at")
    if not is_number(seconds) or seconds * SECOND > received_at + MOST_SKEW:
        return None
    return seconds * SECOND


def _check_run(payload: Payload, delivery: str, received_at: int) -> Iterable[Observation]:
    run = member(payload, "check_run")
    ref, head_sha = text(member(run, "check_suite"), "head_branch"), text(run, "head_sha")
    reports = on_queue_branch(ref, head_sha, id=delivery, received_at=received_at)
    return (check_run(run, report) for report in reports)


def _check_suite(payload: Payload, delivery: str, received_at: int) -> Iterable[Observation]:
    suite = member(payload, "check_suite")
    ref, head_sha = text(suite, "head_branch"), text(suite, "head_sha")
    reports = on_queue_branch(ref, head_sha, id=delivery, received_at=received_at)
    return (check_suite(suite, report) for report in reports)


def _workflow_run(payload: Payload, delivery: str, received_at: int) -> Iterable[Observation]:
    return workflow_run(member(payload, "workflow_run"), delivery, received_at)


def _workflow_job(payload: Payload, delivery: str, received_at: int) -> Iterable[Observation]:
    given = member(payload, "workflow_job")
    ref, head_sha = text(given, "head_branch"), text(given, "head_sha")
    reports = on_queue_branch(ref, head_sha, id=delivery, received_at=received_at)
    return (seen for report in reports if (seen := job(given, report)) is not None)


def _status(payload: Payload, delivery: str, received_at: int) -> Iterable[Observation]:
    """A status lists branches that contain its commit: the group's own one has it as head."""
    commit = text(payload, "sha")
    heads = [
        branch for branch in members(payload, "branches") if text(member(branch, "commit"), "sha") == commit
    ]
    ref = next((name for branch in heads if read_queue_branch(name := text(branch, "name"))), None)
    reports = list(on_queue_branch(ref, commit, id=delivery, received_at=received_at))
    if not reports and is_commit(commit):
        reports = [Observation(seen=Seen.CHECK, id=delivery, received_at=received_at, head_sha=commit)]
    return (commit_status(payload, report) for report in reports)


_OBSERVE: Mapping[str, _Observe] = {
    "pull_request": _pull_request,
    "merge_group": _merge_group,
    "push": _push,
    "check_run": _check_run,
    "check_suite": _check_suite,
    "workflow_job": _workflow_job,
    "workflow_run": _workflow_run,
    "status": _status,
}


def why_not_understood(event: str, action: str, payload: Payload) -> str | None:
    """Why a webhook without observations was not understood; None if it concerns no queue."""
    if event == "merge_group":
        is_known = action in _GROUP_ACTIONS
        return "no queue branch for this group" if is_known else _unknown("action of a merge group", action)
    if event.startswith("merge_queue"):
        return _unknown("event", event)
    if event == "pull_request" and "queue" in action:
        is_known = action in _PULL_ACTIONS
        return "no number or base branch for this entry or exit" if is_known else _unknown("action", action)
    branch = _BRANCHES.get(event)
    if branch is None or not is_queue_branch(branch(payload)):
        return None
    is_silent = event == "workflow_job" and action != _JOB_ENDS
    return None if is_silent else "no commit or pull request for this queue branch"


def _unknown(what: str, word: str) -> str:
    return f"unknown {what}: {word[:_LONGEST_WORD]}"
