"""An explanation in words."""

from math import nan

from mergecast.forecasting.explanation.answer import Evidence, MeanPart, Part, PartName
from mergecast.forecasting.explanation.wording import cause_words, divided_sentence, mean_sentence, subject


def _part(name: PartName, words: str, share: float) -> Part[float]:
    return Part(name, words, 0.0, 0.0, 0.0, share)


def test_causes_come_by_size_and_those_that_went_the_other_way_follow() -> None:
    parts = [
        _part("arrivals", "more pull requests enter", 0.14),
        _part("failures", "fewer failures", -0.17),
        _part("run_length", "CI takes longer", 0.83),
        _part("everything_else", "everything else", 0.04),
        _part("not_explained", "not explained", 0.16),
    ]
    assert divided_sentence("time_to_merge_p95", 4620, 6720, parts) == (
        "p95 of time to merge rose from 1h17m to 1h52m (+45%): CI takes longer (83% of it), more pull "
        "requests enter (14%); fewer failures offset 17% of it."
    )


def test_what_is_not_explained_is_said_above_a_fifth() -> None:
    parts = [_part("run_length", "CI takes less time", 0.7), _part("not_explained", "not explained", 0.3)]
    assert divided_sentence("ci_runs_per_merge", 1.5, 1.2, parts) == (
        "CI runs per merge fell from 1.50 to 1.20 (−20%): CI takes less time (70% of it). 30% is not "
        "explained."
    )


def test_what_is_not_explained_may_have_gone_the_other_way() -> None:
    parts = [_part("run_length", "CI takes longer", 1.4), _part("not_explained", "not explained", -0.4)]
    assert divided_sentence("time_to_merge_p95", 4620, 6720, parts) == (
        "p95 of time to merge rose from 1h17m to 1h52m (+45%): CI takes longer (140% of it). What is not "
        "explained offset 40% of it."
    )


def test_a_difference_to_which_no_cause_adds_5_percent_says_so() -> None:
    parts = [
        _part("run_length", "CI takes longer", 0.03),
        _part("everything_else", "everything else", 0.02),
        _part("not_explained", "not explained", 0.95),
    ]
    assert divided_sentence("time_to_merge_p95", 4620, 5200, parts) == (
        "p95 of time to merge rose from 1h17m to 1h27m (+13%): no cause adds as much as 5% of it. 95% is not "
        "explained."
    )


def test_a_figure_that_looks_the_same_stayed() -> None:
    assert subject("time_to_merge_p50", 1800, 1810) == "p50 of time to merge stayed at 30m"


def test_a_cause_is_called_by_what_is_recorded_about_it() -> None:
    def entered(after: float) -> str:
        return cause_words("arrivals", [Evidence("entered per day", "count", 40.0, after)])

    assert [entered(50.0), entered(30.0), entered(40.5)] == [
        "more pull requests enter",
        "fewer pull requests enter",
        "pull requests enter at different times",
    ]
    changed = [Evidence[float]("batch_size", "text", "3", "5")]
    assert cause_words("settings", changed) == "other settings (batch_size 3 → 5)"


def test_a_mean_of_no_merges_is_unknown() -> None:
    assert mean_sentence((nan, 3300.0), []) == "The mean of time to merge is unknown in at least one period."


def test_the_mean_lists_what_it_consists_of() -> None:
    parts = [
        MeanPart("ci", "CI", 1800.0, 2520.0, 720.0),
        MeanPart("capacity", "capacity", 600.0, 780.0, 180.0),
        MeanPart("freeze", "freeze", 60.0, 0.0, -60.0),
    ]
    assert mean_sentence((2460.0, 3300.0), parts) == (
        "The mean of time to merge rose from 41m to 55m: CI +12m, capacity +3m, freeze −1m."
    )
