"""Bars for long work, on standard error and only where a person watches."""

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)


def of_bytes() -> Progress:
    return _progress(DownloadColumn())


def of_steps() -> Progress:
    return _progress(MofNCompleteColumn())


def _progress(amount: ProgressColumn) -> Progress:
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), amount, TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
