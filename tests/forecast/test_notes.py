"""Notes say what the history cannot show."""

import pytest

from history.recorded import SECOND, enters, leaves, runs
from mergecast.forecasting.forecast.notes import Outcome, notes
from mergecast.forecasting.forecast.plan import as_recorded, with_settings
from mergecast.forecasting.history.inference import infer
from mergecast.forecasting.history.reading import read_history
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import Window

_DAY = 86_400


def _batches(size: int, slow: int | None = None) -> list[Event]:
    """Batches of this size, one every hour for three days; CI takes six hours from one of them on."""
    found = []
    for turn in range(72):
        at, pulls = 3600 * turn, range(1 + turn * size, 1 + turn * size + size)
        if slow is not None and slow < turn <= slow + 6:
            continue
        end = at + 900 + (6 * 3600 if turn == slow else 0)
        found += [enters(at, pull) for pull in pulls]
        found += runs((at + 5, end), f"b{turn}", pulls)
        found += [leaves(end + 5, pull) for pull in pulls]
    return found


def _notes(events: list[Event], batch_size: int) -> tuple[str, ...]:
    history = read_history(events, Window(0, 3 * _DAY * SECOND))
    trains = infer(history)
    plans = [with_settings({"batch_size": batch_size}, before) for before in as_recorded(trains)]
    return notes(history, trains, plans, Outcome(0.0, 0.0, 0.0))


SINGLES = (
    "All batches of `default` had one pull request: the history does not show whether larger ones take "
    "longer. The intervals range from no growth at all to members that are built one after the other; "
    "the values assume little growth."
)
PAIRS = (
    "No batch of `default` had more than 2 pull requests: how long CI takes for larger ones was never "
    "recorded. It is inferred from smaller ones."
)


@pytest.mark.parametrize(("size", "note"), [(1, SINGLES), (2, PAIRS)])
def test_a_size_that_was_never_recorded_is_named(size: int, note: str) -> None:
    assert note in _notes(_batches(size), 8)
    assert note not in _notes(_batches(size), size)


def test_a_standstill_of_ci_is_named() -> None:
    note = "CI stood still once, for 6h00m in all; every replay repeats this."

    assert note in _notes(_batches(1, slow=30), 1)
    assert note not in _notes(_batches(1), 1)
