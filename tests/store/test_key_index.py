"""The index of keys finds what was added and nothing else."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mergecast.queues.store.duckdb.key_index import KeyIndex, halves
from mergecast.queues.store.keys import key_of

_KEYS = st.binary(min_size=16, max_size=16)


def _key(high: int, low: int) -> bytes:
    return high.to_bytes(8, "big", signed=True) + low.to_bytes(8, "big", signed=True)


@given(st.lists(_KEYS, unique=True), st.lists(_KEYS))
def test_finds_what_was_added(known: list[bytes], others: list[bytes]) -> None:
    """Each key with its number; other keys with none."""
    index = KeyIndex()
    index.add((key, number) for number, key in enumerate(known))

    expected = [known.index(key) if key in known else None for key in known + others]

    assert expected == index.find(known + others)


def test_packs_and_merges_without_losing_a_key() -> None:
    """A hundred thousand keys in many small additions."""
    keys = [key_of(1, number) for number in range(200_000)]
    index = KeyIndex()

    for start in range(0, len(keys), 1_000):
        index.add(zip(keys[start : start + 1_000], range(start, start + 1_000), strict=True))

    assert len(keys) == len(index)
    assert list(range(len(keys))) == index.find(keys)
    assert [None] == index.find([key_of(2, 1)])


def test_keys_that_share_their_high_half_are_distinguished() -> None:
    """The low half decides, in arrays as in the dictionary."""
    keys = [_key(5, low) for low in (-1, 0, 1, 7)] + [_key(-5, 0), _key(2**63 - 1, 3), _key(2**63 - 1, 4)]
    index = KeyIndex.of(*halves(keys), np.arange(len(keys)))

    assert [*range(len(keys)), None, None] == index.find([*keys, _key(5, 2), _key(2**63 - 1, 9)])


def test_parts_of_a_key_are_never_ambiguous() -> None:
    """Joining `a`, `bc` is not joining `ab`, `c`."""
    assert key_of(1, "a", "bc") != key_of(1, "ab", "c")
