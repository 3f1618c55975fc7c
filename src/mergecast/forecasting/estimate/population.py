"""The pull requests of one train, in the form that a replay needs."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mergecast.forecasting.estimate.draws import key
from mergecast.forecasting.history.inference import TrainRules
from mergecast.forecasting.history.seconds import microseconds
from mergecast.forecasting.history.structure import History, Stay
from mergecast.forecasting.replay.codes import CONFLICTING, NEVER, REASONS, REFUSED
from mergecast.forecasting.replay.values import Arrivals, Circumstances, ClosedSpan, Closing

OTHER_REASON: Final = len(REASONS) - 1
_CONFLICTS: Final = ("CONFLICT_WITH_BASE_BRANCH", "CONFLICT_WITH_PULL_AHEAD")
_REFUSALS: Final = ("PR_UNEXPECTEDLY_FAILED_TO_MERGE", "BRANCH_UPDATE_FAILED")


@dataclass(frozen=True)
class Population:
    """A row is a pull request; its stays are `stays[offsets[row] : offsets[row + 1]]`."""

    arrivals: Arrivals
    stays: tuple[Stay, ...]
    offsets: tuple[int, ...]
    keys: tuple[int, ...]
    flaws: tuple[int, ...]  # of each stay, the flaws that its exit reveals
    codes: NDArray[np.int64]  # of each stay, why it left, as an index into REASONS; NEVER if it did not
    gaps: tuple[int, ...]  # after each stay, microseconds until the next of its pull request, or NEVER
    priority_rule_names: tuple[str | None, ...]  # of each row


def population(rules: TrainRules) -> Population:
    """All pull requests, with the stays that were recorded."""
    return _population(rules, chains(rules.recorded.history))


def present(rules: TrainRules) -> Population:
    """The pull requests in the queue when the record ends, with nothing recorded."""
    return unrecorded(rules, [(stay,) for stay in rules.recorded.history.stays if stay.left is None])


def unrecorded(rules: TrainRules, rows: Sequence[tuple[Stay, ...]]) -> Population:
    """Pull requests of which only the entries are known."""
    nothing = np.zeros(0, dtype=np.int64)
    offsets = (0,) * (len(rows) + 1)
    return replace(_population(rules, rows), stays=(), flaws=(), codes=nothing, gaps=(), offsets=offsets)


def _population(rules: TrainRules, rows: Sequence[tuple[Stay, ...]]) -> Population:
    offsets = [0]
    for row in rows:
        offsets.append(offsets[-1] + len(row))
    firsts = [row[0] for row in rows]
    stays = tuple(stay for row in rows for stay in row)
    return Population(
        arrivals=Arrivals(
            number=[stay.number for stay in firsts],
            entered_at=[microseconds(stay.entered) for stay in firsts],
            priority=[rules.priorities.get(stay.priority_rule_name, 2000) for stay in firsts],
            rule=[rules.queue_names.index(stay.queue_name) for stay in firsts],
            interrupts=[stay.priority_rule_name in rules.interrupting for stay in firsts],
            scopes=[0] * len(firsts),
        ),
        stays=stays,
        offsets=tuple(offsets),
        keys=tuple(key(stay.session_id) for stay in firsts),
        flaws=tuple(flaws_of(stay) for stay in stays),
        codes=np.array([NEVER if s.reason is None else reason_code(s.reason) for s in stays], dtype=np.int64),
        gaps=tuple(gap for row in rows for gap in _gaps(row)),
        priority_rule_names=tuple(stay.priority_rule_name for stay in firsts),
    )


def circumstances(rules: TrainRules, since: float | None = None) -> Circumstances:
    """What happens around the train from this instant on, or from when the first pull request entered."""
    closed = rules.closed
    spans = [
        ClosedSpan(microseconds(start), microseconds(end), closing)
        for closing, found in (
            (Closing.SCHEDULE, closed.schedules),
            (Closing.FREEZE, closed.freezes),
            (Closing.PAUSE, closed.pauses),
            (Closing.OUTAGE, closed.outages),
        )
        for start, end in found
        if since is None or end > since
    ]
    first = (
        min((stay.entered for stay in rules.recorded.history.stays), default=0.0) if since is None else since
    )
    return Circumstances(
        closed=tuple(spans),
        pushes=tuple(microseconds(at) for at in closed.pushes if since is None or at >= since),
        begins_at=microseconds(first),
    )


def _gaps(row: tuple[Stay, ...]) -> Iterator[int]:
    for stay, following in pairwise(row):
        yield NEVER if stay.left is None else max(0, microseconds(following.entered - stay.left))
    yield NEVER


def reason_code(reason: str) -> int:
    return REASONS.index(reason) if reason in REASONS else OTHER_REASON


def flaws_of(stay: Stay) -> int:
    return CONFLICTING * (stay.reason in _CONFLICTS) + REFUSED * (stay.reason in _REFUSALS)


def chains(history: History) -> list[tuple[Stay, ...]]:
    """The stays of each pull request up to the one that was merged, in order of their first entry.

    A pull request that is queued again after it was merged begins a new chain, and so does one that
    changes its queue.
    """
    open_chains: dict[tuple[int, str], list[Stay]] = defaultdict(list)
    closed: list[tuple[Stay, ...]] = []
    for stay in history.stays:
        place = (stay.pull_request, stay.queue_name)
        chain = open_chains[place]
        if chain and chain[-1].is_merged:
            closed.append(tuple(chain))
            chain = open_chains[place] = []
        chain.append(stay)
    found = [*closed, *(tuple(chain) for chain in open_chains.values())]
    return sorted(found, key=lambda chain: (chain[0].entered, chain[0].number))
