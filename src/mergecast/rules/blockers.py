"""What keeps a pull request from being queued or merged, in a few words."""

from __future__ import annotations

from collections.abc import Iterator

from mergecast.conditions.outcome import Outcome
from mergecast.conditions.result import GroupResult, LeafResult, Result, Truth
from mergecast.conditions.tree import All
from mergecast.rules.result import Entrance, Simulation, Standing
from mergecast.rules.sentence import Name, Piece, Sentence, listed, sentence

MOST_CONDITIONS = 3


def blockers(simulation: Simulation) -> tuple[Sentence, ...]:
    """Rules that could not be evaluated, then the queue, then protections."""
    return (*_faulty_rules(simulation), *_queue(simulation), *_protections(simulation))


def _faulty_rules(simulation: Simulation) -> Iterator[Sentence]:
    found = dict.fromkeys(rule.name for rule in simulation.rules if rule.standing is Standing.FAULTY)
    if found:
        yield sentence("faulty rule ", *listed(tuple(Name(name) for name in found)))


def _queue(simulation: Simulation) -> Iterator[Sentence]:
    """Only while something would queue it: what nobody asked for is not blocked."""
    if simulation.queue is None or simulation.queue.routing.entrance is not Entrance.WAITS:
        return
    wanted = simulation.queue.routing.queue
    for queue in simulation.queue.queues:
        if wanted in {None, queue.name} and not queue.is_admitted:
            yield sentence("queue ", Name(queue.name), ": ", *_missing(queue.admission))


def _protections(simulation: Simulation) -> Iterator[Sentence]:
    if simulation.protections is None:
        return
    for protection in simulation.protections.active:
        if protection.outcome is not Outcome.SUCCESS:
            state = "pending" if protection.outcome is Outcome.PENDING else "failing"
            yield sentence("protection ", Name(protection.name), f" {state}: ", *_missing(protection.success))


def _missing(root: GroupResult) -> tuple[Piece, ...]:
    """The first conditions that do not hold, and how many more."""
    found = list(_unmet(root))
    shown = listed(tuple(Name(text) for text in found[:MOST_CONDITIONS]))
    more = len(found) - MOST_CONDITIONS
    return (*shown, f" and {more} more") if more > 0 else shown


def _unmet(result: Result) -> Iterator[str]:
    """Of a group of alternatives and of a negation only the members say what is asked for."""
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
    words = [_in_words(member) for member in result.members]
    if isinstance(result.condition, All):
        return " and ".join(words)
    return " or ".join(words) if len(words) != 1 else f"not {words[0]}"
