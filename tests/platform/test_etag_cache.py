"""Which answers are cached, and for how long."""

from hypothesis import given
from hypothesis import strategies as st

from mergecast.incoming.platform.fetch import Fetched
from mergecast.incoming.platform.github import Calls, ETagCache, NoCallsLeft


def _answer(size: int = 0, **headers: str) -> Fetched:
    return Fetched(200, {"etag": '"1"', **headers}, b"x" * size)


def test_answers_without_a_tag_are_not_cached() -> None:
    """The client could not revalidate them."""
    cache = ETagCache()
    cache.put(Fetched(200, {}, b""), "token", "url")

    assert cache.get("token", "url") is None


def test_the_least_recently_used_is_evicted_first() -> None:
    """This applies when the cache is full."""
    cache = ETagCache(most_bytes=8 * 1024)
    for name in "abcdefgh":
        cache.put(_answer(), name)
    cache.get("a")
    cache.put(_answer(), "i")

    assert cache.get("a") is not None
    assert cache.get("b") is None


def test_cache_keys_are_unambiguous() -> None:
    """Moving characters from the token to the URL gives another key."""
    cache = ETagCache()
    cache.put(_answer(), "token", "url")

    assert cache.get("tokenu", "rl") is None


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 4000))))
def test_the_size_is_bounded_and_counted(kept: list[tuple[str, int]]) -> None:
    """After any changes, the last answer that fits is cached and the total size is within the limit."""
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
def test_calls_are_counted_exactly(total: int, shares: list[tuple[int, int]]) -> None:
    """Whatever is reserved, spent and returned."""
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
