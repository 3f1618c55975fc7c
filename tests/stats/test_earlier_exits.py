"""The quick answer about exits is the one of looking at each of them."""

from hypothesis import given
from hypothesis import strategies as st

from mergecast.queues.stats.ci_check_flakes import EarlierExits

_INSTANTS = st.integers(0, 20)


@given(exits=st.lists(st.tuples(_INSTANTS, _INSTANTS)), asked=st.tuples(_INSTANTS, _INSTANTS, _INSTANTS))
def test_whether_one_that_entered_earlier_left(
    exits: list[tuple[int, int]], asked: tuple[int, int, int]
) -> None:
    before, start, end = asked

    found = EarlierExits(exits).has_entered_before(before, start, end)

    assert any(start <= left_at <= end and entered_at < before for left_at, entered_at in exits) == found
