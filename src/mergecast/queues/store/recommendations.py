"""The last recommendation for each base branch in the store. A copy has none: it is computed again."""

from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.rows import RecommendationRow
from mergecast.queues.store.stored_rows import delete_rows, read_rows


def read_recommendation(reader: Reader, repository_id: int, base_ref: str) -> RecommendationRow | None:
    rows = read_rows(reader, repository_id, RecommendationRow, base_ref=[base_ref])
    return rows[0] if rows else None


def put_recommendation(held: HeldRepository, row: RecommendationRow) -> None:
    """Keep a recommendation in place of the last one of its branch."""
    if held.state.id != row.repository_id:
        return  # the repository was deleted meanwhile, and there is another of its name
    delete_rows(held, RecommendationRow, base_ref=[row.base_ref])
    held.insert([row])
    held.save(held.state)
