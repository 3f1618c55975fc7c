"""Parts of sentences about runs."""

from collections.abc import Sequence
from statistics import median

from mergecast.queues.model.instant import MINUTE, SECOND, duration
from mergecast.queues.model.words import counted
from mergecast.signals.verdict.runs import Run
from mergecast.signals.verdict.stays import Stays
from mergecast.signals.verdict.stops import Stopped

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TIMES = ("never", "once", "twice")
_MOST_LISTED = 5


def number_word(number: int) -> str:
    """A number in words, if it is small.

    >>> number_word(3), number_word(12)
    ('three', '12')
    """
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def times(number: int) -> str:
    """How often something happened.

    >>> times(1), times(2), times(3)
    ('once', 'twice', '3 times')
    """
    return _TIMES[number] if number < len(_TIMES) else f"{number} times"


def listed(items: Sequence[str]) -> str:
    """Some things in one phrase.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    shown = list(items[:_MOST_LISTED])
    if len(items) > _MOST_LISTED:
        shown.append(f"{len(items) - _MOST_LISTED} more")
    return " and ".join([part for part in (", ".join(shown[:-1]), shown[-1]) if part])


def checks(names: Sequence[str]) -> str:
    """The names of checks, or words for them if they are not known.

    >>> checks(["unit", "lint"]), checks([])
    ('`unit` and `lint`', 'its checks')
    """
    return listed([f"`{name}`" for name in names]) if names else "its checks"


def ended(run: Run) -> str:
    """How the checks of a run ended that did not pass."""
    if run.stopped is None:
        return "failed"
    return "were cancelled" if len(run.names) > 1 else "was cancelled"


def what_stopped(stopped: Stopped) -> str:
    """A sentence about the limit or the key that cancelled a check.

    >>> what_stopped(Stopped("test", 20, int(19.7 * MINUTE)))
    '`test` was stopped by its limit of 20 minutes; passes take up to 19.7.'
    """
    if stopped.minutes is None:
        return f"`{stopped.name}` was cancelled when another group began, as a concurrency key does."
    longest = stopped.longest_pass
    passes = "" if longest is None else f"; passes take up to {round(longest / MINUTE, 1):g}"
    return f"`{stopped.name}` was stopped by its limit of {counted(stopped.minutes, 'minute')}{passes}."


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def pulls(numbers: Sequence[int]) -> str:
    return listed([f"#{number}" for number in numbers])


def place(run: Run) -> str:
    """What a run tested: `alone`, `in a batch of 4`, or `on top of 2 others`."""
    ahead = len(run.tree) - len(run.members)
    if len(run.members) > 1:
        return f"in a batch of {len(run.members)}"
    return f"on top of {counted(ahead, 'other')}" if ahead else "alone"


def places(runs: Sequence[Run]) -> str:
    """Where it failed, each place once: `both in a batch of 4 and alone`."""
    found = list(dict.fromkeys(place(run) for run in runs))
    return f"both {listed(found)}" if len(found) == 2 else listed(found)  # noqa: PLR2004


def numbers_in(stays: Stays, run: Run, without: int) -> list[int]:
    """The other pull requests that a run tested."""
    found = (stays.pull_request(stay) for stay in run.tree)
    return [number for number in dict.fromkeys(found) if number not in {None, without}]


def length_of(run: Run, usual: Sequence[int]) -> str:
    """How long a run took that timed out, beside what is usual."""
    took = duration((run.ended_at - run.started_at) / SECOND)
    if not usual:
        return f"Its checks timed out after {took}."
    return (
        f"Its checks timed out after {took}; runs that pass usually take {duration(median(usual) / SECOND)}."
    )
