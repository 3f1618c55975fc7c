"""What a queue does when a run fails: detectors for undocumented rules."""

from collections import Counter
from collections.abc import Iterable
from math import ceil
from typing import Final

from mergecast.forecasting.history.ahead import LAG
from mergecast.forecasting.history.seconds import DAY
from mergecast.forecasting.history.structure import Run, Stay
from mergecast.forecasting.history.train import Detection, Tally, Train

_ENOUGH: Final = 3  # cases; a late report explains one
_DECIDED_BY_CHECKS = frozenset(
    {
        "CHECKS_FAILED",
        "CHECKS_TIMEOUT",
        "DROPPED_BY_BISECTION_ELIMINATION",
        "BATCH_MAX_FAILURE_RESOLUTION_ATTEMPTS",
    }
)


def resolved_at(train: Train, run: Run) -> float | None:
    """When the queue acted on a failed run: its batch was split, or a member left."""
    if run.ended is None:
        return None
    splits = [s.at for s in train.splits_of.get(run.members[0], ()) if s.at >= run.ended - LAG]
    exits = [
        stay.left
        for stay in train.members_of(run)
        if stay.left is not None and stay.left >= run.ended - LAG and stay.reason in _DECIDED_BY_CHECKS
    ]
    return min([*splits, *exits], default=None)


def holds_for_vouchers(train: Train) -> Tally:
    """Whether a failure at the head waits for the runs on top of it, which may vouch for it."""
    at_once = held = 0
    for run in train.history.runs:
        if run.outcome != "CHECKS_FAILED" or run.ended is None or train.undecided_ahead(run, run.ended):
            continue
        on_top = [other for other in train.running_at(run.ended) if other.number > run.number]
        resolved = resolved_at(train, run)
        if not on_top or resolved is None:
            continue
        if resolved - run.ended <= LAG:
            # A run on top that ended at that very moment may have been the last one the queue waited for.
            at_once += all(o.outcome == "BATCH_AHEAD_FAILED" or o.ended is None for o in on_top)
        else:
            held += 1
    return Tally(against=at_once, agreeing=held)


def forms_behind_failures(train: Train) -> Tally:
    """Whether other batches start during the search for a culprit."""
    formed = held = 0
    for split in train.history.splits:
        if split.depth:
            continue
        until = train.search_ends(split)
        members = set(split.members)
        outsiders = [
            run
            for run in train.runs_started_between(split.at + LAG, until - LAG)
            if run.attempt == 1 and members.isdisjoint(run.members)
        ]
        formed += bool(outsiders)
        held += not outsiders and train.has_waiting(split.at + LAG, until - LAG)
    return Tally(against=formed, agreeing=held)


def split_shape(train: Train, slots: int) -> Detection:
    """How a failed batch is cut, judged by the first part that runs after the split."""
    votes: Counter[str] = Counter()
    for split in train.history.splits:
        parts = [run for run in train.followers(split) if set(run.members) < set(split.members)]
        if parts:
            shapes = _shapes(len(split.members), slots)
            matching = [name for name, size in shapes.items() if size == len(parts[0].members)]
            votes.update(matching if len(matching) < len(shapes) else ())
    if not votes:
        return Detection("split", "chunks", 0)
    best = max(votes.values())
    name = next(name for name in ("chunks", "halves", "singles") if votes[name] == best)
    return Detection("split", name, best)


def _shapes(members: int, slots: int) -> dict[str, int]:
    return {
        "chunks": ceil((members - 1) / max(2, slots)),
        "halves": (members + 1) // 2,
        "singles": 1,
    }


def tests_last_member(train: Train) -> Tally:
    """Whether the last member of a split batch is tested if no other member was removed."""
    tested = untested = 0
    for split in train.history.splits:
        stays = train.members_of(split)
        if not stays or not all(stay.is_merged for stay in stays[:-1]) or stays[-1].left is None:
            continue
        last_has_run = any(split.members[-1] in run.members for run in train.followers(split))
        tested += last_has_run
        untested += not last_has_run
    return Tally(against=tested, agreeing=untested)


