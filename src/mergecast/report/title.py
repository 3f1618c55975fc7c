"""The title of a report: one line that says what would happen to a pull request."""

from mergecast.conditions.outcome import Outcome
from mergecast.report.escape import on_one_line
from mergecast.report.outline import counted
from mergecast.rules.simulation import Effect, Entrance, MergeQueueResult, RuleStatus, Simulation

LONGEST_NAME = 100

_STATES = {Outcome.SUCCESS: "pass", Outcome.PENDING: "pending", Outcome.FAILURE: "fail"}
_ENTRANCES = {
    Entrance.QUEUED: "is in queue",
    Entrance.ENTERS: "would enter queue",
    Entrance.WAITS: "waiting to enter queue",
}


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
    return f'{_ENTRANCES[routing.entrance]} "{_short(name)}"'


def _only_queue(queue: MergeQueueResult) -> str | None:
    return queue.queues[0].name if len(queue.queues) == 1 else None


def _protections_clause(simulation: Simulation) -> str | None:
    """Nothing if all protections are inactive."""
    protections = simulation.protections
    if protections is None or (protections.outcome is Outcome.SUCCESS and not protections.active):
        return None
    return f"merge protections {_STATES[protections.outcome]}"


def _short(name: str) -> str:
    line = on_one_line(name)
    return line if len(line) <= LONGEST_NAME else f"{line[:LONGEST_NAME]}…"
