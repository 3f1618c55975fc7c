"""What every kind of store keeps of reports about CI checks."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from empty_store import copy_empty_store
from mergecast.errors import Conflict
from mergecast.incoming.copying.copy_store import copy_store
from mergecast.queues.model.ci_check import AnyEvent, CiCheckReport
from mergecast.queues.model.ci_price import Prices
from mergecast.queues.model.ci_run import counts_before
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import DAY, MINUTE
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.ci.add import replace_derived_checks
from mergecast.queues.store.ci.memory import NO_MEMORY, CiMemory
from mergecast.queues.store.ci.prices import put_prices, read_prices
from mergecast.queues.store.ci.runs import MOST_EXECUTIONS
from mergecast.queues.store.expire_events import drop_old_ci_checks
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.store import Store
from mergecast.queues.store.table_pages import export_ci_checks
from mergecast.queues.store.values import KnownRepository, Receipt, Selection
from store.counted_rows import CountedRows

pytestmark = pytest.mark.thorough

WIDGETS = Repository("acme", "widgets")


def _report(
    id: str, check: str, at: int, conclusion: str | None = "success", **more: object
) -> CiCheckReport:
    fields = {"batch_id": "b", "name": check, **more}
    return CiCheckReport(id, at, "main", "default", check_id=check, conclusion=conclusion, **fields)  # type: ignore[arg-type]


def _entered(id: str) -> Event:
    return Event(id, "queue_entered", 1, "main", "default", None, "api", session_id=id, pull_request=1)


async def _known(store: Store) -> KnownRepository:
    known = await store.repository(WIDGETS)
    assert known is not None
    return known


async def _stored(store: Store) -> list[CiCheckReport]:
    return [report async for page in export_ci_checks(store, await _known(store)) for report in page]


def _record(store: Store, *deliveries: Sequence[AnyEvent]) -> list[Receipt]:
    async def record() -> list[Receipt]:
        return [await store.record(WIDGETS, delivery) for delivery in deliveries]

    return asyncio.run(record())


def test_everything_of_a_report_is_kept(store: Store) -> None:
    """The longest texts and all instants come back as they were sent."""
    long = "\U0001f600"
    full = CiCheckReport(
        long * 200, 9 * DAY, long * 255, long * 255, long * 200, long * 200, long * 255, "timed_out", 1000,
        9 * DAY - 3, 9 * DAY - 2, 9 * DAY - 1, f"https://example.com/{'x' * 1980}", long * 100, False, "y",
    )  # fmt: skip
    bare = _report("bare", "unit", 5, None)

    receipts = _record(store, [full, bare])

    assert [Receipt(2, 0)] == receipts
    assert sorted([full, bare]) == sorted(asyncio.run(_stored(store)))


def test_one_report_counts_for_each_execution(store: Store) -> None:
    """A conclusion counts more than none, then the later report, then the greater id; in whatever order."""
    random = Random(1)
    reports = [
        _report(f"r{number}", f"check-{random.randrange(4)}", random.randrange(3) * DAY,
                random.choice([None, "success", "failure"]), batch_id=random.choice("ab"),
                attempt=random.randint(1, 2), name=random.choice(["unit", "lint"]))
        for number in range(60)
    ]  # fmt: skip
    best: dict[tuple[str, int, str], CiCheckReport] = {}
    for report in reports:
        key = (report.batch_id, report.attempt, report.check_id)
        best[key] = max(best.get(key, report), report, key=counts_before)
    for number in range(3):
        name = Repository("acme", f"shuffled-{number}")
        shuffled = [*random.sample(reports, 60), *random.sample(reports, 20)]

        async def stored(
            name: Repository = name, shuffled: list[CiCheckReport] = shuffled
        ) -> list[CiCheckReport]:
            cuts = [0, *sorted(random.sample(range(1, 80), 6)), 80]
            for start, end in pairwise(cuts):
                await store.record(name, shuffled[start:end])
            known = await store.repository(name)
            assert known is not None
            assert len(best) == known.ci_checks
            return [report async for page in export_ci_checks(store, known) for report in page]

        assert sorted(best.values()) == sorted(asyncio.run(stored()))


def test_a_repeated_or_outdated_report_is_a_duplicate(store: Store) -> None:
    """It changes nothing, not even the version."""
    running, passed = _report("1", "unit", 5, None), _report("2", "unit", 9)

    first = _record(store, [running, passed])
    version = asyncio.run(_known(store)).ci_version
    again = _record(store, [running], [passed])

    assert ([Receipt(2, 0)], [Receipt(0, 1), Receipt(0, 1)]) == (first, again)
    assert version == asyncio.run(_known(store)).ci_version


def test_the_content_of_an_id_never_changes(store: Store) -> None:
    """The whole delivery is refused, events included, and the message names the fields."""
    _record(store, [_report("1", "unit", 5)])

    with pytest.raises(Conflict) as refused:
        _record(store, [_entered("e"), _report("1", "unit", 6, "failure")])

    message = (
        "a report with this id already exists with another at and conclusion; "
        "the content of an id can never change"
    )
    assert [("/1/id", message)] == [(error.name, error.message) for error in refused.value.errors]
    assert (0, 1) == (asyncio.run(_known(store)).events, asyncio.run(_known(store)).ci_checks)


def test_an_event_that_contradicts_refuses_the_reports_beside_it(store: Store) -> None:
    """The pointer gives the place of the event in the whole delivery."""
    _record(store, [_entered("e")])

    with pytest.raises(Conflict) as refused:
        _record(store, [_report("1", "unit", 5), _entered("e")._replace(pull_request=2)])

    assert ["/1/id"] == [error.name for error in refused.value.errors]
    assert 0 == asyncio.run(_known(store)).ci_checks


def test_a_run_has_a_limit(store: Store) -> None:
    """One more execution refuses its delivery; other runs and known executions go on."""
    _record(store, [_report(f"{n}", f"{n}", n) for n in range(MOST_EXECUTIONS)])

    with pytest.raises(Conflict) as refused:
        _record(store, [_report("x", "x", 1, batch_id="other"), _report("y", "y", 1), _report("z", "z", 1)])
    receipts = _record(store, [_report("x", "x", 1, batch_id="other"), _report("later", "7", DAY)])

    message = "this CI run would have more than 10,000 executions of checks, which is the limit"
    assert [("/1/check_id", message)] == [(error.name, error.message) for error in refused.value.errors]
    assert [Receipt(2, 0)] == receipts
    assert MOST_EXECUTIONS + 1 == asyncio.run(_known(store)).ci_checks


def test_nothing_else_sees_reports(store: Store) -> None:
    """The version, the counts and the span of events stay the same, and lists do not show the repository."""
    _record(store, [_entered("e")])
    before = asyncio.run(_known(store))

    _record(store, [_report("1", "unit", 50 * DAY)])
    after = asyncio.run(_known(store))

    names = (
        "id",
        "version",
        "events",
        "first_at",
        "last_at",
        "last_event",
        "last_subject",
        "last_group",
        "is_listed",
    )
    assert [getattr(before, name) for name in names] == [getattr(after, name) for name in names]
    assert [_entered("e")] == asyncio.run(_events(store))


async def _events(store: Store) -> list[Event]:
    return [event async for page in store.export(await _known(store)) for event in page]


def test_selected_reports_are_deleted(store: Store) -> None:
    """By source and by the time of the report that counts; what is left follows from the other reports."""
    reports = [
        _report("1", "unit", 1 * MINUTE, source="a"),
        _report("2", "lint", 2 * MINUTE, "failure", source="b"),
        _report("3", "unit", 3 * MINUTE, source="b", batch_id="c"),
    ]
    _record(store, [_entered("e")], reports)

    deleted = asyncio.run(store.delete_events(Selection(WIDGETS, "b", None, 3 * MINUTE)))

    assert 1 == deleted
    assert [reports[0], reports[2]] == asyncio.run(_stored(store))
    assert (1, 2) == (asyncio.run(_known(store)).events, asyncio.run(_known(store)).ci_checks)
    assert 3 == asyncio.run(store.delete_events(Selection(WIDGETS, None, 0, None)))
    assert asyncio.run(store.repository(WIDGETS)) is None


def test_a_repository_with_reports_alone_can_be_forgotten(store: Store) -> None:
    _record(store, [_report("1", "unit", 1)])

    assert 1 == asyncio.run(store.forget(WIDGETS))
    assert asyncio.run(store.repository(WIDGETS)) is None
    assert [Receipt(1, 0)] == _record(store, [_report("1", "unit", 1)])


class _Counting:
    """Which report about each execution counts, and the thread that it came from."""

    def __init__(self) -> None:
        self._best: dict[tuple[str, str], tuple[CiCheckReport, int | None]] = {}

    def keep(self, report: CiCheckReport, thread: int | None = None) -> None:
        key = (report.batch_id, report.check_id)
        if key not in self._best or counts_before(report) > counts_before(self._best[key][0]):
            self._best[key] = (report, thread)

    def forget(self, threads: Collection[int]) -> None:
        for key in [key for key, (_, thread) in self._best.items() if thread in threads]:
            del self._best[key]

    def reports(self) -> list[CiCheckReport]:
        return sorted((report for report, _ in self._best.values()), key=repr)


def _some_reports(random: Random, label: str, most: int) -> list[CiCheckReport]:
    return [
        _report(f"{label}-{number}", f"check-{random.randrange(5)}", random.randrange(3) * DAY,
                random.choice([None, "success", "failure"]), batch_id=random.choice("ab"),
                name=random.choice(["unit", "lint"]), runner=random.choice([None, "linux"]))
        for number in range(random.randint(0, most))
    ]  # fmt: skip


def test_a_thread_has_the_reports_of_its_last_translation(store: Store) -> None:
    """Those that vanish from a translation vanish from the store; reports of others stay, in any order.

    That holds with what the last translation remembers, whoever has changed something since, and whichever
    translation has failed after it wrote.
    """
    random, memory = Random(3), NO_MEMORY
    best = _Counting()

    def fail(held: HeldRepository, wanted: Mapping[int, Sequence[CiCheckReport]]) -> None:
        replace_derived_checks(held, wanted, memory=memory)
        raise RuntimeError

    async def scenario() -> None:
        nonlocal memory
        await store.record(WIDGETS, [_entered("e")])
        for step in range(40):
            sent = _some_reports(random, f"sent-{step}", 1)
            if sent:
                await store.record(WIDGETS, sent)
                best.keep(sent[0])
            wanted = {
                thread: _some_reports(random, f"{thread}-{step}", 5)
                for thread in random.sample(range(1, 4), random.randint(1, 2))
            }
            if random.random() < 0.2:
                with pytest.raises(RuntimeError):
                    await store.change(WIDGETS, partial(fail, wanted=wanted), create=False)
                continue
            work = partial(replace_derived_checks, wanted=wanted, memory=memory)
            replaced = await store.change(WIDGETS, work, create=False)
            assert replaced is not None
            memory = replaced.memory
            best.forget(wanted)
            for thread, reports in wanted.items():
                for report in reports:
                    best.keep(report, thread)
            assert best.reports() == sorted(await _stored(store), key=repr)
            assert len(best.reports()) == (await _known(store)).ci_checks

    asyncio.run(scenario())


def test_the_same_translation_changes_nothing(store: Store) -> None:
    """Not even the version: answers stay cached."""
    wanted = {1: [_report("1", "unit", 5), _report("2", "lint", 6, "failure", runner="linux")]}

    async def scenario() -> list[int]:
        await store.record(WIDGETS, [_entered("e")])
        versions = []
        for kept in (2, 2, 1, 0, 0):
            reports = {1: wanted[1][:kept]}
            await store.change(WIDGETS, partial(replace_derived_checks, wanted=reports), create=False)
            versions.append((await _known(store)).ci_version)
        return versions

    assert [1, 1, 2, 3, 3] == asyncio.run(scenario())
    assert [] == asyncio.run(_stored(store))


def test_the_next_translation_of_a_thread_reads_no_reports(store: Store) -> None:
    """As long as no other has changed CI checks, only the first one reads them."""
    read: list[int] = []

    def translate(held: HeldRepository, reports: int, memory: CiMemory) -> CiMemory:
        counting = CountedRows(held)
        wanted = {7: [_report(f"{number}", f"check-{number}", 5) for number in range(reports)]}
        replaced = replace_derived_checks(counting.held, wanted, memory=memory)
        read.append(sum(name.startswith(("ci_checks_", "ci_runs_")) for name in counting.read))
        return replaced.memory

    async def scenario() -> None:
        await store.record(WIDGETS, [_entered("e")])
        memory: CiMemory | None = NO_MEMORY
        for reports in (3, 4, 4, 2, 9):
            assert memory is not None
            work = partial(translate, reports=reports, memory=memory)
            memory = await store.change(WIDGETS, work, create=False)
            if reports == 2:
                await store.record(WIDGETS, [_report("sent", "other", 5, batch_id="c")])

    asyncio.run(scenario())

    *remembered, changed = read
    assert [0, 0, 0, 0] == remembered
    assert changed > 0
    assert 10 == asyncio.run(_known(store)).ci_checks


def test_only_the_same_report_is_remembered(store: Store) -> None:
    """What a translation remembers need not be validated again; a report that differs must be."""
    report = _report("1", "unit", 5)

    async def scenario() -> CiMemory:
        await store.record(WIDGETS, [_entered("e")])
        work = partial(replace_derived_checks, wanted={1: [report]})
        replaced = await store.change(WIDGETS, work, create=False)
        assert replaced is not None
        return replaced.memory

    memory = asyncio.run(scenario())
    others = [
        report._replace(url="javascript:alert(1)"),
        report._replace(check_id="2"),
        _report("2", "lint", 5),
    ]

    assert [True, False, False, False] == [memory.has(one) for one in (report, *others)]
    assert not NO_MEMORY.has(report)


def test_old_reports_expire_by_whole_days(store: Store) -> None:
    """A day goes as soon as none of it is young enough, and runs keep the executions that are left."""
    reports = [
        _report(f"{day}", f"check-{day}", day * DAY + 5, ended_at=day * DAY + 5) for day in range(1, 6)
    ]
    _record(store, reports)

    asyncio.run(drop_old_ci_checks(store, WIDGETS, 13 * DAY, 10 * DAY))

    assert reports[2:] == asyncio.run(_stored(store))
    assert 3 == asyncio.run(_known(store)).ci_checks


@pytest.mark.parametrize("is_source", [True, False])
def test_a_copy_has_the_same_reports(store: Store, tmp_path: Path, *, is_source: bool) -> None:
    """And prices, from and to an embedded store. Run again, copying adds nothing."""
    copy_empty_store(tmp_path / "copy")
    other = open_store(tmp_path / "copy")
    source, target = (store, other) if is_source else (other, store)
    reports = [_report(f"{n}", f"{n % 7}", n * DAY, batch_id=f"b{n % 3}") for n in range(30)]
    _record(source, [_entered("e")], reports)
    prices = Prices("EUR", 8_000_000, {"linux": 64_000_000})

    async def prices_of(asked: Store) -> Prices | None:
        id = (await _known(asked)).id
        return await asked.read(id, partial(read_prices, repository_id=id))

    async def scenario() -> None:
        await source.change(WIDGETS, partial(put_prices, prices=prices), create=False)
        for _ in range(2):
            async for _ in copy_store(source, target, DAY):
                pass
        assert sorted(await _stored(source)) == sorted(await _stored(target))
        assert 21 == (await _known(target)).ci_checks
        assert prices == await prices_of(target)

    try:
        asyncio.run(scenario())
    finally:
        other.close()
