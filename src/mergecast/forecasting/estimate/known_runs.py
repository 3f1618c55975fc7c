"""What is known of the runs that a replay repeats: the same pull requests, tested together again.

A replay of unchanged settings mostly repeats the recorded runs. One that is led by the same pull request, has
the same size and starts at about the same time takes as long and ends the same way, so that the record and
its replay share their luck. What differs is drawn: another hour may have other flakes.
"""

from collections import Counter
from typing import Final

from mergecast.forecasting.estimate.oracle import KnownRun
from mergecast.forecasting.estimate.population import Population
from mergecast.forecasting.estimate.run_table import Ending, RunTable
from mergecast.forecasting.history.inference import TrainRules
from mergecast.forecasting.history.seconds import microseconds
from mergecast.forecasting.replay.codes import FAIL, NEVER, PASS

_VERDICTS: Final = {Ending.PASSED: PASS, Ending.FAILED: FAIL}


def known_runs(rules: TrainRules, record: Population, table: RunTable) -> dict[tuple[int, int], KnownRun]:
    """By the key of the leader, and by how many runs its pull request had led before."""
    key_of = {
        stay.number: key
        for row, key in enumerate(record.keys)
        for stay in record.stays[record.offsets[row] : record.offsets[row + 1]]
    }
    led: Counter[int] = Counter()
    found = {}
    for run in rules.recorded.history.runs:
        key = key_of[_leader(rules, run.members)]
        ending = Ending(int(table.endings[run.number]))
        found[key, led[key]] = KnownRun(
            started_at=microseconds(run.started),
            size=len(run.members),
            in_flight=int(table.in_flight[run.number]),
            length=microseconds(float(table.lengths[run.number])),
            verdict=_VERDICTS.get(ending, NEVER),
        )
        led[key] += 1
    return found


def _leader(rules: TrainRules, members: tuple[int, ...]) -> int:
    """The member that a replay tests first: the most urgent, then oldest one."""
    stays = [rules.recorded.history.stays[member] for member in members]
    first = min(
        stays, key=lambda stay: (-rules.priorities.get(stay.priority_rule_name, 0), stay.entered, stay.number)
    )
    return first.number
