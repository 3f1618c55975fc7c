"""The section that forecasts a merge queue in the report about a repository."""

from forecast.answers import read_forecast
from mergecast.forecasting.forecast.answer import Head, Period
from mergecast.language.report.markdown import summary
from mergecast.language.report.outline import ReportPart, report
from mergecast.language.report.repository import forecast_section, no_forecast

_NOTES = ["People are assumed to queue the same.", "No run of `a|b` was retried."]


def _written(part: ReportPart) -> str:
    return summary(report("", part))


def test_the_paragraph_and_the_table() -> None:
    """The grade first, then the sample, the branch, the period and what was assumed; every figure below."""
    head = Head("main", None, Period("2026-09-17T12:00:00Z", "2026-11-16T12:00:00Z"))

    assert _written(forecast_section(head, read_forecast("poor", notes=_NOTES))) == (
        "### Forecast\n\n"
        "POOR, do not base a decision on this: a replay reproduces the recorded weeks within 4% (p50), "
        "12% (p95) and 1% (runs per merge). Six forecasts of this queue's own past weeks were off by "
        "14% (p50) and 33% (p95). 2,377 merges, 20 replicates. "
        "This is the branch `main` from 2026-09-17 to 2026-11-16: the baseline replays this time under the "
        "settings inferred from the history, the candidate under this document. Intervals are 90%. "
        "People are assumed to queue the same. No run of `a|b` was retried.\n\n"
        "| for the weeks recorded | recorded | baseline | candidate | difference |\n"
        "| --- | --- | --- | --- | --- |\n"
        "| time to merge, p50 | 50m | 50m (45m to 55m) | 40m (36m to 44m) | "
        "−20% (−18% to −22%) |\n"
        "| time to merge, p90 | 1h40m | 1h40m (1h30m to 1h50m) | 1h20m (1h12m to 1h28m) | "
        "−40% (−36% to −44%) |\n"
        "| time to merge, p95 | - | 2h30m (2h15m to 2h45m) | 2h00m (1h48m to 2h12m) | −60% (−54% to −66%) |\n"
        "| CI runs per merge | 1.10 | 1.10 (0.99 to 1.21) | 0.80 (0.72 to 0.88) | −27% (−24% to −30%) |\n"
        "| CI time per merge | 15m | 15m (14m to 17m) | 15m (14m to 17m) | "
        "+90000% (+81000% to +99000%) |\n"
        "| merged per day | 40.00 | 40.00 (36.00 to 44.00) | 40.00 (36.00 to 44.00) | "
        "+4000% (+3600% to +4400%) |\n"
        "| removed by checks | 3.0% | 3.0% (2.7% to 3.3%) | 3.0% (2.7% to 3.3%) | "
        "+0.1 points (+0.1 to +0.1) |\n"
        "| removed although not broken |  | 1.0% | 0.2% |  |"
    )


def test_a_forecast_that_was_left_out() -> None:
    """One sentence gives the reason."""
    part = no_forecast("it takes more than 10 seconds")

    assert _written(part) == "### Forecast\n\nThe forecast is left out: it takes more than 10 seconds."


def test_no_section_without_a_forecast_and_a_reason() -> None:
    assert _written(no_forecast()) == ""
