"""A queue in trouble: a pull request that waits, and others that will merge after many hours."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from builders import Wire, entered
from mergecast.queues.model.threshold import SET, SetThreshold
from mergecast.queues.store.alerts import store_alerts
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.thresholds import put_thresholds
from signals.stored import begun_alert

BAD = "acme/bad"


def ago(minutes: float) -> str:
    return (datetime.now(UTC) - timedelta(minutes=minutes)).isoformat(timespec="seconds")


def waiting_for_hours() -> list[Wire]:
    waiting = [entered(ago(300), "waits", 1, queue_name="stuck")]
    return [*waiting, *(entered(ago(400), f"slow-{number}", number) for number in range(2, 8))]


def add_problem(held: HeldRepository) -> None:
    slow = replace(begun_alert("time_to_merge_p95", "stuck", held.now), origin=SET)
    put_thresholds(held, [SetThreshold("time_to_merge_p95", 1.0)])
    store_alerts(held, [begun_alert("no_run_started", "stuck", held.now), slow], ())
