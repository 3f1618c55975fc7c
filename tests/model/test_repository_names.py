"""The present name of a repository follows from what webhooks say, in whatever order they arrive."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergecast.queues.model.repository_names import RepositoryNames

_Report = tuple[str | None, str]  # an announced former name, and the name of a delivery


def _after(reports: list[_Report]) -> RepositoryNames:
    (former, first), *others = reports
    names = RepositoryNames(first, () if former is None else (former,))
    for former, name in others:
        names = names.seen(name) if former is None else names.announced(former, name)
        assert names == RepositoryNames.read(names.current, names.stored)
    return names


@given(data=st.data())
def test_once_all_renames_were_announced_the_last_name_is_the_present_one(data: st.DataObject) -> None:
    """Deliveries under each name arrive in any order, some of them twice."""
    chain = [f"acme/{letter}" for letter in "abcde"[: data.draw(st.integers(2, 5))]]
    reports: list[_Report] = [*pairwise(chain), *((None, name) for name in chain)]
    repeated = data.draw(st.lists(st.sampled_from(reports), max_size=5))
    names = _after(data.draw(st.permutations([*reports, *repeated])))

    assert (chain[-1], set(chain[:-1]), ()) == (names.current, set(names.former), names.replaced)


@pytest.mark.parametrize("chain", ["aba", "abab", "abca", "abcab", "abcb"])
def test_a_repository_can_get_back_a_name_that_it_had(chain: str) -> None:
    """Late deliveries under other names change nothing."""
    names = RepositoryNames(chain[0])
    for place, (former, name) in enumerate(pairwise(chain), start=1):
        names = names.announced(former, name)
        for late in (*chain[:place], name):
            names = names.seen(late)
        assert name == names.current


def test_without_an_announcement_the_name_that_appears_counts() -> None:
    """Names are compared without case."""
    names = RepositoryNames("acme/a").seen("Acme/B").seen("acme/a").seen("ACME/C")

    assert RepositoryNames("acme/c", (), ("acme/a", "acme/b")) == names


def test_the_platform_was_asked_for_the_present_name() -> None:
    names = RepositoryNames("a", ("b",), ("c",))

    assert RepositoryNames("b", ("a",), ("c",)) == names.renamed("B")
    assert RepositoryNames("c", ("b", "a")) == names.renamed("c")
    assert names == names.renamed("a")
