"""Statistics: parameters in, one cached answer out."""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import blake2b
from typing import Any, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast import __version__
from mergecast.access.rights import Right
from mergecast.api.fair_shares import while_connected
from mergecast.api.openapi.operation import STRING, Content, Operation, json_content
from mergecast.api.parameters import QUERY, read_input
from mergecast.api.problems import UnknownRepository
from mergecast.api.responses import JSON, Form, etag_headers, matches_etag
from mergecast.api.routing import REPOSITORY_PATH, Handler, Route, admission_of
from mergecast.api.services import Services, current_state
from mergecast.errors import FieldError, InvalidInput
from mergecast.queues.model.instant import DAY, Window, grid_for, next_whole_second
from mergecast.queues.stats.answer import Filters, Page, Question
from mergecast.queues.stats.ci_checks import CI_CHECKS
from mergecast.queues.stats.kept_since import with_kept_since
from mergecast.queues.stats.published import STATISTICS
from mergecast.queues.stats.statistic import BEFORE, GROUPS, Statistic
from mergecast.queues.stats.stays import STAYS
from mergecast.queues.stats.summary import observed_before
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.values import KnownRepository
from mergecast.signals.state.report.page import POLICY
from mergecast.signals.state.report.report import REPORT
from mergecast.signals.state.summary import SUMMARY_WITH_STATE, reaches_now

