"""The report section about queues: admission, the chosen queue, and where checks run."""

from collections.abc import Iterator

from mergecast.language.conditions.result import Outcome
from mergecast.language.report.checklist import checklist, has_checks
from mergecast.language.report.outline import (
    Block,
    Bullet,
    Folded,
    Heading,
    Line,
    Paragraph,
    Prose,
    ReportPart,
    section,
)
from mergecast.language.rules.sentence import Name, first_listed, listed, names
from mergecast.language.rules.simulation import (
    PRIORITY_WORDS,
    ChecksPlace,
    MergeQueueResult,
    PriorityResult,
    QueueResult,
    ScopesResult,
)
from mergecast.queues.model.instant import format_instant
from mergecast.queues.model.words import counted

_MERGING = {
    Outcome.SUCCESS: "To merge (✅ holds now):",
    Outcome.PENDING: "To merge (⏳ pending):",
    Outcome.FAILURE: "To merge (❌ fails now):",
}
_BATCH_CHECKS = "These checks run on a batch pull request that does not exist yet"
NO_CONDITIONS = "No conditions: every pull request is admitted"


def merge_queue(result: MergeQueueResult | None) -> ReportPart:
    if result is None:
        return section("Merge queue")
    return section(
        "Merge queue",
        *(block for queue in result.queues for block in _queue(queue)),
        Heading(4, ("Decision",)),
        *(Bullet(line) for line in _decisions(result)),
        *_priority_rules(result.priority),
    )


def _queue(queue: QueueResult) -> Iterator[Block]:
    icon, state = ("✅", "admitted") if queue.is_admitted else ("❌", "not admitted")
    implicit = " (implicit: the document defines no queue)" if queue.is_implicit else ""
    yield Heading(4, (f"{icon} Queue ", Name(queue.name), f": {state}{implicit}"))
    yield checklist(queue.admission, when_empty=NO_CONDITIONS)
    if queue.merging.members:
        yield Paragraph((_MERGING[queue.merging_outcome],))
        yield checklist(queue.merging, when_empty=NO_CONDITIONS)
        if queue.reads_batch_checks and has_checks(queue.merging):
            yield Paragraph((_BATCH_CHECKS,))
    if queue.commit_message is not None:
        yield Paragraph(queue.commit_message.pieces)


def _decisions(result: MergeQueueResult) -> Iterator[Line]:
    yield ("Queue: ", *result.routing.sentence.pieces)
    yield ("Priority: ", *_priority(result.priority))
    if result.scopes is not None:
        yield ("Scopes: ", *_scopes(result.scopes))
    yield ("Checks: ", *_checks(result.checks))
    place = result.place
    if place is not None and place.queued_at is not None:
        yield (f"Queued since: {format_instant(place.queued_at)}",)
    if result.dequeue_reason is not None:
        yield ("Last exit: ", Name(result.dequeue_reason))


def _priority(priority: PriorityResult) -> Line:
    given = (", by rule ", Name(priority.rule)) if priority.rule is not None else (", since no rule matches",)
    interruption = ("; may interrupt checks of lower priority",) if priority.allows_interruption else ()
    return (_level(priority.value), *(given if priority.rules else ()), *interruption)


def _level(value: int) -> str:
    return f"{PRIORITY_WORDS[value]} ({value})" if value in PRIORITY_WORDS else str(value)


def _scopes(scopes: ScopesResult) -> Line:
    if scopes.missing is not None:
        return (Prose(scopes.missing),)
    found = listed(names(scopes.names)) or ("none",)
    if not scopes.is_barrier:
        return found
    files = first_listed(names(scopes.barrier_files))
    return (*found, "; runs alone, because it changes barrier files", *((": ", *files) if files else ()))


def _checks(place: ChecksPlace) -> Line:
    line: Line = ("in place" if place.in_place else "on a batch pull request",)
    for number, reason in enumerate(place.reasons):
        line += ("; " if number else " — ", *reason.pieces)
    return line


def _priority_rules(priority: PriorityResult) -> Iterator[Block]:
    if not priority.rules:
        return
    blocks: list[Block] = []
    for rule in priority.rules:
        sign = "✅ " if rule.matches else "⚪ "
        blocks.append(Heading(4, (sign, Prose(rule.name), f": {_level(rule.priority)}")))
        blocks.append(checklist(rule.conditions, when_empty="No conditions: every pull request matches"))
    yield Folded(counted(len(priority.rules), "priority rule"), tuple(blocks))
