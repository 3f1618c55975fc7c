"""`mergecast rebuild`: derive all facts from events again."""

from mergecast.cli import progress
from mergecast.cli.connection import connect
from mergecast.cli.options import DataDir, Token, Url, place
from mergecast.settings import Settings


def rebuild(data_dir: DataDir = None, url: Url = None, token: Token = None) -> None:
    """Derive the facts of every repository anew; events are stored meanwhile as ever."""
    done = 0
    with connect(place(Settings(), data_dir, url, token)) as client, progress.of_steps() as bars:
        bar = bars.add_task("rebuilding", total=None)
        for step in client.rebuild():
            done = step["done"]
            bars.update(bar, total=step["of"], completed=done, description=step["repository"])
    print(f"the facts of {done} repositories are rebuilt")
