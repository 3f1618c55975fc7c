"""What is said about a removal that runs explain."""

from typing import NamedTuple

from mergecast.queues.model.verdict import EVERYBODY, FIX, OTHER, QUEUE_AGAIN, UNKNOWN, WAIT
from mergecast.queues.model.words import counted, percentage
from mergecast.signals.verdict.calibration import Calibration, Chance
from mergecast.signals.verdict.runs import Run
from mergecast.signals.verdict.stays import Stays
from mergecast.signals.verdict.weighed import Weighed
from mergecast.signals.verdict.wording import (
    capital,
    checks,
    ended,
    length_of,
    number_word,
    place,
    places,
    pulls,
    times,
    what_stopped,
)

_ELIMINATED = "DROPPED_BY_BISECTION_ELIMINATION"


class Told(NamedTuple):
    """Everything that a sentence is made of."""

    number: int
    reason: str
    cause: str
    act: str
    weighed: Weighed
    others: tuple[int, ...]  # pull requests that may be at fault instead
    unchanged_returns: int
    stays: Stays
    calibration: Calibration | None
    usual_lengths: tuple[int, ...]

    @property
    def last(self) -> Run:
        return self.weighed.case.last

    @property
    def checks(self) -> str:
        return checks(self.last.names)

    @property
    def failures(self) -> list[Run]:
        """Its runs in which these checks failed, as far as names are known."""
        own, names = self.weighed.case.own_failures, set(self.last.names)
        return [run for run in own if not names or names.intersection(run.names)]


def sentence(told: Told) -> str:
    parts = [length_of(told.last, told.usual_lengths)] if told.last.has_timed_out else []
    if told.cause == UNKNOWN:
        parts.append(_cannot_tell(told))
    elif told.act == FIX:
        parts.append(_own(told))
    elif told.act == WAIT:
        parts += [what_stopped(told.last.stopped)] if told.last.stopped and not told.last.is_evidence else []
        parts.append(_everybody(told))
    else:
        parts.append(_queue_again(told))
    return " ".join(parts)


def _own(told: Told) -> str:
    said = _eliminated(told) if told.reason == _ELIMINATED else _failed(told)
    fix = (
        f"fix {told.checks} before queueing it again"
        if told.last.names
        else "fix it before queueing it again"
    )
    return " ".join([said, *_for_others(told), f"It is very likely this change: {fix}."])


def _failed(told: Told) -> str:
    case = told.weighed.case
    passed = sum(case.change in told.stays.changes(run.members) for run in case.passed)
    failed = len(told.failures)
    how_often = f" ({failed} of {failed + passed})" if failed + passed > 1 else ""
    where = places(told.failures)
    return f"#{told.number} was removed because {told.checks} {ended(told.last)}, {where}{how_often}."


def _for_others(told: Told) -> list[str]:
    if not told.last.names:
        return []
    failed = len(told.weighed.failed_for_others)
    if not failed:
        what = f"{capital(told.checks)} {ended(told.last)}"
        return [f"{what} in no other pull request in the last 24 hours."]
    runs = counted(failed, "run")
    return [f"{capital(told.checks)} also {ended(told.last)} in {runs} of others in the last 24 hours."]


def _eliminated(told: Told) -> str:
    """Who was tested without it after its batch had failed, and passed."""
    case = told.weighed.case
    batch = max(case.own_failures, key=lambda run: len(run.members))
    mates = [change for change in told.stays.changes(batch.members) if change != case.change]
    cleared = {change for run in case.passed_without for change in told.stays.changes(run.tree)}
    passed = sum(change in cleared for change in mates)
    rest = "the other" if len(mates) == 1 else f"the other {number_word(len(mates))}"
    who = rest if passed == len(mates) else f"{number_word(passed)} of {rest}"
    return (
        f"#{told.number} was removed by elimination: the batch of {len(batch.members)} failed "
        f"and {who} passed without it."
    )


def _queue_again(told: Told) -> str:
    if told.cause == EVERYBODY:
        return f"{_failed_for_all(told)} Queue it again{_chance(told)}."
    if told.reason == _ELIMINATED and len(told.last.members) > 1:
        said = _eliminated(told)
        if all(len(run.tree) > 1 for run in told.weighed.case.own_failures):
            said += " It has never failed on its own."
        return f"{said} Queue it again{_chance(told)}."
    if told.cause == OTHER and told.others:
        return f"{_with_another(told)} Queue #{told.number} again{_chance(told)}."
    return f"{_by_chance(told)} Queue it again{_chance(told, ' to pass')}."


def _with_another(told: Told) -> str:
    other = told.others[0]
    members = {told.stays.pull_request(stay) for stay in told.last.members}
    how = "together with" if other in members else "on top of"
    return f"#{told.number} was tested {how} #{other}, {_about(told, other)}."


