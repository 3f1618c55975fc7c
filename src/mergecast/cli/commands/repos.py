"""`mergecast repos`: the repositories in a store."""

from mergecast.cli.connection import connect
from mergecast.cli.options import AsJson, DataDir, Token, Url
from mergecast.cli.output import print_json, print_table
from mergecast.cli.periods import read_zone


def repos(as_json: AsJson = False, data_dir: DataDir = None, url: Url = None, token: Token = None) -> int:
    """List the repositories, with the number of their events and the times of the first and last one."""
    with connect(data_dir, url, token) as client:
        listed = client.repositories()
    if as_json:
        print_json(listed)
        return 0
    if not listed:
        print("no repository yet; send events, or try `mergecast demo`")
        return 0
    zone = read_zone(None, utc=False)
    print_table(
        ("repository", "events", "first event", f"last event, {zone.name}"),
        [
            (
                f"{row['owner']}/{row['repository']}",
                f"{row['events']:,}",
                zone.shown_text(row["first_event_at"]),
                zone.shown_text(row["last_event_at"]),
            )
            for row in listed
        ],
    )
    return 0
