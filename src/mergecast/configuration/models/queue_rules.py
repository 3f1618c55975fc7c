"""Queues, and what holds for all of them."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, Discriminator, Field, PlainValidator, Tag, WithJsonSchema

from mergecast.conditions.tree import All
from mergecast.configuration.models.actions import BotAccount
from mergecast.configuration.models.condition_lists import Conditions
from mergecast.configuration.models.options import (
    TAG,
    WHOLE_FLOAT_TO_INT,
    ChecksTimeout,
    Duration,
    Options,
    at_most,
    option,
    whole_float_to_int,
)
from mergecast.configuration.models.templated_fields import CommitMessageFormat, LegacyTemplate
from mergecast.configuration.problems import wrong_shape, wrong_syntax
from mergecast.configuration.wording import found

LARGEST = 128
PRIORITIES = {"low": 1000, "medium": 2000, "high": 3000}
HIGHEST_PRIORITY = 10_000

UpTo128 = Annotated[int, Field(ge=1, le=LARGEST), WHOLE_FLOAT_TO_INT]
ConditionList = Annotated[All, Conditions()]
MergeMethod = Literal["merge", "rebase", "squash", "fast-forward", "merge-batch"]


class BatchRange(Options):
    """Bounds of a batch whose size follows the queue."""

    min: UpTo128 = option("The smallest batch.")
    max: UpTo128 = option("The largest batch.")


BatchSize = Annotated[
    Annotated[UpTo128, Tag(f"{TAG}fixed")] | Annotated[BatchRange, Tag(f"{TAG}range")],
    Discriminator(lambda value: f"{TAG}range" if isinstance(value, dict | BatchRange) else f"{TAG}fixed"),
]


class QueueOptions(Options):
    """Everything of a queue but its name; also the defaults of all queues."""

    queue_conditions: ConditionList = option(
        "What a pull request needs to enter this queue and to stay in it.",
        All(()),
        validation_alias=AliasChoices("queue_conditions", "routing_conditions"),
    )
    merge_conditions: ConditionList = option(
        "What a pull request needs to be merged, besides the queue conditions.",
        All(()),
        validation_alias=AliasChoices("merge_conditions", "conditions"),
    )
    branch_protection_injection_mode: Literal["queue", "merge", "none"] = option(
        "Whether branch protections count as conditions: to enter and to merge, to merge only, or not.",
        "queue",
    )
    batch_size: BatchSize = option("Pull requests in a batch: a number, or bounds.", 1)
    batch_max_wait_time: Duration = option(
        "How long to wait for a batch to fill.",
        timedelta(seconds=30),
        json_schema_extra={"default": "30 seconds"},
    )
    checks_timeout: ChecksTimeout | None = option(
        "How long checks may take: a duration, `auto`, or null for no limit.",
        "auto",
        json_schema_extra={
            "anyOf": [{"type": "string", "format": "duration"}, {"const": "auto"}, {"type": "null"}]
        },
    )
    max_checks_retries: Annotated[int, Field(ge=0), WHOLE_FLOAT_TO_INT] = option(
        "Runs again of failed checks.", 0
    )
    batch_max_failure_resolution_attempts: Annotated[int, Field(ge=0), WHOLE_FLOAT_TO_INT] | None = option(
        "How often a failed batch is split; null for as often as needed.", None
    )
    merge_method: MergeMethod | None = option(
        "How to merge; without it, the first method that the repository allows.", None
    )
    update_method: Literal["rebase", "merge"] | None = option(
        "How a pull request that is checked in place is brought up to date.", None
    )
    commit_message_format: CommitMessageFormat | None = option("What the commit message is made of.", None)
    commit_message_template: LegacyTemplate | None = option("Template of the commit message.", None)
    merge_bot_account: BotAccount = option("Account that merges.", None)
    update_bot_account: BotAccount = option("Account that updates pull requests.", None)
    draft_bot_account: BotAccount = option("Account that opens batch pull requests.", None)
    queue_branch_prefix: str = option("Prefix of the branches of batches.", "mergify/merge-queue/")
    allow_queue_branch_edit: bool = option("Accept commits of others on batch branches.", default=False)
    queue_branch_merge_method: Literal["fast-forward"] | None = option(
        "Older spelling of `merge_method: fast-forward`.", None
    )
    allow_inplace_checks: bool = option("Has no effect any more.", default=True)
    autosquash: bool = option("Squash fixup commits when rebasing in place.", default=False)
    autoqueue: bool = option("Queue pull requests as soon as the queue conditions hold.", default=False)


class QueueRule(QueueOptions):
    """One queue."""

    name: str = option("Name of the queue; no two queues share one.")


class MergeQueue(Options):
    """Settings of the merge queue as a whole."""

    max_parallel_checks: UpTo128 = option("Speculative checks that run at the same time.", 5)
    mode: Literal["serial", "parallel", "isolated"] = option("How batches depend on each other.", "serial")
    skip_intermediate_results: bool = option(
        "A batch that passes vouches for the earlier ones it contains.", default=False
    )
    reset_on_external_merge: Literal["never", "always"] = option(
        "Whether a change from outside the queue resets running checks.", "always"
    )
    queued_label: str | None = option("Label while in the queue.", "queued")
    checking_label: str | None = option("Label while checks run.", None)
    dequeued_label: str | None = option("Label after leaving without a merge.", "dequeued")
    status_comments: Literal["all", "outcomes", "none"] = option("Which comments are posted.", "all")
    queue_controls_comment: bool = option("Post a comment with boxes to queue.", default=True)


def _priority(value: Any) -> int:
    if isinstance(value, str) and value in PRIORITIES:
        return PRIORITIES[value]
    value = whole_float_to_int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise wrong_shape(f"Input should be 'low', 'medium', 'high' or an integer, {found(value)}")
    if not 1 <= value <= HIGHEST_PRIORITY:
        raise wrong_syntax(f"Input should be between 1 and {HIGHEST_PRIORITY}, {found(value)}")
    return value


Priority = Annotated[
    int,
    PlainValidator(_priority),
    WithJsonSchema(
        {
            "anyOf": [
                {"enum": list(PRIORITIES)},
                {"type": "integer", "minimum": 1, "maximum": HIGHEST_PRIORITY},
            ]
        }
    ),
]


class PriorityRule(Options):
    """The first of these rules that matches gives a pull request its priority."""

    name: str = option("Name of the rule; no two share one.")
    conditions: ConditionList = option("When the rule applies.")
    priority: Priority = option(
        "`low`, `medium`, `high` or a number from 1 to 10000.",
        PRIORITIES["medium"],
        json_schema_extra={"default": "medium"},
    )
    allow_checks_interruption: bool = option(
        "May stop running checks of pull requests with a lower priority.", default=False
    )


QueueRules = Annotated[tuple[QueueRule, ...], at_most(50)]
PriorityRules = Annotated[tuple[PriorityRule, ...], at_most(50)]
