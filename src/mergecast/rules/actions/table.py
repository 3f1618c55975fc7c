"""The one table of actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from mergecast.conditions.tree import Condition
from mergecast.rules.actions import (
    assign,
    backport,
    close,
    comment,
    copy,
    delete_head_branch,
    dismiss_reviews,
    edit,
    github_actions,
    label,
    merge,
    post_check,
    queue,
    rebase,
    request_reviews,
    review,
    squash,
    update,
)
from mergecast.rules.actions.plan import Case, Plan
from mergecast.rules.context import Context

Planner = Callable[[Any, Case], Plan]


@dataclass(frozen=True, slots=True)
class Action:
    """One row: what the action would do when."""

    plan: Planner  # its rule matches
    requirements: Callable[[Any, Context], tuple[Condition, ...]] | None = None
    plan_waiting: Planner | None = None  # the rule's own conditions hold, the requirements do not
    plan_unmatched: Callable[[Any, Case], Plan | None] | None = None  # the rule does not match
    is_once: bool = False  # a second rule with this action finds it already done


ACTIONS: Mapping[str, Action] = MappingProxyType(
    {
        "assign": Action(assign.plan),
        "backport": Action(backport.plan, backport.requirements, backport.plan_waiting),
        "close": Action(close.plan, is_once=True),
        "comment": Action(comment.plan),
        "copy": Action(copy.plan),
        "delete_head_branch": Action(
            delete_head_branch.plan,
            delete_head_branch.requirements,
            delete_head_branch.plan_waiting,
            is_once=True,
        ),
        "dismiss_reviews": Action(dismiss_reviews.plan),
        "edit": Action(edit.plan),
        "github_actions": Action(github_actions.plan),
        "label": Action(label.plan, plan_unmatched=label.plan_unmatched),
        "merge": Action(merge.plan, merge.requirements, merge.plan_waiting, is_once=True),
        "post_check": Action(post_check.plan, plan_unmatched=post_check.plan_unmatched),
        "queue": Action(queue.plan, queue.requirements, queue.plan_waiting, is_once=True),
        "rebase": Action(rebase.plan, rebase.requirements, is_once=True),
        "request_reviews": Action(request_reviews.plan),
        "review": Action(review.plan),
        "squash": Action(squash.plan, is_once=True),
        "update": Action(update.plan, update.requirements, is_once=True),
    }
)
