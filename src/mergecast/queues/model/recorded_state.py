"""Reads reviews, checks, protections and other parts of a pull request from the platform's answers."""

from mergecast.queues.model.plain_data import Node
from mergecast.queues.model.recorded_pull import login
from mergecast.queues.model.snapshot import (
    NOT_IN_A_QUEUE,
    BranchProtection,
    BranchRule,
    CheckRun,
    CommitStatus,
    Deployment,
    HeadChange,
    QueuePlace,
    RequiredReviewer,
    Review,
    ReviewRequirement,
    ReviewThread,
)

_COMPLETED = "completed"
_STATUS_CHECKS, _PULL_REQUEST = "required_status_checks", "pull_request"


def read_review(node: Node) -> Review:
    user = node.member("user")
    return Review(
        author=login(user),
        is_by_bot=not user.is_null and user.member("type").text_or_null() == "Bot",
        state=node.member("state").text(),
        submitted_at=node.member("submitted_at").instant_or_null(),
    )


def read_thread(node: Node) -> ReviewThread:
    return ReviewThread(node.member("is_resolved").boolean(), node.member("author").text_or_null())


def read_check_run(node: Node) -> CheckRun:
    app = node.member("app")
    has_ended = node.member("status").text() == _COMPLETED
    return CheckRun(
        name=node.member("name").text(),
        app=None if app.is_null else app.member("slug").text_or_null(),
        conclusion=node.member("conclusion").text_or_null() if has_ended else None,
        completed_at=node.member("completed_at").instant_or_null() if has_ended else None,
    )


def read_status(node: Node) -> CommitStatus:
    return CommitStatus(
        context=node.member("context").text(),
        state=node.member("state").text(),
        updated_at=node.member("updated_at").instant_or_null(),
    )


def read_deployment(node: Node) -> Deployment:
    return Deployment(
        environment=node.member("environment").text(),
        state=node.member("state").text_or_null(),
        created_at=node.member("created_at").instant_or_null(),
    )


def read_head_change(node: Node) -> HeadChange:
    return HeadChange(node.member("sha").text(), node.member("at").instant())


def read_queue(node: Node) -> QueuePlace:
    """Null means that the pull request is in no queue."""
    if node.is_null:
        return QueuePlace()
    return QueuePlace(
        name=node.member("name").text(),
        position=node.member("position").integer(at_least=NOT_IN_A_QUEUE),
        queued_at=node.member("queued_at").instant(),
        priority=node.member("priority").integer_or_null(),
    )


def read_protection(node: Node) -> BranchProtection:
    """Null means that the branch has no protection."""
    if node.is_null:
        return BranchProtection()
    checks, threads = node.member("required_status_checks"), node.member("required_conversation_resolution")
    return BranchProtection(
        required_checks=() if checks.is_null else _contexts(checks),
        is_strict=not checks.is_null and bool(checks.member("strict").boolean_or_null()),
        reviews=_reviews(node.member("required_pull_request_reviews"), "require_code_owner_reviews"),
        needs_resolved_threads=not threads.is_null and threads.member("enabled").boolean(),
    )


def _contexts(node: Node) -> tuple[str, ...]:
    """The platform lists required checks in an old and in a new form; either may be missing."""
    new, old = node.member("checks"), node.member("contexts")
    names = [] if new.is_null else [item.member("context").text() for item in new.items()]
    names += [] if old.is_null else [item.text() for item in old.items()]
    return tuple(dict.fromkeys(names))


def _reviews(node: Node, code_owners: str) -> ReviewRequirement | None:
    if node.is_null:
        return None
    return ReviewRequirement(
        approvals=node.member("required_approving_review_count").integer_or_null() or 0,
        from_code_owners=node.member(code_owners).boolean_or_null() or False,
        of_last_push=node.member("require_last_push_approval").boolean_or_null() or False,
    )


def read_rule(node: Node) -> BranchRule:
    """One rule of a ruleset; for types that no condition uses, only the type is kept."""
    type = node.member("type").text()
    parameters = node.member("parameters")
    if type == _STATUS_CHECKS:
        checks = parameters.member("required_status_checks")
        return BranchRule(
            type,
            required_checks=tuple(item.member("context").text() for item in checks.items()),
            is_strict=parameters.member("strict_required_status_checks_policy").boolean_or_null() or False,
        )
    if type == _PULL_REQUEST:
        reviewers = parameters.member("required_reviewers")
        return BranchRule(
            type,
            reviews=_reviews(parameters, "require_code_owner_review"),
            needs_resolved_threads=parameters.member("required_review_thread_resolution").boolean_or_null()
            or False,
            required_reviewers=() if reviewers.is_null else tuple(map(_required_reviewer, reviewers.items())),
        )
    return BranchRule(type)


def _required_reviewer(node: Node) -> RequiredReviewer:
    patterns, reviewer = node.member("file_patterns"), node.member("reviewer")
    kind = reviewer.member("type").text()
    return RequiredReviewer(
        reviewer=f"{kind} {reviewer.member('id').integer()}",
        approvals=node.member("minimum_approvals").integer(),
        file_patterns=() if patterns.is_null else tuple(item.text() for item in patterns.items()),
    )
