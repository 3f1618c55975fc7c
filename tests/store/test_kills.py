"""A writer that is killed in the middle of deliveries, moves of rows, rebuilds and deletes."""

from pathlib import Path

from store.kills import Place, survive


def test_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    """A few kills here; benchmarks/kills.py does many."""
    survived = survive(Place(tmp_path), kills=4, seed=7)

    assert survived.acknowledged > 0
