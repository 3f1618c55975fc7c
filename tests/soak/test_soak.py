"""Two minutes of the soak; scripts/soak runs it for longer and also compares latencies."""

from pathlib import Path

from soak.run import soak


def test_two_minutes_of_attacks_and_failures(tmp_path: Path) -> None:
    """Every answer equals the oracle's, no acknowledged event is lost, and memory stays below 1 GB.

    Attackers get no error that is not announced, either.
    """
    tally = soak(tmp_path, 120, seed=20261115)

    assert [] == tally.failures
    assert tally.requests > 100
    assert tally.kills > 0
