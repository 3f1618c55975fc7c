"""The one table of actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from mergecast.conditions.tree import Condition
from mergecast.configuration import actions as configured
from mergecast.configuration.options import Options
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
from mergecast.rules.deed import Case, Deed
from mergecast.rules.subject import Subject

Planner = Callable[[Any, Case], Deed]


@dataclass(frozen=True, slots=True)
class Action:
    """One row: the options it has when the document gives none, and what it would do when."""

    unset: Options
    plan: Planner  # its rule matches
    requirements: Callable[[Any, Subject], tuple[Condition, ...]] | None = None
    plan_waiting: Planner | None = None  # the rule's own conditions hold, the requirements do not
    plan_unmatched: Callable[[Any, Case], Deed | None] | None = None  # the rule does not match
    is_once: bool = False  # a second rule with this action finds it already done


_NO_WORKFLOW = configured.GithubActions(workflow=configured.Workflow())

ACTIONS: Mapping[str, Action] = MappingProxyType(
    {
        "assign": Action(configured.Assign(), assign.plan),
        "backport": Action(
            configured.Backport(), backport.plan, backport.requirements, backport.plan_waiting
        ),
        "close": Action(configured.Close(), close.plan, is_once=True),
        "comment": Action(configured.Comment(), comment.plan),
        "copy": Action(configured.Copy(), copy.plan),
        "delete_head_branch": Action(
            configured.DeleteHeadBranch(),
            delete_head_branch.plan,
            delete_head_branch.requirements,
            delete_head_branch.plan_waiting,
            is_once=True,
        ),
        "dismiss_reviews": Action(configured.DismissReviews(), dismiss_reviews.plan),
        "edit": Action(configured.Edit(), edit.plan),
        "github_actions": Action(_NO_WORKFLOW, github_actions.plan),
        "label": Action(configured.Label(), label.plan, plan_unmatched=label.plan_unmatched),
        "merge": Action(configured.Merge(), merge.plan, merge.requirements, merge.plan_waiting, is_once=True),
        "post_check": Action(
            configured.PostCheck(), post_check.plan, plan_unmatched=post_check.plan_unmatched
        ),
        "queue": Action(configured.Queue(), queue.plan, queue.requirements, queue.plan_waiting, is_once=True),
        "rebase": Action(configured.Rebase(), rebase.plan, rebase.requirements, is_once=True),
        "request_reviews": Action(configured.RequestReviews(), request_reviews.plan),
        "review": Action(configured.Review(), review.plan),
        "squash": Action(configured.Squash(), squash.plan, is_once=True),
        "update": Action(configured.Update(), update.plan, update.requirements, is_once=True),
    }
)
