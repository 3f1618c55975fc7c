"""Stores the events of a delivery."""

import asyncio

from mergecast.ingest.delivery import read_json, read_lines
from mergecast.model.repository import Repository
from mergecast.store.store import Store
from mergecast.store.values import Receipt

READERS = {"application/json": read_json, "application/x-ndjson": read_lines}


async def record(store: Store, repository: Repository, body: bytes, media_type: str, now: int) -> Receipt:
    """Store all events of the body, or none; done once they are durable."""
    # Reading thousands of events takes a while; in a thread, other requests are answered meanwhile.
    events = await asyncio.to_thread(READERS[media_type], body, now)
    return await store.record(repository, events)
