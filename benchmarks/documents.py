"""What does validating a configuration document cost, compared with loading its YAML?

Everything is measured in one run, alternating. Caches of patterns and conditions are cleared before each
validation, so that every document is read as if for the first time.
"""

import re
import statistics
import time
from collections.abc import Callable
from datetime import UTC, date, datetime

import yaml

from mergecast.demo.pull_requests import demo_pull_requests
from mergecast.language.conditions.evaluate import Evaluator
from mergecast.language.conditions.facts.snapshot_view import SnapshotView
from mergecast.language.configuration.models.condition_lists import parsed
from mergecast.language.configuration.read import read_configuration
from mergecast.queues.model.recorded import read_snapshot

TODAY = date(2026, 11, 15)
NOW = 1_763_200_000_000_000
_ROUNDS = 25


def usual_document() -> str:
    """Ten rules and a queue, about 5 kB."""
    rules = "".join(_rule(number) for number in range(10))
    queue = (
        "queue_rules:\n  - name: default\n    batch_size: 4\n    queue_conditions: [check-success = build]\n"
    )
    return f"pull_request_rules:\n{rules}{queue}"


def _rule(number: int) -> str:
    return f"""  - name: rule {number} for pull requests of a component
    description: What a team would write about the reason for rule {number}
    conditions:
      - base = main
      - "#approved-reviews-by >= {number % 3 + 1}"
      - check-success = build and test of component {number}
      - files ~= ^components/c{number}/
      - -label ~= ^(wip|blocked)
      - or:
          - label = ready-{number}
          - author = dependabot[bot]
    actions:
      label:
        add: [component-{number}]
      comment:
        message: Thank you @{{{{ author }}}}, component {number} is on its way into {{{{ base }}}}.
"""


def largest_document() -> str:
    """As many conditions as fit into 1 MiB."""
    protections = "".join(
        f"  - name: protection {number}\n    if: []\n    success_conditions:\n"
        + "".join(f"      - check-success = suite {number} part {part}\n" for part in range(250))
        for number in range(100)
    )
    return f"merge_protections:\n{protections}"


def interleaved(*steps: Callable[[], object], rounds: int) -> list[float]:
    """The median time of each step; the steps alternate."""
    times: list[list[float]] = [[] for _ in steps]
    for _ in range(rounds):
        for row, step in zip(times, steps, strict=True):
            begun = time.perf_counter()
            step()
            row.append(time.perf_counter() - begun)
    return [statistics.median(row) for row in times]


def verdict(document: str) -> None:
    parsed.cache_clear()
    re.purge()
    assert not read_configuration(document, today=TODAY).errors


def main() -> None:
    usual, largest = usual_document(), largest_document()
    configuration = read_configuration(usual, today=TODAY).configuration
    assert configuration is not None
    _, recorded = next(iter(demo_pull_requests("demo/harbor", datetime.fromtimestamp(NOW / 1e6, UTC))))
    record = read_snapshot(recorded, number=recorded["pull"]["number"], now=NOW)

    def evaluation() -> None:
        evaluator = Evaluator(SnapshotView(record), NOW, lambda pattern, text: bool(pattern.search(text)))
        for rule in configuration.pull_request_rules:
            evaluator.evaluate(rule.conditions)

    load, judged, evaluated = interleaved(
        lambda: yaml.load(usual, yaml.CSafeLoader),
        lambda: verdict(usual),
        evaluation,
        rounds=_ROUNDS * 4,
    )
    print(f"typical document, {len(usual)} characters: YAML load {load * 1e3:.2f} ms")
    print(f"  validation / YAML load             {judged / load:.2f}   (at most 3)")
    print(f"  conditions of 10 rules / validation{evaluated / judged:.3f}  (under 0.1)")
    load, judged = interleaved(
        lambda: yaml.load(largest, yaml.CSafeLoader), lambda: verdict(largest), rounds=_ROUNDS // 3
    )
    print(f"largest document, {len(largest)} characters: YAML load {load * 1e3:.0f} ms")
    print(f"  validation / YAML load             {judged / load:.2f}   (at most 4)")


if __name__ == "__main__":
    main()
