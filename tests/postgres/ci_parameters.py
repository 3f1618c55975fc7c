"""The parameters that SQL files about CI checks are tested with."""

from typing import Any

from mergecast.queues.model.instant import DAY, parse_instant
from postgres.stores import Parameters, Stores

_MARCH = parse_instant("2026-03-02T00:00:00Z")
_FIRST_DAY = _MARCH // DAY


def _repositories(stores: Stores) -> list[int]:
    found: list[int] = stores.column("select distinct repository_id from ci_runs order by 1")
    return found


def by_runs(stores: Stores) -> list[list[Any]]:
    runs = stores.column("select distinct run from ci_runs where run % 3 = 0 order by 1")
    return [[id, chosen] for id in _repositories(stores) for chosen in (runs, runs[:1], [])]


def by_run_keys(stores: Stores) -> list[list[Any]]:
    keys = stores.duck.execute(
        "select key_high, key_low from ci_runs where run % 3 = 0 order by run"
    ).fetchall()
    return [[id, [high for high, _ in keys], [low for _, low in keys]] for id in _repositories(stores)]


def by_executions(stores: Stores) -> list[list[Any]]:
    rows = stores.duck.execute(
        "select run, check_id from ci_checks where run % 3 = 0 order by 1, 2"
    ).fetchall()
    return [[id, [run for run, _ in rows], [check for _, check in rows]] for id in _repositories(stores)]


def by_threads(stores: Stores) -> list[list[Any]]:
    return [[id, [7]] for id in _repositories(stores)]


def by_page(stores: Stores) -> list[list[Any]]:
    return [[id, *page] for id in _repositories(stores) for page in ((0, 2**62, 10), (5, 9, 1000), (3, 3, 5))]


def by_texts(stores: Stores) -> list[list[Any]]:
    return [[id, texts] for id in _repositories(stores) for texts in (["unit", "main", "none"], ["lint"], [])]


def by_days(stores: Stores) -> list[list[Any]]:
    days = [_FIRST_DAY, _FIRST_DAY + 2, _FIRST_DAY + 99]
    return [[id, chosen] for id in _repositories(stores) for chosen in (days, days[:1], [])]


def by_day(stores: Stores) -> list[list[Any]]:
    return [[id, day] for id in _repositories(stores) for day in (0, _FIRST_DAY + 3, 10**6)]


def by_selection(stores: Stores) -> list[list[Any]]:
    chosen = [
        (None, None, None, None), ("api", None, None, None), ("none", None, None, None),
        (None, _MARCH + DAY, _MARCH + 2 * DAY, None), (None, None, None, _MARCH + 3 * DAY),
    ]  # fmt: skip
    return [[id, *one] for id in _repositories(stores) for one in chosen]


def by_quiet_days(stores: Stores) -> list[list[Any]]:
    return [[id, 10**6, 2**62, 5] for id in (*_repositories(stores), 999)]


def by_quiet_day(_: Stores) -> list[list[Any]]:
    return [[10**6, 2**62], [1, 2**62], [0, 2**62], [10**6, 0]]


def by_span(stores: Stores) -> list[list[Any]]:
    spans = [(_MARCH + day * DAY, _MARCH + (day + 1) * DAY) for day in (0, 1, 4)]
    return [[id, *span] for id in _repositories(stores) for span in (*spans, (0, 2**62), (0, 5))]


CI_FILES: dict[str, Parameters] = {
    "ci_runs_by_key": by_run_keys,
    "ci_runs_numbered": by_runs,
    "ci_checks_of_runs": by_runs,
    "ci_checks_of_threads": by_threads,
    "ci_checks_page": by_page,
    "ci_texts_among": by_texts,
    "ci_days_among": by_days,
    "oldest_ci_day": by_day,
    "ci_days_to_sum": by_quiet_days,
    "repositories_with_ci_days": by_quiet_day,
    "ci_totals_of_day": by_span,
    "ci_buckets_of_day": by_span,
    "runs_of_selected_ci_checks": by_selection,
    "days_of_selected_ci_checks": by_selection,
    "delete_selected_ci_checks": by_selection,
    "delete_ci_checks": by_executions,
    "delete_ci_runs": by_runs,
    "delete_ci_days": by_days,
    "delete_ci_day_sums": by_days,
}
