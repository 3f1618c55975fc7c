"""Compares this machine's clock with others."""

from collections.abc import Iterator, Mapping

from mergecast.doctor.finding import Finding, error, ok, warning
from mergecast.queues.model.instant import MINUTE, duration, format_instant

_TOLERATED_SECONDS = 10.0  # an HTTP date has whole seconds, and an answer takes its time
_MOST_SECONDS = 60.0  # GitHub refuses what a clock signs that is further ahead
_ADVICE = "set the clock of this machine with NTP (`timedatectl set-ntp true`)"


def judge_clock(
    ahead: Mapping[str, float], jumped_seconds: float, last_change_at: int | None, now: int
) -> Iterator[Finding]:
    """`ahead` says by how many seconds other clocks are ahead of this one."""
    found = [_compare(name, seconds) for name, seconds in ahead.items() if abs(seconds) > _TOLERATED_SECONDS]
    if abs(jumped_seconds) > 1:
        found.append(
            warning("clock", f"it was set by {jumped_seconds:+.0f} seconds during this check", _ADVICE)
        )
    if last_change_at is not None and last_change_at > now + MINUTE:
        found.append(
            error(
                "clock",
                f"the store was last changed at {format_instant(last_change_at)}, "
                "which this clock has not reached",
                _ADVICE,
            )
        )
    yield from found or [
        ok("clock", f"agrees with {', '.join(ahead)}" if ahead else "no other clock to compare with")
    ]


def _compare(name: str, seconds: float) -> Finding:
    level = error if abs(seconds) > _MOST_SECONDS else warning
    side = "behind" if seconds > 0 else "ahead of"
    return level("clock", f"it is {duration(abs(seconds))} {side} that of {name}", _ADVICE)
