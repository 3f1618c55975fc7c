"""The parameters that each SQL file is tested with: unusual windows, all groups or a few."""

from functools import cache
from typing import Any

from mergecast.queues.model.instant import DAY, HOUR, MINUTE, Window, grid_for, parse_instant
from mergecast.queues.stats.summary import before
from postgres.ci_parameters import CI_FILES
from postgres.retention_parameters import RETENTION_FILES
from postgres.stores import Parameters, Stores
from postgres.verdict_parameters import VERDICT_FILES

_MARCH = parse_instant("2026-03-02T00:00:00Z")
_LEAP = parse_instant("2024-02-29T00:00:00Z")
_ERA = parse_instant("0026-01-01T00:00:00Z")

WINDOWS = (
    Window(_MARCH + 9 * DAY + 8 * HOUR, _MARCH + 9 * DAY + 14 * HOUR),
    Window(_MARCH + 3 * DAY + 1, _MARCH + 4 * DAY + 1),
    Window(_MARCH, _MARCH + 30 * DAY),
    Window(_MARCH - 335 * DAY, _MARCH + 30 * DAY),
    Window(_LEAP, _LEAP + 100 * MINUTE),
    Window(_LEAP + 6 * HOUR, _LEAP + 12 * DAY),
    Window(0, 1),
    Window(0, 6 * HOUR),
    Window(4 * DAY - 1, 11 * DAY),
    Window(0, _LEAP + 61 * DAY),
    Window(_ERA, _MARCH + 30 * DAY),
)
_SOURCES = (None, "api", "demo", "gitläb", "unknown")


@cache
def _repositories(stores: Stores) -> list[int]:
    found: list[int] = stores.column("select repository_id from repositories order by 1")
    return found


@cache
def by_window(stores: Stores) -> list[list[Any]]:
    """All groups of a repository in every window, some of them in every other, none in one."""
    asked = []
    for repository in _repositories(stores):
        known = stores.column(f"select group_id from groups where repository_id = {repository} order by 1")
        asked += [[repository, window.start, window.end, known] for window in WINDOWS]
        asked += [[repository, window.start, window.end, known[::2]] for window in WINDOWS[::2]]
        asked += [[repository, WINDOWS[-1].start, WINDOWS[-1].end, []]]
    return asked


@cache
def by_interval(stores: Stores) -> list[list[Any]]:
    grids = [grid_for(Window(start, end)) for _, start, end, _ in by_window(stores)]
    return [[*whole, grid.width, grid.shift] for whole, grid in zip(by_window(stores), grids, strict=True)]


def observed(stores: Stores) -> list[list[Any]]:
    """As for intervals, starting at the repository's first event; empty windows are left out."""
    rows = stores.rows("select repository_id, first_at from repository_state")
    first: dict[int, int] = dict(rows)
    asked = [
        [repository, max(start, first[repository]), *more] for repository, start, *more in by_interval(stores)
    ]
    return [parameters for parameters in asked if parameters[1] < parameters[2]]


