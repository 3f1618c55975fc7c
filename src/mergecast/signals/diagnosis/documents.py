"""Problems as the store keeps them and as the API shows them."""

from collections.abc import Mapping

import msgspec

from mergecast.queues.model.instant import format_instant
from mergecast.queues.store.problems import StoredProblem
from mergecast.signals.detection.levels import Levels
from mergecast.signals.detection.queue_problem import Evidence, Level, QueueName, QueueProblem
from mergecast.signals.detection.sentences import too_little


class Description(msgspec.Struct, frozen=True):
    """What describes a problem, in the store and in notices."""

    name: str
    since: str
    sentence: str
    advice: str
    evidence: Evidence
    level: Level


class ShownProblem(msgspec.Struct, frozen=True):
    """A problem of a queue."""

    name: str
    base_ref: str
    queue_name: str
    since: str
    found_at: str
    ended_at: str | None
    sentence: str
    advice: str
    evidence: Evidence
    level: Level


class Undiagnosed(msgspec.Struct, frozen=True):
    """A queue that has too little history for a diagnosis."""

    base_ref: str
    queue_name: str
    sentence: str


def undiagnosed_queues(levels: Mapping[QueueName, Levels]) -> list[Undiagnosed]:
    sentences = ((queue, too_little(of_queue)) for queue, of_queue in sorted(levels.items()))
    return [Undiagnosed(*queue, sentence) for queue, sentence in sentences if sentence is not None]


def stored(problem: QueueProblem) -> StoredProblem:
    since = format_instant(problem.since)
    description = Description(
        problem.name, since, problem.sentence, problem.advice, problem.evidence, problem.level
    )
    document = msgspec.json.encode(description).decode()
    return StoredProblem(
        problem.found_at, *problem.queue, problem.name, problem.since, problem.ended_at, document
    )


def described(stored: StoredProblem) -> Description:
    return msgspec.json.decode(stored.document, type=Description)


def shown(stored: StoredProblem) -> ShownProblem:
    said = described(stored)
    return ShownProblem(
        stored.name,
        stored.base_ref,
        stored.queue_name,
        format_instant(stored.since),
        format_instant(stored.found_at),
        None if stored.ended_at is None else format_instant(stored.ended_at),
        said.sentence,
        said.advice,
        said.evidence,
        said.level,
    )
