"""In worlds in which the cause of every removal is known, verdicts keep what they are held to."""

import pytest

from worlds.blame import BlamedWorld, blamed_worlds
from worlds.verdict_score import LIMITS, Case, Column, cases, score

pytestmark = pytest.mark.thorough

# The limits are for 36 worlds together (benchmarks/verdict.py); few worlds of few days can show these.
_SHOWN = {
    Column.ALL: ("auc", "brier", "sure", "sure_right", "broken_again", "innocent_helped"),
    Column.COMMITS: ("sure_right", "broken_again"),
    Column.SAME_CHECKS: ("auc", "sure_right"),
}


def _worlds(column: Column) -> dict[str, BlamedWorld]:
    found = blamed_worlds(1, days=28, same_checks=column is Column.SAME_CHECKS)
    return {name: world for name, world in found.items() if ", 5% broken" in name}


@pytest.mark.parametrize("column", Column)
def test_limits_are_kept(column: Column) -> None:
    found: list[Case] = []
    for name, world in _worlds(column).items():
        found += cases(name, world.play(), names=column.has_names)[0]
    scored = score(found)._asdict()

    missed = {
        figure: (scored[figure], LIMITS[column][figure].text)
        for figure in _SHOWN[column]
        if not LIMITS[column][figure].holds(scored[figure])
    }
    assert missed == {}
