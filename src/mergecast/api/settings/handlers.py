"""`GET` and `PUT …/settings`."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.errors import Forbidden
from mergecast.access.rights import Right
from mergecast.api.openapi.operation import Operation, json_body
from mergecast.api.parameters import ANY_TEXT, QUERY, Parameter, read_input
from mergecast.api.problems import HttpError
from mergecast.api.request_body import RequestBody
from mergecast.api.responses import etag_headers, json_response, matches_etag
from mergecast.api.routing import REPOSITORY_PATH, Route, admission_of
from mergecast.api.rules import unknown_queues
from mergecast.api.services import Handlers, Services
from mergecast.api.settings.differences import differences
from mergecast.api.settings.document import (
    EXAMPLE,
    NOTIFICATIONS,
    SCHEMA,
    SECTIONS,
    Document,
    Settings,
    etag_of,
    in_order,
    read_document,
    shown_settings,
)
from mergecast.errors import FieldError, InvalidInput
from mergecast.queues.answers import settings as answers
from mergecast.queues.model.nearest import nearest
from mergecast.queues.model.reference_period import QueueHour, ReferencePeriod
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.threshold import SetThreshold
from mergecast.queues.store.channel_rows import put_rules_in, read_channels_in
from mergecast.queues.store.ci.prices import delete_prices, prices_of, put_prices
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.reference_periods import (
    delete_reference_period,
    periods_of,
    put_reference_period,
    read_pinned,
)
from mergecast.queues.store.stored_rows import ReadRows, of_repository
from mergecast.queues.store.thresholds import put_thresholds, thresholds_of
from mergecast.queues.store.values import KnownRepository
from mergecast.signals.alerts.pinning import WantedPeriod, check_period, pin, wanted_of
from mergecast.signals.notices.channel import Channel, to_row, with_rules
from mergecast.signals.notices.scope import Scope, channels_of, scope_of

_BODY = RequestBody(1 << 20, may_be_gzip=False)
_MOST_NAMED = 10
_MOST_NOTED = 100  # changes in a line of the audit
_IF_MATCH = Parameter("If-Match", "header", ANY_TEXT, "The ETag of the settings that are changed")
_CHANGED = "the settings have changed since they were read; read them again, and change those"
_WEAK = "; a tag with W/ before it never matches: send it without"
_UNNAMED = (
    "PUT needs the header If-Match with the ETag of the settings that you read, so that no change is lost"
)

Pinned = tuple[ReferencePeriod, Sequence[QueueHour]]


class _Present(NamedTuple):
    """What a repository has: its settings, its queues, and what is needed to pin new periods."""

    settings: Settings
    queues: Collection[tuple[str, str]]
    pinned: Sequence[Pinned]
    errors: Sequence[FieldError]


class SettingsHandlers(Handlers):
    async def show(self, request: Request, segments: Mapping[str, str]) -> Response:
        """The settings, with their ETag."""
        repository = read_input(request, segments).repository
        known, channels = await self._services.known(repository), await self._channels(repository)
        settings = await self._services.query(
            request, known.id, lambda reader: _settings(of_repository(reader, known.id), channels)
        )
        shown = self._shown(request, repository, settings)
        etag = etag_of(shown)
        if matches_etag(request, etag):
            return Response(status_code=304, headers=etag_headers(etag))
        return _tagged(shown, etag)

    async def replace(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Change the sections that are given, all together; the response is sent once that is durable."""
        _BODY.check_head(request)
        given = read_input(request, segments, ("dry_run",))
        if_match = ",".join(request.headers.getlist("if-match"))
        if not if_match:
            raise HttpError(428, _UNNAMED)
        async with _BODY.read(self._services.buffers, request) as body:
            document, errors = read_document(body)
        if NOTIFICATIONS in document.sections:
            self._check_right(request, given.repository)
        known, channels = await self._services.known(given.repository), await self._channels(given.repository)
        work = partial(_present, known=known, channels=channels, document=document, now=self._services.now())
        present = await self._services.query(request, known.id, work)
        if not errors:
            # A body that is wrong in itself stays wrong; what else is may have come with another version.
            _check_match(if_match, etag_of(self._shown(request, given.repository, present.settings)))
        errors += [*present.errors, *await self._wrong_channels(given.repository, document, present)]
        if errors:
            raise InvalidInput(sorted(errors, key=_place))
        wanted = document.applied_to(present.settings)
        changes = differences(present.settings, wanted)
        if changes and not given.values.get("dry_run"):
            await self._change(known, present, wanted)
            await self._note(request, "settings changed", given.repository, changes=_noted(changes))
        shown = self._shown(request, given.repository, wanted)
        return _tagged(answers.ChangedSettings(shown, changes), etag_of(shown))

    async def _change(self, known: KnownRepository, present: _Present, wanted: Settings) -> None:
        scope = await self._scope(known.repository)
        work = partial(_write, scope=scope, present=present, wanted=wanted)
        await self._services.change(known.repository, work)
        if present.pinned or wanted.thresholds != present.settings.thresholds:
            self._services.watch.forget_levels(known)

    async def _scope(self, repository: Repository) -> Scope:
        return await scope_of(self._services.database, repository)

    async def _channels(self, repository: Repository) -> list[Channel]:
        return await self._services.channels.of(await self._scope(repository))

    async def _wrong_channels(
        self, repository: Repository, document: Document, present: _Present
    ) -> list[FieldError]:
        if not document.notifications:
            return []
        owners = await self._services.channels.of((await self._scope(repository)).of_owner)
        return [*_wrong_channels(document, present, {channel.name for channel in owners})]

    def _check_right(self, request: Request, repository: Repository) -> None:
        if not self._may_see_channels(request, repository):
            raise Forbidden

    def _may_see_channels(self, request: Request, repository: Repository) -> bool:
        return admission_of(request).caller.may(Right.CHANNELS, repository)

    def _shown(self, request: Request, repository: Repository, settings: Settings) -> answers.Settings:
        return shown_settings(settings, with_notifications=self._may_see_channels(request, repository))


