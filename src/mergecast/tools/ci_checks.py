"""`check_flakiness`: how often checks fail, and how often only by chance."""

from typing import Any

from mergecast.queues.answers.ci_checks import CiCheck, CiChecks
from mergecast.queues.model.words import counted
from mergecast.tools.asking import Asker, ToolError
from mergecast.tools.strangers import cleaned, link
from mergecast.tools.tool import (
    DAYS,
    INTEGER,
    LEFT_OUT,
    NAME,
    NUMBER,
    REPOSITORY,
    STRING,
    Result,
    Tool,
    days_ago,
    is_named,
    list_of,
    object_of,
    optional,
)

_MOST = 15
_FIRST = 6
_MOST_LINKS = 2


async def _flakiness(asker: Asker, given: dict[str, Any]) -> Result:
    days, wanted = given["days"], given["check"]
    found = await asker.read(given["repository"], "/ci-checks", CiChecks, start_at=days_ago(asker, days))
    checks, covered = found.checks, found.covered
    if wanted is not None:
        checks = [one for one in checks if is_named(one.name, wanted)]
        if not checks:
            raise ToolError(_unknown(found.checks, days))
    else:
        checks = sorted(checks, key=lambda one: -one.failed)
    lines = [_line(one) for one in checks[:_FIRST]] or [
        f"No check was reported in the last {counted(days, 'day')}. Call again with more days."
    ]
    if wanted is None and len(checks) > _FIRST:
        lines.append(f"There are {len(checks) - _FIRST} more checks; name one to see it.")
    lines += [f"Example: «{one}»" for one in _links(checks[0])] if wanted is not None else []
    if covered is not None and covered < 1:
        lines.append(f"Only {covered:.0%} of the CI runs have reports about checks.")
    content = {
        "days": days,
        "covered": covered,
        "checks": [_row(one) for one in checks[:_MOST]],
        LEFT_OUT: max(0, len(checks) - _MOST),
    }
    return Result(lines, content)


def _unknown(checks: list[CiCheck], days: int) -> str:
    names = ", ".join(f"«{cleaned(one.name)}»" for one in checks[:_MOST])
    known = f"Those that ran are {names}." if names else "None ran."
    return (
        f"No check of this name ran in the last {counted(days, 'day')}. {known} Call again with one of them."
    )


def _tried(one: CiCheck) -> int:
    """How many failures were tried again with the same commits; `flaky` of them passed."""
    return one.flaky + one.evidence.failed_again


def _line(one: CiCheck) -> str:
    name, runs = f"«{cleaned(one.name)}»", counted(one.runs, "run")
    if not one.failed:
        return f"{name}: never failed in {runs}."
    tried = _tried(one)
    rate = f" ({one.failure_rate:.1%})" if one.failure_rate is not None else ""
    failed = f"{name}: failed {one.failed:,} of {runs}{rate}"
    if not tried:
        return f"{failed}; none was tried again unchanged, so whether it is flaky cannot be told."
    return f"{failed}; of {tried:,} tried again unchanged, {one.flaky:,} passed{_by_chance(one)}."


def _by_chance(one: CiCheck) -> str:
    rate, interval = one.flake_rate, one.flake_interval
    if rate is None or interval is None:
        return ""
    low, high = interval.low, interval.high
    return f"; estimated, it fails by chance in {rate:.1%} of its runs ({low:.1%} to {high:.1%})"


def _links(one: CiCheck) -> list[str]:
    return [url for address in one.evidence.links if (url := link(address)) is not None][:_MOST_LINKS]


def _row(one: CiCheck) -> dict[str, object]:
    interval = one.flake_interval
    return {
        "name": cleaned(one.name),
        "runs": one.runs,
        "failed": one.failed,
        "tried_again": _tried(one),
        "passed_again": one.flaky,
        "flake_rate": one.flake_rate,
        "flake_rate_low": interval and interval.low,
        "flake_rate_high": interval and interval.high,
        "removals": one.removals,
    }


FLAKINESS = Tool(
    "check_flakiness",
    "How often does a CI check fail, and is it flaky: of the failures that were tried again unchanged, how "
    "many passed? Without `check`, those that failed most. A rate without tries says nothing.",
    {"repository": REPOSITORY, "check": optional(NAME), "days": DAYS},
    object_of(
        days=INTEGER,
        covered=NUMBER,
        checks=list_of(
            object_of(
                name=STRING,
                runs=INTEGER,
                failed=INTEGER,
                tried_again=INTEGER,
                passed_again=INTEGER,
                flake_rate=NUMBER,
                flake_rate_low=NUMBER,
                flake_rate_high=NUMBER,
                removals=INTEGER,
            )
        ),
        left_out=INTEGER,
    ),
    _flakiness,
)
