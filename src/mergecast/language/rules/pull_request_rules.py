"""Which rules match the pull request, and what would their actions do?"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from mergecast.language.conditions.errors import EvaluationError, NotRecorded
from mergecast.language.conditions.result import GroupResult, Truth, holds_all
from mergecast.language.conditions.tree import All, Condition
from mergecast.language.configuration.models.options import Options
from mergecast.language.configuration.models.rules import PullRequestRule
from mergecast.language.configuration.templates.render import CannotRender
from mergecast.language.rules.actions import ACTIONS
from mergecast.language.rules.actions.plan import Case, Plan, cannot, nothing, unknown
from mergecast.language.rules.context import Context
from mergecast.language.rules.queues import Priorities
from mergecast.language.rules.rule_status import rule_status
from mergecast.language.rules.sentence import Name, Passage
from mergecast.language.rules.simulation import ActionPlan, QueueResult, RuleResult, RuleStatus

ActionOptions = Mapping[str, Options]  # by the name of the action


def judge_rules(
    context: Context, queues: tuple[QueueResult, ...], priorities: Priorities
) -> tuple[RuleResult, ...]:
    """Every rule in document order. Rules are independent, except that some actions happen only once."""
    done: dict[str, str] = {}
    results: list[RuleResult] = []
    for rule in context.configuration.pull_request_rules:
        own = context.judge(rule.conditions.members)
        case = Case(context, rule.name, own, queues, priorities)
        results += [_judge_block(block, rule, case, done) for block in _blocks(rule.actions.written())]
    return tuple(results)


def _blocks(actions: ActionOptions) -> Iterator[ActionOptions]:
    """Actions without requirements share a block; each action with requirements has its own."""
    demanding = {name for name in actions if ACTIONS[name].requirements}
    free = {name: options for name, options in actions.items() if name not in demanding}
    if free or not actions:
        yield free
    for name in sorted(demanding):
        yield {name: actions[name]}


def _judge_block(block: ActionOptions, rule: PullRequestRule, case: Case, done: dict[str, str]) -> RuleResult:
    conditions = _with_requirements(block, rule, case)
    status = RuleStatus.DISABLED if rule.disabled else rule_status(conditions)
    plans: tuple[ActionPlan, ...] = ()
    if not rule.disabled and not case.context.lacks("workflow_automation"):
        plans = tuple(_plans(block, case, conditions, status, done))
    return RuleResult(
        name=rule.name,
        description=rule.description,
        disabled=rule.disabled.reason if rule.disabled else None,
        actions=tuple(block),
        status=status,
        conditions=conditions,
        plans=plans,
    )


def _with_requirements(block: ActionOptions, rule: PullRequestRule, case: Case) -> GroupResult:
    required: tuple[Condition, ...] = ()
    for name, options in block.items():
        if requirements := ACTIONS[name].requirements:
            required += requirements(options, case.context)
    if not required:
        return case.own
    judged = (*case.own.members, *case.context.judge(required).members)
    everything = All((*rule.conditions.members, *required))
    return GroupResult(everything, holds_all([result.truth for result in judged]), judged)


def _plans(
    block: ActionOptions, case: Case, conditions: GroupResult, status: RuleStatus, done: dict[str, str]
) -> Iterator[ActionPlan]:
    for name, options in block.items():
        action = ACTIONS[name]
        planner: Callable[[Any, Case], Plan | None] | None = None
        if status is RuleStatus.MATCHING:
            planner = _only_once(name, case, done) if action.is_once else action.plan
        elif case.own.truth is Truth.HOLDS and status in {RuleStatus.POTENTIAL, RuleStatus.ERROR}:
            planner = action.plan_waiting
        elif conditions.truth is Truth.FAILS:
            planner = action.plan_unmatched
        plan = _run(planner, options, case) if planner else None
        if plan is not None:
            yield ActionPlan(name, plan.effect, plan.sentences, plan.queue)


def _only_once(name: str, case: Case, done: dict[str, str]) -> Callable[[Any, Case], Plan]:
    before = done.setdefault(name, case.rule)
    if before == case.rule:
        return ACTIONS[name].plan
    return lambda _, __: nothing(f"Another {name} action already ran (rule ", Name(before), ")")


def _run(planner: Callable[[Any, Case], Plan | None], options: Options, case: Case) -> Plan | None:
    """The plan. A template that cannot be rendered, or a missing part, is a plan as well."""
    try:
        return planner(options, case)
    except (CannotRender, EvaluationError) as error:
        return cannot("Would fail: ", Passage(str(error)))
    except NotRecorded as error:
        return unknown(f"Not known: {error}")
