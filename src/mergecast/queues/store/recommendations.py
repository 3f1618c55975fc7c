"""The last recommendation for each base branch in the store. A copy has none: it is computed again."""

from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.recommendation_rows import RecommendationRow


def read_recommendation(reader: Reader, repository_id: int, base_ref: str) -> RecommendationRow | None:
    rows = reader.rows("recommendation", [repository_id, base_ref])
    return RecommendationRow(*rows[0]) if rows else None


def put_recommendation(held: HeldRepository, row: RecommendationRow) -> None:
    """Keep a recommendation in place of the last one of its branch."""
    if held.state.id != row.repository_id:
        return  # the repository was deleted meanwhile, and there is another of its name
    held.change_rows("delete_recommendation", row.base_ref)
    held.insert([row])
    held.save(held.state)
