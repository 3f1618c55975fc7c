"""The report about all open pull requests of a repository, with a forecast of its merge queue."""

from collections import Counter
from collections.abc import Iterable, Iterator

from mergecast.forecasting.forecast.answer import ForecastAnswer, Head
from mergecast.forecasting.forecast.wording import COLUMNS, forecast_rows, headline
from mergecast.language.conditions.errors import excerpt
from mergecast.language.configuration.read_result import ReadResult
from mergecast.language.report.outline import (
    Block,
    Bullet,
    Cut,
    Line,
    Paragraph,
    Prose,
    Report,
    ReportPart,
    Strong,
    Table,
    report,
    section,
)
from mergecast.language.report.pull_request import deprecations, notes
from mergecast.language.rules.overview import Entry, Overview
from mergecast.language.rules.repository import PullRequestRow, RepositoryResult
from mergecast.language.rules.sentence import Name, Sentence, first_listed, names, sentence
from mergecast.language.rules.simulation import Entrance
from mergecast.queues.model.words import counted

MOST_ROWS = 100
LONGEST_TITLE = 80
_NOTHING = (Paragraph(("The document configures nothing.",)),)
_HEADER = ("Pull request", "Matching rules", "Queue", "Blocked by")
_ENTRANCES = {
    Entrance.QUEUED: "in ",
    Entrance.ENTERS: "would enter ",
    Entrance.WAITS: "waits for ",
    Entrance.CAN_ENTER: "by command: ",
}
TITLE = "Forecast"


def repository_report(
    result: RepositoryResult, verdict: ReadResult, forecast: ReportPart | None = None
) -> Report:
    """An overview of the document, the open pull requests, what would change, and the queue's forecast."""
    return report(
        _title(result),
        deprecations(verdict.deprecations),
        _overview(result.overview),
        _pull_requests(result),
        _differences(result),
        forecast or no_forecast(),
        notes((*_rules_with_errors(result), *result.notes), verdict),
    )


def _title(result: RepositoryResult) -> str:
    number = len(result.rows)
    if not number and not result.not_looked_at:
        return "no open pull requests"
    rest = f", {result.not_looked_at:,} not simulated" if result.not_looked_at else ""
    affected = f"{result.affected:,} of {counted(number, 'open pull request')} would be affected"
    failed = f", {result.not_simulated:,} not simulated" if result.not_simulated else ""
    treated = f" — {len(result.changed) or 'none'} treated differently than now"
    changed = treated if result.is_compared else ""
    return f"{affected}{rest}{failed}{changed}"


def _rules_with_errors(result: RepositoryResult) -> Iterator[Sentence]:
    numbers = Counter(name for row in result.rows for name in row.with_errors)
    for name, number in numbers.items():
        yield sentence(
            "The rule ", Name(name), f" could not be evaluated on {counted(number, 'pull request')}"
        )


def _overview(overview: Overview) -> ReportPart:
    groups: list[tuple[str, tuple[Entry, ...]]] = [
        ("rule", overview.rules),
        ("queue", overview.queues),
        ("priority rule", overview.priorities),
        ("merge protection", overview.protections),
    ]
    units: list[tuple[Block, ...]] = []
    for noun, entries in groups:
        lines = [Bullet((Strong(entry.name), ": ", *entry.sentence.pieces)) for entry in entries]
        units += _list_under(f"{counted(len(entries), noun)}:", lines)
    units += _list_under("Settings:", [Bullet(setting.pieces) for setting in overview.settings])
    return ReportPart(Cut.OVERVIEW, tuple(units) or (_NOTHING,), "Overview")


def _list_under(label: str, bullets: Iterable[Bullet]) -> Iterator[tuple[Block, ...]]:
    """The label belongs to the first bullet, so that it is never shown alone."""
    for place, bullet in enumerate(bullets):
        yield (bullet,) if place else (Paragraph((label,)), bullet)


def _pull_requests(result: RepositoryResult) -> ReportPart:
    """Affected pull requests first, because they are what readers look for."""
    rows = sorted(result.rows, key=lambda row: not row.is_affected)
    units = tuple((Table(_HEADER, (_cells(row),)),) for row in rows[:MOST_ROWS])
    rest = [*_more(len(rows))]
    if result.not_looked_at:
        rest.append(Paragraph((f"{counted(result.not_looked_at, 'pull request')} not simulated",)))
    if not units:
        return section("Open pull requests", *rest)
    return ReportPart(Cut.ROW, units, "Open pull requests", tail=tuple(rest))


def _more(number: int) -> Iterator[Paragraph]:
    if number > MOST_ROWS:
        yield Paragraph((f"… and {counted(number - MOST_ROWS, 'more pull request')}",))


def _cells(row: PullRequestRow) -> tuple[Line, ...]:
    blocked: Line = () if row.error is None else (f"⚠️ not simulated: {row.error}",)
    for blocker in row.blockers:
        blocked += ("; ", *blocker.pieces) if blocked else blocker.pieces
    return (
        (f"#{row.number} ", Prose(excerpt(row.title, LONGEST_TITLE))),
        first_listed(names(row.matching)) or ("—",),
        _queue(row),
        blocked or ("—",),
    )


def _queue(row: PullRequestRow) -> Line:
    if row.entrance not in _ENTRANCES:
        return ("—",)
    return (_ENTRANCES[row.entrance], Name(row.queue) if row.queue is not None else "a queue")


def _differences(result: RepositoryResult) -> ReportPart:
    """What would change compared with the current document, if there is one."""
    if not result.is_compared:
        return section("Differences")
    changed = result.changed
    if not changed:
        same = "The current document treats every pull request the same way"
        return section("Differences", Paragraph((same,)))
    units = tuple((Bullet(_difference(row)),) for row in changed[:MOST_ROWS])
    said = f"{counted(len(changed), 'pull request')} would be treated differently than now:"
    return ReportPart(
        Cut.DIFFERENCE, units, "Differences", lead=(Paragraph((said,)),), tail=tuple(_more(len(changed)))
    )


def _difference(row: PullRequestRow) -> Line:
    line: Line = (f"#{row.number}: ",)
    for place, difference in enumerate(row.differences or ()):
        line += ("; ", *difference.pieces) if place else difference.pieces
    return line


def forecast_section(head: Head, answer: ForecastAnswer) -> ReportPart:
    """One paragraph, the grade first, and the figures: both parts of the forecast endpoint's answer."""
    rows = tuple(tuple((cell,) for cell in row) for row in forecast_rows(answer))
    return section(TITLE, _paragraph(head, answer), Table(COLUMNS, rows))


def no_forecast(reason: str | None = None) -> ReportPart:
    """A sentence that gives the reason; without one, nothing."""
    if reason is None:
        return section(TITLE)
    return section(TITLE, Paragraph((f"The forecast is left out: {reason}.",)))


def _paragraph(head: Head, answer: ForecastAnswer) -> Paragraph:
    start, end = head.window.start_at[:10], head.window.end_at[:10]
    is_current = answer.settings.source_of_baseline == "document in force"
    baseline = "the current document" if is_current else "the settings inferred from the history"
    sides = (
        f" from {start} to {end}: the baseline replays this time under {baseline}, "
        "the candidate under this document. Intervals are 90%."
    )
    notes = (piece for note in answer.notes for piece in (" ", Prose(note)))
    return Paragraph((f"{headline(answer)}. This is the branch ", Name(head.base_ref), sides, *notes))
