"""Worlds as the estimates assume them: one family to tune on, others to check."""

from dataclasses import replace
from random import Random

from worlds.growth import PerMember
from worlds.world import World


def tuning(draw: Random) -> World:
    return World(
        seed=draw.getrandbits(30),
        days=draw.choice((28, 35, 42)),
        pulls_per_day=draw.uniform(20, 90),
        rhythm=draw.choice(("office", "office", "round the clock")),
        weekend=draw.choice((0.05, 0.3)),
        burst_share=draw.uniform(0, 0.2),
        length_sigma=draw.uniform(0.15, 0.45),
        length_tail_share=draw.choice((0.0, 0.01, 0.02)),
        length_drift=draw.uniform(0.0, 0.12),
        length_of_batch=PerMember(draw.choice((0.0, 0.01, 0.03))),
        length_of_load=draw.choice((0.0, 0.0, 0.02)),
        early_failures=draw.uniform(0.2, 0.8),
        broken=draw.uniform(0.005, 0.03),
        flakes=draw.uniform(0.003, 0.03),
        flakes_again=draw.uniform(0.1, 0.3),
        leaving_per_hour=draw.uniform(0.0, 0.03),
        back_after_failure=draw.uniform(0.5, 0.95),
        back_median_minutes=draw.uniform(20, 200),
        lag_seconds=draw.choice((0.0, 0.0, 4.0, 10.0)),
    )


def final(draw: Random) -> World:
    """Other ranges, and things that the family for tuning does not have."""
    hour = draw.randrange(24 * 7, 24 * 21)
    return World(
        seed=draw.getrandbits(31) | 1 << 31,
        days=draw.choice((30, 40, 56)),
        pulls_per_day=draw.uniform(15, 120),
        rhythm=draw.choice(("office", "round the clock", "even")),
        weekend=draw.choice((0.02, 0.2, 0.8)),
        burst_share=draw.uniform(0, 0.35),
        day_noise=draw.uniform(0.1, 0.4),
        urgent_share=draw.choice((0.0, 0.0, 0.06)),
        length_sigma=draw.uniform(0.1, 0.55),
        length_tail_share=draw.choice((0.0, 0.005, 0.03)),
        length_drift=draw.uniform(0.0, 0.18),
        length_of_batch=PerMember(draw.choice((0.0, 0.02, 0.04))),
        length_of_load=draw.choice((0.0, 0.0, 0.01, 0.03)),
        early_failures=draw.uniform(0.0, 1.0),
        broken=draw.uniform(0.003, 0.04),
        still_broken=draw.uniform(0.1, 0.4),
        flakes=draw.uniform(0.002, 0.04),
        flakes_again=draw.uniform(0.05, 0.35),
        cancelled=draw.choice((0.0, 0.003)),
        conflicting=draw.choice((0.0, 0.01)),
        leaving_per_hour=draw.uniform(0.0, 0.05),
        back_after_failure=draw.uniform(0.3, 0.95),
        back_after_person=draw.uniform(0.2, 0.8),
        back_median_minutes=draw.uniform(10, 400),
        lag_seconds=draw.choice((0.0, 3.0, 8.0)),
        incidents=((hour, hour + draw.randrange(3, 12)),) if draw.random() < 0.3 else (),
    )


def frozen(draw: Random) -> World:
    """Weekends are closed: merges wait for Monday."""
    return replace(tuning(draw), weekend=0.3, weekend_freeze=True)
