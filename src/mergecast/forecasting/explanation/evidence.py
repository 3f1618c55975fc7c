"""What is recorded about each cause in both periods, and what stands out within it."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean
from typing import Final, NamedTuple

from mergecast.forecasting.estimate.departures import BY_PEOPLE
from mergecast.forecasting.explanation.answer import Cause, CauseFound, Evidence, StandsOut, UnitName
from mergecast.forecasting.explanation.differing import closed_hours, passed_runs
from mergecast.forecasting.explanation.sides import Side, quantile, returns
from mergecast.forecasting.explanation.wording import cause_words
from mergecast.forecasting.forecast.settings import described
from mergecast.forecasting.history.seconds import DAY, HOUR, in_seconds
from mergecast.forecasting.history.structure import Run, Stay
from mergecast.forecasting.replay.values import Policy

_MOST: Final = 3
_LEAST_SHARE: Final = 0.1
_LARGER: Final = 2.5  # its share of the difference, compared with that of the pull requests
_FEW: Final = 20
_NAN: Final = float("nan")
Found = Evidence[float]
Sides = tuple[Side, Side]


class CheckTimes(NamedTuple):
    """A CI check in both periods: seconds that it took, and the share of passed runs that ended with it."""

    name: str
    before: float
    after: float
    last_share: float


class Known(NamedTuple):
    """What evidence is taken from."""

    sides: Sides
    policies: Sequence[tuple[Policy, Policy]]
    kinds: Sequence[str]
    checks: Sequence[CheckTimes] = ()


def cause_found(known: Known, cause: Cause, *, differs: bool) -> CauseFound[float]:
    evidence = tuple(_EVIDENCE[cause](known))
    found = sorted(_STANDING_OUT.get(cause, _none)(known), key=lambda one: -_prominence(one))[:_MOST]
    return CauseFound(cause, cause_words(cause, evidence), differs, evidence, tuple(found) if differs else ())


def _prominence(one: StandsOut[float]) -> float:
    pulls = one.share_of_pull_requests
    return one.share_of_difference / pulls if pulls == pulls else one.share_of_difference  # noqa: PLR0124


def _none(_: Known) -> Iterator[StandsOut[float]]:
    return iter(())


def _pair(words: str, unit: UnitName, sides: Sides, of: Callable[[Side], float]) -> Found:
    return Evidence(words, unit, of(sides[0]), of(sides[1]))


def _arrivals(known: Known) -> Iterator[Found]:
    yield _pair("entered per day", "count", known.sides, lambda side: len(side.entered) / side.days)


def _run_lengths(known: Known) -> Iterator[Found]:
    yield _pair("length of passed CI runs, p50", "seconds", known.sides, _passed_p50)
    yield _pair("length of failed CI runs, p50", "seconds", known.sides, _failed_p50)


def _lengths(runs: Sequence[Run]) -> list[float]:
    return [max((run.ended or 0.0) - run.started, 0.0) for run in runs]


def _passed_p50(side: Side) -> float:
    return quantile(_lengths(passed_runs(side)), 0.5)


def _failed_p50(side: Side) -> float:
    failed = [run for run in side.recorded.runs if run.has_failed and run.ended is not None]
    return quantile(_lengths(failed), 0.5)


def _failures(known: Known) -> Iterator[Found]:
    yield _pair("CI runs that failed", "rate", known.sides, lambda side: _rate(_tried(side), _failed))


def _tried(side: Side) -> list[Run]:
    return [run for run in side.recorded.runs if run.attempt == 1 and run.has_verdict]


def _failed(run: Run) -> bool:
    return run.has_failed


def _rate(runs: Sequence[Run], is_hit: Callable[[Run], bool]) -> float:
    return fmean(map(is_hit, runs)) if runs else _NAN


def _settings(known: Known) -> Iterator[Found]:
    """Settings that differ; of several queues, each by its name."""
    for train, (old, new), kind in zip(known.sides[1].trains, known.policies, known.kinds, strict=True):
        for queue, name in enumerate(train.queue_names):
            then, now = described(kind, old, queue), described(kind, new, queue)
            where = f" of {name}" if len(known.sides[1].recorded.queue_names) > 1 else ""
            for setting in then:
                if then[setting] != now[setting]:
                    yield Evidence(f"{setting}{where}", "text", str(then[setting]), str(now[setting]))


def _closed(known: Known) -> Iterator[Found]:
    yield _pair("hours closed by schedule, freeze or pause", "count", known.sides, closed_hours)


def _people(known: Known) -> Iterator[Found]:
    yield _pair("removed by hand, per stay that left", "rate", known.sides, _by_hand)
    yield _pair("entered again after leaving unmerged", "rate", known.sides, _returned)


def _by_hand(side: Side) -> float:
    return fmean(stay.reason in BY_PEOPLE for stay in side.left) if side.left else _NAN


def _returned(side: Side) -> float:
    found = returns(side)
    return fmean(comes for _, comes in found) if found else _NAN


_EVIDENCE: Final[dict[Cause, Callable[[Known], Iterator[Found]]]] = {
    "arrivals": _arrivals,
    "run_length": _run_lengths,
    "failures": _failures,
    "settings": _settings,
    "closed_time": _closed,
    "people": _people,
}

_Key = tuple[str, str]  # dimension and name


class _Groups(NamedTuple):
    """Of one period: what each group adds to a mean or a count, its level, and its pull requests."""

    adds: dict[_Key, float]
    level: dict[_Key, float]
    pulls: Counter[_Key]
    total: float
    all_pulls: int


def _entries(known: Known) -> Iterator[StandsOut[float]]:
    found = []
    for side in known.sides:
        pulls = Counter(key for stay in side.entered for key in _keys_of_stay(side, stay))
        adds = {key: count / side.days for key, count in pulls.items()}
        found.append(_Groups(adds, adds, pulls, len(side.entered) / side.days, len(side.entered)))
    yield from _standing_out(found[0], found[1], "count")


def _keys_of_stay(side: Side, stay: Stay) -> Iterator[_Key]:
    yield "queue", stay.queue_name
    yield "priority", stay.priority_rule_name or "none"
    yield "hour", _hour(side, stay.entered)


def _hour(side: Side, at: float) -> str:
    """The hour of the day in which an instant lies, in UTC."""
    seconds = in_seconds(side.window.start) + at - side.since
    return f"{int(seconds % DAY // HOUR):02d}:00"


def _runs(
    known: Known, runs_of: Callable[[Side], list[Run]], value: Callable[[Run], float], unit: UnitName
) -> Iterator[StandsOut[float]]:
    """Groups of CI runs by what they add to the mean of a value."""
    found = []
    for side in known.sides:
        runs = runs_of(side)
        sums: defaultdict[_Key, float] = defaultdict(float)
        counts, pulls = Counter[_Key](), Counter[_Key]()
        for run in runs:
            for key in _keys_of_run(side, run):
                sums[key] += value(run)
                counts[key] += 1
                pulls[key] += len(run.members)
        adds = {key: total / len(runs) for key, total in sums.items()}
        level = {key: total / counts[key] for key, total in sums.items()}
        mean = sum(map(value, runs)) / len(runs) if runs else _NAN
        found.append(_Groups(adds, level, pulls, mean, sum(len(run.members) for run in runs)))
    yield from _standing_out(found[0], found[1], unit)


def _keys_of_run(side: Side, run: Run) -> Iterator[_Key]:
    yield "queue", run.queue_name
    yield "hour", _hour(side, run.started)
    yield "batch size", str(len(run.members))


def _standing_out(before: _Groups, after: _Groups, unit: UnitName) -> Iterator[StandsOut[float]]:
    """Of each dimension the group whose share of the difference is largest compared with its size."""
    difference = after.total - before.total
    if not difference or not before.all_pulls or not after.all_pulls:
        return
    best: dict[str, StandsOut[float]] = {}
    for key in before.pulls.keys() | after.pulls.keys():
        pulls = before.pulls[key] + after.pulls[key]
        share = (after.adds.get(key, 0.0) - before.adds.get(key, 0.0)) / difference
        of_pulls = pulls / (before.all_pulls + after.all_pulls)
        levels = before.level.get(key, 0.0), after.level.get(key, 0.0)
        one = StandsOut(key[0], key[1], *levels, unit, share, of_pulls)  # type: ignore[arg-type]
        is_clear = pulls >= _FEW and share >= max(_LEAST_SHARE, _LARGER * of_pulls)
        if is_clear and (key[0] not in best or _prominence(one) > _prominence(best[key[0]])):
            best[key[0]] = one
    yield from best.values()


def _slower(known: Known) -> Iterator[StandsOut[float]]:
    yield from _runs(known, passed_runs, lambda run: _lengths([run])[0], "seconds")
    difference = _passed_p50(known.sides[1]) - _passed_p50(known.sides[0])
    for check in known.checks:
        share = (check.after - check.before) * check.last_share / difference if difference else _NAN
        if share >= _LEAST_SHARE:
            yield StandsOut("check", check.name, check.before, check.after, "seconds", min(share, 1.0), _NAN)


def _failing(known: Known) -> Iterator[StandsOut[float]]:
    yield from _runs(known, _tried, _failed, "rate")


_STANDING_OUT: Final[dict[Cause, Callable[[Known], Iterator[StandsOut[float]]]]] = {
    "arrivals": _entries,
    "run_length": _slower,
    "failures": _failing,
}
