"""The pull-request simulator on recorded pull requests."""

from collections.abc import Iterator

import pytest

from api.recorded_pulls import SCENARIOS, Simulator, repository_of, scenario, simulator
from mergecast.model.instant import parse_instant

NAMES = sorted(folder.name for folder in SCENARIOS.iterdir() if folder.is_dir())
_QUEUE = "queue_rules: [{name: default}]\n"


@pytest.fixture(scope="module")
def simulating(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Simulator]:
    with simulator(tmp_path_factory.mktemp("simulator")) as made:
        yield made


@pytest.mark.parametrize("name", NAMES)
def test_scenarios(simulating: Simulator, name: str) -> None:
    """The whole answer, for pull requests a team would recognise."""
    document, recorded = scenario(name)
    repository, number = repository_of(recorded), recorded["pull"]["number"]
    simulating.clock.instant = parse_instant(recorded["recorded_at"])
    simulating.record(repository, recorded).raise_for_status()

    answers = [simulating.pull_request(repository, number, document) for _ in range(2)]

    assert [200, 200] == [answer.status_code for answer in answers], answers[0].text
    assert answers[0].content == answers[1].content
    found = answers[0].json()
    assert ["title", "summary", "deprecations"] == list(found)
    golden = (SCENARIOS / name / "summary.md").read_text(encoding="utf-8")
    assert golden == f"{found['title']}\n\n{found['summary']}\n"
