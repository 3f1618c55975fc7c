"""The parameters that SQL files about CI checks are tested with."""

from typing import Any

from mergecast.queues.model.instant import DAY, parse_instant
from postgres.stores import Parameters, Stores

_MARCH = parse_instant("2026-03-02T00:00:00Z")
_FIRST_DAY = _MARCH // DAY
_GRIDS = ((2**62, 0), (DAY, 0))


def _repositories(stores: Stores) -> list[int]:
    found: list[int] = stores.column("select distinct repository_id from ci_runs order by 1")
    return found


def by_runs(stores: Stores) -> list[list[Any]]:
    runs = stores.column("select distinct run from ci_runs where run % 3 = 0 order by 1")
    return [[id, chosen] for id in _repositories(stores) for chosen in (runs, runs[:1], [])]


def by_all_runs(stores: Stores) -> list[list[Any]]:
    runs = stores.column("select distinct run from ci_runs order by 1")
    return [[id, runs] for id in _repositories(stores)]


def by_runs_and_window(stores: Stores) -> list[list[Any]]:
    spans = ((0, 2**61), (_MARCH, _MARCH + 3 * DAY))
    return [[*asked, *span] for asked in by_all_runs(stores) for span in spans]


def by_spans(stores: Stores) -> list[list[Any]]:
    """The time from the start of each stay's first run to its end, on its branch."""
    query = """
        select stays.stay, groups.base_ref, stays.entered_at, min(checks.started_at) - 1, stays.left_at
        from stays
        join checks using (repository_id, stay)
        join groups on groups.repository_id = stays.repository_id and groups.group_id = stays.left_group
        where stays.repository_id = $1 and stays.entered_at is not null and checks.started_at is not null
        group by 1, 2, 3, 5 order by 1, 2
    """
    found = [(id, stores.rows(query, id)) for id in _repositories(stores)]
    return [[id, *map(list, zip(*rows, strict=True))] for id, rows in found if rows]


def by_run_keys(stores: Stores) -> list[list[Any]]:
    keys = stores.rows("select key_high, key_low from ci_runs where run % 3 = 0 order by run")
    return [[id, [high for high, _ in keys], [low for _, low in keys]] for id in _repositories(stores)]


def by_executions(stores: Stores) -> list[list[Any]]:
    rows = stores.rows("select run, check_id from ci_checks where run % 3 = 0 order by 1, 2")
    return [[id, [run for run, _ in rows], [check for _, check in rows]] for id in _repositories(stores)]


def by_runs_and_names(stores: Stores) -> list[list[Any]]:
    rows = stores.rows("select run, name from ci_checks where run % 3 = 0 order by 1, 2")
    return [[id, [run for run, _ in rows], [name for _, name in rows]] for id in _repositories(stores)]


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


def by_windows(stores: Stores) -> list[list[Any]]:
    spans = [(_MARCH, _MARCH + 30 * DAY), (_MARCH + DAY + 5, _MARCH + 2 * DAY), (0, 2**61), (0, 5)]
    return [[id, *span] for id in _repositories(stores) for span in spans]


def by_window_and_name(stores: Stores) -> list[list[Any]]:
    return [[*asked, name] for asked in by_windows(stores) for name in (None, 3, 4, -1)]


def by_window_and_grid(stores: Stores) -> list[list[Any]]:
    return [[*asked, *grid] for asked in by_windows(stores) for grid in _GRIDS]


def by_name_and_grid(stores: Stores) -> list[list[Any]]:
    return [[*asked, *grid] for asked in by_window_and_name(stores) for grid in _GRIDS]


def _blocks(stores: Stores) -> list[int]:
    found: list[int] = stores.column("select distinct first_day from ci_block_sums order by 1")
    return found


def by_blocks(stores: Stores) -> list[list[Any]]:
    return [[id, chosen] for id in _repositories(stores) for chosen in (_blocks(stores), [1])]


def by_block_range(stores: Stores) -> list[list[Any]]:
    (first,) = _blocks(stores)
    return [[id, start, 10**6, 14] for id in _repositories(stores) for start in (first, first + 14)]


def by_present_block(stores: Stores) -> list[list[Any]]:
    """By widths of blocks for which nothing was summed."""
    return [[id, 10**6, width] for id in _repositories(stores) for width in (3, 13)]


def by_days_and_grid(stores: Stores) -> list[list[Any]]:
    return [
        [*asked, blocks, name, *grid]
        for asked in by_days(stores)
        for blocks in ([], _blocks(stores))
        for name in (None, 3)
        for grid in _GRIDS
    ]