def _tagged(content: object, etag: str) -> Response:
    response = json_response(content)
    response.headers.update(etag_headers(etag))
    return response


def _place(error: FieldError) -> list[tuple[bool, int, str]]:
    """Errors in the order in which settings are shown."""
    _, section, *parts = [*error.name.split("/"), ""]
    first = SECTIONS.index(section) if section in SECTIONS else -1
    return [
        (False, first, ""),
        *((not part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts),
    ]


def _noted(changes: Sequence[str]) -> list[str]:
    more = len(changes) - _MOST_NOTED
    return [*changes[:_MOST_NOTED], *([f"and {more:,} more"] if more > 0 else [])]


def _check_match(if_match: str, etag: str) -> None:
    """Strong comparison, as RFC 9110 demands; a proxy that compresses answers makes their tags weak."""
    tags = {tag.strip() for tag in if_match.split(",")}
    if not tags & {"*", etag}:
        is_weak = f"W/{etag}" in tags
        raise HttpError(412, f"{_CHANGED}{_WEAK if is_weak else ''}")


def _settings(read: ReadRows, channels: Sequence[Channel]) -> Settings:
    return Settings(
        in_order(thresholds_of(read)),
        tuple(wanted_of(period) for period in periods_of(read)),
        prices_of(read),
        {channel.name: channel.options.rules for channel in channels},
    )


def _present(
    reader: Reader, known: KnownRepository, channels: Sequence[Channel], document: Document, now: int
) -> _Present:
    settings = _settings(of_repository(reader, known.id), channels)
    queues = {(group.base_ref, group.queue_name) for group in reader.groups(known.id).values()}
    errors = [*_unknown_names(document, settings, queues)] if queues else []
    pinned = []
    before = {one.name: one for one in settings.reference_periods}
    for place, wanted in document.reference_periods.items():
        if wanted == before.get(wanted.name):
            continue
        try:
            check_period(wanted.window, now)
            pinned.append(_pinned(reader, known.id, before.get(wanted.name), wanted, now))
        except InvalidInput as invalid:
            errors += [FieldError("body", f"{place}{error.name}", error.message) for error in invalid.errors]
    return _Present(settings, queues, pinned, errors)


def _pinned(
    reader: Reader, repository_id: int, before: WantedPeriod | None, wanted: WantedPeriod, now: int
) -> Pinned:
    """If only the limits change, the period keeps the hours that it was pinned with."""
    is_kept = before is not None and before._replace(limits=wanted.limits) == wanted
    hours = read_pinned(reader, repository_id, wanted.name) if is_kept else ()
    return pin(reader, repository_id, wanted, now, hours)


def _unknown_names(
    document: Document, present: Settings, queues: Collection[tuple[str, str]]
) -> Iterator[FieldError]:
    """A misspelled name would have no effect, and nothing would say so; those that are stored may stay."""
    stored = {(one.base_ref, one.queue_name) for one in present.thresholds}
    for place, one in document.thresholds.items():
        is_stored = (one.base_ref, one.queue_name) in stored
        if not is_stored and not any(one.is_for(*queue) for queue in queues):
            yield _unknown_name(place, one, queues)
    names = sorted({queue_name for _, queue_name in queues})
    for place, (channel, rules) in document.notifications.items():
        known = {
            *names,
            *(name for rule in present.notifications.get(channel, ()) for name in rule.queues or ()),
        }
        yield from unknown_queues(rules, sorted(known), f"{place}/rules")


def _unknown_name(place: str, one: SetThreshold, queues: Collection[tuple[str, str]]) -> FieldError:
    column = 1 if one.queue_name is not None else 0
    name, field = one.place[1 + column] or "", ("base_ref", "queue_name")[column]
    meant = nearest(name, sorted({queue[column] for queue in queues}))
    on = f" on {one.base_ref}" if column and one.base_ref is not None else ""
    what = f"there is no {'queue' if column else 'branch'} {name}{on}"
    hint = f"did you mean {meant}?" if meant and meant != name else f"there are {_listed(queues)}"
    return FieldError("body", f"{place}/{field}", f"{what}; {hint}")


def _listed(queues: Collection[tuple[str, str]]) -> str:
    shown = [f"{name} on {base_ref}" for base_ref, name in sorted(queues)[:_MOST_NAMED]]
    more = len(queues) - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more else "")


