"""`mergecast rebuild`: recompute the derived data of every repository."""

from mergecast.cli.connection import connect
from mergecast.cli.options import HERE, Server
from mergecast.cli.output import steps_progress
from mergecast.queues.model.words import counted


def rebuild(server: Server = HERE) -> None:
    """Recompute the derived data of every repository from its events; ingest continues."""
    done = 0
    with connect(*server) as client, steps_progress() as bars:
        bar = bars.add_task("rebuilding", total=None)
        for step in client.rebuild():
            done = step.done
            bars.update(bar, total=step.of, completed=done, description=step.repository)
    print(f"recomputed the derived data of {counted(done, 'repository', 'repositories')}")
