"""Which scopes does the pull request have, and does it run alone?"""

from __future__ import annotations

from dataclasses import replace

from mergecast.conditions.facts.snapshot_view import SnapshotView
from mergecast.configuration.models.configuration import Configuration
from mergecast.configuration.models.scopes import BarrierFiles, FileFilter, FilesSource
from mergecast.model.snapshot import Part, Snapshot
from mergecast.rules.simulation import ScopesResult


def find_scopes(configuration: Configuration, snapshot: Snapshot) -> ScopesResult | None:
    """The scopes of the changed files, or the uploaded ones; None if the document configures no scopes."""
    source = configuration.scopes.source
    if source is None:
        return None
    if not isinstance(source, FilesSource):
        missing = Part.SCOPES.absent if snapshot.scopes is None else None
        return ScopesResult(tuple(sorted(snapshot.scopes or ())), False, (), missing)
    if snapshot.files is None:
        return ScopesResult((), False, (), Part.FILES.absent)
    paths = SnapshotView(snapshot).paths
    names = (name for name, files in source.files.items() if any(_has(files, path) for path in paths))
    barrier = configuration.scopes.barrier_files
    barrier_files = tuple(sorted(path for path in paths if barrier and _has(barrier, path)))
    return ScopesResult(tuple(sorted(names)), bool(barrier_files), barrier_files)


def with_scopes(snapshot: Snapshot, scopes: ScopesResult | None) -> Snapshot:
    """The snapshot with these scopes, for conditions on scopes."""
    if scopes is None:
        return replace(snapshot, scopes=())
    return replace(snapshot, scopes=None if scopes.missing else scopes.names)


def _has(files: FileFilter | BarrierFiles, path: str) -> bool:
    """Without `include` patterns, every file is included."""
    included = not files.include or any(glob.matches(path) for glob in files.include)
    return included and not any(glob.matches(path) for glob in files.exclude)
