"""An answer of the forecast endpoint with made-up figures."""

from typing import Any

import msgspec

from mergecast.forecasting.forecast.answer import ForecastAnswer

GRADE = (
    "A replay reproduces the recorded weeks within 4% (p50), 12% (p95) and 1% (runs per merge). "
    "Six forecasts of this queue's own past weeks were off by 14% (p50) and 33% (p95)."
)

NEXT = "The next two weeks: p50 52m, probably 36m to 1h07m; 5 of 6 earlier forecasts held."


def ranged(value: float | None, by: float = 0.1) -> dict[str, float | None]:
    low, high = (None, None) if value is None else (value * (1 - by), value * (1 + by))
    return {"value": value, "low": low, "high": high}


def side(p50: float, runs: float) -> dict[str, Any]:
    times = {"p50": ranged(p50), "p90": ranged(2 * p50), "p95": ranged(3 * p50)}
    others = {"ci_seconds_per_merge": ranged(900), "merged_per_day": ranged(40)}
    return {
        **{f"time_to_merge_{name}": time for name, time in times.items()},
        "ci_runs_per_merge": ranged(runs),
        **others,
        "removed_by_checks": ranged(0.03),
    }


def compared(p50: object, p95: object, runs: object) -> dict[str, Any]:
    return {"time_to_merge_p50": p50, "time_to_merge_p95": p95, "ci_runs_per_merge": runs}


def forecast_answer(grade: str) -> dict[str, Any]:
    recorded: dict[str, float | None]
    recorded = {"time_to_merge_p50": 3000, "time_to_merge_p90": 6000, "time_to_merge_p95": None}
    recorded |= {"ci_runs_per_merge": 1.1, "ci_seconds_per_merge": 900}
    recorded |= {"merged_per_day": 40, "removed_by_checks": 0.03}
    errors = compared(0.04, None, 0.01)
    typical = compared(*[ranged(0.1)] * 3)
    eta = {"p50": 0.52, "p90": 0.91, "cases": 140}
    return {
        "merged": 2377,
        "replicates": 20,
        "settings": {
            "source_of_baseline": "history",
            "detected": [],
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
        "baseline": side(3000, 1.1),
        "candidate": side(2400, 0.8),
        "difference": side(-0.2, -0.27),
        "next_two_weeks": {
            "sentence": NEXT,
            "baseline": compared(ranged(3100, 0.3), ranged(None), ranged(1.2, 0.2)),
            "candidate": compared(ranged(2500, 0.3), ranged(7500, 0.4), ranged(0.9, 0.2)),
        },
        "innocent_removals": {"baseline": 0.01, "candidate": 0.002},
        "trust": {
            "mechanics": errors,
            "forecast": errors,
            "eta": {
                **eta,
                "p50_range": {"low": 0.15, "high": 0.85},
                "p90_range": None,
                "windows": [eta],
                "chances": [{"predicted": 0.9, "merged": 0.88, "cases": 120}],
            },
            "grade": grade,
            "drift": {**typical, "weeks": 8},
            "back_test": {"forecast": typical, "parts": []},
            "reach": {"level": "inside", "beyond": []},
            "difference": compared(*[{"verdict": "lower", "lower": 1.0}] * 3),
            "sentences": {
                "grade": GRADE,
                **dict.fromkeys(("mechanics", "drift", "back_test", "reach", "difference"), "It holds."),
            },
        },
        "notes": [],
    }


def read_forecast(grade: str, **more: Any) -> ForecastAnswer:
    """The same as commands read it."""
    return msgspec.convert({**forecast_answer(grade), **more}, ForecastAnswer)
