"""Which version of the program applied each migration of a store, so that a refusal can name it."""

from mergecast import __version__
from mergecast.queues.store.errors import StoreTooNew

# What the list of migrations says about those that were applied when it had no versions yet.
UNRECORDED = "before 0.1.0"


def too_new(what: str, schema: int, program: str | None, known: int) -> StoreTooNew:
    """The refusal of a store with a migration that this program does not know."""
    version = program if program not in (None, UNRECORDED) else None
    by = f"mergecast {version}" if version else "a version of mergecast that it does not name"
    wanted = f"mergecast {version} or a newer version" if version else "a newer version of mergecast"
    return StoreTooNew(
        f"{what} was last migrated by {by}, to schema {schema}; this is mergecast {__version__}, which knows "
        f"schemas up to {known}: install {wanted}, or restore a backup made before the upgrade"
    )
