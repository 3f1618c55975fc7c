"""The text of a forecast in a terminal."""

from typing import Any

import pytest

from mergecast.cli.commands.forecast import read_settings, read_vary
from mergecast.cli.errors import WrongUsage
from mergecast.cli.forecast_text import changed_settings, forecast_rows, headline, search_table


def _ranged(value: float | None, by: float = 0.1) -> dict[str, float | None]:
    low, high = (None, None) if value is None else (value * (1 - by), value * (1 + by))
    return {"value": value, "low": low, "high": high}


def _side(p50: float, runs: float) -> dict[str, Any]:
    times = {"p50": _ranged(p50), "p90": _ranged(2 * p50), "p95": _ranged(3 * p50)}
    others = {"ci_seconds_per_merge": _ranged(900), "merged_per_day": _ranged(40)}
    return {
        "time_in_queue": times,
        "runs_per_merge": _ranged(runs),
        **others,
        "removed_by_checks": _ranged(0.03),
    }


def _answer(grade: str) -> dict[str, Any]:
    recorded = {"time_in_queue": {"p50": 3000, "p90": 6000, "p95": None}, "runs_per_merge": 1.1}
    recorded |= {"ci_seconds_per_merge": 900, "merged_per_day": 40, "removed_by_checks": 0.03}
    errors = {"p50_error": 0.04, "p95_error": -0.12, "runs_error": 0.01}
    naive = {"p50_error": 0.3, "p95_error": None, "runs_error": 0.0}
    return {
        "merged": 2377,
        "replicates": 20,
        "settings": {
            "baseline": {"default": {"batch_size": 1, "skip_intermediate_results": False, "mode": "serial"}},
            "candidate": {
                "default": {
                    "batch_size": {"min": 1, "max": 5},
                    "skip_intermediate_results": True,
                    "mode": "serial",
                }
            },
        },
        "recorded": recorded,
        "baseline": _side(3000, 1.1),
        "candidate": _side(2400, 0.8),
        "difference": _side(-0.2, -0.27),
        "innocent_removals": {"baseline": 0.01, "candidate": 0.002},
        "trust": {"mechanics": errors, "forecast": errors, "naive": naive, "grade": grade},
        "notes": [],
    }


def test_the_grade_comes_first_with_its_errors() -> None:
    assert headline(_answer("good")) == (
        "GOOD: the last weeks, forecast from those before, were off by p50 +4%, p95 -12% "
        '("as before" would be off by +30% and -); 2,377 merges, 20 replicates'
    )
    assert headline(_answer("poor")).startswith("POOR, do not decide by this: ")


def test_every_figure_has_its_interval_and_unknown_values_a_dash() -> None:
    rows = {row[0]: row[1:] for row in forecast_rows(_answer("good"))}

    assert rows["time in queue, p50"] == (
        "50m00s",
        "50m00s (45m00s to 55m00s)",
        "40m00s (36m00s to 44m00s)",
        "-20% (-18% to -22%)",
    )
    assert rows["p95"][0] == "-"
    assert rows["CI runs per merge"][1] == "1.10 (0.99 to 1.21)"
    assert rows["removed though not broken"] == ("", "1.0%", "0.2%", "")


def test_only_changed_settings_are_named() -> None:
    assert list(changed_settings(_answer("good"))) == [
        "default: batch_size 1 → 1..5, skip_intermediate_results off → on"
    ]


def _found(settings: dict[str, Any], p95: float, runs: float) -> dict[str, Any]:
    return {"settings": settings, **_side(p95 / 3, runs)}


def test_two_settings_make_a_map_with_the_front_and_the_best_marked() -> None:
    combinations = [
        _found({"batch_size": size, "max_parallel_checks": slots}, 3600 * size / slots, 1 / size)
        for size in (1, 5)
        for slots in (1, 3)
    ]

    columns, rows = search_table({"combinations": combinations, "front": [1, 3], "best": 3})

    assert columns == ("batch_size \\ max_parallel_checks", "1", "3")
    assert rows == [("1", "1h00m 1.00", "20m00s 1.00 *"), ("5", "5h00m 0.20", "1h40m 0.20 best")]


def test_one_setting_makes_a_row_per_value() -> None:
    combinations = [_found({"batch_size": size}, 3600, 1.0) for size in (1, 2)]

    columns, rows = search_table({"combinations": combinations, "front": [0], "best": None})

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
