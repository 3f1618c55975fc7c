"""An answer of the forecast endpoint with made-up figures."""

from typing import Any


def ranged(value: float | None, by: float = 0.1) -> dict[str, float | None]:
    low, high = (None, None) if value is None else (value * (1 - by), value * (1 + by))
    return {"value": value, "low": low, "high": high}


def side(p50: float, runs: float) -> dict[str, Any]:
    times = {"p50": ranged(p50), "p90": ranged(2 * p50), "p95": ranged(3 * p50)}
    others = {"ci_seconds_per_merge": ranged(900), "merged_per_day": ranged(40)}
    return {
        "time_in_queue": times,
        "runs_per_merge": ranged(runs),
        **others,
        "removed_by_checks": ranged(0.03),
    }


def forecast_answer(grade: str) -> dict[str, Any]:
    recorded = {"time_in_queue": {"p50": 3000, "p90": 6000, "p95": None}, "runs_per_merge": 1.1}
    recorded |= {"ci_seconds_per_merge": 900, "merged_per_day": 40, "removed_by_checks": 0.03}
    errors = {"p50_error": 0.04, "p95_error": -0.12, "runs_error": 0.01}
    naive = {"p50_error": 0.3, "p95_error": None, "runs_error": 0.0}
    eta = {"p50": 0.52, "p90": 0.91, "cases": 140}
    return {
        "merged": 2377,
        "replicates": 20,
        "settings": {
            "source_of_baseline": "history",
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
        "innocent_removals": {"baseline": 0.01, "candidate": 0.002},
        "trust": {
            "mechanics": errors,
            "forecast": errors,
            "naive": naive,
            "eta": {**eta, "windows": [eta]},
            "grade": grade,
            "reach": {"level": "inside", "beyond": []},
            "sentences": dict.fromkeys(
                ("mechanics", "drift", "back_test", "reach", "difference"), "It holds."
            ),
        },
        "notes": [],
    }
