"""Generated events with values from small pools, so that they share stays, batches, instants and names."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Protocol, TypeVar

from property.oracle_entries import OUTCOMES
from property.oracle_facts import Group, Wire
from property.oracle_numbers import DAY, HOUR, MINUTE

T = TypeVar("T")

# A Monday begins four days after each: for 1970 as for 2024.
ORIGINS = (0, (datetime(2024, 2, 29, tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(0, 0, 1))
OFFSETS = (
    *(0, 1, 1_500_000, MINUTE, 5 * MINUTE - 1, 5 * MINUTE, 15 * MINUTE, 40 * MINUTE),
    *(HOUR - 1, HOUR, 100 * MINUTE, 3 * HOUR, 6 * HOUR - 1, 6 * HOUR, 6 * HOUR + 1, 13 * HOUR),
    *(DAY - 1, DAY, DAY + 1, 3 * DAY, 4 * DAY - 1, 4 * DAY, 4 * DAY + 1, 7 * DAY, 11 * DAY - 1, 11 * DAY),
    *(29 * DAY, 32 * DAY - 1, 32 * DAY, 60 * DAY),
)
# Ordered by code point this is not the order of any dictionary, nor that of UTF-16.
NAMES = ("main", "Z", "z", "ä", "a\u0308", "é", "\uffff", "\U00010000", "😀", "queue one", "ß")
RULES = (None, None, "high", "Z", "ä", "\uffff", "\U00010000")
SOURCES = ("api", "github", "gitläb")
REASONS = (
    *("PR_MERGED", "PR_MERGED", "PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED", "CHECKS_FAILED"),
    *("PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED", "CHECKS_TIMEOUT", "UNKNOWN", "PR_MANUALLY_MERGED"),
    *("CHECKS_RETRIED", *OUTCOMES[:3]),
)
FREQUENT_OUTCOMES = ("SUCCESS", "CHECKS_FAILED", "CHECKS_TIMEOUT", *3 * ("CHECKS_RETRIED",), *OUTCOMES)
_TYPES = (
    *3 * ("queue_entered", "queue_left", "checks_started", "checks_ended"),
    *("bisection_started", "bisection_ended"),
)
_BATCHES = ("X", "Y", "ä")
_WAITS = (0, 1, 0.5, 300, 3600.000001, 0.1, 86400)
_COMMITS = (None, "1f" * 20, "1f" * 20, "2e" * 32)
_LARGEST = 2**63 - 1


class Choose(Protocol):
    """Chooses one of several options: randomly, or as Hypothesis decides."""

    def __call__(self, options: Sequence[T], /) -> T: ...


@dataclass(frozen=True)
class Scene:
    """The groups and instants of one history."""

    groups: tuple[Group, ...]
    instants: tuple[int, ...]


def make_scene(choose: Choose) -> Scene:
    origins = choose((ORIGINS[:1], ORIGINS[1:], ORIGINS))
    groups = tuple(
        (choose(NAMES), choose(NAMES), choose(RULES)) for _ in range(choose((1, 2, 3)))
    )  # fmt: skip
    # The first queue with a second priority rule, which runs and stays often span, and on another branch.
    groups = (*groups, (*groups[0][:2], choose(RULES)), (choose(NAMES), *groups[0][1:]))
    instants = tuple(choose(origins) + choose(OFFSETS) for _ in range(choose((3, 6, 12))))
    return Scene(groups, instants)


def make_history(choose: Choose, scene: Scene, length: int) -> list[Wire]:
    return [make_event(choose, scene, number) for number in range(length)]


def make_event(choose: Choose, scene: Scene, number: int) -> Wire:
    """An event that is valid by itself but may contradict others."""
    type = choose(_TYPES)
    base_ref, queue_name, rule = choose(scene.groups)
    event: Wire = {
        "id": f"{choose(('a', 'Z', 'ä', chr(0xFFFF), chr(0x10000)))}{number}",
        "type": type,
        "at": spell_somehow(choose, choose(scene.instants)),
        "base_ref": base_ref,
        "queue_name": queue_name,
    }
    if rule is not None or choose((True, False)):
        event["priority_rule_name"] = rule
    if (source := choose(SOURCES)) != "api" or choose((True, False)):
        event["source"] = source
    return event | _details(choose, type)


def _details(choose: Choose, type: str) -> Wire:
    if type == "bisection_started":
        return {
            "batch_id": choose(_BATCHES),
            "depth": choose((0, 1, 2, 1000)),
            "batch_pull_requests": choose(([0], [1, 2], [3, 2, 1, 9])),
        }
    if type == "bisection_ended":
        flags = (True, False)
        return {
            "batch_id": choose(_BATCHES),
            "culprit_found": choose(flags),
            "max_failures_reached": choose(flags),
        }
    # The last stays never leave; pull requests come again and again.
    session = choose(range(7 if type == "queue_left" else 11))
    number = choose((session % 3, session % 3, session % 3, _LARGEST))
    stay: Wire = {"session_id": f"stay-{session}", "pull_request": number}
    if type in ("queue_entered", "queue_left") and (commit := choose(_COMMITS)) is not None:
        stay["head_sha"] = commit
    if type == "queue_entered":
        return stay
    return stay | (_leaving(choose) if type == "queue_left" else _check(choose, type, stay["pull_request"]))


def _leaving(choose: Choose) -> Wire:
    event: Wire = {"reason": choose(REASONS)}
    if choose((True, False, True)):
        event["batch_id"] = choose((*_BATCHES, None))
    if choose((True, False)):
        event["seconds_waiting_for_schedule"] = choose(_WAITS)
    if choose((True, False)):
        event["seconds_waiting_for_freeze"] = choose(_WAITS)
    return event


def _check(choose: Choose, type: str, pull_request: int) -> Wire:
    event: Wire = {"batch_id": choose(_BATCHES)}
    if (attempt := choose((1, 2))) != 1 or choose((True, False)):
        event["attempt"] = attempt
    if type == "checks_started":
        others = choose(((), (50,), (50, 51), (50, 51, 52)))
        return event | {"batch_pull_requests": choose(([pull_request, *others], [*others, pull_request]))}
    return event | {"outcome": choose(FREQUENT_OUTCOMES)}


def spell_somehow(choose: Choose, instant: int) -> str:
    """Format an instant in one of several ways: in UTC or with an offset, with more digits than stored."""
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=instant)
    style = choose(("Z", "Z", "+05:30", "-01:00", "nine digits"))
    if style == "+05:30":
        return moment.astimezone(timezone(timedelta(hours=5, minutes=30))).isoformat()
    if style == "-01:00" and instant >= HOUR:
        return moment.astimezone(timezone(-timedelta(hours=1))).isoformat()
    if style == "nine digits":
        return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond:06d}999Z"
    return moment.isoformat().replace("+00:00", "Z")
