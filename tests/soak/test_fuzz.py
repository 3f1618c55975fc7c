"""A few thousand odd requests to a server on each kind of store; scripts/fuzz sends many more."""

from pathlib import Path

from soak.fuzz import fuzz


def test_odd_requests_get_the_same_statuses_from_both_stores(tmp_path: Path, database_server: str) -> None:
    """None is a 5xx, except a 503 that says when to try again."""
    fuzzed = fuzz(tmp_path, database_server, 1200, seed=20261116)

    assert [] == fuzzed.failures
    assert {200, 404, 422} <= set(fuzzed.statuses)
