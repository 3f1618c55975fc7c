"""Repositories of which something is stored."""

from mergecast.api.services import Services
from mergecast.errors import NotFound
from mergecast.model.repository import Repository
from mergecast.store.catalog import KnownRepository


def find(services: Services, repository: Repository) -> KnownRepository:
    known = services.database.find(repository)
    if known is None:
        raise NotFound(f"the repository {repository} is not known here: no event of it is stored")
    return known
