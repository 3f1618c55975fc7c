"""Caches that are bounded by size and by number."""

from hypothesis import given
from hypothesis import strategies as st

from mergecast.process.lru import BoundedCache, RecentEntries


def _cache(max_bytes: int) -> BoundedCache[str, bytes]:
    return BoundedCache(max_bytes, lambda value: len(value) + 1)


def test_the_least_recently_used_entry_is_evicted_first() -> None:
    """Reading an entry counts as using it."""
    cache = _cache(8)
    for name in "abcdefgh":
        cache.put(name, b"")
    cache.get("a")
    cache.put("i", b"")

    assert b"" == cache.get("a")
    assert cache.get("b") is None


def test_an_entry_larger_than_a_quarter_of_the_bound_is_not_kept() -> None:
    """It replaces nothing but an earlier entry of the same key."""
    cache = _cache(8)
    cache.put("a", b"1")
    cache.put("b", b"1")
    cache.put("a", b"too large")

    assert cache.get("a") is None
    assert b"1" == cache.get("b")


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 40))))
def test_the_size_stays_within_the_bound(puts: list[tuple[str, int]]) -> None:
    """Whatever is put and replaced, the last entry that fits is there, and all fit together."""
    cache = _cache(100)
    for name, size in puts:
        cache.put(name, bytes(size))

    found = [value for name in "abcdef" if (value := cache.get(name)) is not None]
    assert sum(len(value) + 1 for value in found) <= 100
    if puts and puts[-1][1] + 1 <= 25:
        assert bytes(puts[-1][1]) == cache.get(puts[-1][0])


def test_a_cache_of_entries_holds_those_used_last() -> None:
    """Reading and replacing an entry count as using it."""
    entries: RecentEntries[str, int] = RecentEntries(3)
    for number, name in enumerate("abc"):
        entries.put(name, number)
    entries.get("a")
    entries.put("b", 7)
    entries.put("d", 8)

    assert {"a": 0, "b": 7, "c": None, "d": 8} == {name: entries.get(name) for name in "abcd"}
    assert 3 == len(entries)


def test_a_removed_entry_makes_room() -> None:
    entries: RecentEntries[str, int] = RecentEntries(2)
    entries.put("a", 1)
    entries.put("b", 2)

    assert 2 == entries.pop("b")
    assert entries.pop("b") is None
    entries.put("c", 3)
    assert [1, None, 3] == [entries.get(name) for name in "abc"]
