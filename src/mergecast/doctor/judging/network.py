"""Judges what servers answered: this service, its public URL, platforms and the OpenID Connect provider."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from mergecast.doctor.finding import Finding, error, ok, warning
from mergecast.doctor.observed import Answer, PlatformAnswers, ProviderAnswers, ServerAnswers, Unknown
from mergecast.incoming.sources.registry import SOURCES

_OK, _UNAUTHORIZED, _FORBIDDEN, _NOT_FOUND, _TOO_MANY = 200, 401, 403, 404, 429
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_READY, _ALIVE = "ready", "alive"


def judge_server(found: ServerAnswers | Unknown, version: str) -> Iterator[Finding]:
    """A server that should be running."""
    if isinstance(found, Unknown):
        yield error("server", found.reason)
        return
    yield _judge_readiness(found)
    if found.description is not None:
        its = (found.description.get("info") or {}).get("version")
        if its is not None and its != version:
            yield warning(
                "server",
                f"it is mergecast {its}, and this program is {version}",
                "install the same version here",
            )
    if found.ready.get("status") is None:
        return
    if found.repositories is None:
        advice = "pass one with --token or MERGECAST_TOKEN"
        yield warning("server", "without a token, its sources and channels were not checked", advice)
    elif found.repositories.status in (_UNAUTHORIZED, _FORBIDDEN):
        yield error(
            "server",
            f"it does not accept the token (status {found.repositories.status})",
            "pass another with --token or MERGECAST_TOKEN, "
            "such as the content of the server's file admin-token",
        )
    elif found.repositories.status != _OK:
        what = found.repositories.error or f"it answered {found.repositories.status}"
        yield error(
            "server",
            f"its list of repositories cannot be read at {found.url}/v1/repos: {what}",
            "check the address, and the path of a proxy before it",
        )


def _judge_readiness(found: ServerAnswers) -> Finding:
    ready, url = found.ready, found.url
    if ready.error is not None:
        return error(
            "server", f"no answer from {url}: {ready.error}", "is it running, and is the address right?"
        )
    if ready.get("status") is None:
        return error(
            "server",
            f"{url} is not a Mergecast server: {url}/readyz answered {ready.status}",
            "check the address, and the path of a proxy before it",
        )
    if ready.status != _OK:
        return error("server", f"{url} is not ready: {ready.get('detail')}", "see its log")
    if ready.get("status") != _READY:
        reason = ready.get("reason") or "it does not say why"
        return warning("server", f"{url} is {ready.get('status')}: {reason}", "see its log")
    return ok("server", f"{url} is ready")


def judge_own_address(found: ServerAnswers | Unknown, folder: Path) -> Finding:
    """No server owns the data folder: does anything answer at the address that one would take?"""
    advice = "choose another address with --host and --port, or MERGECAST_HOST and MERGECAST_PORT"
    if isinstance(found, Unknown):
        return warning("server", f"no server is running on {folder}", "start one with `mergecast serve`")
    if found.ready.error is not None and found.cannot_listen is not None:
        return error(
            "server", f"a server on {folder} cannot listen at {found.url}: {found.cannot_listen}", advice
        )
    if found.ready.error is not None:
        return warning("server", f"no server is running on {folder}", "start one with `mergecast serve`")
    if found.ready.get("status") is not None:
        return warning(
            "server",
            f"the server at {found.url} uses another store than {folder}",
            "name its folder with --data-dir, or the server with --url",
        )
    return error(
        "server",
        f"another program answers at {found.url}, where a server on {folder} would listen",
        advice,
    )


def judge_public_url(
    url: str | None, answer: Answer | Unknown | None, *, host: str, trusts_proxies: bool
) -> Iterator[Finding]:
    """The URL that users have, and what answered there."""
    check = "public URL"
    if url is None:
        if host in _LOOPBACK:
            yield ok(check, "not set: the service is used on this machine")
        else:
            yield warning(
                check,
                f"MERGECAST_PUBLIC_URL is not set, and the server listens on {host}",
                "set it to the address that users open, so that links and cookies are right",
            )
        return
    yield _judge_public_answer(url, answer)
    is_local = urlsplit(url).hostname in _LOOPBACK
    if url.startswith("http://") and not is_local:
        yield warning(
            check,
            f"{url} is not encrypted",
            "serve it over https, and begin MERGECAST_PUBLIC_URL with https://",
        )
    if url.startswith("https://") and not trusts_proxies:
        yield warning(
            check,
            f"{url} is behind a proxy, and MERGECAST_TRUSTED_PROXIES is not set, "
            "so limits count all users as one client",
            "set it to the address of the proxy, which must send X-Forwarded-For",
        )


def _judge_public_answer(url: str, answer: Answer | Unknown | None) -> Finding:
    check = "public URL"
    if isinstance(answer, Unknown) or answer is None or answer.error is not None:
        reason = (
            answer.reason if isinstance(answer, Unknown) else answer.error if answer else "it was not asked"
        )
        return warning(
            check,
            f"no answer from {url} as seen from here: {reason}",
            "open it in a browser; check the proxy and MERGECAST_PUBLIC_URL",
        )
    if answer.status == _OK and answer.get("status") == _ALIVE:
        return ok(check, f"{url} leads to a Mergecast server")
    what = f"answered {answer.status}" + (f" and redirects to {answer.location}" if answer.location else "")
    return error(
        check,
        f"MERGECAST_PUBLIC_URL disagrees with the proxy: {url}/healthz {what}",
        "set it to the URL that leads to this service, with the path that the proxy adds",
    )


def judge_platform(found: PlatformAnswers | Unknown, source: str) -> Iterator[Finding]:
    title, setting = SOURCES[source].title, f"MERGECAST_{SOURCES[source].token_setting.upper()}"
    if isinstance(found, Unknown):
        yield warning("platform", f"{title}: {found.reason}")
        return
    status, credential = found.probe.status, found.credential
    if found.probe.error is not None:
        yield _unreachable(found, title)
    elif credential is None:
        yield ok("platform", f"{found.url} answers; {setting} is not set")
    elif status == _OK:
        yield ok("platform", f"{found.url} accepts {credential}")
    elif status == _UNAUTHORIZED:
        yield error(
            "platform",
            f"{found.url} does not accept {credential} (401)",
            "create another, if it expired",
        )
    elif status == _FORBIDDEN:
        yield error(
            "platform",
            f"{found.url} refuses {credential} (403)",
            "authorize it for the organization",
        )
    else:
        advice = "wait, or use a token of your own" if status == _TOO_MANY else "check the URL"
        yield warning("platform", f"{found.url}{SOURCES[source].probe.path} answered {status}", advice)
    for repository, statuses in found.rights.items():
        yield _judge_rights(credential or setting, repository, statuses)


def _unreachable(found: PlatformAnswers, title: str) -> Finding:
    level = error if found.credential else warning
    return level(
        "platform",
        f"{title} cannot be reached at {found.url}: {found.probe.error}",
        "check the network and the firewall of this machine; Mergecast uses no proxy for outgoing requests",
    )


def _judge_rights(credential: str, repository: str, statuses: Mapping[str, int | None]) -> Finding:
    refused = [what for what, status in statuses.items() if status in (_UNAUTHORIZED, _FORBIDDEN)]
    missing = [what for what, status in statuses.items() if status == _NOT_FOUND]
    if not refused and not missing:
        return ok("platform", f"{credential} may read {repository}: {', '.join(statuses)}")
    if not refused:
        return _judge_missing(credential, repository, missing, is_all=len(missing) == len(statuses))
    if len(refused) == len(statuses):
        advice = "give it access, and check the name"
        return error("platform", f"{credential} may not read {repository}", advice)
    return error(
        "platform",
        f"{credential} may not read {', '.join(refused)} of {repository}",
        "give it read access",
    )


def _judge_missing(credential: str, repository: str, missing: Sequence[str], *, is_all: bool) -> Finding:
    """Platforms answer 404 also where a token may not read, to hide which names exist."""
    what = repository if is_all else f"{', '.join(missing)} of {repository}"
    return error(
        "platform",
        f"not found: {what} (404)",
        f"check the name; the answer is the same if {credential} may not read it",
    )


_SIGN_IN = "sign-in"
_ISSUER_ADVICE = "MERGECAST_OIDC_ISSUER must be the issuer exactly as the provider's document states it"


def judge_provider(found: ProviderAnswers | Unknown, public_url: str | None) -> Finding:
    if isinstance(found, Unknown):
        return error(_SIGN_IN, f"MERGECAST_OIDC_ISSUER: {found.reason}")
    if found.discovery.status != _OK:
        return error(_SIGN_IN, _unanswered(found.discovery_url, found.discovery), _ISSUER_ADVICE)
    if found.problem is not None:
        return error(_SIGN_IN, f"{found.discovery_url} {found.problem}", _ISSUER_ADVICE)
    if found.keys is None or found.keys.status != _OK:
        return error(
            _SIGN_IN,
            f"the keys of the provider cannot be read: {_unanswered(found.keys_url or '', found.keys)}",
            "so no one can sign in: check the provider",
        )
    if found.problem_of_keys is not None:
        return error(
            _SIGN_IN,
            f"{found.keys_url} {found.problem_of_keys}",
            "let the provider sign ID tokens with one of these algorithms",
        )
    return ok(
        _SIGN_IN,
        f"{found.issuer} answers as it should; "
        f"its redirect URI for this server must be {(public_url or '').rstrip('/')}/v1/session/oidc/return",
    )


def _unanswered(url: str, answer: Answer | None) -> str:
    if answer is None or answer.error is not None:
        return f"no answer from {url}: {answer.error if answer else 'it was not asked'}"
    return f"{url} answered {answer.status}"
