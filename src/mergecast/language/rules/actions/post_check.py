"""`post_check`: post a check run that says whether conditions hold."""

import re
from collections.abc import Iterator

from mergecast.language.conditions.result import GroupResult, LeafResult, Result, Truth
from mergecast.language.conditions.tree import All, Not
from mergecast.language.configuration.models.actions import PostCheck
from mergecast.language.rules.actions.plan import Action, Case, Plan, acts, always
from mergecast.language.rules.sentence import Name, Passage, sentence
from mergecast.language.rules.variables import fill_legacy


def _plan(options: PostCheck, case: Case) -> Plan:
    result = case.own
    if options.success_conditions is not None:
        result = case.context.judge(options.success_conditions.members)
    status = _status(options, result, case)
    variables = {
        "check_rule_name": case.rule,
        "check_succeed": status == "success",
        "check_status": status,
        "check_conditions": _checklist(result),
    }
    title = fill_legacy(options.title, case.context, **variables)
    sentences = [sentence(f"Would post a check with the conclusion {status} titled ", Name(title))]
    if "summary" in options.model_fields_set:
        summary = fill_legacy(options.summary, case.context, **variables)
        sentences.append(sentence("With the summary: ", Passage(summary)))
    return acts(*sentences)


def _plan_unmatched(options: PostCheck, case: Case) -> Plan | None:
    """A check about the rule itself is posted in any case; it then says that the rule does not match."""
    return _plan(options, case) if options.success_conditions is None else None


def _status(options: PostCheck, result: GroupResult, case: Case) -> str:
    if result.truth is Truth.HOLDS:
        return "success"
    neutral = options.neutral_conditions
    if neutral is not None and case.context.judge(neutral.members).truth is Truth.HOLDS:
        return "neutral"
    return "failure"


def _checklist(result: GroupResult) -> str:
    """The conditions as a Markdown checklist, for the template variable `check_conditions`."""
    return "\n".join(line for member in result.members for line in _lines(member, ""))


def _lines(result: Result, indent: str) -> Iterator[str]:
    box = "[X]" if result.truth is Truth.HOLDS else "[ ]"
    if isinstance(result, LeafResult):
        problem = result.error or result.missing
        yield f"{indent}- {box} {_code(result.condition.text)}{f' ⚠️ {problem}' if problem else ''}"
        return
    yield f"{indent}- {box} {_title(result)}:"
    for member in result.members:
        yield from _lines(member, f"{indent}  ")


def _code(text: str) -> str:
    """A code span that backticks in the text cannot end."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence, space = "`" * (longest + 1), " " if longest else ""
    return f"{fence}{space}{text}{space}{fence}"


def _title(result: GroupResult) -> str:
    if isinstance(result.condition, Not):
        return "not"
    return "all of" if isinstance(result.condition, All) else "any of"


ACTION = Action(_plan, always("posts a check"), plan_unmatched=_plan_unmatched)
