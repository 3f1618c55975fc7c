"""What comes after a record: each further week is like one of those recorded."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from mergecast.forecasting.estimate.draws import generator
from mergecast.forecasting.estimate.estimate import Estimate
from mergecast.forecasting.estimate.population import chains, unrecorded
from mergecast.forecasting.history.closed_time import ClosedTime
from mergecast.forecasting.history.seconds import DAY, WEEK
from mergecast.forecasting.history.standstills import Span

_LATE: Final = DAY  # a week is whole although its first run started this late


class WeekAhead(NamedTuple):
    """A recorded week that comes again, this much later."""

    since: float
    later: float

    def moved(self, spans: Sequence[Span]) -> Iterator[Span]:
        """What of these spans lies within the week, at its new time."""
        end = self.since + WEEK
        for start, until in spans:
            if start < end and until > self.since:
                yield max(start, self.since) + self.later, min(until, end) + self.later


def weeks_ahead(estimate: Estimate, replicate: int) -> list[WeekAhead]:
    """The weeks after the record in one replicate.

    What happens in one week belongs together, such as slow CI and few pull requests: lengths of runs, flakes,
    standstills, closed time and entries of a week are all those of the same recorded week.
    """
    known_until, runs = estimate.known_until, estimate.rules.recorded.history.runs
    if estimate.until <= known_until or not runs:
        return []
    recorded = int(max(1.0, (known_until - runs[0].started + _LATE) // WEEK))
    ahead = range(int((estimate.until - known_until) // WEEK) + 1)
    drawn = generator(estimate.seed, 8, replicate).integers(recorded, size=len(ahead))
    return [
        WeekAhead(known_until - WEEK * (1 + back), WEEK * (1 + back + place))
        for place, back in zip(ahead, drawn.tolist(), strict=True)
    ]


def if_weeks_like_these_come(estimate: Estimate, replicate: int, since: float) -> Estimate:
    """The estimates for the pull requests that enter from this instant until the end of the replays.

    After the record, those of recorded weeks enter again, with luck of their own.
    """
    weeks = weeks_ahead(estimate, replicate)
    firsts = [chain[0] for chain in chains(estimate.rules.recorded.history)]
    entered = [stay for stay in firsts if stay.entered >= since]
    for place, week in enumerate(weeks):
        entered += [
            replace(stay, session_id=f"{stay.session_id} {place}", entered=stay.entered + week.later)
            for stay in firsts
            if week.since <= stay.entered < min(week.since + WEEK, estimate.until - week.later)
        ]
    rules = replace(estimate.rules, closed=_closed(estimate.rules.closed, weeks))
    rows = [(replace(stay, number=number),) for number, stay in enumerate(entered)]
    return replace(estimate, rules=rules, to_replay=unrecorded(rules, rows))


def _closed(known: ClosedTime, weeks: Sequence[WeekAhead]) -> ClosedTime:
    """The recorded closed time, and that of the weeks that come again."""

    def continued(spans: tuple[Span, ...]) -> tuple[Span, ...]:
        return (*spans, *(span for week in weeks for span in week.moved(spans)))

    pushes = [
        at + week.later for week in weeks for at in known.pushes if week.since <= at < week.since + WEEK
    ]
    return ClosedTime(
        schedules=continued(known.schedules),
        freezes=continued(known.freezes),
        pauses=continued(known.pauses),
        pushes=(*known.pushes, *pushes),
        outages=continued(known.outages),
    )
