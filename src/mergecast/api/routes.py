"""Every path in one table."""

from pathlib import Path

from mergecast.access.rights import Right
from mergecast.api.administration import AdministrationHandlers
from mergecast.api.events import EventHandlers
from mergecast.api.keys import KeyHandlers
from mergecast.api.openapi.description import describe
from mergecast.api.products import ProductHandlers, ProductPage
from mergecast.api.public import PublicHandlers
from mergecast.api.routing import Route
from mergecast.api.services import Services
from mergecast.api.simulation.pull_request import PullRequestSimulator
from mergecast.api.simulation.repository import RepositorySimulator
from mergecast.api.simulation.validate import SimulatorHandlers
from mergecast.api.snapshots import SnapshotHandlers
from mergecast.api.statistics import statistics_handler
from mergecast.stats.published import STATISTICS

PRODUCTS_PAGE = "/repos/{owner}/{repository}/products"
PUBLIC_PATHS = frozenset({
    "/healthz", "/readyz", "/metrics", "/docs", "/v1/openapi.json", "/v1/configuration-schema.json",
    PRODUCTS_PAGE,
})  # fmt: skip

_REPOSITORY = "/v1/repos/{owner}/{repository}"
_PULL_REQUEST = f"{_REPOSITORY}/pulls/{{number}}"


def all_routes(services: Services, folder: Path) -> list[Route]:
    events = EventHandlers(services)
    administration = AdministrationHandlers(services, folder)
    keys = KeyHandlers(services)
    public = PublicHandlers(services, describe())
    products = ProductHandlers(services)
    simulator = SimulatorHandlers(services)
    snapshots = SnapshotHandlers(services)
    repositories, pulls = RepositorySimulator(services), PullRequestSimulator(services)
    return [
        *(
            Route("GET", f"{_REPOSITORY}/stats/{name}", Right.READ, statistics_handler(statistic, services))
            for name, statistic in STATISTICS.items()
        ),
        Route("POST", f"{_REPOSITORY}/events", Right.INGEST, events.send),
        Route("GET", f"{_REPOSITORY}/events", Right.READ, events.export),
        Route("DELETE", f"{_REPOSITORY}/events", Right.OPERATE, events.delete),
        Route("DELETE", _REPOSITORY, Right.OPERATE, events.forget),
        Route("GET", f"{_REPOSITORY}/products", Right.READ, products.show),
        Route("PUT", f"{_REPOSITORY}/products", Right.PRODUCTS, products.replace),
        Route(
            "POST",
            f"{_REPOSITORY}/configuration-simulator",
            Right.READ,
            simulator.configuration,
            is_costly=True,
        ),
        Route("POST", f"{_REPOSITORY}/simulator", Right.READ, repositories.simulate, is_costly=True),
        Route("POST", f"{_PULL_REQUEST}/simulator", Right.READ, pulls.simulate, is_costly=True),
        Route("PUT", f"{_PULL_REQUEST}/snapshot", Right.INGEST, snapshots.record, is_costly=True),
        Route("GET", f"{_PULL_REQUEST}/snapshot", Right.INGEST, snapshots.show),
        Route("DELETE", f"{_PULL_REQUEST}/snapshot", Right.INGEST, snapshots.remove),
        Route("GET", "/v1/repos", Right.LIST, administration.repositories),
        Route("POST", "/v1/keys", Right.OPERATE, keys.make),
        Route("GET", "/v1/keys", Right.OPERATE, keys.list),
        Route("DELETE", "/v1/keys/{id}", Right.OPERATE, keys.revoke),
        Route("POST", "/v1/admin/rebuild", Right.OPERATE, administration.rebuild),
        Route("GET", "/v1/admin/backup", Right.OPERATE, administration.backup),
        Route("GET", "/healthz", Right.PUBLIC, public.healthz),
        Route("GET", "/readyz", Right.PUBLIC, public.readyz),
        Route("GET", "/metrics", Right.PUBLIC, public.metrics),
        Route("GET", "/docs", Right.PUBLIC, public.docs),
        Route("GET", "/v1/openapi.json", Right.PUBLIC, public.openapi),
        Route("GET", "/v1/configuration-schema.json", Right.PUBLIC, simulator.schema),
        Route("GET", PRODUCTS_PAGE, Right.PUBLIC, ProductPage().show),
    ]
