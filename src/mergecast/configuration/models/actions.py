"""The eighteen actions of a pull request rule and their options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, PlainValidator, ValidationInfo, WithJsonSchema, field_validator

from mergecast.conditions.tree import All
from mergecast.configuration.models.commit_messages import CommitMessageFormat, LegacyTemplate
from mergecast.configuration.models.condition_lists import Conditions
from mergecast.configuration.models.options import (
    NOTHING,
    WHOLE,
    Options,
    ReadOnly,
    RegularExpression,
    at_most,
    described,
    login,
    login_or_team,
    team,
    weighted,
    whole,
)
from mergecast.configuration.refusals import shape, terms_of
from mergecast.configuration.templates.legacy import POST_CHECK_VARIABLES, Legacy
from mergecast.configuration.templates.placeholders import Placeholders, check_placeholders, template_schema
from mergecast.configuration.wording import found

_MESSAGE_VARIABLES = (
    "author",
    "number",
    "title",
    "body",
    "base",
    "head",
    "labels",
    "assignees",
    "approvers",
    "queue_dequeue_reason",
)
_TITLE_VARIABLES = ("title", "number", "destination_branch", "base", "author")
_INPUT_VARIABLES = ("author", "number", "title", "base", "head", "repository_full_name")

Message = Annotated[str, Placeholders(_MESSAGE_VARIABLES)]
Title = Annotated[str, Placeholders(_TITLE_VARIABLES)]
Body = Annotated[str, Placeholders((*_TITLE_VARIABLES, "body", "cherry_pick_error", "cherry_picked_commits"))]
UserTemplate = Annotated[str, Placeholders(("author",))]
BotAccount = Annotated[str, Placeholders(("author",))] | None

_BOT = "Account that acts; without it, the service's own."


class Assign(Options):
    """Assign people to the pull request, or unassign them."""

    users: Annotated[tuple[UserTemplate, ...], at_most(10)] = described("Users to assign.", ())
    add_users: Annotated[tuple[UserTemplate, ...], at_most(10)] = described("Users to assign.", ())
    remove_users: Annotated[tuple[UserTemplate, ...], at_most(40)] = described("Users to unassign.", ())


class _CherryPick(Options):
    """What backports and copies share."""

    branches: Annotated[tuple[str, ...], at_most(30)] = described("Target branches.", ())
    regexes: Annotated[tuple[RegularExpression, ...], at_most(30)] = described(
        "Branches whose name begins with a match of one of these patterns are targets too.", ()
    )
    ignore_conflicts: bool = described(
        "Open the pull request even when cherry-picking conflicts.", default=True
    )
    assignees: Annotated[tuple[Annotated[str, Placeholders(("author", "merged_by"))], ...], at_most(10)] = (
        described("Users to assign to the new pull request.", ())
    )
    labels: Annotated[tuple[str, ...], at_most(30)] = described("Labels of the new pull request.", ())
    label_conflicts: str = described("Label of a pull request that was opened with conflicts.", "conflicts")
    report_mode: Annotated[tuple[Literal["check", "comment"], ...], at_most(at_least=1)] = described(
        "Where the result is reported.", ("check",)
    )
    merge_conflict_style: Literal["merge", "diff3"] = described("Style of the conflict markers.", "merge")
    bot_account: BotAccount = described(_BOT, None)


class Backport(_CherryPick):
    """Once merged, open the same change on other branches."""

    title: Title = described("Title of the new pull request.", "{{ title }} (backport #{{ number }})")
    body: Body = described(
        "Description of the new pull request.",
        "{{ body }}<hr>This is an automatic backport of pull request #{{ number }}.\n",
    )


class Copy(_CherryPick):
    """Open the same change on other branches, without waiting for the merge."""

    title: Title = described("Title of the new pull request.", "{{ title }} (copy #{{ number }})")
    body: Body = described(
        "Description of the new pull request.",
        "{{ body }}<hr>This is an automatic copy of pull request #{{ number }}.\n",
    )


class Close(Options):
    """Close the pull request with a comment."""

    message: Message = described("The comment.", "This pull request has been closed automatically.")


class Comment(Options):
    """Post a comment."""

    message: Message | None = described("The comment; without it, nothing is posted.", None)
    bot_account: BotAccount = described(_BOT, None)


class DeleteHeadBranch(Options):
    """Delete the source branch once the pull request is closed."""

    force: bool = described("Also when another pull request uses the branch.", default=False)


def _dismissed(value: Any) -> Any:
    if isinstance(value, bool) or value == "from_requested_reviewers":
        return value
    if not isinstance(value, list):
        raise shape(
            f"Input should be `true`, `false`, `from_requested_reviewers` or a list of logins, {found(value)}"
        )
    return tuple(name for name, _ in weighted(value, login_or_team, 50, 1))


Dismissed = Annotated[
    bool | tuple[str, ...] | Literal["from_requested_reviewers"],
    PlainValidator(_dismissed),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "boolean"},
                {"const": "from_requested_reviewers"},
                {"type": "array", "items": {"type": "string"}, "maxItems": 50},
            ]
        }
    ),
]


class DismissReviews(Options):
    """Dismiss reviews, usually after new commits."""

    approved: Dismissed = described("Which approvals to dismiss.", default=True)
    changes_requested: Dismissed = described("Which change requests to dismiss.", default=True)
    message: str | None = described("The message of the dismissal.", None)
    when: Literal["synchronize", "always"] = described(
        "After new commits only, or whenever the rule matches.", "synchronize"
    )


class Edit(Options):
    """Change the draft state."""

    draft: bool | None = described("Make it a draft (true) or ready for review (false).", None)
    bot_account: BotAccount = described(_BOT, None)


def _input(value: Any, info: ValidationInfo) -> int | str:
    if isinstance(value, str):
        check_placeholders(value, _INPUT_VARIABLES, terms_of(info.context))
        return value
    if isinstance(number := whole(value), int):
        return number
    raise shape(f"Input should be a valid integer, boolean or text, {found(value)}")


WorkflowInput = Annotated[
    int | str,
    PlainValidator(_input),
    WithJsonSchema({"anyOf": [{"type": "integer"}, {"type": "boolean"}, template_schema(_INPUT_VARIABLES)]}),
]


class Dispatch(Options):
    """One workflow to start."""

    workflow: str = described("File name or id of the workflow.")
    ref: str | None = described("Branch or tag; without it, the default branch.", None)
    inputs: Annotated[Mapping[str, WorkflowInput], ReadOnly(most=10)] = described(
        "Inputs of the workflow.", NOTHING
    )


class Workflow(Options):
    """The workflows to start."""

    dispatch: Annotated[tuple[Dispatch, ...], at_most(10)] = described("Workflows to start.", ())


class GithubActions(Options):
    """Start workflows."""

    workflow: Workflow = described("What to start.")


class Label(Options):
    """Add or remove labels."""

    add: Annotated[tuple[str, ...], at_most(50)] = described("Labels to add.", ())
    remove: Annotated[tuple[str, ...], at_most(50)] = described("Labels to remove.", ())
    remove_all: bool = described("Remove every label.", default=False)
    toggle: Annotated[tuple[str, ...], at_most(50)] = described(
        "Labels to add while the rule matches and to remove while it does not.", ()
    )


class Merge(Options):
    """Merge the pull request."""

    method: Literal["merge", "rebase", "squash", "fast-forward"] | None = described(
        "How to merge; without it, the first method that the repository allows.", None
    )
    merge_bot_account: BotAccount = described("Account that merges; without it, the service's own.", None)
    commit_message_format: CommitMessageFormat | None = described("What the commit message is made of.", None)
    commit_message_template: LegacyTemplate | None = described("Template of the commit message.", None)


class PostCheck(Options):
    """Post a check run with the outcome of conditions."""

    title: Annotated[str, Legacy(*POST_CHECK_VARIABLES)] = described(
        "Title of the check.",
        "'{{ check_rule_name }}'"
        "{% if check_status == 'success' %} succeeded{% elif check_status == 'failure' %} failed{% endif %}",
    )
    summary: Annotated[str, Legacy(*POST_CHECK_VARIABLES)] = described(
        "Summary of the check.", "{{ check_conditions }}"
    )
    success_conditions: Annotated[All, Conditions()] | None = described(
        "The check succeeds when they hold; without them, the rule's own.", None
    )
    neutral_conditions: Annotated[All, Conditions()] | None = described(
        "Otherwise the check is neutral when these hold.", None
    )


class Queue(Options):
    """Put the pull request into the merge queue."""

    name: str | None = described("Name of the queue; without it, the first whose conditions match.", None)


class Rebase(Options):
    """Rebase the pull request on its base branch."""

    bot_account: BotAccount = described(_BOT, None)
    autosquash: bool = described("Squash fixup commits on the way.", default=False)


HEAVIEST = 65535
_WEIGHTED = WithJsonSchema(
    {
        "anyOf": [
            {"type": "array", "items": {"type": "string"}, "maxItems": 150},
            {
                "type": "object",
                "additionalProperties": {"type": "integer", "minimum": 1, "maximum": HEAVIEST},
            },
        ]
    }
)
Weighted = tuple[tuple[str, int], ...]
WeightedUsers = Annotated[
    Weighted, PlainValidator(lambda value: weighted(value, login, 150, HEAVIEST)), _WEIGHTED
]
WeightedTeams = Annotated[
    Weighted, PlainValidator(lambda value: weighted(value, team, 150, HEAVIEST)), _WEIGHTED
]


class RequestReviews(Options):
    """Ask people or teams for a review."""

    users: WeightedUsers = described("Users, or users with weights.", ())
    teams: WeightedTeams = described("Teams, or teams with weights.", ())
    users_from_teams: WeightedTeams = described("Teams whose members are asked one by one.", ())
    random_count: Annotated[int, Field(ge=1, le=15), WHOLE] | None = described(
        "Ask that many, picked at random by weight.", None
    )
    bot_account: BotAccount = described(_BOT, None)


class Review(Options):
    """Review the pull request."""

    type: Literal["APPROVE", "REQUEST_CHANGES", "COMMENT"] = described("Kind of review.", "APPROVE")
    message: Message | None = described("Text of the review.", None)
    bot_account: BotAccount = described(_BOT, None)


class Squash(Options):
    """Squash the commits of the pull request into one."""

    commit_message: Literal["all-commits", "first-commit", "title+body"] = described(
        "What the message of the commit is made of.", "all-commits"
    )
    bot_account: BotAccount = described(_BOT, None)


class Update(Options):
    """Merge the base branch into the pull request."""

    bot_account: BotAccount = described(_BOT, None)


class Actions(Options):
    """Actions by name; an action without options has all its defaults."""

    @field_validator("*", mode="before")
    @classmethod
    def _with_defaults(cls, value: Any, info: ValidationInfo) -> Any:
        """Written without options is not the same as not written."""
        if value is not None:
            return value
        return {"workflow": {}} if info.field_name == "github_actions" else {}

    assign: Assign | None = described("Assign people, or unassign them.", None)
    backport: Backport | None = described("Once merged, open the same change on other branches.", None)
    close: Close | None = described("Close the pull request.", None)
    comment: Comment | None = described("Post a comment.", None)
    copy_: Copy | None = described("Open the same change on other branches.", None, alias="copy")
    delete_head_branch: DeleteHeadBranch | None = described("Delete the source branch.", None)
    dismiss_reviews: DismissReviews | None = described("Dismiss reviews.", None)
    edit: Edit | None = described("Change the draft state.", None)
    github_actions: GithubActions | None = described("Start workflows.", None)
    label: Label | None = described("Add or remove labels.", None)
    merge: Merge | None = described("Merge the pull request.", None)
    post_check: PostCheck | None = described("Post a check run.", None)
    queue: Queue | None = described("Put the pull request into the merge queue.", None)
    rebase: Rebase | None = described("Rebase the pull request.", None)
    request_reviews: RequestReviews | None = described("Ask for reviews.", None)
    review: Review | None = described("Review the pull request.", None)
    squash: Squash | None = described("Squash the commits into one.", None)
    update: Update | None = described("Merge the base branch into the pull request.", None)
