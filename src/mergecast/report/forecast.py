"""The section of a repository's report that forecasts its merge queue under the document."""

from mergecast.forecast.wording import COLUMNS, Answer, forecast_rows, headline
from mergecast.report.outline import Paragraph, Prose, ReportPart, Table, section
from mergecast.rules.sentence import Name

TITLE = "Forecast"


def forecast_section(answer: Answer) -> ReportPart:
    """One paragraph, the grade first, and the figures; `answer` is that of the forecast endpoint."""
    rows = tuple(tuple((cell,) for cell in row) for row in forecast_rows(answer))
    return section(TITLE, _paragraph(answer), Table(COLUMNS, rows))


def no_forecast(reason: str | None = None) -> ReportPart:
    """A sentence that gives the reason; without one, nothing."""
    if reason is None:
        return section(TITLE)
    return section(TITLE, Paragraph((f"The forecast is left out: {reason}.",)))


def _paragraph(answer: Answer) -> Paragraph:
    start, end = (answer["window"][name][:10] for name in ("start_at", "end_at"))
    is_in_force = answer["settings"]["source_of_baseline"] == "document in force"
    baseline = "the current document" if is_in_force else "the settings inferred from the history"
    sides = (
        f" from {start} to {end}: the baseline replays this time under {baseline}, "
        "the candidate under this document. Intervals are 90%."
    )
    notes = (piece for note in answer["notes"] for piece in (" ", Prose(note)))
    return Paragraph((f"{headline(answer)}. This is the branch ", Name(answer["base_ref"]), sides, *notes))
