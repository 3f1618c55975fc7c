"""Each level says when it would speak."""

from mergecast.queues.model.instant import parse_instant
from mergecast.signals.thresholds.in_words import when
from mergecast.signals.thresholds.judged import OF_NOW
from mergecast.signals.thresholds.levels import Levels, learn
from signals.steady import steady_history

NOW = parse_instant("2026-11-02T12:00:00Z")


def test_learned_levels_in_words() -> None:
    levels = learn(steady_history(NOW), NOW)

    assert {
        "no_run_started": "when nothing runs on the branch for 45m, although a pull request waits",
        "run_too_long": "when a CI run takes longer than 21m",
        "everyone_fails": (
            "when 3 CI runs in a row fail that have no pull request in common, "
            "each at most 1h36m after the one before"
        ),
        "going_round": "when a pull request enters 3 times within 24 hours because its checks fail",
        "splits": "when a batch is split 3 times",
        "nothing_merges": None,
        "source_silent": (
            "when a source sends nothing in 12 hours of the week in which it usually does, "
            "or for 24 hours in which every earlier week had an event"
        ),
        "runs_slow": "when the CI runs of 2 to 8 hours take 1.5 times as long as usual",
        "forgotten": "when 10 CI runs of later pull requests with the same priority have passed one over",
    } == {name: when(levels, {}, name) for name in OF_NOW}


def test_levels_that_were_set_in_words() -> None:
    """Durations are exact, and nothing has to be learned."""
    chosen = {"run_too_long": 5430.0, "source_silent": 3.0, "splits": 5.0}

    assert {
        "no_run_started": "when nothing runs on the branch for 45m, although a pull request waits",
        "run_too_long": "when a CI run takes longer than 1h30m30s",
        "splits": "when a batch is split 5 times",
        "source_silent": "when a source sends nothing in 3 hours of the week in which it usually does",
    } == {name: said for name in OF_NOW if (said := when(Levels(), chosen, name))}


def test_what_is_switched_off_has_no_words() -> None:
    levels = learn(steady_history(NOW), NOW)

    assert not any(when(levels, dict.fromkeys(OF_NOW), name) for name in OF_NOW)
