"""The stays of one merge request on trains: when each began and ended, and the pipelines during it."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import NamedTuple

from mergecast.incoming.sources.gitlab.observation import Observation, Seen
from mergecast.queues.model.instant import SECOND

SKEW = 60 * SECOND  # how much the clocks of GitLab's hosts may differ
END_OF_TIME = 1 << 62
UNKNOWN = "UNKNOWN"
_MERGED = "PR_MERGED"
_SAME = 120 * SECOND  # a note and a car this close to each other describe the same entry
OUTCOMES = {"success": "SUCCESS", "failed": "CHECKS_FAILED"}
CANCELLED = frozenset({"canceled", "skipped"})
# GitLab checks whether the merge request itself can be merged, whatever is ahead of it.
_OWN_CONFLICT = ("not mergeable", "conflict")
# The text of a note after `because` contains one of these words.
_REASONS = (
    ("pipeline did not succeed", "CHECKS_FAILED"),
    ("pipeline must succeed", "CHECKS_FAILED"),
    ("source branch was updated", "PULL_REQUEST_UPDATED"),
    ("could not be prepared", "CONFLICT_WITH_PULL_AHEAD"),
    ("conflict", "CONFLICT_WITH_PULL_AHEAD"),
    ("target branch was changed", "BASE_BRANCH_CHANGED"),
    ("target branch changed", "BASE_BRANCH_CHANGED"),
    ("in time", "PR_UNEXPECTEDLY_FAILED_TO_MERGE"),
    ("unexpected error", "PR_UNEXPECTEDLY_FAILED_TO_MERGE"),
    ("not mergeable", "PR_DEQUEUED"),
    ("draft", "PR_DEQUEUED"),
    ("closed", "PR_DEQUEUED"),
    # The configuration has no jobs for the train's pipeline; the words depend on GitLab's version.
    ("no stages / jobs", "PR_DEQUEUED"),
    ("would have been empty", "PR_DEQUEUED"),
    ("pipeline did not run", "PR_DEQUEUED"),
    ("pipeline will not run", "PR_DEQUEUED"),
)


class TrainExit(NamedTuple):
    at: int
    reason: str


class TrainStay(NamedTuple):
    entered_at: int
    base_ref: str
    key: str
    exit: TrainExit | None
    pipelines: tuple[Observation, ...] = ()
    # The last commit of the merge request when it entered and when it left, if that is known.
    entered_sha: str | None = None
    left_sha: str | None = None


def train_stays(observations: Sequence[Observation]) -> list[TrainStay]:
    """The stays of one merge request on trains, oldest first."""
    closed = _close_missed(_with_exits(_entries(observations), observations), observations)
    return [_with_heads(stay, observations) for stay in _with_pipelines(closed, observations)]


def _entries(observations: Sequence[Observation]) -> list[TrainStay]:
    """A stay per car, and per entry note whose car has disappeared."""
    cars: dict[int, Observation] = {}
    for observation in sorted(
        observations, key=lambda observation: (observation.ended_at is None, observation.at)
    ):
        if observation.seen is Seen.CAR:
            cars.setdefault(observation.id, observation)
    stays = [TrainStay(car.at, car.base_ref, f"car-{car.id}", _landing(car)) for car in cars.values()]
    notes = {observation.id: observation for observation in observations if observation.seen is Seen.ENTERED}
    for _, car in sorted(cars.items()):
        near = [note for note in notes.values() if abs(car.at - note.at) <= _SAME]
        if near:
            del notes[min(near, key=lambda note: (abs(car.at - note.at), note.id)).id]
    stays += [TrainStay(note.at, note.base_ref, f"note-{note.id}", None) for note in notes.values()]
    return sorted({stay.key: stay for stay in stays}.values(), key=lambda stay: (stay.entered_at, stay.key))


def _landing(car: Observation) -> TrainExit | None:
    if car.ended_at is None:
        return None
    return TrainExit(car.ended_at, "PR_MANUALLY_MERGED" if car.status == "skip_merged" else _MERGED)


def _with_exits(stays: Sequence[TrainStay], observations: Sequence[Observation]) -> list[TrainStay]:
    """Assigns each removal note to the stay during which it was written, and the merge to the last stay."""
    merged = [observation.at for observation in observations if observation.seen is Seen.MERGED]
    notes = sorted(
        {
            observation.id: observation for observation in observations if observation.seen is Seen.LEFT
        }.values(),
        key=lambda observation: observation.id,
    )
    ended = []
    for stay, following in zip_longest(stays, stays[1:]):
        until = following.entered_at if following else END_OF_TIME
        fitting = [note for note in notes if stay.entered_at - SKEW <= note.at < until]
        if stay.exit is None and fitting:
            notes.remove(fitting[0])
            ended.append(stay._replace(exit=TrainExit(fitting[0].at, exit_reason(fitting[0].reason))))
        elif stay.exit is None and following is None and merged and stay.entered_at <= max(merged):
            ended.append(stay._replace(exit=TrainExit(max(merged), _MERGED)))
        else:
            ended.append(stay)
    return ended


def exit_reason(text: str | None) -> str:
    """The exit reason for the words of a note; without any, a person removed the merge request.

    >>> exit_reason("the pipeline did not succeed")
    'CHECKS_FAILED'
    """
    if text is None:
        return "PR_MANUALLY_DEQUEUED"
    lowered = text.lower()
    if all(words in lowered for words in _OWN_CONFLICT):
        return "CONFLICT_WITH_BASE_BRANCH"
    return next((reason for words, reason in _REASONS if words in lowered), UNKNOWN)


def _close_missed(stays: Sequence[TrainStay], observations: Sequence[Observation]) -> list[TrainStay]:
    """Close a stay that must have ended unobserved, at the instant it was last seen."""
    absences = [observation for observation in observations if observation.seen is Seen.ABSENT]
    seen = [
        observation.ended_at or observation.at
        for observation in observations
        if observation.seen is Seen.PIPELINE
    ]
    seen += [absence.last_seen_at for absence in absences if absence.last_seen_at is not None]
    closed = []
    for stay, following in zip_longest(stays, stays[1:]):
        ends = [absence.at for absence in absences if absence.at > stay.entered_at]
        if following is not None:
            ends.append(following.entered_at)
        if stay.exit is None and ends:
            last = max([stay.entered_at, *(instant for instant in seen if instant < min(ends))])
            closed.append(stay._replace(exit=TrainExit(last, UNKNOWN)))
        else:
            closed.append(stay)
    return closed


def _with_pipelines(stays: Sequence[TrainStay], observations: Sequence[Observation]) -> list[TrainStay]:
    best: dict[int, Observation] = {}
    for observation in observations:
        if observation.seen is Seen.PIPELINE:
            best[observation.id] = max(
                observation, best.get(observation.id, observation), key=_how_much_it_says
            )
    running = sorted(best.values(), key=lambda pipeline: (pipeline.at, pipeline.id))
    owned = list(stays)
    for pipeline in running:
        index = _index_of_stay(pipeline, stays)
        if index is not None:
            owned[index] = owned[index]._replace(pipelines=(*owned[index].pipelines, pipeline))
    return owned


def _with_heads(stay: TrainStay, observations: Iterable[Observation]) -> TrainStay:
    entered, left = set[str | None](), set[str | None]()
    for seen in observations:
        is_car = seen.seen is Seen.CAR and stay.key == f"car-{seen.id}"
        if is_car or (seen.seen is Seen.ENTERED and abs(seen.at - stay.entered_at) <= _SAME):
            entered.add(seen.head_sha)
        if is_car:
            left.add(seen.ended_head_sha)
        elif seen.seen is Seen.LEFT and stay.exit is not None and seen.at == stay.exit.at:
            left.add(seen.head_sha)
    return stay._replace(entered_sha=_only(entered), left_sha=_only(left))


def _only(commits: Iterable[str | None]) -> str | None:
    """The commit that all reports name, if they name one."""
    named = set(filter(None, commits))
    return named.pop() if len(named) == 1 else None


def _index_of_stay(pipeline: Observation, stays: Sequence[TrainStay]) -> int | None:
    """The stay during which a pipeline began, or that began shortly after, if clocks differ."""
    fitting = [
        (stay.entered_at <= pipeline.at, index)
        for index, stay in enumerate(stays)
        if stay.entered_at - SKEW <= pipeline.at <= (stay.exit.at if stay.exit else END_OF_TIME)
    ]
    return max(fitting)[1] if fitting else None


def _how_much_it_says(pipeline: Observation) -> tuple[bool, int, str]:
    """A finished pipeline says more than a running one; its first verdict counts, not a repetition."""
    is_final = pipeline.status in OUTCOMES or pipeline.status in CANCELLED
    changed_at = pipeline.ended_at or 0
    return is_final, -changed_at if is_final else changed_at, pipeline.status or ""
