"""A forecast as people read it."""

from forecast.answers import read_forecast
from mergecast.forecasting.forecast.wording import forecast_rows, headline, next_rows


def test_the_grade_comes_first_with_its_errors() -> None:
    assert headline(read_forecast("good")) == (
        "GOOD: a replay reproduces the recorded weeks within 4% (p50), 12% (p95) and 1% (runs per merge). "
        "Six forecasts of this queue's own past weeks were off by 14% (p50) and 33% (p95). "
        "2,377 merges, 20 replicates"
    )
    assert headline(read_forecast("poor")).startswith("POOR, do not base a decision on this: ")


def test_the_next_two_weeks_have_intervals_of_their_own() -> None:
    assert list(next_rows(read_forecast("good"))) == [
        ("time to merge, p50", "52m (36m to 1h07m)", "42m (29m to 54m)"),
        ("time to merge, p95", "-", "2h05m (1h15m to 2h55m)"),
        ("CI runs per merge", "1.20 (0.96 to 1.44)", "0.90 (0.72 to 1.08)"),
    ]


def test_every_figure_has_its_interval_and_unknown_values_a_dash() -> None:
    rows = {row[0]: row[1:] for row in forecast_rows(read_forecast("good"))}

    assert rows["time to merge, p50"] == (
        "50m",
        "50m (45m to 55m)",
        "40m (36m to 44m)",
        "−20% (−18% to −22%)",
    )
    assert rows["time to merge, p95"][0] == "-"
    assert rows["CI runs per merge"][1] == "1.10 (0.99 to 1.21)"
    assert rows["removed by checks"][3] == "+0.1 points (+0.1 to +0.1)"
    assert rows["removed although not broken"] == ("", "1.0%", "0.2%", "")
