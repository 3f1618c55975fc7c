"""A queue in trouble: a pull request that waits, and others that will merge after many hours."""

from datetime import UTC, datetime, timedelta

from builders import Wire, entered
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.problems import ProblemChanges, store_problems
from signals.stored import stored_problem

BAD = "acme/bad"


def ago(minutes: float) -> str:
    return (datetime.now(UTC) - timedelta(minutes=minutes)).isoformat(timespec="seconds")


def waiting_for_hours() -> list[Wire]:
    waiting = [entered(ago(300), "waits", 1, queue_name="stuck")]
    return [*waiting, *(entered(ago(400), f"slow-{number}", number) for number in range(2, 8))]


def add_problem(held: HeldRepository) -> None:
    store_problems(held, ProblemChanges((stored_problem("no_run_started", "stuck", held.now),)))
