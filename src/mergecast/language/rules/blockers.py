"""What keeps a pull request from being queued or merged, in a few words."""

from collections.abc import Iterator

from mergecast.language.conditions.errors import excerpt
from mergecast.language.conditions.result import GroupResult, LeafResult, Outcome, Result, Truth
from mergecast.language.conditions.tree import All, Not
from mergecast.language.rules.sentence import Name, Piece, Sentence, first_listed, names, sentence
from mergecast.language.rules.simulation import Entrance, Simulation
from mergecast.queues.model.words import plural

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
