"""Numbers drawn at random beside a strategy of Hypothesis, and in it."""

import random
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.errors import HypothesisDeprecationWarning


def _beside(number: int) -> int:
    """Another thread draws a number meanwhile, as a pool of connections does."""
    thread = threading.Thread(target=random.random)
    thread.start()
    thread.join()
    return number


@settings(max_examples=1)
@given(st.integers().map(_beside))
def test_another_thread_may_draw_a_number_while_a_strategy_draws(number: int) -> None:
    assert isinstance(number, int)


def test_a_strategy_that_draws_a_number_itself_fails() -> None:
    @settings(max_examples=1)
    @given(st.integers().map(lambda number: number + random.randint(1, 2)))
    def drawn(number: int) -> None:
        assert isinstance(number, int)

    with pytest.raises(
        HypothesisDeprecationWarning, match="Do not use the `random` module inside strategies"
    ):
        drawn()
