"""The report parts about pull request rules: planned actions, and why each rule matches or not."""

from collections.abc import Iterator

from mergecast.language.report.checklist import checklist
from mergecast.language.report.outline import (
    Block,
    Bullet,
    Cut,
    Heading,
    Paragraph,
    Prose,
    ReportPart,
    Strong,
)
from mergecast.language.rules.simulation import ActionPlan, Effect, RuleResult, RuleStatus, Simulation
from mergecast.queues.model.words import counted

# Rules with errors come first, because their authors have something to fix; disabled rules come last.
_SHOWN = ((RuleStatus.ERROR,), (RuleStatus.MATCHING, RuleStatus.POTENTIAL), (RuleStatus.DISABLED,))
_FOLDED = (RuleStatus.IGNORED, RuleStatus.NOT_APPLICABLE)

_VERDICTS = {
    RuleStatus.ERROR: "⚠️ Error: a condition could not be evaluated",
    RuleStatus.MATCHING: "✅ Matches",
    RuleStatus.POTENTIAL: "⏳ Does not match yet",
    RuleStatus.IGNORED: "⚪ Can never match: head, author and merged-by do not change",
    RuleStatus.NOT_APPLICABLE: "⚪ Does not apply to this base branch",
}
_SIGNS = {Effect.WAITS: "⏳ ", Effect.CANNOT: "⚠️ ", Effect.NOTHING: "⚪ "}
NO_CONDITIONS = "No conditions: every pull request matches"


def planned_actions(simulation: Simulation) -> ReportPart:
    """The plans of matching rules, and what other rules do although they do not match."""
    bullets = (
        (Bullet((Strong(rule.name), ": ", _sign(plan), *sentence.pieces)),)
        for rule in simulation.rules
        for plan in rule.plans
        if rule.status is RuleStatus.MATCHING or plan.effect is Effect.ACTS
        for sentence in plan.sentences
    )
    return ReportPart(Cut.ACTION, tuple(bullets), "Planned actions")


def _sign(plan: ActionPlan) -> str:
    """Marks actions of a matching rule that would not happen now."""
    return _SIGNS[plan.effect] if plan.effect in {Effect.WAITS, Effect.CANNOT} else ""


def rules(simulation: Simulation) -> ReportPart:
    shown = (rule for statuses in _SHOWN for rule in simulation.rules if rule.status in statuses)
    return ReportPart(Cut.RULE, tuple(tuple(_rule(rule)) for rule in shown))


def not_applicable_rules(simulation: Simulation) -> ReportPart:
    found = [rule for rule in simulation.rules if rule.status in _FOLDED]
    label = counted(len(found), "not applicable rule")
    return ReportPart(Cut.RULE, tuple(tuple(_rule(rule)) for rule in found), folded=label)


def _rule(rule: RuleResult) -> Iterator[Block]:
    actions = f" ({', '.join(rule.actions)})" if rule.actions else ""
    yield Heading(3, ("Rule: ", Prose(rule.name), actions), is_struck=rule.disabled is not None)
    if rule.description:
        yield Paragraph((Prose(rule.description),))
    if rule.disabled is not None:
        yield Paragraph(("🚫 Disabled: ", Prose(rule.disabled)))
    else:
        yield Paragraph((_VERDICTS[rule.status],))
    yield checklist(rule.conditions, when_empty=NO_CONDITIONS)
    if rule.status is not RuleStatus.MATCHING:
        yield from (
            Paragraph((_SIGNS[plan.effect], *sentence.pieces))
            for plan in rule.plans
            if plan.effect in _SIGNS
            for sentence in plan.sentences
        )