def by_day_range(stores: Stores) -> list[list[Any]]:
    return [[id, first, 10**6] for id in _repositories(stores) for first in (0, _FIRST_DAY + 2)]


def by_window_and_groups(stores: Stores) -> list[list[Any]]:
    return [[*asked, groups] for asked in by_windows(stores) for groups in ([1, 2, 3, 4, 5], [1], [])]


def by_last(stores: Stores) -> list[list[Any]]:
    names = stores.column("select distinct failed_name from ci_runs where failed_name is not null order by 1")
    kept: tuple[tuple[Any, ...], ...] = (
        (None, None, 20),
        ([1, 2, 3, 4], None, 5),
        (None, [1], 5),
        ([], [], 5),
    )
    return [[*asked, name, *one] for asked in by_windows(stores) for name in names[:3] for one in kept]


def by_tested_runs(stores: Stores) -> list[list[Any]]:
    runs = stores.column("select distinct run from checks where run % 3 = 0 order by 1")
    return [[id, chosen] for id in _repositories(stores) for chosen in (runs, runs[:1], [])]


def by_every_tested_run(stores: Stores) -> list[list[Any]]:
    runs = stores.column("select distinct run from checks order by 1")
    return [[id, runs] for id in _repositories(stores)]


def by_repository(stores: Stores) -> list[list[Any]]:
    return [[id] for id in _repositories(stores)]


def by_summary(stores: Stores) -> list[list[Any]]:
    kept = ((None, None, False), (None, None, True), ([1, 2], [1, 2], True))
    return [[*asked, *one] for asked in by_windows(stores) for one in kept]


def by_history(stores: Stores) -> list[list[Any]]:
    """Checks that have not ended ran until the end of March; all of each run, the longest, and few in all."""
    limits = ((100, 20_000), (2, 20_000), (100, 7))
    ends = [(id, high, low, [_MARCH + 30 * DAY] * len(high)) for id, high, low in by_run_keys(stores)]
    return [[*asked, *limit] for asked in ends for limit in limits]


CI_FILES: dict[str, Parameters] = {
    "ci_runs_by_key": by_run_keys,
    "select ci_runs run": by_runs,
    "history_ci_checks": by_history,
    "select ci_checks run": by_runs,
    "ci_runs_of_threads": by_threads,
    "ci_checks_page": by_page,
    "select ci_texts text": by_texts,
    "select ci_texts number": by_runs,
    "select ci_days day": by_days,
    "oldest_ci_day": by_day,
    "ci_days_to_sum": by_quiet_days,
    "repositories_with_ci_days": by_quiet_day,
    "ci_totals": by_name_and_grid,
    "ci_buckets": by_name_and_grid,
    "ci_day_totals": by_days_and_grid,
    "ci_day_buckets": by_days_and_grid,
    "ci_days_between": by_day_range,
    "ci_summed_blocks": by_block_range,
    "ci_block_to_sum": by_present_block,
    "select ci_block_sums first_day": by_blocks,
    "ci_texts": by_repository,
    "ci_run_sizes": by_repository,
    "ci_all_days": by_repository,
    "ci_state": by_repository,
    "select ci_day_sums day": by_days,
    "select ci_prices": by_repository,
    "delete ci_prices": by_repository,
    "summary_ci": by_summary,
    "days_of_waits": lambda stores: [asked[:-1] for asked in by_summary(stores)],
    "ci_time_by_runner": by_windows,
    "ci_failures": by_window_and_name,
    "ci_cancelled": by_every_tested_run,
    "ci_failure_links": by_runs_and_names,
    "ci_other_attempts": by_all_runs,
    "ci_verdicts_among": by_runs_and_names,
    "ci_tests_of_contents": by_runs_and_window,
    "ci_runs_between": by_spans,
    "ci_failed_stays": by_windows,
    "ci_stopped": by_windows,
    "ci_critical": by_window_and_grid,
    "ci_covered": by_window_and_groups,
    "ci_last_failures": by_last,
    "ci_pull_requests": by_tested_runs,
    "runs_of_selected_ci_checks": by_selection,
    "days_of_selected_ci_checks": by_selection,
    "delete_selected_ci_checks": by_selection,
    "delete_ci_checks": by_executions,
    "delete ci_runs run": by_runs,
    "delete ci_days day": by_days,
    "delete ci_day_sums day": by_days,
    "delete ci_block_sums first_day": by_blocks,
}
