"""The parameters that the SQL files of retention are tested with."""

from typing import Any

from postgres.stores import Parameters, Stores

_LATE = 2**62
_LEAP_YEAR = 1_709_164_800_000_000  # 2024-02-29


def _repositories(stores: Stores) -> list[int]:
    found: list[int] = stores.column("select repository_id from repositories order by 1")
    return found


def _numbers(stores: Stores, table: str, repository: int, column: str = "number") -> list[int]:
    """Every second number, and one that no row has."""
    chosen = f"select {column} from {table} where repository_id = {repository} order by 1"
    return [*stores.column(chosen)[::2], _LATE]


def by_place(stores: Stores) -> list[list[Any]]:
    places = ((_LATE, -_LATE, 0, 1000), (_LATE, _LEAP_YEAR, 3, 2), (_LEAP_YEAR, 0, 0, 5), (0, 0, 0, 1))
    return [[id, *place] for id in _repositories(stores) for place in places]


def by_subjects(stores: Stores) -> list[list[Any]]:
    return [[id, _numbers(stores, "subjects", id)] for id in _repositories(stores)]


def by_subjects_and_threads(stores: Stores) -> list[list[Any]]:
    return [[*asked, _numbers(stores, "threads", asked[0])] for asked in by_subjects(stores)]


def by_threads(stores: Stores) -> list[list[Any]]:
    return [[id, _numbers(stores, "threads", id)] for id in _repositories(stores)]


def by_pull_requests(stores: Stores) -> list[list[Any]]:
    return [[id, [0, 1, 2, 7, 2**63 - 1]] for id in _repositories(stores)]


def by_pull_requests_and_instant(stores: Stores) -> list[list[Any]]:
    return [[*asked, at] for asked in by_pull_requests(stores) for at in (0, _LATE)]


def by_names_and_instant(stores: Stores) -> list[list[Any]]:
    names = stores.column("select distinct name from thread_links order by 1")
    return [[id, names, at] for id in _repositories(stores) for at in (0, _LATE)]


def by_batches(stores: Stores) -> list[list[Any]]:
    batches = stores.column("select distinct batch_id from ci_runs order by 1")
    return [[id, [*batches[::2], "none"]] for id in _repositories(stores)]


def by_ci_runs(stores: Stores) -> list[list[Any]]:
    return [[id, _numbers(stores, "ci_runs", id, "run")] for id in _repositories(stores)]


def by_ci_runs_and_day(stores: Stores) -> list[list[Any]]:
    return [[*asked, 86_400_000_000] for asked in by_ci_runs(stores)]


def by_repository(stores: Stores) -> list[list[Any]]:
    return [[id] for id in _repositories(stores)]


def by_more_expired(stores: Stores) -> list[list[Any]]:
    return [[id, source, "import", 3] for id in _repositories(stores) for source in ("github", "none")]


RETENTION_FILES: dict[str, Parameters] = {
    "ended_stays": by_place,
    "ended_bisections": by_place,
    "connected_events": by_subjects_and_threads,
    "open_pull_requests": by_pull_requests,
    "names_in_use": by_names_and_instant,
    "select subjects number": by_subjects,
    "last_ci_checks_of_batches": by_batches,
    "days_of_ci_runs": by_ci_runs_and_day,
    "count_deliveries_of_threads": by_threads,
    "select expired": by_repository,
    "add_to_expired": by_more_expired,
    "delete expired": by_repository,
    "delete ci_checks run": by_ci_runs,
    "delete subjects number": by_subjects,
    "delete thread_links thread": by_threads,
    "delete deliveries thread": by_threads,
    "delete withdrawn_ends subject": by_subjects,
    "delete_old_pull_requests": by_pull_requests_and_instant,
}
