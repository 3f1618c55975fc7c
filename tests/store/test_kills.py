"""A writer that is killed in the middle of deliveries, rebuilds and deletes."""

from pathlib import Path

import pytest

from store.kills import Place, survive

pytestmark = pytest.mark.server  # it starts and kills processes


def test_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    """A few kills here; benchmarks/kills.py does many."""
    survived = survive(Place(tmp_path), kills=4, seed=7)

    assert survived.acknowledged > 0