def by_queue(stores: Stores) -> list[list[Any]]:
    """As for the intervals, compared by turns with the window before and with one after it; two groups that
    follow each other share a queue."""
    return [
        [*whole, [place // 2 for place in range(len(whole[3]))], width, shift, *other]
        for number, (*whole, width, shift) in enumerate(by_interval(stores))
        for other in [Window(whole[2] + 1, whole[2] + width) if number % 2 else before(Window(*whole[1:3]))]
    ]


def by_instant(stores: Stores) -> list[list[Any]]:
    ends = sorted({window.end for window in WINDOWS})
    return [[repository, end] for repository in _repositories(stores) for end in ends]


def by_all_and_instant(stores: Stores) -> list[list[Any]]:
    ends = sorted({window.end for window in WINDOWS})
    return [[_repositories(stores), end] for end in ends]


def by_all_and_period(stores: Stores) -> list[list[Any]]:
    return [[_repositories(stores), *window] for window in WINDOWS]


def by_all_and_two_periods(stores: Stores) -> list[list[Any]]:
    day = 86_400_000_000
    return [[_repositories(stores), start, end, start - (end - start), day] for start, end in WINDOWS]


def by_selection(stores: Stores) -> list[list[Any]]:
    spans = [(None, None), (_MARCH, None), (None, _LEAP + DAY), (0, 4 * DAY)]
    return [
        [repository, source, start, end]
        for repository in _repositories(stores)
        for source in _SOURCES
        for start, end in spans
    ]


def by_repository(stores: Stores) -> list[list[Any]]:
    return [[repository] for repository in (*_repositories(stores), 999)]


def by_page(stores: Stores) -> list[list[Any]]:
    last = max(stores.column("select number from events"))
    whole = 1 << 20
    pages = [
        (0, last, 100, whole), (last // 2, last, 70, 1), (last // 2, last, 70, 10),
        (last // 3, last // 2, 100_000, whole), (last, last, 5, whole),
    ]  # fmt: skip
    return [[repository, *page] for repository in _repositories(stores) for page in pages]


def by_subject_page(stores: Stores, more: tuple[int, ...] = ()) -> list[list[Any]]:
    """Pages that begin anywhere among the numbers of stays, CI runs and bisections."""
    last = max(stores.column("select number from subjects"))
    pages = [(0, last, 100), (last // 2, last, 70), (last // 3, last // 2, 100_000), (last, last, 5)]
    return [
        [repository, after, *more, until, most]
        for repository in _repositories(stores)
        for after, until, most in pages
    ]


def by_part_of_subject(stores: Stores) -> list[list[Any]]:
    return [asked for part in (-1, 0, 2, 10**6) for asked in by_subject_page(stores, (part,))]


def by_range(stores: Stores) -> list[list[Any]]:
    last = max(stores.column("select number from events"))
    return [[repository, last // 3, last] for repository in _repositories(stores)]


def by_order(stores: Stores) -> list[list[Any]]:
    """As for windows, sorted in each of the four ways, all stays or a few."""
    orders = [(True, -1, 1000), (True, 1, 7), (False, -1, 3), (False, 1, 1000)]
    return [[*whole, *orders[place % 4]] for place, whole in enumerate(by_window(stores))]


def by_pull_request(stores: Stores) -> list[list[Any]]:
    numbers = [0, 1, 2, 2**63 - 1, *stores.column("select distinct pull_request from stays order by 1")[:20]]
    return [[repository, number, 100] for repository in _repositories(stores) for number in numbers if number]


def by_page_of_pulls(stores: Stores) -> list[list[Any]]:
    pages = ((2**63 - 1, 100), (2**63 - 1, 2), (5, 100), (0, 1))
    return [[repository, *page] for repository in _repositories(stores) for page in pages]


def by_page_of_pulls_without_size(stores: Stores) -> list[list[Any]]:
    return [page[:2] for page in by_page_of_pulls(stores)]


def by_stays(stores: Stores) -> list[list[Any]]:
    stays = stores.column("select distinct stay from checks where stay % 3 = 0 order by 1")
    return [[repository, chosen] for repository in _repositories(stores) for chosen in (stays, [])]


def by_list_of_stays(stores: Stores) -> list[list[Any]]:
    return [[*asked, 5000] for asked in by_stays(stores)]


def by_bisection_keys(stores: Stores) -> list[list[Any]]:
    """Two thirds of the bisections of every repository."""
    keys = stores.rows(
        "select repository_id, key_high, key_low from subjects where number % 3 > 0 "
        "and (repository_id, number) in (select repository_id, bisection from bisection_starts) "
        "order by 1, number"
    )
    return [
        [repository, *([one[place] for one in keys if one[0] == repository] for place in (1, 2)), 5000]
        for repository in _repositories(stores)
    ]


def by_base_ref(stores: Stores) -> list[list[Any]]:
    """The branches of all repositories and one that does not exist, in two windows, all events or a few."""
    names = [*stores.column("select distinct base_ref from groups order by 1"), "elsewhere"]
    spans = [(0, 2**62, 100_000), (_LEAP, _LEAP + DAY, 7)]
    return [
        [repository, name, *span] for repository in _repositories(stores) for name in names for span in spans
    ]


def by_number(stores: Stores) -> list[list[Any]]:
    return [[repository, number] for repository in _repositories(stores) for number in (1, 2, 2**63 - 1)]


def by_numbers(stores: Stores) -> list[list[Any]]:
    chosen = [[1, 2, 3], [2], [], [2**63 - 1]]
    return [[repository, numbers] for repository in _repositories(stores) for numbers in chosen]


def by_subjects(stores: Stores) -> list[list[Any]]:
    return [[id, _some(stores, "subjects", id)] for id in _repositories(stores)]


def by_failed_runs(stores: Stores) -> list[list[Any]]:
    """The runs in which a check failed, and a run that does not exist."""
    failed = """
        select subjects.number
        from subjects
        join ci_runs using (repository_id, key_high, key_low)
        where ci_runs.failed_name is not null and repository_id = {}
    """
    return [[id, [*stores.column(failed.format(id)), 2**62]] for id in _repositories(stores)]


def by_group_numbers(stores: Stores) -> list[list[Any]]:
    return [[id, numbers] for id in _repositories(stores) for numbers in ([1, 2], [], [999])]


def by_queues_and_subjects(stores: Stores) -> list[list[Any]]:
    return [[id, [1, 2, 999], subjects] for id, subjects in by_subjects(stores)]


def by_event_numbers(stores: Stores) -> list[list[Any]]:
    return [[id, _some(stores, "events", id)] for id in _repositories(stores)]


def by_event_keys_and_commits(stores: Stores) -> list[list[Any]]:
    """Every other event, and one that is not stored."""
    asked = []
    for id in _repositories(stores):
        where = f"from events where repository_id = {id} order by number"
        high, low = (stores.column(f"select {half} {where}")[::2] for half in ("key_high", "key_low"))
        commits = [f"{place + 1:040x}" for place in range(len(high) + 1)]
        asked.append([id, [*high, 1], [*low, 1], commits])
    return asked


def _some(stores: Stores, table: str, repository: int) -> list[int]:
    """Every third number, and one that no row has."""
    numbers = stores.column(f"select number from {table} where repository_id = {repository} order by 1")
    return [*numbers[::3], 2**62]


def by_threads(stores: Stores) -> list[list[Any]]:
    return [[id, _all_threads(stores)] for id in _repositories(stores)]


def by_threads_and_limit(stores: Stores) -> list[list[Any]]:
    """All deliveries: in which order they come is not defined."""
    return [[*asked, 10_000, most] for asked in by_threads(stores) for most in (1 << 16, 100)]


def by_threads_and_reason(stores: Stores) -> list[list[Any]]:
    reasons = stores.column("select reason from untranslated")
    return [[*asked, [reason]] for asked in by_threads(stores) for reason in (*reasons[:2], "another")]


def by_delivery_numbers_and_thread(stores: Stores) -> list[list[Any]]:
    return [[id, _some(stores, "deliveries", id), 3] for id in _repositories(stores)]


def by_delivery_numbers_and_fields(stores: Stores) -> list[list[Any]]:
    return [
        [id, numbers, [b"\x07[]"] * len(numbers)] for id, numbers, _ in by_delivery_numbers_and_thread(stores)
    ]


def by_thread(stores: Stores) -> list[list[Any]]:
    return [
        [id, thread, most, most_bytes]
        for id in _repositories(stores)
        for thread in _all_threads(stores)[::3]
        for most, most_bytes in ((1, 1 << 16), (100, 1 << 16), (100, 100))
    ]


def _all_threads(stores: Stores) -> list[int]:
    found: list[int] = stores.column("select number from threads order by 1")
    return found


def by_names(stores: Stores) -> list[list[Any]]:
    names = stores.column("select distinct name from thread_links order by 1")
    return [[id, names] for id in _repositories(stores)]


def by_names_and_period(stores: Stores) -> list[list[Any]]:
    return [[*given, "github", 0, 2**62] for given in by_names(stores)]


def by_delivery(stores: Stores) -> list[list[Any]]:
    """By the ids of some deliveries and the digests of others."""
    guids = stores.column("select guid from deliveries where number % 3 = 0 order by number")
    digests = stores.column("select digest from deliveries where number % 3 = 1 order by number")
    return [[id, _all_threads(stores), guids, digests] for id in _repositories(stores)]


def by_source(stores: Stores) -> list[list[Any]]:
    return [[id, source] for id in _repositories(stores) for source in ("github", "gitlab")]


def by_more_deliveries(stores: Stores) -> list[list[Any]]:
    return [[*one, kind, 3, 1_000, 2_000] for one in by_source(stores) for kind in ("webhook", "import")]


def by_more_skipped(stores: Stores) -> list[list[Any]]:
    kinds = "select repository_id, source, event, action from skipped_deliveries order by 1, 2, 3, 4"
    known = [[*kind, 3] for kind in stores.rows(kinds)]
    return [*known, *([*one, "no such event", "", 3] for one in by_source(stores))]


def by_source_and_version(stores: Stores) -> list[list[Any]]:
    return [[*asked, version] for asked in by_source(stores) for version in (1, 9)]


def by_source_version_and_limit(stores: Stores) -> list[list[Any]]:
    return [[*asked, 100] for asked in by_source_and_version(stores)]


def by_outdated_source(_: Stores) -> list[list[Any]]:
    return [["github", 1], ["github", 9]]


def by_threads_and_version(stores: Stores) -> list[list[Any]]:
    return [[*asked, 9] for asked in by_threads(stores)]


def by_limit(stores: Stores) -> list[list[Any]]:
    return [[id, limit] for id in _repositories(stores) for limit in (1, 100)]


def by_delivery_page(stores: Stores) -> list[list[Any]]:
    return [[id, *page] for id in _repositories(stores) for page in ((0, 100), (3, 2), (2**62, 5))]


def by_late_instant(stores: Stores) -> list[list[Any]]:
    return [[id, instant] for id in _repositories(stores) for instant in (0, 2**62)]


def by_late_instants(stores: Stores) -> list[list[Any]]:
    return [[id, 0, instant] for id, instant in by_late_instant(stores)]


def by_due(_: Stores) -> list[list[Any]]:
    return [[2**62, 0], [0, 0], [2**62, 2**62]]


def by_exits(stores: Stores) -> list[list[Any]]:
    return [[id, numbers, _MARCH + 30 * DAY] for id, numbers in by_numbers(stores)]


def by_ids(stores: Stores) -> list[list[Any]]:
    return [[_repositories(stores)]]


def by_channel(stores: Stores) -> list[list[Any]]:
    return [[id] for id in (*stores.column("select id from channels order by 1"), "none")]


def by_new_channel(_: Stores) -> list[list[Any]]:
    return [["new", "acme", "", "slack", "sealed", "{}", 5, None]]


def by_channel_and_result(stores: Stores) -> list[list[Any]]:
    return [[*channel, paused, "{}"] for channel in by_channel(stores) for paused in (None, 7)]


def by_channel_and_document(stores: Stores) -> list[list[Any]]:
    return [[*channel, "{}", "{}"] for channel in by_channel(stores)]


def by_channel_and_instant(stores: Stores) -> list[list[Any]]:
    return [[*channel, 7] for channel in by_channel(stores)]


def by_added_source(stores: Stores) -> list[list[Any]]:
    return [[id] for id in (*stores.column("select id from added_sources order by 1"), "none")]


def by_new_added_source(_: Stores) -> list[list[Any]]:
    rest = [
        "gitlab",
        "group/tool",
        "acme",
        "tool",
        "https://gitlab.example",
        "sealed",
        "",
        5,
        "operator",
        None,
    ]
    return [["new", *rest], ["a", *rest]]


def by_app(stores: Stores) -> list[list[Any]]:
    return [[id] for id in (*stores.column("select id from github_apps order by 1"), "none")]


def by_new_app(_: Stores) -> list[list[Any]]:
    rest = ["mergecast-acme", "acme", "https://api.github.com", "sealed", True, "[]", 5]
    return [["new", *rest], ["7", *rest]]


def with_sealed(ids: Parameters) -> Parameters:
    """Texts that are stored, and others, to be replaced."""
    return lambda stores: [[*id, old, "again"] for id in ids(stores) for old in ("sealed", "other")]


def by_place(_: Stores) -> list[list[Any]]:
    return [[1], [100], [0]]


def by_new_notice(_: Stores) -> list[list[Any]]:
    return [["new", "b", "alert", "key", "begin", 5, "{}", 6]]


def by_notice_and_attempt(stores: Stores) -> list[list[Any]]:
    return [[id, 3, 9] for id in (*stores.column("select id from notices order by 1"), "none")]


def by_new_audit_line(_: Stores) -> list[list[Any]]:
    return [["new", 5, "acme", None, "{}"], [f"{3:016x}00000000", 5, None, None, "known"]]


def by_audit_page(_: Stores) -> list[list[Any]]:
    """Pages of a few periods and names."""
    names = ((None, None), ("acme", None), ("acme", "widgets"), (None, "widgets"), ("none", None))
    return [
        [start, 7, *named, before, limit]
        for start in (-(1 << 62), 2, 7)
        for named in names
        for before, limit in ((None, 3), (f"{4:016x}00000000", 100))
    ]


def by_age(_: Stores) -> list[list[Any]]:
    return [[0], [4], [100]]


def by_notices(stores: Stores) -> list[list[Any]]:
    ids = stores.column("select id from notices order by 1")
    return [[chosen] for chosen in (ids, ids[:1], [])]


def by_keys(stores: Stores) -> list[list[Any]]:
    keys = stores.column("select distinct key from causes order by 1")
    return [[id, chosen] for id in _repositories(stores) for chosen in (keys, keys[:2], ["nothing"])]


def by_keys_and_phase(stores: Stores) -> list[list[Any]]:
    return [[*asked, "alert", phase, 2**40] for asked in by_keys(stores) for phase in ("begin", "end")]


def by_key_and_incidents(stores: Stores) -> list[list[Any]]:
    return [[id, key, '{"c": "1"}'] for id, keys in by_keys(stores) for key in keys]


def by_dictionaries(stores: Stores) -> list[list[Any]]:
    ids = stores.column("select distinct id from dictionaries order by 1")
    return [[id, [*ids, "nothing"], most] for id in _repositories(stores) for most in (1 << 20, 100)]


def by_reference_period(stores: Stores) -> list[list[Any]]:
    return [[id, name] for id in _repositories(stores) for name in ("march", "é", "none")]


def by_comparison(stores: Stores) -> list[list[Any]]:
    return [[*asked, _MARCH, '{"é": 1}'] for asked in by_reference_period(stores)]


def by_span(stores: Stores) -> list[list[Any]]:
    return [[id, *window] for id in _repositories(stores) for window in WINDOWS]


def by_alerts(stores: Stores) -> list[list[Any]]:
    ids = stores.column("select id from alerts order by 1")
    return [[id, chosen] for id in _repositories(stores) for chosen in (ids, ids[:1], ["none"])]


def by_hour(_: Stores) -> list[list[Any]]:
    return [[0], [_MARCH + DAY], [2**62]]


def by_instant_and_earliest(stores: Stores) -> list[list[Any]]:
    spans = ((0, 0), (_MARCH, _MARCH - 14 * DAY), (2**62, 0))
    return [[id, *span] for id in _repositories(stores) for span in spans]


def by_instant_and_span(stores: Stores) -> list[list[Any]]:
    return [[id, start, 5 * MINUTE, 2**62] for id in _repositories(stores) for start in (0, _MARCH)]


def by_branch(stores: Stores) -> list[list[Any]]:
    return [[id, base_ref] for id in _repositories(stores) for base_ref in ("main", "nothing")]


def nothing(_: Stores) -> list[list[Any]]:
    return [[]]


FILES: dict[str, Parameters] = {
    "active_groups": by_window,
    "average_ci_runtime": by_interval,
    "batch_bisection_completed": by_interval,
    "batch_bisection_started": by_interval,
    "batch_size": by_interval,
    "checks_retries": by_interval,
    "application_keys": nothing,
    "delete_selected_events": by_selection,
    "bisections_page": by_part_of_subject,
    "checks_page": by_part_of_subject,
    "event_keys": by_range,
    "events_page": by_page,
    "runs_page": by_part_of_subject,
    "stays_page": by_subject_page,
    "failure_rate": by_interval,
    "history_bisections": by_bisection_keys,
    "history_checks": by_list_of_stays,
    "endings_of_pull": lambda stores: [[*pull[:2], 100_000] for pull in by_pull_request(stores)],
    "history_stays": by_pull_request,
    "idle_queue_time": by_interval,
    "merge_queue_checks_outcome": by_window,
    "sizes_of_open_snapshots": by_repository,
    "open_snapshots": by_numbers,
    "last_merges": by_all_and_period,
    "alerts_now": by_ids,
    "repository_figures": by_all_and_two_periods,
    "thresholds": by_ids,
    "delete thresholds": by_repository,
    "delete alerts": by_repository,
    "queue_counts": by_ids,
    "queue_size": observed,
    "queues_checks_outcome_count": by_interval,
    "queues_entered_count": by_interval,
    "groups_with_runs": lambda stores: [[id, groups] for id, _, _, groups in by_window(stores)],
    "queues_merged_count": by_interval,
    "queues_pr_exit_reasons": by_interval,
    "ready": nothing,
    "every_part": nothing,
    "names_of_repositories": by_ids,
    "state": by_repository,
    "recorded_events": by_base_ref,
    "repositories_with_causes": by_due,
    "repository_exists": by_repository,
    "starts_of_stays": by_stays,
    "stays_lasting_or_recent": lambda stores: [[*one, one[1] - 6 * HOUR] for one in by_instant(stores)],
    "running_speculative_checks": observed,
    "selected_ends": by_selection,
    "selected_subjects": by_selection,
    "skip_intermediate_results": by_interval,
    "select snapshots number": by_numbers,
    "delete snapshots number": by_numbers,
    "snapshot_numbers": by_repository,
    "span_of_events": by_repository,
    "statements": by_subjects,
    "select stays stay": by_subjects,
    "select stays pull_request": by_numbers,
    "select checks stay": by_subjects,
    "batches_of_runs": by_subjects,
    "failed_checks_of_runs": by_failed_runs,
    "failed_runs_of_stays": by_subjects,
    "select runs run": by_subjects,
    "select bisection_starts bisection": by_subjects,
    "select bisection_ends bisection": by_subjects,
    "stays": by_order,
    "stored_events": by_event_numbers,
    "stays_in_ci": by_all_and_instant,
    "stays_of_present": by_all_and_instant,
    "subjects_of_repository": by_repository,
    "summary_bisections": by_queue,
    "summary_entered": by_queue,
    "summary_left": by_queue,
    "summary_runs_ended": by_queue,
    "summary_runs_saved": by_queue,
    "summary_runs_started": by_queue,
    "time_to_merge": by_window,
    "total_queue_time": by_interval,
    "add_to_skipped": by_more_skipped,
    "add_to_source": by_more_deliveries,
    "select pull_requests": by_repository,
    "count_deliveries": by_repository,
    "counts_before": by_queues_and_subjects,
    "select cursors": by_repository,
    "add_added_source": by_new_added_source,
    "add_github_app": by_new_app,
    "added_sources": nothing,
    "delete_added_source": by_added_source,
    "delete_github_app": by_app,
    "github_apps": nothing,
    "mark_added_source": lambda stores: [[*id, at] for id in by_added_source(stores) for at in (None, 7)],
    "mark_added_source_as_sealed": with_sealed(by_added_source),
    "mark_github_app_as_sealed": with_sealed(by_app),
    "set_installed_owners": lambda stores: [[*id, '["acme"]'] for id in by_app(stores)],
    "add_channel": by_new_channel,
    "add_notice": by_new_notice,
    "add_audit_line": by_new_audit_line,
    "audit_page": by_audit_page,
    "delete_old_audit_lines": by_age,
    "readable_audit_lines": nothing,
    "change_channel": by_channel_and_document,
    "channels": nothing,
    "delete_channel": by_channel,
    "delete_notices": by_notices,
    "delete_notices_of_channel": by_channel,
    "known_notices": by_notices,
    "waiting_beginnings": lambda _: [[["key"]], [["key", "none"]], [[]]],
    "mark_channel": by_channel_and_result,
    "mark_channel_as_sealed": with_sealed(by_channel),
    "mark_channel_as_created": by_channel_and_instant,
    "mark_digest": by_channel_and_instant,
    "mark_notice": by_notice_and_attempt,
    "notices": by_place,
    "delete cursors source": lambda stores: [[id, [one]] for id, one in by_source(stores)],
    "delete dictionaries": by_repository,
    "delete events number": by_event_numbers,
    "delete_old_dictionaries": by_late_instant,
    "delete_old_uncertain_deliveries": by_late_instant,
    "delete_old_causes": by_late_instants,
    "delete looked_back": by_repository,
    "delete recommendations base_ref": lambda stores: [[id, [one]] for id, one in by_branch(stores)],
    "select recommendations base_ref": lambda stores: [[id, [one]] for id, one in by_branch(stores)],
    "diagnosis_checks": by_instant_and_earliest,
    "diagnosis_sources": by_instant_and_span,
    "diagnosis_splits": by_late_instant,
    "diagnosis_stays": by_instant_and_earliest,
    "select looked_back": by_repository,
    "select thresholds": by_repository,
    "delete pull_requests number": by_numbers,
    "delete queue_counts queue": by_group_numbers,
    "delete_selected_deliveries": by_selection,
    "delete skipped_deliveries": by_repository,
    "delete sources": by_repository,
    "delete threads number": by_threads,
    "delete untranslated thread": by_threads,
    "delete waiting_threads thread": by_threads,
    "deliveries_of_threads": by_threads_and_limit,
    "deliveries_page": by_delivery_page,
    "dependent_threads": by_names_and_period,
    "derived_events": by_threads,
    "derived_events_of_sources": by_repository,
    "select dictionaries": by_repository,
    "drop_old_bodies": by_late_instant,
    "select alerts": by_repository,
    "alerts": by_span,
    "exits_by_group": by_span,
    "select reference_periods name": lambda stores: [[id, [one]] for id, one in by_reference_period(stores)],
    "select reference_periods": by_repository,
    "reference_periods": by_repository,
    "open_alerts": by_repository,
    "delete alerts id": by_alerts,
    "delete reference_periods name": lambda stores: [[id, [one]] for id, one in by_reference_period(stores)],
    "delete_old_alerts": by_instant,
    "hours_of_exits": by_window,
    "days_of_passed_runs": by_window,
    "hours_of_runs": by_window,
    "hours_of_stays": by_window,
    "repositories_to_compare": by_hour,
    "mark_as_compared": by_comparison,
    "select causes key": by_keys,
    "known_deliveries": by_delivery,
    "last_exits": by_exits,
    "leases": nothing,
    "bodies_of_threads": lambda stores: [[*asked, 1 << 16] for asked in by_threads(stores)],
    "lengths_of_threads": by_threads,
    "select thread_links thread": by_threads,
    "add_commits": by_event_keys_and_commits,
    "announced_alerts": by_repository,
    "note_announced": by_key_and_incidents,
    "mark_causes_as_done": by_keys_and_phase,
    "move_deliveries": by_delivery_numbers_and_thread,
    "newest_deliveries": by_thread,
    "number_of_deliveries": by_repository,
    "owners_of_names": by_names,
    "causes_to_send": by_late_instants,
    "outdated_repositories": by_outdated_source,
    "outdated_threads": by_source_version_and_limit,
    "select pull_requests number": by_numbers,
    "short_dictionaries": by_dictionaries,
    "set_fields": by_delivery_numbers_and_fields,
    "set_translation": by_threads_and_version,
    "sizes_of_untitled_snapshots": by_page_of_pulls_without_size,
    "snapshots_of": by_numbers,
    "titles_page": by_page_of_pulls,
    "sent_events_page": by_page,
    "select skipped_deliveries": by_repository,
    "source_states": by_ids,
    "select sources": by_repository,
    "select threads number": by_threads,
    "threads_of_source": by_source,
    "select untranslated thread reason": by_threads_and_reason,
    "translated_threads": by_source_and_version,
    "untranslated": by_repository,
    "select waiting_threads thread": by_threads,
    "waiting_repositories": nothing,
    "waiting_threads": by_limit,
    **VERDICT_FILES,
    **CI_FILES,
    **RETENTION_FILES,
}
