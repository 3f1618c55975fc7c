"""Are verdicts right? Worlds in which the cause of every removal is known, and a real queue.

    PYTHONPATH=tests .venv/bin/python benchmarks/verdict.py [SEEDS] [DAYS] [--worlds]

Twelve worlds per seed: alone, batches of 4, 5 in parallel and trains, each with 2, 5 and 15 % broken. Prints
each figure beside its limit, pooled over all worlds after a fifth of their days: with names of failed checks
and commits, with commits only, and with flakes in the same checks as breakage. `--worlds` also prints each
world. Then the CPU time of one judgement, and what the verdicts were worth on the real history in
../shared/real, if it is there.
"""

import gzip
import json
import sys
from pathlib import Path
from statistics import mean, quantiles
from typing import NamedTuple

from mergecast.incoming.intake.event_rules import read_event
from mergecast.queues.model.event import Event
from worlds.blame import blamed_worlds
from worlds.verdict_inputs import happened
from worlds.verdict_score import LIMITS, Case, Column, auc, brier, cases, judged, score

_REAL = Path(__file__).resolve().parents[2] / "shared" / "real"
_P99 = 98  # of 99 cuts


def main(seeds: str = "3", days: str = "56", *options: str) -> None:
    seconds: list[float] = []
    for column in Column:
        found: list[Case] = []
        for seed in range(1, int(seeds) + 1):
            worlds = blamed_worlds(seed, days=int(days), same_checks=column is Column.SAME_CHECKS)
            for name, world in worlds.items():
                of_world, took = cases(f"{seed}: {name}", world.play(), names=column.has_names)
                found += of_world
                seconds += took
                if "--worlds" in options:
                    print(f"  {seed}: {name}: {score(of_world)}")
        _print(column, found)
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


def _print_time(seconds: list[float]) -> None:
    cuts = quantiles(seconds, n=100)
    print(
        f"{len(seconds):,} judgements, CPU: mean {mean(seconds) * 1e3:.1f} ms, p99 {cuts[_P99] * 1e3:.1f} ms, "
        f"worst {max(seconds) * 1e3:.1f} ms"
    )


class _Real(NamedTuple):
    events: list[Event]
    heads: dict[str, str]
    removals: list[dict[str, object]]


def _read(file: Path) -> _Real:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        events = [
            event for line in lines if isinstance(event := read_event(json.loads(line), 1 << 62), Event)
        ]
    known = json.loads(
        gzip.decompress(file.with_name(file.name.replace(".ndjson", "-commits.json")).read_bytes())
    )
    return _Real(events, known["heads"], known["removals"])


def _names(real: _Real) -> dict[tuple[str, int], tuple[str, ...]]:
    """The checks of a removal are those of the last run of its stay."""
    checks = {str(removal["session"]): removal["checks"] for removal in real.removals}
    ended = [event for event in real.events if event.type == "checks_ended" and event.session_id in checks]
    last = {event.session_id: event for event in sorted(ended, key=lambda event: event.happened_at)}
    return {
        (event.batch_id or "", event.attempt or 1): tuple(map(str, checks[session or ""]))  # type: ignore[call-overload]
        for session, event in last.items()
    }


def _print_real() -> None:
    files = sorted(_REAL.glob("*.ndjson.gz"))
    if not files:
        print(f"There is no real history in {_REAL}.")
    for file in files:
        real = _read(file)
        verdicts = judged(happened(real.events, real.heads, _names(real))).verdicts
        came_back = [removal for removal in real.removals if removal["merged_next"] is not None]
        own = [
            (1 - found.probabilities.own, bool(removal["unchanged"] and removal["merged_next"]))
            for removal in came_back
            if (found := verdicts[str(removal["session"])]).probabilities
        ]
        unchanged = [
            (found.passes_now, bool(removal["merged_next"]))
            for removal in came_back
            if removal["unchanged"] and (found := verdicts[str(removal["session"])]).passes_now is not None
        ]
        base = mean(merged for _, merged in unchanged)
        print(
            f"{file.name}: {len(real.removals)} removals; AUC of 1 - own {auc(own):.3f} ({len(own)} came back); "
            f"Brier of passes_now {brier(unchanged):.3f} ({len(unchanged)} unchanged; "
            f"a constant's {base * (1 - base):.3f})"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
