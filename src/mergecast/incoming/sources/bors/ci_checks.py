"""The CI checks that the bot lists when a run has ended: their names and results, without times.

It lists all checks of a run that passed, and only those that failed of one that failed. Both are reported:
with the failures alone, every check would seem to fail each time.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mergecast.incoming.sources.bors import NAME
from mergecast.incoming.sources.bors.observation import Observation
from mergecast.incoming.sources.bors.replies import ListedCheck, Reply
from mergecast.incoming.sources.bors.runs import Run, batch_of
from mergecast.incoming.sources.ci_check_parts import BAD_LINK, CHANGED_NAME, digest_of, why_left_out
from mergecast.incoming.sources.translation import Untranslated
from mergecast.queues.model.ci_check import FAILURE, SUCCESS, CiCheckReport

_CONCLUSIONS = {Reply.SUCCEEDED: SUCCESS, Reply.FAILED: FAILURE, Reply.SPLIT: FAILURE}


class Listed(NamedTuple):
    """Checks by the reply that lists them."""

    checks: Mapping[tuple[int, Reply], Sequence[ListedCheck]]

    @classmethod
    def in_replies(cls, seen: Iterable[Observation]) -> "Listed":
        ordered = sorted((one for one in seen if one.checks), key=lambda one: one.id)
        return cls({(one.at, one.reply): one.checks for one in ordered if one.reply is not None})


def ci_checks(
    number: int, place: tuple[str, str], runs: Iterable[Run], listed: Listed
) -> Iterator[CiCheckReport | Untranslated]:
    """The checks of the runs on a branch in which this pull request got the first reply.

    All members get the same reply, so one of them reports for all. `place` is the branch and its queue.
    """
    for run in runs:
        first = run.members[0]
        if first.number == number:
            for check in listed.checks.get((first.end.at, first.end.reply), ()):
                yield from _report(place, run, check)


def _report(place: tuple[str, str], run: Run, check: ListedCheck) -> Iterator[CiCheckReport | Untranslated]:
    at = run.ended_at
    reason = why_left_out(check.name, None)
    if reason is not None:
        yield Untranslated(reason, at)
        return
    if check.has_changed_name:
        yield Untranslated(CHANGED_NAME, at)
    if check.url == "":
        yield Untranslated(BAD_LINK, at)
    batch, id = batch_of(run), digest_of(check.name)
    yield CiCheckReport(
        id=f"{NAME}:{batch}/{id}",
        happened_at=at,
        base_ref=place[0],
        queue_name=place[1],
        batch_id=batch,
        check_id=id,
        name=check.name,
        conclusion=_CONCLUSIONS[run.members[0].end.reply],
        url=check.url or None,
        is_required=True,  # the bot lists what its configuration requires
        source=NAME,
    )
