"""What the packages of sources say about themselves is true, and saying it loads nothing else."""

import subprocess
import sys
from pathlib import Path

import pytest

from history.recorded import enters, leaves, runs
from mergecast.forecasting.forecast.requirements import OF_KIND
from mergecast.forecasting.history.inference import infer
from mergecast.forecasting.history.reading import read_history
from mergecast.incoming.sources.registry import SOURCES
from mergecast.incoming.sources.source import Source
from mergecast.queues.model.instant import HOUR, Window

_GOLDEN = Path(__file__).with_name("golden")
_PAGES = Path(__file__).parents[2] / "docs" / "sources"
# What shows in the events of a source that these statistics count something.
_SIGNS = {
    "batch_bisection": "bisection_started",
    "checks_retries": "attempt 2",
    "skip_intermediate_results": "PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED",
}

_every_source = pytest.mark.parametrize("source", SOURCES.values(), ids=list(SOURCES))


@_every_source
def test_a_source_never_reports_what_it_says(source: Source) -> None:
    """The statistics that stay empty are those whose events no story of the source contains."""
    stories = "".join(path.read_text() for path in (_GOLDEN / source.name).glob("*.txt"))

    assert "queue_entered" in stories
    assert sorted(source.empty_statistics) == [name for name, sign in _SIGNS.items() if sign not in stories]


@_every_source
def test_its_page_says_what_it_does_not_report(source: Source) -> None:
    """Readers find there which statistics stay empty, and what to set."""
    page = (_PAGES / f"{source.name}.md").read_text()

    assert [] == [name for name in source.empty_statistics if f"`{name}`" not in page]
    assert [] == [name for name in source.settings if f"MERGECAST_{name.upper()}" not in page]


@_every_source
def test_forecasts_know_the_mechanics_that_it_names(source: Source) -> None:
    """For its events a forecast replays that kind of queue, whatever else they look like: here, batches."""
    events = []
    for number in range(0, 20, 2):
        begun, pulls = number * 3600, (number, number + 1)
        events += [enters(begun, pull) for pull in pulls]
        events += runs((begun + 10, begun + 600), f"b{number}", pulls)
        events += [leaves(begun + 610, pull) for pull in pulls]
    history = [event._replace(source=source.name) for event in events]

    (found,) = infer(read_history(history, Window(0, 30 * HOUR)))

    assert (source.forecast_kind or "mergify") == found.kind
    assert found.kind in OF_KIND


@pytest.mark.parametrize("module", ["mergecast.cli.main", "mergecast.settings", "mergecast.cli.import_run"])
def test_descriptions_load_no_part_of_a_source(module: str) -> None:
    """Commands and settings know all sources and load none of them; an import knows no store."""
    code = f"import sys, {module}; print('\\n'.join(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    modules = loaded.split()
    packages = [f"mergecast.incoming.sources.{name.replace('-', '_')}" for name in SOURCES]

    assert set(packages) <= set(modules)
    assert [] == [name for name in modules if name.startswith(tuple(f"{package}." for package in packages))]
    if module != "mergecast.settings":
        assert [] == [name for name in modules if name.startswith("mergecast.queues.store")]
