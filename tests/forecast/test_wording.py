"""A forecast as people read it."""

from forecast.answers import read_forecast
from mergecast.forecasting.forecast.wording import forecast_rows, headline


def test_the_grade_comes_first_with_its_errors() -> None:
    assert headline(read_forecast("good")) == (
        "GOOD: a replay of the recorded weeks is off by p50 +4%, p95 -12%, runs per merge +1%; "
        "2,377 merges, 20 replicates"
    )
    assert headline(read_forecast("poor")).startswith("POOR, do not base a decision on this: ")


def test_every_figure_has_its_interval_and_unknown_values_a_dash() -> None:
    rows = {row[0]: row[1:] for row in forecast_rows(read_forecast("good"))}

    assert rows["time to merge, p50"] == (
        "50m",
        "50m (45m to 55m)",
        "40m (36m to 44m)",
        "-20% (-18% to -22%)",
    )
    assert rows["time to merge, p95"][0] == "-"
    assert rows["CI runs per merge"][1] == "1.10 (0.99 to 1.21)"
    assert rows["removed by checks"][3] == "+0.1 points (+0.1 to +0.1)"
    assert rows["removed although not broken"] == ("", "1.0%", "0.2%", "")
