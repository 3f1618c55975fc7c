"""Which answers are cached, and for how long."""

from hypothesis import given
from hypothesis import strategies as st

from mergecast.platform.fetch import Fetched
from mergecast.platform.github import Calls, ETagCache, NoCallsLeft


def _answer(size: int = 0, **headers: str) -> Fetched:
    return Fetched(200, {"etag": '"1"', **headers}, b"x" * size)


def test_answers_without_a_tag_are_not_kept() -> None:
    """There would be nothing to ask with."""
    cache = ETagCache()
    cache.put(Fetched(200, {}, b""), "token", "url")

    assert cache.get("token", "url") is None


def test_the_least_used_goes_first() -> None:
    """When there is no room for all."""
    cache = ETagCache(most_bytes=8 * 1024)
    for name in "abcdefgh":
        cache.put(_answer(), name)
    cache.get("a")
    cache.put(_answer(), "i")

    assert cache.get("a") is not None
    assert cache.get("b") is None


def test_parts_of_a_key_do_not_run_into_each_other() -> None:
    """A token that ends like an address begins is another token."""
    cache = ETagCache()
    cache.put(_answer(), "token", "url")

    assert cache.get("tokenu", "rl") is None


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 4000))))
def test_the_size_is_bounded_and_counted(kept: list[tuple[str, int]]) -> None:
    """Whatever is kept, replaced and dropped: the last one that fits is there, and all fit together."""
    cache = ETagCache(most_bytes=10_000)
    for name, size in kept:
        cache.put(_answer(size), name)

    found = [answer for name in "abcdef" if (answer := cache.get(name))]
    assert sum(len(answer.body) + 1024 for answer in found) <= 10_000
    if kept and kept[-1][1] + 1024 <= 2_500:
        last = cache.get(kept[-1][0])
        assert last is not None
        assert kept[-1][1] == len(last.body)


@given(st.integers(0, 20), st.lists(st.tuples(st.integers(0, 5), st.integers(0, 8))))
def test_calls_are_neither_lost_nor_made_up(total: int, shares: list[tuple[int, int]]) -> None:
    """Whatever is set aside, spent and given back."""
    calls = Calls(total)
    spent = 0
    for size, wanted in shares:
        try:
            share = calls.set_aside(size)
        except NoCallsLeft:
            assert size > total - spent
            continue
        for _ in range(wanted):
            try:
                share.spend()
                spent += 1
            except NoCallsLeft:
                assert total == spent
        share.give_back()

    assert total - spent == calls.left
