"""The text of a forecast in a terminal."""

from typing import Any

import msgspec
import pytest

from forecast.answers import forecast_answer, read_forecast, side
from mergecast.cli.commands.forecast import read_settings, read_vary
from mergecast.cli.errors import WrongUsage
from mergecast.forecasting.forecast.answer import SearchAnswer
from mergecast.forecasting.forecast.forecast import TooLittle
from mergecast.forecasting.forecast.wording import changed_settings, search_table


def test_only_changed_settings_are_named() -> None:
    assert list(changed_settings(read_forecast("good"))) == [
        "default: batch_size 1 → 1..5, skip_intermediate_results off → on"
    ]


def _found(settings: dict[str, Any], p95: float, runs: float) -> dict[str, Any]:
    figures = side(p95 / 3, runs)
    about = {"state": "computed", "innocent_removals": 0.0, "reach": {"level": "inside", "beyond": []}}
    return {"settings": settings, **about, **figures, "difference": figures}


def _searched(combinations: list[dict[str, Any]], front: list[int], best: int | None) -> SearchAnswer:
    advice = {"combination": None, "sentence": "None."}
    found = {"combinations": combinations, "front": front, "best": best, "vary": {}}
    recommended = {"no_more_ci": advice, "half_time_to_merge_p95": advice, "worth_a_trial": advice}
    return msgspec.convert({**forecast_answer("good"), **found, "recommended": recommended}, SearchAnswer)


def test_two_settings_make_a_map_with_the_front_and_the_best_marked() -> None:
    combinations = [
        _found({"batch_size": size, "max_parallel_checks": slots}, 3600 * size / slots, 1 / size)
        for size in (1, 5)
        for slots in (1, 3)
    ]

    columns, rows = search_table(_searched(combinations, [1, 3], 3))

    assert columns == ("batch_size \\ max_parallel_checks", "1", "3")
    assert rows == [("1", "1h00m 1.00", "20m 1.00 *"), ("5", "5h00m 0.20", "1h40m 0.20 best")]


def test_one_setting_makes_a_row_per_value() -> None:
    combinations = [_found({"batch_size": size}, 3600, 1.0) for size in (1, 2)]

    columns, rows = search_table(_searched(combinations, [0], None))

    assert columns == ("batch_size", "p95, runs per merge", "")
    assert rows == [("1", "1h00m 1.00", "*"), ("2", "1h00m 1.00", "")]


def test_settings_and_values_to_try_are_parsed() -> None:
    assert read_settings(["kind=github", "max_checks_retries=0"]) == {
        "kind": "github",
        "max_checks_retries": 0,
    }
    assert read_vary(["batch_size=1,2,5", "max_parallel_checks=1..3"]) == {
        "batch_size": [1, 2, 5],
        "max_parallel_checks": [1, 2, 3],
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("batch_size", "--vary: `batch_size` is not NAME=VALUE; write for example batch_size=5"),
        ("batch_size=5..1", "--vary: `batch_size=5..1` has 0 values; give 1 to 100"),
    ],
)
def test_invalid_values_are_named(text: str, message: str) -> None:
    with pytest.raises(WrongUsage, match="^" + message.replace(".", r"\.") + "$"):
        read_vary([text])


@pytest.mark.parametrize(("days", "span"), [(0.02, "less than a day"), (3.25, "3.2 days")])
def test_too_little_history_in_words(days: float, span: str) -> None:
    assert f"there are 60 in {span}." in TooLittle(60, days).detail
