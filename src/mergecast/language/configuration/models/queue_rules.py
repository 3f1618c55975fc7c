"""Queues, settings of the merge queue, and priorities."""

from datetime import timedelta
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, Discriminator, Field, PlainValidator, Tag, WithJsonSchema

from mergecast.language.conditions.tree import All
from mergecast.language.configuration.models.condition_lists import ConditionList
from mergecast.language.configuration.models.options import (
    TAG,
    WHOLE_FLOAT_TO_INT,
    BotAccount,
    ChecksTimeout,
    CommitMessageFormat,
    Duration,
    LegacyTemplate,
    Options,
    at_most,
    option,
    whole_float_to_int,
)
from mergecast.language.configuration.problems import invalid
from mergecast.language.configuration.wording import found

LARGEST = 128
PRIORITIES = {"low": 1000, "medium": 2000, "high": 3000}
HIGHEST_PRIORITY = 10_000

UpTo128 = Annotated[int, Field(ge=1, le=LARGEST), WHOLE_FLOAT_TO_INT]
MergeMethod = Literal["merge", "rebase", "squash", "fast-forward", "merge-batch"]


# The published schema has no minimum here.
SplitAttempts = Annotated[int, Field(ge=0), WHOLE_FLOAT_TO_INT, WithJsonSchema({"type": "integer"})]


class BatchRange(Options):
    """Bounds of a batch size that depends on the length of the queue."""

    min: UpTo128 = option("Minimum batch size.")
    max: UpTo128 = option("Maximum batch size.")


BatchSize = Annotated[
    Annotated[UpTo128, Tag(f"{TAG}fixed")] | Annotated[BatchRange, Tag(f"{TAG}range")],
    Discriminator(lambda value: f"{TAG}range" if isinstance(value, dict | BatchRange) else f"{TAG}fixed"),
]


class QueueOptions(Options):
    """All options of a queue except its name; also used for defaults."""

    queue_conditions: ConditionList = option(
        "Conditions for a pull request to enter this queue and stay in it.",
        All(()),
        validation_alias=AliasChoices("queue_conditions", "routing_conditions"),
    )
    merge_conditions: ConditionList = option(
        "Conditions for a pull request to be merged, in addition to the queue conditions.",
        All(()),
        validation_alias=AliasChoices("merge_conditions", "conditions"),
    )
    branch_protection_injection_mode: Literal["queue", "merge", "none"] = option(
        "Whether branch protections become conditions to enter and to merge, to merge only, or not at all.",
        "queue",
    )
    batch_size: BatchSize = option("Number of pull requests per batch: a number, or bounds.", 1)
    batch_max_wait_time: Duration = option(
        "Maximum time to wait for a batch to fill.",
        timedelta(seconds=30),
        json_schema_extra={"default": "30 seconds"},
    )
    checks_timeout: ChecksTimeout | None = option(
        "Maximum duration of checks: a duration, `auto`, or null for no limit.",
        "auto",
        json_schema_extra={
            "anyOf": [{"type": "string", "format": "duration"}, {"const": "auto"}, {"type": "null"}]
        },
    )
    max_checks_retries: Annotated[int, Field(ge=0), WHOLE_FLOAT_TO_INT] = option(
        "Number of retries when checks fail.", 0
    )
    batch_max_failure_resolution_attempts: SplitAttempts | None = option(
        "Maximum number of times a failed batch is split; null for no limit.", None
    )
    merge_method: MergeMethod | None = option(
        "Merge method; default: the first method that the repository allows.", None
    )
    update_method: Literal["rebase", "merge"] | None = option(
        "How to update a pull request whose checks run in place.", None
    )
    commit_message_format: CommitMessageFormat | None = option("Content of the commit message.", None)
    commit_message_template: LegacyTemplate | None = option("Template of the commit message.", None)
    merge_bot_account: BotAccount = option("Account that merges pull requests.", None)
    update_bot_account: BotAccount = option("Account that updates pull requests.", None)
    draft_bot_account: BotAccount = option("Account that opens batch pull requests.", None)
    queue_branch_prefix: str = option("Prefix of the names of batch branches.", "mergify/merge-queue/")
    allow_queue_branch_edit: bool = option("Allow other users to push to batch branches.", default=False)
    queue_branch_merge_method: Literal["fast-forward"] | None = option(
        "Old form of `merge_method: fast-forward`.", None
    )
    allow_inplace_checks: bool = option("No longer has any effect.", default=True)


class QueueRule(QueueOptions):
    """One queue."""

    name: str = option("Name of the queue; must be unique.")


class MergeQueue(Options):
    """Settings of the merge queue as a whole."""

    max_parallel_checks: UpTo128 = option(
        "Maximum number of speculative checks that run at the same time.", 5
    )
    mode: Literal["serial", "parallel", "isolated"] = option("Whether batches build on each other.", "serial")
    skip_intermediate_results: bool = option(
        "If a batch passes, accept the earlier batches that it contains as well.", default=False
    )
    reset_on_external_merge: Literal["never", "always"] = option(
        "Whether a merge outside the queue resets running checks.", "always"
    )
    queued_label: str | None = option("Label of pull requests in the queue.", "queued")
    checking_label: str | None = option("Label of pull requests whose checks are running.", None)
    dequeued_label: str | None = option(
        "Label of pull requests that left the queue without being merged.", "dequeued"
    )
    status_comments: Literal["all", "outcomes", "none"] = option("Which status comments to post.", "all")
    queue_controls_comment: bool = option(
        "Post a comment with checkboxes to control the queue.", default=True
    )


def _priority(value: Any) -> int:
    if isinstance(value, str) and value in PRIORITIES:
        return PRIORITIES[value]
    value = whole_float_to_int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise invalid(f"Input should be 'low', 'medium', 'high' or an integer, {found(value)}")
    if not 1 <= value <= HIGHEST_PRIORITY:
        raise invalid(f"Input should be between 1 and {HIGHEST_PRIORITY}, {found(value)}")
    return value


Priority = Annotated[
    int,
    PlainValidator(_priority),
    WithJsonSchema(
        {
            "anyOf": [
                {"enum": list(PRIORITIES)},
                {"type": "integer"},  # the published schema states the range in prose only
            ]
        }
    ),
]


class PriorityRule(Options):
    """The first matching rule sets the priority of a pull request."""

    name: str = option("Name of the rule; must be unique.")
    conditions: ConditionList = option("Conditions for the rule to apply.")
    priority: Priority = option(
        "`low`, `medium`, `high` or a number from 1 to 10000.",
        PRIORITIES["medium"],
        json_schema_extra={"default": "medium"},
    )
    allow_checks_interruption: bool = option(
        "Allow interrupting running checks of pull requests with a lower priority.", default=False
    )


QueueRules = Annotated[tuple[QueueRule, ...], at_most(50)]
PriorityRules = Annotated[tuple[PriorityRule, ...], at_most(50)]
