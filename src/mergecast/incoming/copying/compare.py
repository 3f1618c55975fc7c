"""Compares a repository with its copy: counts, events, facts, and the answers of all statistics."""

from collections.abc import AsyncIterator, Sequence
from hashlib import blake2b
from math import isclose
from typing import Any

import msgspec

from mergecast.queues.model.ci_check import AnyEvent
from mergecast.queues.model.event import Group
from mergecast.queues.model.instant import DAY
from mergecast.queues.model.window import Window, grid_for
from mergecast.queues.stats.published import STATISTICS
from mergecast.queues.stats.question import Question
from mergecast.queues.stats.summary import SUMMARY
from mergecast.queues.store.ci.export import export_ci_checks
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import KnownRepository

_QUERY_SECONDS = 3600.0
_GROUPS_AT_ONCE = 100  # so that no answer has more rows than a store returns
# Databases may divide and interpolate with different errors in the last digits of a float.
_TOLERANCE = 1e-9
_STATISTICS = {**STATISTICS, SUMMARY.name: SUMMARY}


async def difference(source: Store, target: Store, known: KnownRepository) -> str | None:
    """The first difference between a repository and its copy, and what to do about it."""
    now, copy = await source.repository(known.repository), await target.repository(known.repository)
    if now is None or _version(now) != _version(known):
        return "it changed while it was copied; stop the servers of the source, then copy again"
    if copy is None:
        return "it is missing in the copy"
    if _counts(copy) != _counts(known):
        return f"it has {_counts(known)}, and the copy has {_counts(copy)}{_advice(known, copy)}"
    if await _digest(source, known) != await _digest(target, copy):
        return f"some of its events have other content in the copy{_advice(known, copy)}"
    return await _difference_of_facts(source, target, known, copy)


async def _difference_of_facts(
    source: Store, target: Store, known: KnownRepository, copy: KnownRepository
) -> str | None:
    """Compare what follows from the same events."""
    verified = await target.verify(copy)
    if verified.examples:
        return f"the copy is wrong: {verified.examples[0]}; `mergecast rebuild` may repair it"
    different = [name async for name in _different_answers(source, target, known, copy)]
    if different:
        names = ", ".join(dict.fromkeys(different))
        return f"the copy answers {names} differently; `mergecast verify` checks the facts of the source"
    return None


def _version(known: KnownRepository) -> tuple[int, int, int]:
    return known.version, known.recordings, known.ci_version


def _counts(known: KnownRepository) -> str:
    checks = f", {known.ci_checks:,} executions of CI checks" if known.ci_checks else ""
    return (
        f"{known.events:,} events{checks}, {known.snapshots:,} snapshots and {known.deliveries:,} deliveries"
    )


def _advice(known: KnownRepository, copy: KnownRepository) -> str:
    if copy.events > known.events and not known.deliveries:
        return "; it must not have events of its own: copy into another place, or delete them there"
    if known.deliveries:
        return (
            "; an earlier version may have translated its deliveries: "
            "`mergecast sources translate` on the source translates them again"
        )
    return ""


async def _digest(store: Store, known: KnownRepository) -> int:
    """A number that two sets of events share only if they are the same, in whatever order they are stored."""
    total = 0
    async for page in store.export(known):
        for event in page:
            total += _number(event)
    async for reports in export_ci_checks(store, known):
        total += sum(map(_number, reports))
    return total


def _number(event: AnyEvent) -> int:
    return int.from_bytes(blake2b(msgspec.json.encode(event), digest_size=16).digest())


async def _different_answers(
    source: Store, target: Store, known: KnownRepository, copy: KnownRepository
) -> AsyncIterator[str]:
    """The names of statistics that differ over the whole history."""
    if known.first_at is None or known.last_at is None:
        return
    window = Window(known.first_at, known.last_at + DAY)
    groups = await _groups(source, known) | await _groups(target, copy)
    in_order = sorted(groups, key=repr)
    for start in range(0, len(in_order), _GROUPS_AT_ONCE):
        chunk = in_order[start : start + _GROUPS_AT_ONCE]
        expected = await _answers(source, known, window, chunk)
        actual = await _answers(target, copy, window, chunk)
        for name in expected:
            if not are_same(expected[name], actual[name]):
                yield name


async def _groups(store: Store, known: KnownRepository) -> set[Group]:
    return await store.read(known.id, lambda reader: set(reader.groups(known.id).values()))


async def _answers(
    store: Store, known: KnownRepository, window: Window, groups: Sequence[Group]
) -> dict[str, Any]:
    """What every statistic says about these groups."""

    def work(reader: Reader) -> dict[str, Any]:
        kept = {id: group for id, group in reader.groups(known.id).items() if group in groups}
        question = Question(
            known.id, window, window, grid_for(window), kept, known.first_at, with_intervals=True
        )
        return {
            name: msgspec.to_builtins(statistic.answer(reader, question))
            for name, statistic in _STATISTICS.items()
        }

    return await store.read(known.id, work, seconds=_QUERY_SECONDS)


def are_same(one: Any, other: Any) -> bool:
    """Whether two answers are equal, except for the last digits of floats."""
    if isinstance(one, float) and isinstance(other, float):
        return isclose(one, other, rel_tol=_TOLERANCE)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(are_same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(are_same, one, other))
    return type(one) is type(other) and bool(one == other)
