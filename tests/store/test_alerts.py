"""Alerts in every kind of store."""

import asyncio
from dataclasses import replace
from functools import partial

import pytest

from mergecast.queues.model.alert import RECOVERED, Alert, Compared
from mergecast.queues.model.cause import BEGIN
from mergecast.queues.model.hourly_alert import ADVICE
from mergecast.queues.model.instant import DAY, MINUTE, Window
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.threshold import REFERENCE
from mergecast.queues.store.alerts import (
    KEEP,
    OpenAlert,
    alerts_between,
    decode_alert,
    delete_old_alerts,
    encode_alert,
    open_alerts,
    open_alerts_of,
    store_alerts,
    store_past_alerts,
    update_alerts,
)
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.rows import CauseRow
from mergecast.queues.store.store import Store
from mergecast.queues.store.stored_rows import read_rows
from mergecast.queues.store.values import KnownRepository
from signals.stored import begun_alert

NAME = Repository("acme", "widgets")
HANGS = replace(begun_alert("run_too_long", "default", 100), since=90)
ENDED = replace(HANGS, ended_at=150, end_reason=RECOVERED)

pytestmark = pytest.mark.thorough

Changed = tuple[list[Alert], list[Alert]]


def _known(store: Store) -> KnownRepository:
    known = asyncio.run(store.repository(NAME))
    assert known is not None
    return known


def _read(store: Store, start: int, end: int) -> list[Alert]:
    work = partial(alerts_between, repository_id=_known(store).id, window=Window(start, end))
    return asyncio.run(store.read(_known(store).id, work))


def _open(store: Store) -> list[Alert]:
    return asyncio.run(store.read(_known(store).id, partial(open_alerts, repository_id=_known(store).id)))


def _change(store: Store, *begun: Alert, ended: tuple[Alert, ...] = ()) -> Changed | None:
    return asyncio.run(store.change(NAME, partial(store_alerts, begun=begun, ended=ended), create=False))


def test_an_alert_begins_and_ends_once(store: Store) -> None:
    """Of two servers that find the same, one stores it. Each change raises the version of the data."""
    asyncio.run(store.set_products(NAME, ()))
    versions = [_known(store).version]

    begun = [_change(store, alert) for alert in (HANGS, replace(HANGS, id="later", found_at=101))]
    held = _open(store)
    versions.append(_known(store).version)
    over = [_change(store, ended=(ENDED,)) for _ in range(2)]
    versions.append(_known(store).version)

    assert [([HANGS], []), ([], [])] == begun
    assert [HANGS] == held
    assert [([], [ENDED]), ([], [])] == over
    assert [] == _open(store)
    assert versions[0] < versions[1] < versions[2]
    assert [[ENDED], [ENDED], [], []] == [
        _read(store, *window) for window in ((0, 91), (150, 200), (0, 90), (151, 200))
    ]


def test_a_notice_is_due_once_an_alert_has_lasted_five_minutes(store: Store) -> None:
    """One that ends before is shown and not sent."""
    asyncio.run(store.set_products(NAME, ()))
    now = asyncio.run(store.change(NAME, lambda held: held.now, create=False)) or 0
    hangs = replace(HANGS, found_at=now)
    _change(store, hangs)
    (begun,) = _causes(store)

    _change(store, ended=(replace(hangs, ended_at=now + MINUTE, end_reason=RECOVERED),))

    assert (BEGIN, 5 * MINUTE, None) == (begun.phase, begun.due_at - begun.stored_at, begun.done_at)
    assert [True, True] == [cause.done_at is not None for cause in _causes(store)]
    assert [hangs.id] == [alert.id for alert in _read(store, now - DAY, now + DAY)]


def _causes(store: Store) -> list[CauseRow]:
    return asyncio.run(
        store.read(_known(store).id, lambda reader: read_rows(reader, _known(store).id, CauseRow))
    )


