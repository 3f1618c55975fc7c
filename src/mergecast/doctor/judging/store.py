"""Judges what the store said about itself."""

from collections.abc import Iterator

from mergecast.doctor.finding import Finding, error, ok, warning
from mergecast.doctor.observed import Unknown
from mergecast.queues.model.words import counted
from mergecast.queues.store.inspection import Inspection

_UTF8 = "UTF8"


def judge_store(found: Inspection | Unknown | None, place: str, *, is_database: bool) -> Iterator[Finding]:
    """`place` names the folder or the database; None means that there is no store in the folder."""
    check = "database" if is_database else "store"
    if found is None:
        yield error(
            check, f"there is no store in {place}", "`mergecast serve` and `mergecast demo` create one"
        )
    elif isinstance(found, Unknown):
        yield error(check, found.reason)
    else:
        yield ok(check, f"{found.software}, {_schema(found)}, {_content(found)}")
    if isinstance(found, Inspection):
        yield from _judge_encoding(found)
        yield from _judge_workers(found)


def _schema(found: Inspection) -> str:
    if found.schema == 0:
        return "no tables yet: `mergecast serve` creates them"
    if found.schema < found.known_schema:
        return f"schema {found.schema}, which the next start migrates to {found.known_schema}"
    return f"schema {found.schema}"


def _content(found: Inspection) -> str:
    return f"{counted(found.repositories, 'repository', 'repositories')}, {counted(found.events, 'event')}"


def _judge_encoding(found: Inspection) -> Iterator[Finding]:
    if found.encoding not in (None, _UTF8):
        yield error(
            "database",
            f"its encoding is {found.encoding}, which cannot store all characters",
            "create another with `createdb --encoding=UTF8 --template=template0`, and copy the data to it",
        )


def _judge_workers(found: Inspection) -> Iterator[Finding]:
    if not found.has_citus:
        return
    silent = [worker.address for worker in found.workers if not worker.answers]
    if silent:
        yield error(
            "database",
            f"no answer from {', '.join(silent)}, of {len(found.workers)} Citus workers; "
            "the repositories there cannot be read or changed",
            "start these workers, or see what they log",
        )
    elif found.workers:
        yield ok("database", f"all {len(found.workers)} Citus workers answer")
    else:
        yield warning("database", "this Citus cluster has no workers", "add them with `citus_add_node`")
