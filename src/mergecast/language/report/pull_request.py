"""The report about one pull request."""

from collections.abc import Iterable, Iterator

from mergecast.language.conditions.errors import excerpt
from mergecast.language.conditions.result import Outcome
from mergecast.language.configuration.read_result import Deprecation, ReadResult
from mergecast.language.report.checklist import checklist
from mergecast.language.report.escape import on_one_line
from mergecast.language.report.merge_queue import merge_queue
from mergecast.language.report.outline import (
    Block,
    Bullet,
    Code,
    Cut,
    Folded,
    Heading,
    Line,
    Paragraph,
    Prose,
    Quote,
    Report,
    ReportPart,
    Strong,
    report,
    section,
)
from mergecast.language.rules.sentence import Login, Sentence, listed
from mergecast.language.rules.simulation import (
    ActionPlan,
    AutoMergeResult,
    CommandResult,
    ConflictResolution,
    Effect,
    Entrance,
    MergeQueueResult,
    ProtectionResult,
    ProtectionsResult,
    RuleResult,
    RuleStatus,
    Simulation,
)
from mergecast.queues.model.snapshot import PullRequest
from mergecast.queues.model.words import counted

LONGEST_NAME = 100

_STATES = {Outcome.SUCCESS: "pass", Outcome.PENDING: "pending", Outcome.FAILURE: "fail"}
_ENTRANCES = {
    Entrance.QUEUED: "is in queue",
    Entrance.ENTERS: "would enter queue",
    Entrance.WAITS: "waiting to enter queue",
}


def pull_request_report(simulation: Simulation, verdict: ReadResult) -> Report:
    """Everything that the document would do to the pull request."""
    found = report(
        title(simulation),
        _notice(simulation.pull),
        deprecations(verdict.deprecations),
        planned_actions(simulation),
        rules(simulation),
        not_applicable_rules(simulation),
        merge_protections(simulation.protections),
        merge_queue(simulation.queue),
        _auto_merge(simulation.auto_merge),
        _conflicts(simulation.conflicts),
        _commands(simulation.commands),
        notes(simulation.notes, verdict),
    )
    return found if found.parts else report(found.title, _part(Cut.NOTICE, [(_NOTHING,)]))


_CONFLICTS = "Conflict resolution"
_PREVIEW = "This is a preview of the hosted service, and may change."
_NOTHING = Paragraph(("The document configures nothing for this pull request.",))


def _notice(pull: PullRequest) -> ReportPart:
    if pull.merged:
        by: Line = (" by ", Login(pull.merged_by)) if pull.merged_by else ()
        return _part(Cut.NOTICE, [(Paragraph(("This pull request was already merged", *by, ".")),)])
    if pull.closed:
        return _part(Cut.NOTICE, [(Paragraph(("This pull request was closed without being merged.",)),)])
    return _part(Cut.NOTICE, [])


def deprecations(found: Iterable[Deprecation]) -> ReportPart:
    return _part(Cut.DEPRECATION, ((Quote(_banner(use)),) for use in found))


def _banner(use: Deprecation) -> Line:
    place: Line = (f" (line {use.line})",)
    if use.path_to_field:
        place = (" (", Code(".".join(use.path_to_field)), f", line {use.line})")
    return ("⚠️ Action Required: ", Prose(use.message), *place, f"; accepted here until {use.deadline}")


def _auto_merge(result: AutoMergeResult | None) -> ReportPart:
    if result is None:
        return section("Auto-merge")
    return section(
        "Auto-merge",
        Paragraph(result.sentence.pieces),
        checklist(result.conditions, when_empty="No conditions: it applies to every pull request"),
    )


def _conflicts(result: ConflictResolution | None) -> ReportPart:
    if result is None:
        return section(_CONFLICTS)
    bullets = (Bullet(resolver.pieces) for resolver in result.resolvers)
    return section(_CONFLICTS, Paragraph((_PREVIEW,)), Paragraph(result.state.pieces), *bullets)


def _commands(results: tuple[CommandResult, ...]) -> ReportPart:
    return section("Command restrictions", *(block for result in results for block in _command(result)))


def _command(result: CommandResult) -> Iterator[Block]:
    yield Heading(4, (Code(result.command),))
    yield checklist(result.conditions, when_empty="No conditions: everyone may run it")
    if result.allowed is not None:
        logins = listed(tuple(Login(login) for login in result.allowed))
        more = f" and {result.more_allowed} more" if result.more_allowed else ""
        known: Line = ("Would be allowed: ", *logins, more)
        yield Paragraph(known if logins else ("No one whose permission was recorded would be allowed",))


def notes(sentences: Iterable[Sentence], verdict: ReadResult) -> ReportPart:
    """Notes of the simulation, then notes and hints about the document, without duplicates."""
    lines: dict[str, Line] = {sentence.text: sentence.pieces for sentence in sentences}
    for text in verdict.notes:
        lines.setdefault(text, (Prose(text),))
    for hint in verdict.hints:
        lines.setdefault(hint.message, (Prose(hint.message), f" (line {hint.line})"))
    return _part(Cut.NOTE, ((Bullet(line),) for line in lines.values()), "Notes")


