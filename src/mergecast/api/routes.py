"""Every route of the service; each handler module lists its own."""

from functools import cache
from pathlib import Path

from mergecast.api.added_sources import added_source_routes
from mergecast.api.administration import administration_routes
from mergecast.api.alerts import alerts_route
from mergecast.api.audit import audit_routes
from mergecast.api.badges import badge_routes
from mergecast.api.changes import changes_route
from mergecast.api.channels import channel_routes
from mergecast.api.dashboard_files import dashboard_routes
from mergecast.api.events import event_routes
from mergecast.api.explanation import explanation_route
from mergecast.api.exports import table_export_route
from mergecast.api.forecast import forecast_routes
from mergecast.api.forecast_recommendation import recommendation_route
from mergecast.api.freshness import freshness_route
from mergecast.api.github_apps import github_app_routes
from mergecast.api.hooks import hook_routes
from mergecast.api.keys import key_routes
from mergecast.api.live import live_route
from mergecast.api.log import log_route
from mergecast.api.mcp import mcp_route
from mergecast.api.openapi.description import describe
from mergecast.api.products import product_routes
from mergecast.api.public import public_routes
from mergecast.api.pull_history import pull_description_route, pull_history_route, pull_search_route
from mergecast.api.pull_state import pull_state_route
from mergecast.api.queue import queue_route
from mergecast.api.queue_metrics import queue_metrics_routes
from mergecast.api.reference_periods import reference_routes
from mergecast.api.repositories import repositories_route
from mergecast.api.routing import Route
from mergecast.api.services import Services
from mergecast.api.session import session_routes
from mergecast.api.settings.handlers import settings_routes
from mergecast.api.simulation.simulate import simulation_routes
from mergecast.api.simulation.validate import configuration_routes, current_document_route
from mergecast.api.snapshots import snapshot_routes
from mergecast.api.sources import source_routes
from mergecast.api.statistics import statistics_routes
from mergecast.api.subscriptions import subscription_routes
from mergecast.api.threshold_preview import threshold_preview_route
from mergecast.api.thresholds import thresholds_route
from mergecast.api.verdicts import verdict_routes
from mergecast.api.waiting import Waiting
from mergecast.api.web_sign_in import web_sign_in_routes


def all_routes(services: Services, folder: Path) -> list[Route]:
    @cache
    def description() -> bytes:
        return describe(routes)

    waiting = Waiting(services)
    routes = [
        *statistics_routes(services),
        queue_route(services),
        *queue_metrics_routes(services),
        alerts_route(services),
        thresholds_route(services),
        threshold_preview_route(services),
        *reference_routes(services),
        *settings_routes(services),
        pull_history_route(services, waiting),
        pull_state_route(services, waiting),
        pull_search_route(services),
        pull_description_route(services),
        *verdict_routes(services),
        *audit_routes(services),
        changes_route(services),
        freshness_route(services),
        live_route(services),
        mcp_route(services),
        *badge_routes(services),
        *forecast_routes(services),
        explanation_route(services),
        recommendation_route(services),
        *event_routes(services),
        table_export_route(services),
        *hook_routes(services),
        *source_routes(services),
        *added_source_routes(services),
        *github_app_routes(services),
        *product_routes(services),
        *configuration_routes(services),
        *simulation_routes(services),
        current_document_route(services),
        *snapshot_routes(services),
        *channel_routes(services),
        *subscription_routes(services),
        *key_routes(services),
        *session_routes(services),
        log_route(services),
        *web_sign_in_routes(services),
        repositories_route(services),
        *administration_routes(services, folder),
        *public_routes(services, folder, description),
        *dashboard_routes(services),
    ]
    return routes
