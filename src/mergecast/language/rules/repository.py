"""What a document would do to all open pull requests of a repository, what changes, and what blocks them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mergecast.language.conditions.errors import excerpt
from mergecast.language.conditions.result import GroupResult, LeafResult, Outcome, Result, Truth
from mergecast.language.conditions.tree import All, Not
from mergecast.language.rules.overview import Overview
from mergecast.language.rules.sentence import Name, Piece, Sentence, first_listed, listed, names, sentence
from mergecast.language.rules.simulation import Effect, Entrance, RuleStatus, Simulation
from mergecast.queues.model.snapshot import PullRequest
from mergecast.queues.model.words import plural


@dataclass(frozen=True, slots=True)
class PullRequestRow:
    """What would happen to one pull request.

    It is affected if a matching rule would do something, if it would enter a queue, or if merge protections
    hold it back. A matching rule that finds everything done already does not count.
    """

    number: int
    title: str
    matching: tuple[str, ...] = ()  # names of rules, in document order
    with_errors: tuple[str, ...] = ()  # rules that could not be evaluated
    entrance: Entrance | None = None  # None if the document or the products do not use queues
    queue: str | None = None
    blockers: tuple[Sentence, ...] = ()
    is_affected: bool = False
    state: Sentence | None = None  # what happens to it in queues, under the document and now
    state_now: Sentence | None = None  # None without a current document
    differences: tuple[Sentence, ...] | None = None  # from the current document, if there is one
    error: str | None = None  # why it could not be simulated


@dataclass(frozen=True, slots=True)
class RepositoryResult:
    """The document, the pull requests (newest first), and how many more there are."""

    overview: Overview
    rows: tuple[PullRequestRow, ...]
    not_looked_at: int
    notes: tuple[Sentence, ...]

    @property
    def affected(self) -> int:
        return sum(row.is_affected for row in self.rows)

    @property
    def not_simulated(self) -> int:
        return sum(row.error is not None for row in self.rows)

    @property
    def is_compared(self) -> bool:
        """Whether pull requests were also simulated with the current document."""
        return any(row.differences is not None for row in self.rows)

    @property
    def changed(self) -> tuple[PullRequestRow, ...]:
        return tuple(row for row in self.rows if row.differences)


def repository_result(
    overview: Overview,
    rows: Iterable[PullRequestRow],
    *,
    not_looked_at: int = 0,
    notes: tuple[Sentence, ...] = (),
) -> RepositoryResult:
    newest_first = sorted(rows, key=lambda row: -row.number)
    return RepositoryResult(overview, tuple(newest_first), not_looked_at, notes)


def row_of(simulation: Simulation, current: Simulation | None) -> PullRequestRow:
    """The row of one pull request, compared with its simulation under the current document."""
    routing = simulation.queue.routing if simulation.queue else None
    return PullRequestRow(
        number=simulation.pull.number,
        title=simulation.pull.title,
        matching=_named(simulation, RuleStatus.MATCHING),
        with_errors=_named(simulation, RuleStatus.ERROR),
        entrance=routing.entrance if routing else None,
        queue=routing.queue if routing else None,
        blockers=blockers(simulation),
        is_affected=_is_affected(simulation),
        state=sentence(*_queue_state(simulation)),
        state_now=None if current is None else sentence(*_queue_state(current)),
        differences=None if current is None else tuple(_differences(current, simulation)),
    )


def row_without_result(pull: PullRequest, error: str) -> PullRequestRow:
    """The row of a pull request that could not be simulated."""
    return PullRequestRow(pull.number, pull.title, error=error)


def _named(simulation: Simulation, status: RuleStatus) -> tuple[str, ...]:
    """The rules with this status; a rule with several blocks is named once."""
    found = (rule.name for rule in simulation.rules if rule.status is status)
    return tuple(dict.fromkeys(found))


def _is_affected(simulation: Simulation) -> bool:
    acts = any(plan.effect is Effect.ACTS for _, plan in simulation.planned)
    enters = simulation.queue is not None and simulation.queue.routing.entrance is Entrance.ENTERS
    protections = simulation.protections
    is_held = protections is not None and protections.outcome is not Outcome.SUCCESS
    return acts or enters or is_held


def _differences(before: Simulation, after: Simulation) -> Iterator[Sentence]:
    """One sentence per difference."""
    yield from _in_actions(before, after)
    yield from _in_queue(before, after)
    yield from _in_protections(before, after)


def _in_actions(before: Simulation, after: Simulation) -> Iterator[Sentence]:
    """Compared by what would happen, so renaming a rule makes no difference."""
    old, new = _planned_sentences(before), _planned_sentences(after)
    for text, planned in new.items():
        if text not in old:
            yield sentence("new: ", *planned.pieces)
    for text, planned in old.items():
        if text not in new:
            yield sentence("no longer: ", *planned.pieces)


def _planned_sentences(simulation: Simulation) -> dict[str, Sentence]:
    return {
        planned.text: planned
        for _, plan in simulation.planned
        if plan.effect is Effect.ACTS and plan.action != "queue"
        for planned in plan.sentences
    }


def _in_queue(before: Simulation, after: Simulation) -> Iterator[Sentence]:
    old, new = _queue_state(before), _queue_state(after)
    if old != new:
        yield sentence(*new, " (now: ", *old, ")")


def _queue_state(simulation: Simulation) -> tuple[Piece, ...]:
    if simulation.queue is None:
        return ("no queue",)
    routing = simulation.queue.routing
    if routing.queue is None:
        return (routing.entrance.value,)
    ways = {
        Entrance.QUEUED: ("is in queue ",),
        Entrance.ENTERS: ("would enter queue ",),
        Entrance.WAITS: ("waits to enter queue ",),
        Entrance.BLOCKED: ("is blocked from queue ",),
        Entrance.CAN_ENTER: ("can be queued by command in ",),
        Entrance.SHUT: ("is not admitted to queue ",),
    }
    priority = simulation.queue.priority.word
    said = (f" with priority {priority}",) if routing.entrance is Entrance.ENTERS else ()
    return (*ways[routing.entrance], Name(routing.queue), *said)


def _in_protections(before: Simulation, after: Simulation) -> Iterator[Sentence]:
    old, new = _failing(before), _failing(after)
    if held := names(name for name in new if name not in old):
        yield sentence("held back by the protection ", *listed(held))
    if freed := names(name for name in old if name not in new):
        yield sentence("no longer held back by the protection ", *listed(freed))


def _failing(simulation: Simulation) -> tuple[str, ...]:
    protections = simulation.protections
    return tuple(protection.name for protection in protections.holding_back) if protections else ()


MOST_CONDITIONS = 3
MOST_QUEUES = 2
MOST_PROTECTIONS = 5
LONGEST_CONDITION = 200

_NOT_ADMITTED = frozenset({Entrance.WAITS, Entrance.SHUT})


def blockers(simulation: Simulation) -> tuple[Sentence, ...]:
    """Unmet queue conditions first, then merge protections that do not pass."""
    return (*_queue(simulation), *_protections(simulation))


def _queue(simulation: Simulation) -> Iterator[Sentence]:
    """The unmet conditions of the queue that it waits for, or of all queues if none admits it."""
    if simulation.queue is None:
        return
    if simulation.queue.routing.entrance is Entrance.BLOCKED:
        yield simulation.queue.routing.sentence
    if simulation.queue.routing.entrance not in _NOT_ADMITTED:
        return
    wanted = simulation.queue.routing.queue
    closed = [
        queue for queue in simulation.queue.queues if wanted in {None, queue.name} and not queue.is_admitted
    ]
    for queue in closed[:MOST_QUEUES]:
        yield sentence("queue ", Name(queue.name), ": ", *_missing(queue.admission))
    if len(closed) > MOST_QUEUES:
        yield _more(len(closed) - MOST_QUEUES, "queue")


def _protections(simulation: Simulation) -> Iterator[Sentence]:
    if simulation.protections is None:
        return
    holding = simulation.protections.holding_back
    for protection in holding[:MOST_PROTECTIONS]:
        state = "pending" if protection.outcome is Outcome.PENDING else "failing"
        yield sentence("protection ", Name(protection.name), f" {state}: ", *_missing(protection.success))
    if len(holding) > MOST_PROTECTIONS:
        yield _more(len(holding) - MOST_PROTECTIONS, "protection")


def _more(number: int, noun: str) -> Sentence:
    return sentence(f"{number} more {plural(number, noun)}")


def _missing(root: GroupResult) -> tuple[Piece, ...]:
    """The first conditions that do not hold, and how many more there are."""
    found = list(_unmet(root))
    return first_listed(names(excerpt(text, LONGEST_CONDITION) for text in found), MOST_CONDITIONS)


def _unmet(result: Result) -> Iterator[str]:
    """The conditions that do not hold; an `or` or `not` group is shown whole, with all its members."""
    if result.truth is Truth.HOLDS:
        return
    if isinstance(result, LeafResult):
        yield result.condition.text
    elif isinstance(result.condition, All):
        for member in result.members:
            yield from _unmet(member)
    else:
        yield _in_words(result)


def _in_words(result: Result) -> str:
    if isinstance(result, LeafResult):
        return result.condition.text
    words = [_as_member(member) for member in result.members]
    if isinstance(result.condition, Not):
        return f"not {words[0]}"
    return (" and " if isinstance(result.condition, All) else " or ").join(words)


def _as_member(result: Result) -> str:
    words = _in_words(result)
    return words if isinstance(result, LeafResult) else f"({words})"