def test_a_queue_has_one_alert_of_each_figure_and_origin(store: Store) -> None:
    """Each reference period has its own."""
    asyncio.run(store.set_products(NAME, ()))
    pinned = [
        replace(
            HANGS, id=name, figure="failure_rate", origin=REFERENCE, compared=Compared(name, 0.1, 2.0, 1.5)
        )
        for name in ("march", "april")
    ]

    _change(store, HANGS, *pinned, replace(HANGS, id="elsewhere", queue_name="hotfix"))

    assert ["april", "march", HANGS.id, "elsewhere"] == [alert.id for alert in _open(store)]


def test_what_is_measured_again_changes_no_answer(store: Store) -> None:
    asyncio.run(store.set_products(NAME, ()))
    _change(store, HANGS)
    version, seen = _known(store).version, replace(HANGS, seen_at=120, below_since=110)

    asyncio.run(store.change(NAME, partial(update_alerts, alerts=[seen]), create=False))

    assert ([seen], version) == (_open(store), _known(store).version)


def test_the_open_alerts_of_many_repositories(store: Store) -> None:
    asyncio.run(store.set_products(NAME, ()))
    _change(store, HANGS, replace(HANGS, id="ended", figure="forgotten", ended_at=101))
    id = _known(store).id

    found = asyncio.run(store.read(None, partial(open_alerts_of, repository_ids=[id, id + 1])))

    assert {id: [OpenAlert("main", "default", "run_too_long", "learned", 90)]} == {
        id: [alert for alert in alerts if alert.figure != "forgotten"] for id, alerts in found.items()
    }


def test_alerts_of_the_past_are_stored_once(store: Store) -> None:
    asyncio.run(store.set_products(NAME, ()))

    for alerts in ([ENDED], [replace(ENDED, id="again", found_at=120)]):
        asyncio.run(store.change(NAME, partial(store_past_alerts, alerts=alerts, until=200), create=False))

    assert [ENDED] == _read(store, 0, 1_000)


def test_alerts_are_kept_for_400_days(store: Store) -> None:
    asyncio.run(store.set_products(NAME, ()))
    old = replace(ENDED, id="old", found_at=50, since=40, ended_at=80)
    kept = replace(ENDED, id="kept", figure="nothing_merges", ended_at=2 * DAY)
    work = partial(store_past_alerts, alerts=[old, kept, HANGS], until=200)
    asyncio.run(store.change(NAME, work, create=False))

    asyncio.run(store.change(NAME, partial(delete_old_alerts, now=KEEP + DAY), create=False))

    assert [kept] == [alert for alert in _read(store, 0, 10 * DAY) if alert.ended_at is not None]
    assert [HANGS] == _open(store)


def test_what_belongs_to_no_repository_changes_together_with_one(store: Store) -> None:
    """Or not at all: what fails leaves both as they were."""
    asyncio.run(store.set_products(NAME, ()))

    def work(held: HeldRepository, *, fails: bool) -> None:
        channel = ("c1", "acme", "widgets", "log", "", "{}", 1, 1)
        held.shared.change("add_channel", *channel)
        store_alerts(held, [HANGS], ())
        if fails:
            raise RuntimeError("stopped in between")

    def stored() -> tuple[int, list[Alert]]:
        channels = asyncio.run(store.read(None, lambda reader: reader.rows("channels", [])))
        return len(channels), _open(store)

    with pytest.raises(RuntimeError, match="stopped in between"):
        asyncio.run(store.change(NAME, partial(work, fails=True), create=False))
    assert (0, []) == stored()

    asyncio.run(store.change(NAME, partial(work, fails=False), create=False))
    assert (1, [HANGS]) == stored()


def test_an_alert_of_an_earlier_version_has_a_sentence() -> None:
    """Alerts about baselines were stored without one."""
    compared = Compared("march", 0.1, 2.0, 1.5)
    alert = replace(
        HANGS, figure="failure_rate", origin=REFERENCE, value=0.2, compared=compared, sentence="", advice=""
    )

    found = decode_alert(encode_alert(alert))

    assert (
        "20.0% of the pull requests that leave the queue default of main have failed, "
        "2.0 times as many as in the reference period march (10.0%)"
    ) == found.sentence
    assert ADVICE["failure_rate"] == found.advice