MOST_GROUPS = 10_000
PAGE = Form(
    "text/html",
    {"Content-Security-Policy": f"{POLICY}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
)
# Part of every ETag. Raise it when the same data gives other bytes than before: clients keep old answers.
_FORM = 4
_FORM_OF_STATE = 1  # the same for answers with a state only
_LOOK_BACK = 7 * DAY  # how far back time_to_merge looks
_START, _END = BEFORE


class _Periods(NamedTuple):
    window: Window
    observed_end: int
    before: Window | None  # what a summary is compared with, if the request says so


def statistics_handler(statistic: Statistic, services: Services) -> Handler:
    async def handle(request: Request, segments: Mapping[str, str]) -> Response:
        given = read_input(request, segments, statistic.parameters)
        values, now = given.values, services.now()
        window = _window(statistic, values, now)
        before = compared_window(values, window, now)
        known = await services.known(given.repository)
        if known.has_only_ci_checks and not statistic.sees_ci_checks:
            raise UnknownRepository(given.repository)
        is_present = statistic.has_state and reaches_now(window, now)
        periods = _Periods(window, min(window.end, next_whole_second(now)), before)
        is_looking = is_present and services.watch.is_looking(known)
        etag = _etag(
            statistic, known, periods, {**values, "is_present": is_present, "is_looking": is_looking}
        )
        if matches_etag(request, etag):
            return Response(None, 304, etag_headers(etag))

        def read(reader: Reader) -> bytes:
            question = _question(reader, current_state(reader, known), periods, values)
            return _body(statistic, reader, replace(question, is_present=is_present, is_looking=is_looking))

        async def make() -> bytes:
            async with services.queries.turn(admission_of(request).caller.identity):
                return await services.database.read(known.id, read)

        cached = services.answers.cached(etag)
        if cached is not None:
            return cached
        form = PAGE if statistic is REPORT else JSON
        answer = services.answers.get(etag, make, form, is_passing=window.end >= now)
        return await while_connected(request, answer)

    return handle


def _body(statistic: Statistic, reader: Reader, question: Question) -> bytes:
    answer = statistic.answer(reader, question)
    if isinstance(answer, str):
        return answer.encode()
    groups = _count_groups(answer)
    if groups > MOST_GROUPS:
        filters = " or ".join(name for name in (*GROUPS, "branch") if name in statistic.parameters)
        choose = f"filter by {filters}, or " if filters else ""
        message = (
            f"the answer has {groups:,} groups, more than {MOST_GROUPS:,}; {choose}choose a shorter period"
        )
        raise InvalidInput([FieldError("query", "", message)])
    since = question.kept_since
    if since is not None and _earliest(statistic, question) < since:
        answer = with_kept_since(answer, since)
    return msgspec.json.encode(answer)


def _earliest(statistic: Statistic, question: Question) -> int:
    """Where the period of an answer begins, or the one that a summary compares it with."""
    if not statistic.has_state:
        return question.window.start
    return min(
        question.window.start, (question.before or observed_before(question.window, question.since)).start
    )


def _count_groups(answer: object) -> int:
    """An answer has a list of groups or names, or is a list of records that have lists of queues."""
    if isinstance(answer, list):
        return sum(len(queues) for record in answer for queues in record.values())
    if isinstance(answer, dict):
        return max(len(answer.get(name, ())) for name in ("groups", "base_refs", "queue_names", "queues"))
    return 0


def _question(
    reader: Reader, known: KnownRepository, periods: _Periods, values: Mapping[str, Any]
) -> Question:
    branch = (values["branch"],) if "branch" in values else ()
    filters = Filters(
        frozenset(values.get("base_ref", branch)),
        frozenset(values.get("queue_name", ())),
        frozenset(values.get("priority_rule_name", ())),
    )
    groups = {id: group for id, group in reader.groups(known.id).items() if filters.keep(group)}
    since = periods.observed_end if known.first_at is None else known.first_at
    return Question(
        known.id,
        periods.window,
        Window(max(periods.window.start, since), periods.observed_end),
        grid_for(periods.window),
        groups,
        known.first_at,
        values.get("intervals", False),
        Page(**{name: values[name] for name in ("order", "limit") if name in values}),
        known.last_at,
        before=periods.before,
        filters=filters,
        name=values.get("name"),
        kept_since=known.kept_since,
        repository=str(known.repository),
        time_zone=values.get("time_zone", "UTC"),
    )


def _window(statistic: Statistic, values: Mapping[str, Any], now: int) -> Window:
    """The window with its defaults; an instant means the week up to and including it."""
    _refuse_future(values, now)
    if "at" in statistic.parameters:
        moment = values.get("at", next_whole_second(now))
        return Window(moment - _LOOK_BACK + 1, moment + 1)
    return _period(values, now)


def window_of(values: Mapping[str, Any], now: int, length: int = DAY) -> Window:
    """The period that `start_at` and `end_at` ask for; by default the last one of this length."""
    _refuse_future(values, now)
    return _period(values, now, length)


def _period(values: Mapping[str, Any], now: int, length: int = DAY) -> Window:
    end = values.get("end_at", next_whole_second(now))
    start = values.get("start_at", end - length)
    if start >= end:
        raise InvalidInput([FieldError("query", "start_at", "must be before end_at")])
    return Window(start, end)


def _refuse_future(values: Mapping[str, Any], now: int) -> None:
    errors = [
        FieldError("query", name, "must not be in the future")
        for name in ("at", "start_at")
        if values.get(name, now) > now
    ]
    if errors:
        raise InvalidInput(errors)


def _etag(statistic: Statistic, known: KnownRepository, periods: _Periods, values: Mapping[str, Any]) -> str:
    filters = [
        (name, tuple(sorted(set(value)))) for name, value in values.items() if isinstance(value, tuple)
    ]
    others = ("branch", "intervals", "order", "limit", "is_present", "is_looking")
    of_checks = (known.ci_version, values.get("name")) if statistic.sees_ci_checks else ()
    of_state = (known.verdict_version, _FORM_OF_STATE) if statistic.has_state else ()
    of_page = (str(known.repository), values.get("time_zone")) if statistic is REPORT else ()
    parts = (
        statistic.name, known.id, known.version, *periods.window, periods.observed_end, periods.before,
        tuple(sorted(filters)), *(values.get(name) for name in others), *of_checks, *of_state, *of_page,
    )  # fmt: skip
    return f'W/"{blake2b(repr((__version__, _FORM, parts)).encode(), digest_size=16).hexdigest()}"'


def statistics_routes(services: Services) -> list[Route]:
    paths = {statistic.name: f"stats/{statistic.name}" for statistic in STATISTICS.values()}
    paths[CI_CHECKS.name] = "ci-checks"
    return [
        Route(
            "GET",
            f"{REPOSITORY_PATH}/{paths.get(statistic.name, statistic.name)}",
            Right.READ,
            statistics_handler(statistic, services),
            _operation(statistic),
        )
        for statistic in (*STATISTICS.values(), SUMMARY_WITH_STATE, REPORT, STAYS, CI_CHECKS)
    ]


def _operation(statistic: Statistic) -> Operation:
    schema = {"$ref": f"#/components/schemas/{statistic.name}"}
    answer: Content = {PAGE.media_type: {"schema": STRING}} if statistic is REPORT else json_content(schema)
    query = tuple(QUERY[name] for name in statistic.parameters)
    return Operation("Statistics", statistic.summary, answer, query, is_cached=True)


def compared_window(values: Mapping[str, Any], window: Window, now: int) -> Window | None:
    """None without `before_start_at` and `before_end_at`: the usual one is meant."""
    given = [name for name in BEFORE if name in values]
    if not given:
        return None
    errors = [
        FieldError("query", name, f"is required with {given[0]}") for name in BEFORE if name not in values
    ]
    errors += [FieldError("query", name, "must not be in the future") for name in given if values[name] > now]
    if errors:
        raise InvalidInput(errors)
    found = Window(values[_START], values[_END])
    _check(found, window)
    return found


def _check(found: Window, window: Window) -> None:
    if found.start >= found.end:
        raise InvalidInput([FieldError("query", _START, f"must be before {_END}")])
    if found.start < window.end and window.start < found.end:
        message = (
            "the period to compare with overlaps the period itself; "
            f"{_END} must not be after start_at, or {_START} not before end_at"
        )
        raise InvalidInput([FieldError("query", _START, message)])
