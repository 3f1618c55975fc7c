"""The pull requests of one train, in the form that a replay takes them."""

from dataclasses import dataclass
from typing import Final

from mergecast.estimate.draws import key
from mergecast.history.chains import chains
from mergecast.history.inference import TrainRules
from mergecast.history.structure import Stay
from mergecast.replay.codes import CONFLICTING, REFUSED
from mergecast.replay.values import Arrivals, ClosedSpan, Closing, Surroundings

_SECOND: Final = 1_000_000
_CONFLICTS: Final = ("CONFLICT_WITH_BASE_BRANCH", "CONFLICT_WITH_PULL_AHEAD")
_REFUSALS: Final = ("PR_UNEXPECTEDLY_FAILED_TO_MERGE", "BRANCH_UPDATE_FAILED")


@dataclass(frozen=True)
class Population:
    """A row is a pull request; its stays are `stays[offsets[row] : offsets[row + 1]]`."""

    arrivals: Arrivals
    stays: tuple[Stay, ...]
    offsets: tuple[int, ...]
    keys: tuple[int, ...]
    flaws: tuple[int, ...]  # of each stay, those that its exit tells


def population(rules: TrainRules) -> Population:
    rows = chains(rules.line.history)
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
        flaws=tuple(_flaws(stay) for stay in stays),
    )


def surroundings(rules: TrainRules) -> Surroundings:
    closed = rules.closed
    spans = [
        ClosedSpan(microseconds(start), microseconds(end), closing)
        for closing, found in (
            (Closing.SCHEDULE, closed.schedules),
            (Closing.FREEZE, closed.freezes),
            (Closing.PAUSE, closed.pauses),
        )
        for start, end in found
    ]
    first = min((stay.entered for stay in rules.line.history.stays), default=0.0)
    return Surroundings(
        closed=tuple(sorted(spans)),
        pushes=tuple(microseconds(at) for at in closed.pushes),
        begins_at=min(0, microseconds(first)),
    )


def microseconds(seconds: float) -> int:
    return round(seconds * _SECOND)


def _flaws(stay: Stay) -> int:
    return CONFLICTING * (stay.reason in _CONFLICTS) + REFUSED * (stay.reason in _REFUSALS)
