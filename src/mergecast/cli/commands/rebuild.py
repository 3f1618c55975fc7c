"""`mergecast rebuild`: recompute the derived data of every repository."""

from mergecast.cli.connection import connect
from mergecast.cli.options import DataDir, Token, Url
from mergecast.cli.output import counted, steps_progress


def rebuild(data_dir: DataDir = None, url: Url = None, token: Token = None) -> None:
    """Recompute the derived data of every repository from its events; ingest continues."""
    done = 0
    with connect(data_dir, url, token) as client, steps_progress() as bars:
        bar = bars.add_task("rebuilding", total=None)
        for step in client.rebuild():
            done = step["done"]
            bars.update(bar, total=step["of"], completed=done, description=step["repository"])
    print(f"recomputed the derived data of {counted(done, 'repository', 'repositories')}")