def _wrong_channels(document: Document, present: _Present, of_owner: Collection[str]) -> Iterator[FieldError]:
    known = present.settings.notifications
    for place, (name, _) in document.notifications.items():
        if name in known:
            continue
        if name in of_owner:
            message = f"{name} is a channel of the owner; change its rules among the owner's channels"
        elif meant := nearest(name, known):
            message = f"there is no channel {name}; did you mean {meant}?"
        else:
            has = f"there are {', '.join(known)}" if known else "create it with POST …/channels first"
            message = f"there is no channel {name}; {has}"
        yield FieldError("body", f"{place}/channel", message)


def _write(held: HeldRepository, scope: Scope, present: _Present, wanted: Settings) -> None:
    """Write what differs, or nothing if the settings have changed since they were read."""
    before = present.settings
    rows = {row.id: row for row in read_channels_in(held.shared)}
    channels = channels_of(scope, rows.values())
    if _settings(held.rows, channels) != before:
        raise HttpError(412, _CHANGED)
    if wanted.thresholds != before.thresholds:
        put_thresholds(held, wanted.thresholds)
    kept = {period.name for period in wanted.reference_periods}
    for period in before.reference_periods:
        if period.name not in kept:
            delete_reference_period(held, period.name, held.now)
    for pinned, hours in present.pinned:
        put_reference_period(held, pinned, hours)
    if wanted.prices != before.prices:
        _write_prices(held, wanted)
    for channel in channels:
        rules = wanted.notifications[channel.name]
        if rules == channel.options.rules:
            continue
        if not put_rules_in(held.shared, rows[channel.id], to_row(with_rules(channel, rules)).document):
            raise HttpError(412, _CHANGED)


def _write_prices(held: HeldRepository, wanted: Settings) -> None:
    if wanted.prices is None:
        delete_prices(held)
    else:
        put_prices(held, wanted.prices)


def settings_routes(services: Services) -> list[Route]:
    handlers, path, tag = SettingsHandlers(services), f"{REPOSITORY_PATH}/settings", "Configuration"
    show = Operation(
        tag,
        "What is set for a repository: thresholds, reference periods, prices and notification rules",
        answers.Settings,
        is_cached=True,
    )
    replace = Operation(
        tag,
        "Change settings: a section that is left out stays as it is, and null deletes it",
        answers.ChangedSettings,
        (_IF_MATCH, QUERY["dry_run"]),
        json_body(SCHEMA, EXAMPLE),
        refusals=(412, 428),
    )
    return [
        Route("GET", path, Right.READ, handlers.show, show),
        Route("PUT", path, Right.SETTINGS, handlers.replace, replace),
    ]
