"""The eighteen actions of a pull request rule and their options."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, PlainValidator, ValidationInfo, WithJsonSchema, field_validator

from mergecast.language.configuration.models.condition_lists import ConditionList
from mergecast.language.configuration.models.options import (
    NOTHING,
    WHOLE_FLOAT_TO_INT,
    Body,
    BotAccount,
    CommitMessageFormat,
    LegacyTemplate,
    Message,
    Options,
    ReadOnly,
    RegularExpression,
    Title,
    UserTemplate,
    at_most,
    login,
    login_or_team,
    option,
    team,
    weighted,
    whole_float_to_int,
)
from mergecast.language.configuration.problems import context_of, invalid
from mergecast.language.configuration.templates.legacy import POST_CHECK_VARIABLES, Legacy
from mergecast.language.configuration.templates.placeholders import (
    Placeholders,
    check_placeholders,
    template_schema,
)
from mergecast.language.configuration.wording import found

_INPUT_VARIABLES = ("author", "number", "title", "base", "head", "repository_full_name")
_BOT = "Account that runs the action; default: the service's own account."


class Assign(Options):
    """Assign users to the pull request, or unassign them."""

    users: Annotated[tuple[UserTemplate, ...], at_most(10)] = option("Users to assign.", ())
    add_users: Annotated[tuple[UserTemplate, ...], at_most(10)] = option("Users to assign.", ())
    remove_users: Annotated[tuple[UserTemplate, ...], at_most(40)] = option("Users to unassign.", ())


class _CherryPick(Options):
    """Options that `backport` and `copy` share."""

    branches: Annotated[tuple[str, ...], at_most(30)] = option("Target branches.", ())
    regexes: Annotated[tuple[RegularExpression, ...], at_most(30)] = option(
        "Regular expressions: branches whose names start with a match are targets too.", ()
    )
    ignore_conflicts: bool = option(
        "Create the pull request even if the cherry-pick has conflicts.", default=True
    )
    assignees: Annotated[tuple[Annotated[str, Placeholders(("author", "merged_by"))], ...], at_most(10)] = (
        option("Users to assign to the new pull request.", ())
    )
    labels: Annotated[tuple[str, ...], at_most(30)] = option("Labels of the new pull request.", ())
    label_conflicts: str = option("Label of a new pull request that has conflicts.", "conflicts")
    report_mode: Annotated[tuple[Literal["check", "comment"], ...], at_most(at_least=1)] = option(
        "Where to report the result.", ("check",)
    )
    merge_conflict_style: Literal["merge", "diff3"] = option("Style of the conflict markers.", "merge")
    bot_account: BotAccount = option(_BOT, None)


class Backport(_CherryPick):
    """Once the pull request is merged, create pull requests with the same changes for other branches."""

    title: Title = option("Title of the new pull request.", "{{ title }} (backport #{{ number }})")
    body: Body = option(
        "Description of the new pull request.",
        "{{ body }}<hr>This is an automatic backport of pull request #{{number}} "
        "done by [Mergify](https://mergify.com).\n",
    )


class Copy(_CherryPick):
    """Create pull requests with the same changes for other branches, without waiting for the merge."""

    title: Title = option("Title of the new pull request.", "{{ title }} (copy #{{ number }})")
    body: Body = option(
        "Description of the new pull request.",
        "{{ body }}<hr>This is an automatic copy of pull request #{{number}} "
        "done by [Mergify](https://mergify.com).\n",
    )


class Close(Options):
    """Close the pull request and post a comment."""

    message: Message = option(
        "Text of the comment.", "This pull request has been automatically closed by Mergify."
    )


class Comment(Options):
    """Post a comment."""

    message: Message | None = option("Text of the comment; by default, nothing is posted.", None)
    bot_account: BotAccount = option(_BOT, None)


class DeleteHeadBranch(Options):
    """Delete the head branch once the pull request is closed."""

    force: bool = option("Delete the branch even if another pull request uses it.", default=False)


def _dismissed(value: Any) -> Any:
    if isinstance(value, bool) or value == "from_requested_reviewers":
        return value
    if not isinstance(value, list):
        raise invalid(
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

    approved: Dismissed = option("Which approvals to dismiss.", default=True)
    changes_requested: Dismissed = option("Which change requests to dismiss.", default=True)
    message: str | None = option("Message of the dismissal.", None)
    when: Literal["synchronize", "always"] = option(
        "Dismiss after new commits only, or whenever the rule matches.", "synchronize"
    )


class Edit(Options):
    """Change the draft state of the pull request."""

    draft: bool | None = option(
        "true converts the pull request to a draft, false marks it as ready for review.", None
    )
    bot_account: BotAccount = option(_BOT, None)


def _input(value: Any, info: ValidationInfo) -> int | str:
    if isinstance(value, str):
        check_placeholders(value, _INPUT_VARIABLES, context_of(info.context))
        return value
    if isinstance(number := whole_float_to_int(value), int):
        return number
    raise invalid(f"Input should be a valid integer, boolean or text, {found(value)}")


WorkflowInput = Annotated[
    int | str,
    PlainValidator(_input),
    WithJsonSchema({"anyOf": [{"type": "integer"}, {"type": "boolean"}, template_schema(_INPUT_VARIABLES)]}),
]


class Dispatch(Options):
    """A workflow to run."""

    workflow: str = option("File name or ID of the workflow.")
    ref: str | None = option("Branch or tag; default: the default branch.", None)
    inputs: Annotated[Mapping[str, WorkflowInput], ReadOnly(most=10)] = option(
        "Inputs of the workflow.", NOTHING
    )


class Workflow(Options):
    """The workflows to run."""

    dispatch: Annotated[tuple[Dispatch, ...], at_most(10)] = option("Workflows to run.", ())


class GithubActions(Options):
    """Run workflows."""

    workflow: Workflow = option("The workflows to run.")


class Label(Options):
    """Add or remove labels."""

    add: Annotated[tuple[str, ...], at_most(50)] = option("Labels to add.", ())
    remove: Annotated[tuple[str, ...], at_most(50)] = option("Labels to remove.", ())
    remove_all: bool = option("Remove all labels.", default=False)
    toggle: Annotated[tuple[str, ...], at_most(50)] = option(
        "Labels to add while the rule matches and remove while it does not.", ()
    )


class Merge(Options):
    """Merge the pull request."""

    method: Literal["merge", "rebase", "squash", "fast-forward"] | None = option(
        "Merge method; default: the first method that the repository allows.", None
    )
    merge_bot_account: BotAccount = option("Account that merges; default: the service's own account.", None)
    commit_message_format: CommitMessageFormat | None = option("Content of the commit message.", None)
    commit_message_template: LegacyTemplate | None = option("Template of the commit message.", None)


class PostCheck(Options):
    """Post a check run with the result of conditions."""

    title: Annotated[str, Legacy(*POST_CHECK_VARIABLES)] = option(
        "Title of the check.",
        "'{{ check_rule_name }}'"
        "{% if check_status == 'success' %} succeeded{% elif check_status == 'failure' %} failed{% endif %}",
    )
    summary: Annotated[str, Legacy(*POST_CHECK_VARIABLES)] = option(
        "Summary of the check.", "{{ check_conditions }}"
    )
    success_conditions: ConditionList | None = option(
        "The check succeeds if these hold; default: the conditions of the rule.", None
    )
    neutral_conditions: ConditionList | None = option("Otherwise the check is neutral if these hold.", None)


class Queue(Options):
    """Add the pull request to the merge queue."""

    name: str | None = option("Name of the queue; default: the first queue whose conditions match.", None)


class Rebase(Options):
    """Rebase the pull request on its base branch."""

    bot_account: BotAccount = option(_BOT, None)


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
    """Request reviews from users or teams."""

    users: WeightedUsers = option("Users, or users with weights.", ())
    teams: WeightedTeams = option("Teams, or teams with weights.", ())
    users_from_teams: WeightedTeams = option("Teams whose members are requested individually.", ())
    random_count: Annotated[int, Field(ge=1, le=15), WHOLE_FLOAT_TO_INT] | None = option(
        "Number of reviewers to pick at random, by weight.", None
    )
    bot_account: BotAccount = option(_BOT, None)


class Review(Options):
    """Review the pull request."""

    type: Literal["APPROVE", "REQUEST_CHANGES", "COMMENT"] = option("Type of the review.", "APPROVE")
    message: Message | None = option("Text of the review.", None)
    bot_account: BotAccount = option(_BOT, None)


class Squash(Options):
    """Squash the commits of the pull request into one."""

    commit_message: Literal["all-commits", "first-commit", "title+body"] = option(
        "Content of the commit message.", "all-commits"
    )
    bot_account: BotAccount = option(_BOT, None)


class Update(Options):
    """Merge the base branch into the pull request."""

    bot_account: BotAccount = option(_BOT, None)


class Actions(Options):
    """Actions by name; an action without options uses the defaults."""

    @field_validator("*", mode="before")
    @classmethod
    def _with_defaults(cls, value: Any, info: ValidationInfo) -> Any:
        """An action without options is present, so it must not become None."""
        if value is not None:
            return value
        return {"workflow": {}} if info.field_name == "github_actions" else {}

    assign: Assign | None = option("Assign or unassign users.", None)
    backport: Backport | None = option(
        "Create pull requests with the same changes for other branches after the merge.", None
    )
    close: Close | None = option("Close the pull request.", None)
    comment: Comment | None = option("Post a comment.", None)
    copy_: Copy | None = option(
        "Create pull requests with the same changes for other branches.", None, alias="copy"
    )
    delete_head_branch: DeleteHeadBranch | None = option("Delete the head branch.", None)
    dismiss_reviews: DismissReviews | None = option("Dismiss reviews.", None)
    edit: Edit | None = option("Change the draft state.", None)
    github_actions: GithubActions | None = option("Run workflows.", None)
    label: Label | None = option("Add or remove labels.", None)
    merge: Merge | None = option("Merge the pull request.", None)
    post_check: PostCheck | None = option("Post a check run.", None)
    queue: Queue | None = option("Add the pull request to the merge queue.", None)
    rebase: Rebase | None = option("Rebase the pull request.", None)
    request_reviews: RequestReviews | None = option("Request reviews.", None)
    review: Review | None = option("Review the pull request.", None)
    squash: Squash | None = option("Squash the commits into one.", None)
    update: Update | None = option("Merge the base branch into the pull request.", None)
