"""Every package imports only the packages below it, and only the libraries it is allowed to use.

The rules are in `layers.py`; `test_planted_violations.py` shows that each of them can fail.
"""

from pathlib import Path

import pytest

from layers import MAY_IMPORT, RULES, Rule, Tree

SOURCE = Path(__file__).parents[1] / "src" / "mergecast"


@pytest.fixture(scope="module")
def tree() -> Tree:
    return Tree(SOURCE)


@pytest.mark.parametrize("rule", RULES, ids=[rule.__name__ for rule in RULES])
def test_the_program_keeps_the_rule(tree: Tree, rule: Rule) -> None:
    assert [] == list(rule(tree))


def test_imports_run_in_one_direction() -> None:
    """No package may import one that is listed after it."""
    listed = list(MAY_IMPORT)

    assert [] == [
        f"{package} may import {other}"
        for number, package in enumerate(listed)
        for other in MAY_IMPORT[package]
        if other not in listed[:number]
    ]
