"""Simulates documents on recorded pull requests."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from mergecast.errors import InvalidInput
from mergecast.forecasting.forecast.answer import ForecastAnswer, Head
from mergecast.judge.child.documents import (
    RecentDocuments,
    deprecations_found,
    first_errors,
    loader,
    more_errors,
    read_text,
    too_long,
)
from mergecast.judge.child.records import RecordsRead, read_records, record_errors, unread_notes
from mergecast.judge.child.time_limits import (
    LIMITS,
    PullRequestBudget,
    PullRequestTooSlow,
    Searches,
    TimeLimits,
)
from mergecast.judge.messages import (
    ForecastFound,
    NeedsAnswer,
    PullRequestQuestion,
    Record,
    RepositoryQuestion,
    Setting,
    SimulationAnswer,
)
from mergecast.language.configuration.models.configuration import Configuration
from mergecast.language.configuration.read_result import ReadResult
from mergecast.language.report.markdown import summary
from mergecast.language.report.outline import Report, ReportPart
from mergecast.language.report.plain_data import report_data, row_data
from mergecast.language.report.pull_request import pull_request_report
from mergecast.language.report.repository import forecast_section, no_forecast, repository_report
from mergecast.language.report.terminal import plain_text
from mergecast.language.rules.notes import notes_on_products
from mergecast.language.rules.overview import needs_of, overview
from mergecast.language.rules.repository import (
    PullRequestRow,
    RepositoryResult,
    repository_result,
    row_of,
    row_without_result,
)
from mergecast.language.rules.sentence import Sentence, sentence
from mergecast.language.rules.simulate import simulate
from mergecast.language.rules.simulation import Simulation
from mergecast.queues.model.instant import DAY, SECOND, format_instant
from mergecast.queues.model.snapshot import Snapshot
from mergecast.queues.model.words import plural

_OLD = DAY
_NOT_COMPARED = "The current document is invalid, so there is no comparison with it"
_TOO_SLOW = "its simulation takes too long; its text may be too slow to search or to render"

_recent = RecentDocuments()


class _Made(NamedTuple):
    """A report, and what a page shows instead of it."""

    report: Report
    details: Callable[[], dict[str, object]]


def find_needs(setting: Setting) -> NeedsAnswer:
    text = read_text(setting.text)
    if errors := too_long(text):
        return NeedsAnswer(errors=errors)
    result = _read(text, setting, ())
    if result.configuration is None:
        return NeedsAnswer(errors=first_errors(result), more_errors=more_errors(result))
    needs = needs_of(result.configuration, setting.owner)
    return NeedsAnswer(parts=needs.parts, teams=needs.teams, extends=result.configuration.extends)


def simulate_pull_request(question: PullRequestQuestion) -> SimulationAnswer:
    setting = question.setting
    records = read_records((Record(question.number, question.record),), setting.now)

    def report(configuration: Configuration, result: ReadResult) -> _Made:
        for _, error in records.unread:
            raise error
        (snapshot,) = records.snapshots
        simulation = PullRequestBudget().run(lambda: _simulate(configuration, snapshot, setting, Searches()))
        notes = (*simulation.notes, *_age(snapshot, setting.now))
        made = pull_request_report(replace(simulation, notes=notes), result)
        return _Made(made, lambda: {"report": report_data(made)})

    return _answer(setting, records.snapshots, report)


def simulate_repository(question: RepositoryQuestion, limits: TimeLimits = LIMITS) -> SimulationAnswer:
    records = read_records(question.records, question.setting.now)

    def report(configuration: Configuration, result: ReadResult) -> _Made:
        return _repository_report(question, records, configuration, result, limits)

    return _answer(question.setting, records.snapshots, report)


def _repository_report(
    question: RepositoryQuestion,
    records: RecordsRead,
    configuration: Configuration,
    result: ReadResult,
    limits: TimeLimits,
) -> _Made:
    setting, snapshots = question.setting, records.snapshots
    current = None if question.current is None else _read(question.current, setting, snapshots)
    before = current.configuration if current else None
    repository = repository_result(
        overview(configuration),
        _rows(configuration, before, snapshots, setting, limits),
        not_looked_at=question.not_looked_at + len(records.unread),
        notes=(*_on_products(configuration, setting), *_ages(snapshots, setting.now)),
    )
    notes = (*result.notes, *question.remarks, *_current_notes(current), *unread_notes(records.unread))
    forecast = _forecast(question.forecast)
    made = repository_report(repository, replace(result, notes=notes), forecast)
    return _Made(made, lambda: _repository_details(repository, notes))


def _on_products(configuration: Configuration, setting: Setting) -> Iterator[Sentence]:
    """As in the report about one pull request; without them the table names rules that have no effect."""
    if setting.products is not None:
        yield from notes_on_products(configuration, frozenset(setting.products))


def _repository_details(repository: RepositoryResult, notes: tuple[str, ...]) -> dict[str, object]:
    """What a page shows of a repository: one row per pull request."""
    return {
        "is_compared": repository.is_compared,
        "not_looked_at": repository.not_looked_at,
        "pull_requests": [row_data(row) for row in repository.rows],
        "notes": [*(note.text for note in repository.notes), *notes],
    }


def _forecast(found: ForecastFound | None) -> ReportPart:
    if found is None:
        return no_forecast()
    if found.left_out is not None:
        return no_forecast(found.left_out)
    head = msgspec.json.decode(found.answer, type=Head)
    return forecast_section(head, msgspec.json.decode(found.answer, type=ForecastAnswer))


def _rows(
    configuration: Configuration,
    before: Configuration | None,
    snapshots: tuple[Snapshot, ...],
    setting: Setting,
    limits: TimeLimits,
) -> Iterator[PullRequestRow]:
    """One row per pull request, even if its texts take too long."""
    searches, budget = Searches(limits), PullRequestBudget(limits)

    def row(snapshot: Snapshot) -> PullRequestRow:
        after = _simulate(configuration, snapshot, setting, searches)
        return row_of(after, _simulate(before, snapshot, setting, searches) if before else None)

    for snapshot in snapshots:
        searches.begin_pull_request()
        try:
            yield budget.run(lambda snapshot=snapshot: row(snapshot))  # type: ignore[misc]
        except PullRequestTooSlow:
            yield row_without_result(snapshot.pull, _TOO_SLOW)


def _current_notes(current: ReadResult | None) -> Iterator[str]:
    if current is None:
        return
    if current.configuration is None:
        yield _NOT_COMPARED
    for note in current.notes:
        yield f"In the current document: {note}"


def _answer(
    setting: Setting, snapshots: tuple[Snapshot, ...], report: Callable[[Configuration, ReadResult], _Made]
) -> SimulationAnswer:
    """Errors of the document come before errors of a record."""
    text = read_text(setting.text)
    if errors := too_long(text):
        return SimulationAnswer(errors=errors)
    result = _read(text, setting, snapshots)
    if result.configuration is None:
        return SimulationAnswer(errors=first_errors(result), more_errors=more_errors(result))
    try:
        made = report(result.configuration, result)
    except InvalidInput as error:
        return SimulationAnswer(record_errors=record_errors(error), more_record_errors=error.more)
    except PullRequestTooSlow:
        return SimulationAnswer(not_simulated=_TOO_SLOW)
    return SimulationAnswer(
        title=made.report.title,
        summary=summary(made.report) if setting.form == "markdown" else plain_text(made.report),
        deprecations=msgspec.Raw(msgspec.json.encode(deprecations_found(result))),
        details=msgspec.Raw(msgspec.json.encode(made.details() if setting.has_details else None)),
    )


def _read(text: str, setting: Setting, snapshots: tuple[Snapshot, ...]) -> ReadResult:
    """Remote documents come from the platform, else from the first snapshot that has them."""
    documents: dict[str, str] = {}
    for recorded in (setting.remotes, *(snapshot.extends or {} for snapshot in snapshots)):
        for name, remote in recorded.items():
            documents.setdefault(name.lower(), remote)
    today = datetime.fromtimestamp(setting.now // SECOND, UTC).date()
    load = loader(setting.owner, documents, is_recorded=not setting.is_live)
    return _recent.read(text, today, setting.repository, load)


def _simulate(
    configuration: Configuration, snapshot: Snapshot, setting: Setting, searches: Searches
) -> Simulation:
    products = None if setting.products is None else frozenset(setting.products)
    return simulate(configuration, snapshot, setting.now, searches.search, products)


def _age(snapshot: Snapshot, now: int) -> Iterator[Sentence]:
    """The pull request may look different by now."""
    if now - snapshot.recorded_at > _OLD:
        yield sentence(f"The pull request was recorded on {_second(snapshot.recorded_at)}")


def _ages(snapshots: tuple[Snapshot, ...], now: int) -> Iterator[Sentence]:
    old = [snapshot.recorded_at for snapshot in snapshots if now - snapshot.recorded_at > _OLD]
    if old:
        them = plural(len(old), "pull request was", "pull requests were")
        yield sentence(f"{len(old)} {them} recorded over a day ago, the first on {_second(min(old))}")


def _second(instant: int) -> str:
    return format_instant(instant // SECOND * SECOND)