def parts_wait(train: Train) -> Tally:
    """Whether others that waited run before the parts of a failed batch."""
    return _who_is_next(train, [(set(split.members), split.at) for split in train.history.splits])


def stopped_wait(train: Train) -> Tally:
    """Whether others that waited run before a batch that was stopped because someone took a member out."""
    stopped = [
        (set(run.members), run.ended)
        for run in train.history.runs
        if run.ended is not None and not run.has_verdict and len(run.members) > 1
        if any(_was_taken_out(stay, run.ended) for stay in train.members_of(run))
    ]
    return _who_is_next(train, stopped)


def _was_taken_out(stay: Stay, at: float) -> bool:
    return stay.left is not None and abs(stay.left - at) <= LAG and not stay.is_merged


def _who_is_next(train: Train, cases: Iterable[tuple[set[int], float]]) -> Tally:
    """Of cases in which others waited: how often they were tested first, and how often members were."""
    others_first = members_first = 0
    for members, at in cases:
        before = {run.number for run in train.running_at(at)}
        later = train.runs_started_between(at - LAG, at + DAY)
        following = [run for run in later if run.attempt == 1 and run.number not in before]
        # Batches that start after the same event start within this time of each other, in any order.
        together = [run for run in following if run.started - following[0].started <= LAG]
        if any(not members.isdisjoint(run.members) for run in together):
            members_first += not members.issuperset(train.waiting_at(at - 2 * LAG))
        else:
            others_first += any(stay.entered < at - LAG for run in together for stay in train.members_of(run))
    return Tally(against=others_first if others_first >= _ENOUGH else 0, agreeing=members_first)


def keeps_parts(train: Train) -> Tally:
    """Whether a part that was stopped runs again as it was."""
    again = joined = 0
    for run in train.history.runs:
        if run.batch_id not in train.parts or run.has_verdict or run.outcome != "BATCH_AHEAD_FAILED":
            continue
        later = [other for other in train.runs_of[run.members[0]] if other.number > run.number]
        if later and later[0].attempt == 1:
            again += later[0].members == run.members
            joined += not set(later[0].members) <= set(run.members)
    return Tally(against=again, agreeing=joined)


def splits_timeouts(train: Train) -> Tally:
    """Whether the members of a batch that timed out leave together instead of being split."""
    left = split = 0
    for run in train.history.runs:
        if run.outcome != "CHECKS_TIMEOUT" or len(run.members) == 1:
            continue
        reasons = {stay.reason for stay in train.members_of(run)}
        left += reasons == {"CHECKS_TIMEOUT"}
        split += reasons != {"CHECKS_TIMEOUT"} and resolved_at(train, run) is not None
    return Tally(against=left, agreeing=split)


def retries_timeouts(train: Train) -> Tally:
    retried = final = 0
    for attempts in train.attempts_of.values():
        for place, run in enumerate(attempts):
            if run.outcome == "CHECKS_TIMEOUT":
                retried += place + 1 < len(attempts)
                final += place + 1 == len(attempts)
    return Tally(against=retried, agreeing=final)


def waits_for_ahead(train: Train) -> Tally:
    """Whether a batch that failed behind others leaves before they are decided."""
    at_once = waited = 0
    for run in train.history.runs:
        if run.outcome != "CHECKS_FAILED" or run.ended is None or not train.undecided_ahead(run, run.ended):
            continue
        resolved = resolved_at(train, run)
        if resolved is not None:
            at_once += resolved - run.ended <= LAG
            waited += resolved - run.ended > LAG
    return Tally(against=at_once, agreeing=waited)


def most_splits(train: Train) -> int | None:
    """The limit on splits, if it was ever reached: the most splits of one bisection."""
    reached = {s.reason for s in train.history.stays if s.reason == "BATCH_MAX_FAILURE_RESOLUTION_ATTEMPTS"}
    if not reached:
        return None
    return max((split.depth + 1 for split in train.history.splits), default=0)