def _part(cut: Cut, units: Iterable[tuple[Block, ...]], heading: str | None = None) -> ReportPart:
    return ReportPart(cut, tuple(units), heading)


_ICONS = {Outcome.SUCCESS: "✅", Outcome.PENDING: "⏳", Outcome.FAILURE: "❌"}
_OVERALL = {
    Outcome.SUCCESS: "✅ All active protections pass",
    Outcome.PENDING: "⏳ Pending: what is missing may arrive by itself",
    Outcome.FAILURE: "❌ Failing: someone must act",
}
NO_CONDITIONS = "No conditions: it always holds"


def merge_protections(result: ProtectionsResult | None) -> ReportPart:
    if result is None or not result.protections:
        return section("Merge protections")
    blocks = [block for protection in result.active for block in _active(protection)]
    idle = [protection for protection in result.protections if not protection.is_active]
    if idle:
        label = f"{counted(len(idle), 'protection')} not active on this pull request"
        blocks.append(Folded(label, tuple(block for protection in idle for block in _inactive(protection))))
    return section("Merge protections", Paragraph((_overall(result),)), *blocks)


def _overall(result: ProtectionsResult) -> str:
    if result.outcome is Outcome.SUCCESS and not result.active:
        return "✅ No protection is active on this pull request"
    return _OVERALL[result.outcome]


def _active(protection: ProtectionResult) -> Iterator[Block]:
    icon = _ICONS[protection.outcome] if protection.outcome else ""
    suffix = " (built in)" if protection.is_built_in else ""
    yield Heading(4, (f"{icon} ", Prose(protection.name), suffix))
    if protection.description:
        yield Paragraph((Prose(protection.description),))
    if protection.activity is not None and protection.activity.members:
        yield Paragraph(("Active because:",))
        yield checklist(protection.activity, when_empty=NO_CONDITIONS)
        yield Paragraph(("Must hold:",))
    yield checklist(protection.success, when_empty=NO_CONDITIONS)


def _inactive(protection: ProtectionResult) -> Iterator[Block]:
    yield Heading(4, (Prose(protection.name),))
    if protection.activity is not None:
        yield checklist(protection.activity, when_empty=NO_CONDITIONS)


def title(simulation: Simulation) -> str:
    """Such as `1 rule matches and 2 potential rules — would enter queue "default"`."""
    clauses = [clause for clause in (_queue_clause(simulation), _protections_clause(simulation)) if clause]
    return " — ".join([_rules_clause(simulation), *([", ".join(clauses)] if clauses else [])])


def _rules_clause(simulation: Simulation) -> str:
    if not simulation.rules:
        return "no rules configured, just listening for commands"
    if simulation.lacks("workflow_automation"):
        return "rules are ignored, Workflow Automation is not enabled"
    with_errors, matching, potential = (
        simulation.count(status) for status in (RuleStatus.ERROR, RuleStatus.MATCHING, RuleStatus.POTENTIAL)
    )
    words = [
        f"{counted(with_errors, 'rule')} with errors" if with_errors else "",
        {0: "", 1: "1 rule matches"}.get(matching, f"{matching} rules match"),
        counted(potential, "potential rule") if potential else "",
    ]
    return " and ".join(filter(None, words)) or f"no rules match, {_planned(simulation)}"


def _planned(simulation: Simulation) -> str:
    """A rule that does not match can still remove a label."""
    acting = sum(plan.effect is Effect.ACTS for _, plan in simulation.planned)
    return counted(acting, "planned action") if acting else "no planned actions"


def _queue_clause(simulation: Simulation) -> str | None:
    if simulation.queue is None:
        wants_queue = any(plan.action == "queue" for _, plan in simulation.planned)
        is_off = wants_queue and simulation.lacks("merge_queue")
        return "would not be queued, Merge Queue is not enabled" if is_off else None
    routing = simulation.queue.routing
    if routing.entrance is Entrance.BLOCKED:
        return "blocked from the queue"
    if routing.entrance not in _ENTRANCES:
        return None
    name = routing.queue or _only_queue(simulation.queue)
    if name is None:
        return "waiting to enter a queue"
    return f'{_ENTRANCES[routing.entrance]} "{excerpt(on_one_line(name), LONGEST_NAME)}"'


def _only_queue(queue: MergeQueueResult) -> str | None:
    return queue.queues[0].name if len(queue.queues) == 1 else None


def _protections_clause(simulation: Simulation) -> str | None:
    """Nothing if all protections are inactive."""
    protections = simulation.protections
    if protections is None or (protections.outcome is Outcome.SUCCESS and not protections.active):
        return None
    return f"merge protections {_STATES[protections.outcome]}"


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
_ALWAYS_MATCHES = "No conditions: every pull request matches"


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
    yield checklist(rule.conditions, when_empty=_ALWAYS_MATCHES)
    if rule.status is not RuleStatus.MATCHING:
        yield from (
            Paragraph((_SIGNS[plan.effect], *sentence.pieces))
            for plan in rule.plans
            if plan.effect in _SIGNS
            for sentence in plan.sentences
        )
