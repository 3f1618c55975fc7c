"""A demo that began last week: `mergecast demo` continues it, and need not invent and send 90 days."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from mergecast.cli.commands.demo import send_history
from mergecast.cli.connection import connect
from mergecast.client.client import Client


def recent_monday(weeks_ago: int = 1) -> date:
    today = datetime.now(UTC).date()
    return today - timedelta(days=today.weekday(), weeks=weeks_ago)


def begin_history(data: Path) -> None:
    """Store the first day in a data folder that no server uses."""
    with connect(data, None, None, may_create=True, quiet=True) as client:
        send_first_day(client)


def send_first_day(client: Client) -> None:
    start = recent_monday()
    second_day = datetime.combine(start + timedelta(days=1), datetime.min.time(), UTC)
    send_history(client, "demo/harbor", start, second_day)
