"""Changes to stored deliveries: deleting them, and dropping old bodies."""

from dataclasses import replace

from mergecast.queues.model.instant import DAY
from mergecast.queues.store.delivery_rows import CursorRow, SourceRow
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.stored_rows import delete_rows
from mergecast.queues.store.values import Selection

# A dictionary is used for a day, and bodies compressed with it may be younger than it.
_DICTIONARY_LIFE = 2 * DAY
# A thread that concerns a queue is recognized within seconds; a day covers redelivered webhooks.
_UNCERTAIN_LIFE = 1 * DAY


def delete_deliveries(held: HeldRepository, selection: Selection) -> int:
    """Delete the selected deliveries; returns how many there were.

    A source without a period starts over. Otherwise its cursor stays: a server that follows the source would
    import the deleted period again.
    """
    deleted = held.change_rows("delete_selected_deliveries", *selection.parameters)
    if selection.start is selection.end is None:
        chosen = {} if selection.source is None else {"source": [selection.source]}
        delete_rows(held, CursorRow, **chosen)
    if deleted:
        _recount(held)
    return deleted


def drop_old_deliveries(held: HeldRepository, now: int, keep: int) -> int:
    """Drop the bodies of deliveries older than `keep`; returns how many there were.

    Deliveries that turned out not to concern a queue are deleted.
    """
    dropped = held.change_rows("drop_old_bodies", now - keep)
    held.change_rows("delete_old_dictionaries", now - keep - _DICTIONARY_LIFE)
    if held.change_rows("delete_old_uncertain_deliveries", now - _UNCERTAIN_LIFE):
        _recount(held)
        if held.state.is_empty:
            held.delete_everything()
            return dropped
    held.save(held.state)
    return dropped


def _recount(held: HeldRepository) -> None:
    ((deliveries,),) = held.rows("number_of_deliveries")
    counts = [SourceRow(*row) for row in held.rows("count_deliveries")]
    delete_rows(held, SourceRow)
    held.insert(counts)
    held.save(replace(held.state, deliveries=deliveries))
