"""Completes a record in which reports were lost or came late: when runs ended, and when stays left.

One end that is missing would otherwise be a run that takes weeks, and one exit that is missing a pull request
that is in the queue for ever.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median
from typing import Final, NamedTuple

from mergecast.forecasting.history.ahead import LAG
from mergecast.forecasting.history.seconds import MINUTE
from mergecast.forecasting.history.structure import Run, Stay

_NEAR_BY: Final = 50  # runs before and after one in which its neighbours in the train are
_OVERTAKEN: Final = 10  # pull requests that came later and are further, so that one before them has left


def with_lost_ends(runs: Sequence[Run], stays: Sequence[Stay]) -> list[Run]:
    """The runs; each ends at the latest when a member leaves or starts in another run."""
    usual = _usual_length(runs)
    next_start: dict[int, float] = {}
    found = []
    for run in reversed(runs):
        found.append(_with_end(run, stays, next_start, usual) or _overtaken(run, runs, stays, usual))
        next_start.update(dict.fromkeys(run.members, run.started))
    return found[::-1]


def _usual_length(runs: Sequence[Run]) -> float:
    lengths = [run.ended - run.started for run in runs if run.outcome == "SUCCESS" and run.ended is not None]
    return median(lengths) if lengths else 10 * MINUTE


def _with_end(run: Run, stays: Sequence[Stay], next_start: dict[int, float], usual: float) -> Run | None:
    exits = [(stays[m].left, stays[m].is_merged) for m in run.members]
    starts = [(next_start.get(m), False) for m in run.members]
    signs = [(at, is_merged) for at, is_merged in (*exits, *starts) if at is not None]
    if not signs:
        return None
    at, is_merged = min(signs)
    if run.ended is None:
        # A passed batch may wait before it merges: most likely its run took as long as usual.
        ended = max(run.started, min(at, run.started + usual))
        return replace(run, ended=ended, outcome="SUCCESS" if is_merged else None)
    return replace(run, ended=max(run.started, at)) if run.ended > max(run.started, at) + LAG else run


def _overtaken(run: Run, runs: Sequence[Run], stays: Sequence[Stay], usual: float) -> Run:
    """A run without an end of which all that followed was lost: it passed if those behind it have merged."""
    if run.ended is not None:
        return run
    behind = [at for other in runs[run.number + 1 : run.number + _NEAR_BY] for at in _merges(other, stays)]
    if len(behind) < _OVERTAKEN:
        return run
    return replace(run, ended=max(run.started, min(*behind, run.started + usual)), outcome="SUCCESS")


class _Exit(NamedTuple):
    at: float
    reason: str


def with_lost_exits(stays: Sequence[Stay], runs: Sequence[Run]) -> list[Stay]:
    """The stays; one that others have overtaken for no other reason has left."""
    if all(stay.left is not None for stay in stays):
        return list(stays)
    last_run = {member: run for run in runs for member in run.members}
    first_start = {member: run.started for run in reversed(runs) for member in run.members}
    found = []
    for stay in stays:
        run = last_run.get(stay.number)
        if stay.left is not None or (run is not None and run.ended is None):
            lost = None
        elif run is not None and run.outcome == "SUCCESS":
            lost = _after_passing(run, stays, runs)
        else:
            lost = _while_waiting(stay, run, stays, first_start)
        found.append(
            stay if lost is None else replace(stay, left=max(lost.at, stay.entered), reason=lost.reason)
        )
    return found


def _after_passing(run: Run, stays: Sequence[Stay], runs: Sequence[Run]) -> _Exit | None:
    """The merge of a member of a passed run, if another member or a batch behind it has merged."""
    ended = run.ended or run.started
    own = min(_merges(run, stays), default=None)
    if own is not None:
        return _Exit(own, "PR_MERGED")
    behind = runs[run.number + 1 : run.number + _NEAR_BY]
    overtaking = min(
        (at for other in behind for at in _merges(other, stays) if at > ended - LAG), default=None
    )
    if overtaking is None:
        return None
    # It waited for those ahead of it, which merged before it did.
    before = runs[max(0, run.number - _NEAR_BY) : run.number]
    ahead = [at for other in before for at in _merges(other, stays) if ended <= at <= overtaking]
    return _Exit(max(ahead, default=ended), "PR_MERGED")


def _merges(run: Run, stays: Sequence[Stay]) -> Iterator[float]:
    """When members of a run merged after it passed."""
    for member in run.members if run.outcome == "SUCCESS" else ():
        left = stays[member].left
        if stays[member].is_merged and left is not None:
            yield left


def _while_waiting(
    stay: Stay, run: Run | None, stays: Sequence[Stay], first_start: dict[int, float]
) -> _Exit | None:
    """The exit of a stay that does not wait any more: many that entered later have begun their checks."""
    since = stay.entered if run is None else run.ended or run.started
    overtaking = []
    for other in stays[bisect_right(stays, since, key=lambda one: one.entered) :]:
        is_alike = (other.queue_name, other.priority_rule_name) == (stay.queue_name, stay.priority_rule_name)
        if is_alike and other.number in first_start:
            overtaking.append(first_start[other.number])
        if len(overtaking) == _OVERTAKEN:
            has_failed = run is not None and run.outcome in {"CHECKS_FAILED", "CHECKS_TIMEOUT"}
            return (
                _Exit(since, run.outcome or "") if run and has_failed else _Exit(min(overtaking), "UNKNOWN")
            )
    return None