def _about(told: Told, other: int) -> str:
    known = [stay for stay in told.stays.known.values() if stay.pull_request == other]
    if known and known[-1].left_at is not None and known[-1].has_failed:
        what = "the same check" if told.last.names else "its checks"
        return f"which failed {what} and has since been removed"
    return "which is more likely at fault"


def _by_chance(told: Told) -> str:
    stopped = told.last.stopped
    if stopped and not told.last.is_evidence:
        return f"{what_stopped(stopped)} That says nothing about this change."
    rates, names = told.weighed.rates, told.last.kinds
    often = times(len(told.failures))
    by_chance = round(max((rates.chance_failures.get(name, 0.0) for name in names), default=0.0))
    runs = f"{by_chance:,} of the last {counted(rates.runs, 'run')}"
    what = ended(told.last)
    known = f" It {what} by chance in {runs}, and nothing" if by_chance else " Nothing"
    return f"{capital(told.checks)} {what} {often}.{known} else points at this change."


def _everybody(told: Told) -> str:
    check = told.weighed.waits_for
    until = f"passes `{check}`" if check else "passes"
    later = Chance(told.weighed.passes_later, 0)
    chance = f" ({percentage(told.calibration(later))})" if told.calibration else ""
    record = f" {told.calibration.sentence}" if told.calibration else ""
    return (
        f"{_fails_for_all(told)} It is probably not this change. "
        f"Wait until another run {until}; then it should pass{chance}.{record}"
    )


def _fails_for_all(told: Told) -> str:
    row = _in_a_row(told)
    what = f"{_what_fails(told)} has {'failed' if told.last.stopped is None else 'been cancelled'}"
    if row == 1:
        return f"{what} for others too."
    return f"{what} in the last {row} runs, which have no pull request in common."


def _failed_for_all(told: Told) -> str:
    """The bad time is probably over."""
    row, case = _in_a_row(told), told.weighed.case
    said = f"{_what_fails(told)} {ended(told.last)} for others too before it was removed."
    if row > 1:
        said = (
            f"{_what_fails(told)} {ended(told.last)} in the last {row} runs before it was removed, "
            "which have no pull request in common."
        )
    has_passed = any(run.has_passed and run.ended_at > case.at for run in told.weighed.others)
    return f"{said} Since then runs of others have passed." if has_passed else said


def _what_fails(told: Told) -> str:
    return f"`{told.weighed.waits_for}`" if told.weighed.waits_for else "CI"


def _in_a_row(told: Told) -> int:
    """How many runs without a common pull request failed in a row, the last one of this removal included."""
    check, row, seen = told.weighed.waits_for, 1, set(told.stays.changes(told.last.tree))
    for run in reversed([run for run in told.weighed.others if run.ended_at <= told.weighed.case.at]):
        tree = told.stays.changes(run.tree)
        if check and not run.has_passed and not run.names:
            continue
        if run.has_passed or not seen.isdisjoint(tree) or (check and check not in run.names):
            break
        row += 1
        seen.update(tree)
    return row


def _chance(told: Told, to_pass: str = "") -> str:
    """In figures once this queue has shown how good they are."""
    if told.calibration is None:
        return ": it is likely to pass"
    chance = told.calibration(told.weighed.chance)
    return f" ({percentage(chance)}{to_pass}). {told.calibration.sentence.removesuffix('.')}"


def _cannot_tell(told: Told) -> str:
    look = f"Look at the log of {told.checks}." if told.last.names else "Look at the log."
    return f"Cannot tell whether it was this change. {_why(told)} {look}"


def _why(told: Told) -> str:
    weighed = told.weighed
    failures = weighed.case.own_failures
    if weighed.has_many_suspects:
        others = counted(weighed.case.suspected - 1, "other")
        return f"It failed {place(told.last)}, {others} may be at fault as well, and none stands out."
    if weighed.lacks_names and (weighed.is_alone or weighed.has_few_runs):
        where = f"{times(len(failures))}, {places(failures)}"
        return f"It failed {where}, and this queue does not report which check failed."
    failed = f"{capital(told.checks)} {ended(told.last)} {times(len(failures))}, {places(failures)}"
    if weighed.act(0) == QUEUE_AGAIN:
        return f"{failed}. It has come back unchanged {times(told.unchanged_returns)} already."
    return f"{failed}. It may be {_suspicions(told)}."


def _suspicions(told: Told) -> str:
    """The two most probable causes."""
    probabilities = told.weighed.posterior.probabilities
    others = f"another pull request ({pulls(told.others)})" if told.others else "another pull request"
    words = ("this change", others, "chance", "something that fails for everybody")
    ranked = sorted(zip(probabilities, words, strict=True), key=lambda pair: -pair[0])
    return " or ".join(word for _, word in ranked[:2])
