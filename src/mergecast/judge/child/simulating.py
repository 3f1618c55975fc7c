"""Simulations as a child carries them out. Only the child may load this module."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime

import msgspec

from mergecast.configuration.models.configuration import Configuration
from mergecast.configuration.read import read_configuration
from mergecast.configuration.read_result import ReadResult
from mergecast.errors import InvalidInput
from mergecast.judge.child.alarm import Searches
from mergecast.judge.child.findings import deprecations_found, first_errors, more_errors, too_long
from mergecast.judge.child.records import LONGEST_POINTER, check_record, loader, read_records, unread_notes
from mergecast.judge.messages import (
    NeedsAnswer,
    NeedsQuestion,
    PullRequestQuestion,
    Record,
    RecordError,
    RepositoryQuestion,
    Setting,
    SimulationAnswer,
    SnapshotAnswer,
    SnapshotQuestion,
)
from mergecast.model.instant import DAY, SECOND, format_instant
from mergecast.model.snapshot import Snapshot
from mergecast.report.markdown import summary
from mergecast.report.outline import Report
from mergecast.report.pull_request import pull_request_report
from mergecast.report.repository import repository_report
from mergecast.report.terminal import plain_text
from mergecast.rules.needs import needs_of
from mergecast.rules.overview import overview
from mergecast.rules.repository import PullRequestRow, repository_result, row_of
from mergecast.rules.sentence import Sentence, sentence
from mergecast.rules.simulate import simulate
from mergecast.rules.simulation import Simulation

_OLD = DAY
_NOT_COMPARED = "The document in force is invalid, so that nothing is compared with it"

Snapshots = tuple[Snapshot, ...]


def find_needs(asked: NeedsQuestion) -> NeedsAnswer:
    """What of a pull request the document can depend on."""
    text = _text(asked.setting)
    if errors := too_long(text):
        return NeedsAnswer(errors=errors)
    verdict = _verdict(text, asked.setting, ())
    if verdict.configuration is None:
        return NeedsAnswer(errors=first_errors(verdict), more_errors=more_errors(verdict))
    needs = needs_of(verdict.configuration, asked.setting.owner)
    return NeedsAnswer(parts=needs.parts, teams=needs.teams, extends=verdict.configuration.extends)


def read_record(asked: SnapshotQuestion) -> SnapshotAnswer:
    try:
        return check_record(asked)
    except InvalidInput as error:
        return SnapshotAnswer(errors=_field_errors(error), more_errors=error.more)


def simulate_pull_request(asked: PullRequestQuestion) -> SimulationAnswer:
    setting = asked.setting
    records = read_records((Record(asked.number, asked.record),), setting.now)

    def reported(configuration: Configuration, verdict: ReadResult) -> Report:
        for _, error in records.unread:
            raise error
        (snapshot,) = records.snapshots
        simulation = _simulation(configuration, snapshot, setting, Searches())
        aged = replace(simulation, notes=(*simulation.notes, *_age(snapshot, setting.now)))
        return pull_request_report(aged, verdict)

    return _simulated(setting, records.snapshots, reported)


def simulate_repository(asked: RepositoryQuestion) -> SimulationAnswer:
    setting = asked.setting
    records = read_records(asked.records, setting.now)

    def reported(configuration: Configuration, verdict: ReadResult) -> Report:
        in_force = None if asked.in_force is None else _verdict(asked.in_force, setting, records.snapshots)
        before = in_force.configuration if in_force else None
        result = repository_result(
            overview(configuration),
            _rows(configuration, before, records.snapshots, setting),
            not_looked_at=asked.not_looked_at + len(records.unread),
            notes=tuple(_ages(records.snapshots, setting.now)),
        )
        notes = (*verdict.notes, *asked.remarks, *_notes_in_force(in_force), *unread_notes(records.unread))
        return repository_report(result, replace(verdict, notes=notes))

    return _simulated(setting, records.snapshots, reported)


def _rows(
    configuration: Configuration, before: Configuration | None, snapshots: Snapshots, setting: Setting
) -> Iterator[PullRequestRow]:
    """One set of searches for all of them: each would pay for the same slow pattern otherwise."""
    searches = Searches()
    for snapshot in snapshots:
        yield row_of(
            _simulation(configuration, snapshot, setting, searches),
            _simulation(before, snapshot, setting, searches) if before else None,
        )


def _notes_in_force(in_force: ReadResult | None) -> Iterator[str]:
    if in_force is None:
        return
    if in_force.configuration is None:
        yield _NOT_COMPARED
    for note in in_force.notes:
        yield f"In the document in force: {note}"


def _simulated(
    setting: Setting, snapshots: Snapshots, reported: Callable[[Configuration, ReadResult], Report]
) -> SimulationAnswer:
    """An invalid document is told before a record that cannot be read."""
    text = _text(setting)
    if errors := too_long(text):
        return SimulationAnswer(errors=errors)
    verdict = _verdict(text, setting, snapshots)
    if verdict.configuration is None:
        return SimulationAnswer(errors=first_errors(verdict), more_errors=more_errors(verdict))
    try:
        report = reported(verdict.configuration, verdict)
    except InvalidInput as error:
        return SimulationAnswer(record_errors=_field_errors(error), more_record_errors=error.more)
    return SimulationAnswer(
        title=report.title,
        summary=summary(report) if setting.form == "markdown" else plain_text(report),
        deprecations=msgspec.Raw(msgspec.json.encode(deprecations_found(verdict))),
    )


def _text(setting: Setting) -> str:
    return msgspec.json.decode(setting.text, type=str)


def _verdict(text: str, setting: Setting, snapshots: Snapshots) -> ReadResult:
    return read_configuration(
        text,
        today=datetime.fromtimestamp(setting.now // SECOND, UTC).date(),
        repository=setting.repository,
        load=loader(setting, snapshots),
    )


def _simulation(
    configuration: Configuration, snapshot: Snapshot, setting: Setting, searches: Searches
) -> Simulation:
    products = None if setting.products is None else frozenset(setting.products)
    return simulate(configuration, snapshot, setting.now, searches.search, products)


def _field_errors(error: InvalidInput) -> tuple[RecordError, ...]:
    """The keys of a record may be as long as it is; the beginning of a place is enough to find it."""
    return tuple(RecordError(error.name[:LONGEST_POINTER], error.message) for error in error.errors)


def _age(snapshot: Snapshot, now: int) -> Iterator[Sentence]:
    """Whoever reads about a pull request should know that it may look different by now."""
    if now - snapshot.recorded_at > _OLD:
        yield sentence(f"The pull request is shown as it was recorded on {_moment(snapshot.recorded_at)}")


def _ages(snapshots: Snapshots, now: int) -> Iterator[Sentence]:
    old = [one.recorded_at for one in snapshots if now - one.recorded_at > _OLD]
    if old:
        them = "pull request was" if len(old) == 1 else "pull requests were"
        yield sentence(f"{len(old)} {them} recorded over a day ago, the first on {_moment(min(old))}")


def _moment(instant: int) -> str:
    return format_instant(instant // SECOND * SECOND)
