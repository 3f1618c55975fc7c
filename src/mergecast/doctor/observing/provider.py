"""What the OpenID Connect provider answers: its document and its keys. It does not sign anyone in."""

import asyncio

from mergecast.doctor.observed import ProviderAnswers
from mergecast.doctor.observing.network import Asker

_OK = 200
_HEADERS = {"Accept": "application/json"}


def observe_provider(issuer: str | None, seconds: float) -> ProviderAnswers | None:
    async def observe(issuer: str) -> ProviderAnswers:
        asker = Asker(seconds)
        try:
            return await _ask_provider(asker, issuer)
        finally:
            await asker.close()

    return asyncio.run(observe(issuer)) if issuer else None


async def _ask_provider(asker: Asker, issuer: str) -> ProviderAnswers:
    # An installation without the server has no such settings, and not the libraries of these modules.
    from mergecast.access.key_sets import NoKeys, read_key_set  # noqa: PLC0415
    from mergecast.access.oidc_discovery import (  # noqa: PLC0415
        UnusableDocument,
        discovery_url,
        read_provider_document,
    )

    url = discovery_url(issuer)
    discovery = await asker.ask(url, _HEADERS)
    if discovery.status != _OK:
        return ProviderAnswers(issuer, url, discovery)
    try:
        keys_url = read_provider_document(discovery.body, issuer).jwks_uri
    except UnusableDocument as error:
        return ProviderAnswers(issuer, url, discovery, str(error))
    keys = await asker.ask(keys_url, _HEADERS)
    problem = None
    if keys.status == _OK:
        try:
            read_key_set(keys.body)
        except NoKeys as error:
            problem = str(error)
    return ProviderAnswers(issuer, url, discovery, None, keys_url, keys, problem)
