"""The parts of a report about the rules of pull requests: what they plan, and why they do or do not match."""

from collections.abc import Iterator

from mergecast.report.checklist import checklist
from mergecast.report.outline import Block, Bullet, Cut, Heading, Paragraph, Part, Prose, Strong, counted
from mergecast.rules.simulation import ActionPlan, Effect, RuleResult, Simulation, Standing

# Rules with errors come first, because their authors have something to fix; disabled rules come last.
_SHOWN = ((Standing.FAULTY,), (Standing.MATCHING, Standing.POTENTIAL), (Standing.DISABLED,))
_FOLDED = (Standing.IGNORED, Standing.NOT_APPLICABLE)

_VERDICTS = {
    Standing.FAULTY: "⚠️ Error: a condition could not be evaluated",
    Standing.MATCHING: "✅ Matches",
    Standing.POTENTIAL: "⏳ Does not match yet",
    Standing.IGNORED: "⚪ Cannot match: head, author and who merged do not change",
    Standing.NOT_APPLICABLE: "⚪ Does not apply to this base branch",
}
_SIGNS = {Effect.WAITS: "⏳ ", Effect.CANNOT: "⚠️ ", Effect.NOTHING: "⚪ "}
NO_CONDITIONS = "No conditions: every pull request matches"


def planned_actions(simulation: Simulation) -> Part:
    """All that matching rules do or say, and what others do although they do not match."""
    bullets = (
        (Bullet((Strong(rule.name), ": ", _sign(plan), *sentence.pieces)),)
        for rule in simulation.rules
        for plan in rule.plans
        if rule.standing is Standing.MATCHING or plan.effect is Effect.ACTS
        for sentence in plan.sentences
    )
    return Part(Cut.ACTION, tuple(bullets), "Planned actions")


def _sign(plan: ActionPlan) -> str:
    """Of what a matching rule does not do although it is meant to."""
    return _SIGNS[plan.effect] if plan.effect in {Effect.WAITS, Effect.CANNOT} else ""


def rules(simulation: Simulation) -> Part:
    shown = (rule for standings in _SHOWN for rule in simulation.rules if rule.standing in standings)
    return Part(Cut.RULE, tuple(tuple(_rule(rule)) for rule in shown))


def not_applicable_rules(simulation: Simulation) -> Part:
    found = [rule for rule in simulation.rules if rule.standing in _FOLDED]
    label = counted(len(found), "not applicable rule")
    return Part(Cut.RULE, tuple(tuple(_rule(rule)) for rule in found), folded=label)


def _rule(rule: RuleResult) -> Iterator[Block]:
    actions = f" ({', '.join(rule.actions)})" if rule.actions else ""
    yield Heading(3, ("Rule: ", Prose(rule.name), actions), is_struck=rule.disabled is not None)
    if rule.description:
        yield Paragraph((Prose(rule.description),))
    if rule.disabled is not None:
        yield Paragraph(("🚫 Disabled: ", Prose(rule.disabled)))
    else:
        yield Paragraph((_VERDICTS[rule.standing],))
    yield checklist(rule.conditions, when_empty=NO_CONDITIONS)
    if rule.standing is not Standing.MATCHING:
        yield from (
            Paragraph((_SIGNS[plan.effect], *sentence.pieces))
            for plan in rule.plans
            if plan.effect in _SIGNS
            for sentence in plan.sentences
        )
