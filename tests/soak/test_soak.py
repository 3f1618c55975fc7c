"""Every round of the soak once; scripts/soak runs it for longer and also compares latencies."""

from pathlib import Path

from soak.run import Pace, soak


def test_every_attack_and_failure_once(tmp_path: Path) -> None:
    """Every answer equals the oracle's, no acknowledged event is lost, and memory stays below 1 GB.

    Attackers get no error that is not announced, either.
    """
    tally = soak(tmp_path, 0, 20261115, Pace(quiet=0.2, attack=1.0, rest=0.2))

    assert [] == tally.failures
    assert tally.requests > 100
    assert tally.kills > 0
