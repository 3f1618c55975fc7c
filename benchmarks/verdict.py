"""Are verdicts right? Worlds in which the cause of every removal is known, and a real queue.

    PYTHONPATH=tests .venv/bin/python benchmarks/verdict.py [SEEDS] [DAYS] [--worlds]

Twelve worlds per seed: alone, batches of 4, 5 in parallel and trains, each with 2, 5 and 15 % broken. Prints
each figure beside its limit, pooled over all worlds after a fifth of their days: with names of failed checks
and commits, with commits only, and with flakes in the same checks as breakage. `--worlds` also prints each
world. With them the calibrated chances of those that came back unchanged, from the twenty-first of each world
on, beside constants: the share that had merged until then, and that which merged in the end. Then the time of
one judgement, and what the verdicts were worth on the real history in ../shared/real, if it is there.
"""

import gzip
import json
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import mean, quantiles
from typing import NamedTuple

from mergecast.incoming.intake.event_rules import read_event
from mergecast.queues.model.event import Event
from mergecast.queues.model.verdict import Verdict
from worlds.blame import blamed_worlds
from worlds.verdict_inputs import happened
from worlds.verdict_score import LIMITS, Case, Column, Returned, auc, brier, cases, judged, score

REAL = Path(__file__).resolve().parents[2] / "shared" / "real"
_P99 = 98  # of 99 cuts
_FAR_FUTURE = 1 << 62
_INNOCENT, _OWN = 0.7, 0.9  # from which probability on it is said


def main(seeds: str = "3", days: str = "56", *options: str) -> None:
    seconds: list[float] = []
    for column in Column:
        found: list[Case] = []
        returns: list[list[Returned]] = []
        for seed in range(1, int(seeds) + 1):
            worlds = blamed_worlds(seed, days=int(days), same_checks=column is Column.SAME_CHECKS)
            for name, world in worlds.items():
                is_timed = column is Column.ALL
                of_world, said = cases(
                    f"{seed}: {name}", world.play(), names=column.has_names, is_timed=is_timed
                )
                found += of_world
                seconds += said.seconds
                returns.append(said.returns)
                if "--worlds" in options:
                    print(f"  {seed}: {name}: {score(of_world)}")
        _print(column, found)
        _print_returns(returns)
    _print_time(seconds)
    _print_real()


def _print(column: Column, found: list[Case]) -> None:
    scored = score(found)
    print(f"{column.value}: {scored.removals:,} removals")
    for figure, value in scored._asdict().items():
        if figure == "removals":
            continue
        limit = LIMITS[column].get(figure)
        held = "" if limit is None else f"  {limit.text:>8}  {'' if limit.holds(value) else '!'}"
        print(f"  {figure:18} {value:6.3f}{held}")


def _print_returns(returns: list[list[Returned]]) -> None:
    """Each world has a constant of its own, as each queue has."""
    found = [one for of_world in returns for one in of_world]
    if not found:
        print("  too few came back unchanged to calibrate chances")
        return
    in_the_end = [
        (mean(one.has_merged for one in of_world), one.has_merged) for of_world in returns for one in of_world
    ]
    print(
        f"  {len(found):,} came back unchanged to {sum(map(bool, returns))} worlds: "
        f"Brier of the calibrated chance {brier([(one.calibrated, one.has_merged) for one in found]):.3f}, "
        f"of passes_now {brier([(one.raw, one.has_merged) for one in found]):.3f}, "
        f"of the share until then {brier([(one.merged_before, one.has_merged) for one in found]):.3f}, "
        f"of the share in the end {brier(in_the_end):.3f}"
    )


def _print_time(seconds: list[float]) -> None:
    cuts = quantiles(seconds, n=100)
    print(
        f"{len(seconds):,} judgements, CPU: mean {mean(seconds) * 1e3:.1f} ms, "
        f"p99 {cuts[_P99] * 1e3:.1f} ms, worst {max(seconds) * 1e3:.1f} ms"
    )


class Real(NamedTuple):
    events: list[Event]
    heads: dict[str, str]
    removals: list[dict[str, object]]


def read_real(file: Path) -> Real:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        found = [read_event(json.loads(line), "", _FAR_FUTURE) for line in lines]
    commits = file.with_name(file.name.replace(".ndjson", "-commits.json"))
    known = json.loads(gzip.decompress(commits.read_bytes()))
    return Real([event for event in found if isinstance(event, Event)], known["heads"], known["removals"])


def names_of(real: Real) -> dict[tuple[str, int], tuple[str, ...]]:
    """The checks of a removal are those of the last run of its stay."""
    checks = {str(removal["session"]): removal["checks"] for removal in real.removals}
    ended = [event for event in real.events if event.type == "checks_ended" and event.session_id in checks]
    last = {event.session_id: event for event in sorted(ended, key=lambda event: event.happened_at)}
    return {
        (event.batch_id or "", event.attempt or 1): tuple(map(str, checks[session or ""]))  # type: ignore[call-overload]
        for session, event in last.items()
    }


def _print_real() -> None:
    files = sorted(REAL.glob("*.ndjson.gz"))
    if not files:
        print(f"There is no real history in {REAL}.")
    for file in files:
        real = read_real(file)
        verdicts = judged(happened(real.events, real.heads, names_of(real)), is_timed=False).verdicts
        returned = [removal for removal in real.removals if removal["merged_next"] is not None]
        _print_returned(file.name, [(verdicts[str(removal["session"])], removal) for removal in returned])
        judged_ones = [(verdicts[str(removal["session"])], removal) for removal in real.removals]
        _print_said("not its own fault", judged_ones, lambda own: 1 - own >= _INNOCENT)
        _print_said("own", judged_ones, lambda own: own >= _OWN)


def _print_returned(name: str, returned: list[tuple[Verdict, dict[str, object]]]) -> None:
    """Those that came back unchanged and merged, against all others that came back."""
    innocent = [
        (1 - verdict.probabilities.own, bool(removal["unchanged"] and removal["merged_next"]))
        for verdict, removal in returned
        if verdict.probabilities
    ]
    unchanged = [
        (verdict.passes_now, bool(removal["merged_next"]))
        for verdict, removal in returned
        if removal["unchanged"] and verdict.passes_now is not None
    ]
    base = mean(merged for _, merged in unchanged)
    print(
        f"{name}: AUC of 1 - own {auc(innocent):.3f} ({len(innocent)} came back), Brier of passes_now "
        f"{brier(unchanged):.3f} ({len(unchanged)} unchanged; a constant's {base * (1 - base):.3f})"
    )


def _print_said(
    what: str, found: list[tuple[Verdict, dict[str, object]]], is_said: Callable[[float], bool]
) -> None:
    """What became of those that were judged so."""
    said = [
        removal for verdict, removal in found if verdict.probabilities and is_said(verdict.probabilities.own)
    ]
    unchanged = [removal for removal in said if removal["unchanged"] and removal["merged_next"] is not None]
    merged = sum(bool(removal["merged_next"]) for removal in unchanged)
    print(
        f"  {what}: {len(said)} removals; {len(unchanged)} came back unchanged, and {merged} of them merged"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
