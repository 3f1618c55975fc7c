"""Each level says when it would speak."""

from mergecast.queues.model.instant import parse_instant
from mergecast.signals.detection.in_words import when
from mergecast.signals.detection.levels import Levels, learn
from mergecast.signals.detection.queue_problem import PROBLEM_NAMES
from signals.steady import steady_history

NOW = parse_instant("2026-11-02T12:00:00Z")


def test_learned_levels_in_words() -> None:
    levels = learn(steady_history(NOW), NOW)

    assert {
        "no_run_started": "when a pull request waits, the only slot is free, and no CI run starts for 10m",
        "run_too_long": "when a CI run takes longer than 21m",
        "everyone_fails": (
            "when 3 CI runs in a row fail that have no pull request in common, "
            "each at most 1h36m after the one before"
        ),
        "going_round": (
            "when a pull request enters 3 times within 24 hours because its checks fail, "
            "or while a batch is being split 3 times"
        ),
        "nothing_merges": (
            "when nothing merges in a time in which 3 merges are usual, 39m in the busiest hours of the week"
        ),
        "source_silent": (
            "when a source sends nothing in 12 hours of the week in which it usually does, "
            "or for 24 hours in which every earlier week had an event"
        ),
        "runs_slow": "when the CI runs of 2 to 8 hours take 1.5 times as long as usual",
        "forgotten": (
            "when 10 CI runs of others with the same priority that entered later have passed "
            "a pull request over"
        ),
    } == {name: when(levels, {}, name) for name in PROBLEM_NAMES}


def test_levels_that_were_set_in_words() -> None:
    """Durations are exact, and nothing has to be learned."""
    by_hand = {"run_too_long": 5430.0, "source_silent": 3.0}

    assert {
        "run_too_long": "when a CI run takes longer than 1h30m30s",
        "source_silent": "when a source sends nothing in 3 hours of the week in which it usually does",
    } == {name: said for name in PROBLEM_NAMES if (said := when(Levels(), by_hand, name))}
