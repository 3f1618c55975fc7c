"""The jobs of a train's pipelines as CI checks."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from mergecast.incoming.sources.ci_check_parts import in_order, name_of, why_changed, why_left_out
from mergecast.incoming.sources.gitlab import NAME
from mergecast.incoming.sources.gitlab.observation import Observation, Seen
from mergecast.incoming.sources.gitlab.train_stays import TrainStay
from mergecast.incoming.sources.translation import Untranslated
from mergecast.queues.model.ci_check import CANCELLED, FAILURE, SKIPPED, SUCCESS, TIMED_OUT, CiCheckReport

_CONCLUSIONS = {"success": SUCCESS, "failed": FAILURE, "canceled": CANCELLED, "skipped": SKIPPED}
_UNFINISHED = frozenset(
    {"created", "waiting_for_resource", "preparing", "pending", "running", "scheduled", "canceling"}
)
_TIMEOUTS = ("timeout", "timed_out")  # reasons of failures contain one of these


def ci_checks(
    queue: str, stays: Iterable[TrainStay], observations: Iterable[Observation]
) -> Iterator[CiCheckReport | Untranslated]:
    """The report about each job of the pipelines during these stays; a repeated job has another id."""
    jobs: defaultdict[int | None, dict[int, Observation]] = defaultdict(dict)
    for seen in observations:
        if seen.seen is Seen.JOB:
            own = jobs[seen.pipeline]
            own[seen.id] = max(seen, own.get(seen.id, seen), key=_how_much_it_says)
    for stay in stays:
        for pipeline in stay.pipelines:
            for _, job in sorted(jobs.get(pipeline.id, {}).items()):
                yield from _report(queue, stay.base_ref, pipeline, job)


def _how_much_it_says(job: Observation) -> tuple[bool, int, int, str]:
    is_final = job.status not in _UNFINISHED
    return is_final, job.ended_at or 0, job.started_at or 0, job.status or ""


def _report(
    queue: str, base_ref: str, pipeline: Observation, job: Observation
) -> Iterator[CiCheckReport | Untranslated]:
    at = job.ended_at or job.started_at or job.at
    conclusion = None if job.status in _UNFINISHED else _CONCLUSIONS.get(job.status or "", job.status)
    reason = why_left_out(job.name or "", conclusion)
    if reason is not None:
        yield Untranslated(reason, at)
        return
    yield from (Untranslated(why, at) for why in why_changed(job.name or "", job.url))
    is_timeout = conclusion == FAILURE and any(word in (job.reason or "") for word in _TIMEOUTS)
    queued_at, started_at, ended_at = in_order(job.queued_at, job.started_at, job.ended_at)
    yield CiCheckReport(
        id=f"{NAME}:!{job.number}/{pipeline.id}/{job.id}",
        happened_at=ended_at or started_at or job.at,
        base_ref=base_ref,
        queue_name=queue,
        batch_id=str(pipeline.id),
        check_id=str(job.id),
        name=name_of(job.name or ""),
        conclusion=TIMED_OUT if is_timeout else conclusion,
        queued_at=queued_at,
        started_at=started_at,
        ended_at=ended_at if conclusion else None,
        url=job.url or None,
        runner=job.runner,
        is_required=None if job.may_fail is None else not job.may_fail,
        source=NAME,
    )
