"""Every statement names the repository for every table, so that one shard of a cluster can answer it."""

import re
from pathlib import Path

import pytest

from mergecast.queues.store.postgres.migrate import DISTRIBUTED
from mergecast.queues.store.sql_files import sql
from postgres.parameters import FILES

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "src" / "mergecast" / "queues" / "store" / "sql"
_FILES = (*FOLDER.glob("*.sql"), *FOLDER.glob("postgres/*.sql"))
_STATEMENTS = sorted({*(file.stem for file in _FILES), *FILES})
# These belong to no repository, and are answered by the coordinator.
_ON_COORDINATOR = frozenset(
    {
        *("ready", "application_keys", "leases", "names_of_repositories"),
        *("channels", "add_channel", "change_channel", "mark_channel", "delete_channel", "mark_digest"),
        *("notices", "add_notice", "mark_notice", "known_notices", "delete_notices", "waiting_beginnings"),
        *("delete_notices_of_channel", "mark_channel_as_sealed", "mark_channel_as_created"),
        *("added_sources", "add_added_source", "mark_added_source", "mark_added_source_as_sealed"),
        *("delete_added_source", "github_apps", "add_github_app", "set_installed_owners"),
        *("mark_github_app_as_sealed", "delete_github_app"),
        *("add_audit_line", "audit_page", "delete_old_audit_lines", "readable_audit_lines"),
    }
)
# These ask every worker: whether it answers, and once in a while for deliveries that wait for translation,
# or were translated by an earlier version, reference periods that wait for their comparison, removals to
# judge, and causes that wait to become notices.
_OF_ALL_WORKERS = frozenset(
    {
        *("every_part", "waiting_repositories", "repositories_to_compare", "repositories_with_causes"),
        *("repositories_with_ci_days", "outdated_repositories", "repositories_to_judge"),
    }
)
# For a scrape or a list of repositories, which ask for 50 of them at a time.
_OF_SEVERAL = (
    *("last_merges", "alerts_now", "queue_counts", "source_states", "stays_in_ci", "stays_of_present"),
    *("repository_figures", "thresholds"),
)
_USE = re.compile(r"\b(?:from|join|using|update)\s+(\w+)(?:\s+as\s+(\w+))?", re.IGNORECASE)


def test_every_table_is_restricted_to_the_repository() -> None:
    """As often as a distributed table is used, `repository_id = $1` is asked of one."""
    for name in sorted({*_STATEMENTS} - {*_ON_COORDINATOR, *_OF_ALL_WORKERS, *_OF_SEVERAL}):
        text, used = _distributed_tables(name)

        assert used, f"{name} uses no table"
        assert len(re.findall(r"repository_id\s*=\s*\$1", text)) >= len(used), name


@pytest.mark.parametrize("name", _OF_SEVERAL)
def test_a_statement_for_a_scrape_is_restricted_to_its_repositories(name: str) -> None:
    text, used = _distributed_tables(name)

    assert used, f"{name} uses no table"
    assert len(re.findall(r"repository_id\s*=\s*any\(cast\(\$1", text)) >= len(used)


@pytest.mark.parametrize("name", sorted(_ON_COORDINATOR))
def test_what_belongs_to_no_repository_needs_no_worker(name: str) -> None:
    _, used = _distributed_tables(name)

    assert [] == used


def _distributed_tables(name: str) -> tuple[str, list[str]]:
    """The text of a statement, and the tables in it that are distributed, as often as it uses them."""
    text = re.sub(r"--.*", "", sql(name, "postgres"))
    return text, [table for table, _ in _USE.findall(text) if table in DISTRIBUTED]
