"""Every path in one table."""

from pathlib import Path

from mergecast.api.administration import AdministrationHandlers
from mergecast.api.events import EventHandlers
from mergecast.api.openapi import describe
from mergecast.api.products import ProductHandlers, ProductPage
from mergecast.api.public import PublicHandlers
from mergecast.api.pull_request_simulator import PullRequestSimulator
from mergecast.api.repository_simulator import RepositorySimulator
from mergecast.api.routing import Route
from mergecast.api.services import Services
from mergecast.api.simulator import SimulatorHandlers
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
    public = PublicHandlers(services, describe())
    products = ProductHandlers(services)
    simulator = SimulatorHandlers(services)
    snapshots = SnapshotHandlers(services)
    return [
        *(
            Route("GET", f"{_REPOSITORY}/stats/{name}", statistics_handler(statistic, services))
            for name, statistic in STATISTICS.items()
        ),
        Route("POST", f"{_REPOSITORY}/events", events.send),
        Route("GET", f"{_REPOSITORY}/events", events.read_out),
        Route("DELETE", f"{_REPOSITORY}/events", events.take_back),
        Route("DELETE", _REPOSITORY, events.forget),
        Route("GET", f"{_REPOSITORY}/products", products.show),
        Route("PUT", f"{_REPOSITORY}/products", products.replace),
        Route("POST", f"{_REPOSITORY}/configuration-simulator", simulator.configuration),
        Route("POST", f"{_REPOSITORY}/simulator", RepositorySimulator(services).simulate),
        Route("POST", f"{_PULL_REQUEST}/simulator", PullRequestSimulator(services).simulate),
        Route("PUT", f"{_PULL_REQUEST}/snapshot", snapshots.record),
        Route("GET", f"{_PULL_REQUEST}/snapshot", snapshots.show),
        Route("DELETE", f"{_PULL_REQUEST}/snapshot", snapshots.remove),
        Route("GET", "/v1/repos", administration.repositories),
        Route("POST", "/v1/admin/rebuild", administration.rebuild),
        Route("GET", "/v1/admin/backup", administration.backup),
        Route("GET", "/healthz", public.healthz),
        Route("GET", "/readyz", public.readyz),
        Route("GET", "/metrics", public.metrics),
        Route("GET", "/docs", public.docs),
        Route("GET", "/v1/openapi.json", public.openapi),
        Route("GET", "/v1/configuration-schema.json", simulator.schema),
        Route("GET", PRODUCTS_PAGE, ProductPage().show),
    ]
