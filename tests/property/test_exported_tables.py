"""All statistics can be computed from the exported tables, without the server."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings

from live_server import LiveServer
from mergecast.queues.export.tables import TABLES
from property.compare import differences
from property.exported_facts import READERS, ExportedFacts
from property.oracle import STATISTICS, answer
from property.questions import History, ask, histories

pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")


@pytest.fixture(scope="module", autouse=True)
def short_pages() -> object:
    """Most tables of these histories have several pages."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("mergecast.queues.store.table_pages.PAGE", 3)
        yield


@settings(deadline=None, derandomize=True, max_examples=12)
@given(history=histories())
def test_the_tables_give_all_answers(
    shared_server: LiveServer,
    new_repository: Callable[[], str],
    tmp_path_factory: pytest.TempPathFactory,
    history: History,
) -> None:
    """As Parquet, from the embedded store."""
    _tables_give_all_answers(shared_server, new_repository(), history, tmp_path_factory.mktemp("p"))


@settings(deadline=None, derandomize=True, max_examples=8)
@given(history=histories())
def test_the_tables_give_all_answers_on_postgresql(
    database_backed_server: LiveServer,
    new_repository: Callable[[], str],
    tmp_path_factory: pytest.TempPathFactory,
    history: History,
) -> None:
    """As CSV, from a database."""
    folder = tmp_path_factory.mktemp("c")
    _tables_give_all_answers(database_backed_server, new_repository(), history, folder, "csv")


def _tables_give_all_answers(
    server: LiveServer, repository: str, history: History, folder: Path, format: str = "parquet"
) -> None:
    server.send(history.events, repository).raise_for_status()
    now = time.time_ns() // 1000
    answers = {name: ask(server, repository, name, history.asked).json() for name in STATISTICS}

    for table in TABLES:
        exported = server.quick.get(f"/v1/repos/{repository}/export/{table}", {"format": format})
        (folder / table).write_bytes(exported.content)
    facts = ExportedFacts({table: READERS[format](folder / table) for table in TABLES})

    for name, got in answers.items():
        assert [] == differences(answer(name, facts, history.asked, now), got, name)
