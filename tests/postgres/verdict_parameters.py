"""The parameters that the SQL files about verdicts are tested with."""

from typing import Any

from postgres.stores import Parameters, Stores

_LATE = 2**62
_LONG_AGO = -(2**62)
_MARCH = 1_772_409_600_000_000  # 2026-03-02
_DAY = 86_400_000_000
_WINDOWS = ((_LONG_AGO, _LATE), (_MARCH + 3 * _DAY + 1, _MARCH + 5 * _DAY), (0, 1))


def _repositories(stores: Stores) -> list[int]:
    found: list[int] = stores.column("select repository_id from repositories order by 1")
    return found


def _groups(stores: Stores, repository: int) -> list[int]:
    return stores.column(f"select group_id from groups where repository_id = {repository} order by 1")


def by_repository(stores: Stores) -> list[list[Any]]:
    return [[id] for id in (*_repositories(stores), 999)]


def by_window(stores: Stores) -> list[list[Any]]:
    return [[id, *window] for id in _repositories(stores) for window in _WINDOWS]


def by_window_and_limit(stores: Stores) -> list[list[Any]]:
    return [[*asked, 100_000] for asked in by_window(stores)]


def by_window_and_reasons(stores: Stores) -> list[list[Any]]:
    return [[*asked, reasons] for asked in by_window(stores) for reasons in (["PR_MERGED"], [])]


def by_instant(stores: Stores) -> list[list[Any]]:
    return [[id, start] for id, start, _ in by_window(stores)]


def by_groups_and_window(stores: Stores) -> list[list[Any]]:
    return [
        [id, groups, *window, 100_000]
        for id in _repositories(stores)
        for groups in (_groups(stores, id), _groups(stores, id)[::2], [])
        for window in _WINDOWS
    ]


def by_batches(stores: Stores) -> list[list[Any]]:
    batches = stores.column("select distinct batch_id from ci_runs order by 1")
    return [
        [id, [*batches[::2], "none"], names, 100_000]
        for id in _repositories(stores)
        for names in (None, ["unit", "none"])
    ]


def by_queue(stores: Stores) -> list[list[Any]]:
    return [[id, "main", name] for id in _repositories(stores) for name in ("default", "hotfix", "none")]


def by_queue_and_window(stores: Stores) -> list[list[Any]]:
    return [[*queue, *window] for queue in by_queue(stores) for window in _WINDOWS]


def by_queue_and_days(stores: Stores) -> list[list[Any]]:
    days = stores.column("select distinct day from verdict_states order by 1")
    return [[*queue, [*days[::2], 7]] for queue in by_queue(stores)]


def by_days(stores: Stores) -> list[list[Any]]:
    days = stores.column("select distinct day from verdict_states order by 1")
    return [[id, days[::2]] for id in _repositories(stores)]


def by_late_state(stores: Stores) -> list[list[Any]]:
    return [[id, at, _DAY] for id in _repositories(stores) for at in (_MARCH + 9 * _DAY, _LONG_AGO)]


def by_stays(stores: Stores) -> list[list[Any]]:
    stays = stores.column("select distinct stay from stays order by 1")
    return [[id, [*stays[::2], 2**40]] for id in _repositories(stores)]


def by_sessions(stores: Stores) -> list[list[Any]]:
    sessions = stores.column("select distinct session_id from verdicts order by 1")
    return [[id, [*sessions[::2], "none"]] for id in _repositories(stores)]


def by_pulls(stores: Stores) -> list[list[Any]]:
    pulls = stores.column("select distinct pull_request from stays where pull_request is not null order by 1")
    return [[id, pulls[::2], at] for id in _repositories(stores) for at in (_LONG_AGO, _MARCH + 4 * _DAY)]


def by_reasons(stores: Stores) -> list[list[Any]]:
    return [[id, ["PR_MERGED", "PR_MANUALLY_MERGED"]] for id in _repositories(stores)]


def by_place(stores: Stores) -> list[list[Any]]:
    return [[id, after, 50] for id in _repositories(stores) for after in (-1, 40, _LATE)]


VERDICT_FILES: dict[str, Parameters] = {
    "days_of_verdict_states": by_repository,
    "delete verdict_states": by_repository,
    "delete verdicts": by_repository,
    "delete verdicts stay": by_stays,
    "delete_verdict_states": by_queue_and_days,
    "delete_verdict_states_after": by_late_state,
    "failed_ci_checks": by_window_and_limit,
    "groups_since": by_instant,
    "happened_to_batches": by_groups_and_window,
    "happened_to_checks": by_groups_and_window,
    "happened_to_stays": by_groups_and_window,
    "last_verdict_state": by_queue,
    "removals_to_judge": by_window_and_reasons,
    "queues_with_verdicts_since": by_instant,
    "repositories_to_judge": lambda _: [[_LATE]],
    "select verdict_states day": by_days,
    "select verdicts session_id": by_sessions,
    "select verdicts stay": by_stays,
    "stays_of_pulls": by_pulls,
    "verdict_days": by_queue,
    "verdicts_between": by_window_and_limit,
    "verdicts_of_ci_checks": by_batches,
    "verdicts_page": by_place,
    "verdicts_since": by_queue_and_window,
    "wrong_verdicts": by_reasons,
}
