"""Judges whether people can sign in with the OpenID Connect provider."""

from mergecast.doctor.finding import Finding, error, ok
from mergecast.doctor.observed import Answer, ProviderAnswers, Unknown

_CHECK = "sign-in"
_OK = 200
_ADVICE = "MERGECAST_OIDC_ISSUER must be the issuer exactly as the provider's document states it"


def judge_provider(found: ProviderAnswers | Unknown, public_url: str | None) -> Finding:
    if isinstance(found, Unknown):
        return error(_CHECK, f"MERGECAST_OIDC_ISSUER: {found.reason}")
    if found.discovery.status != _OK:
        return error(_CHECK, _unanswered(found.discovery_url, found.discovery), _ADVICE)
    if found.problem is not None:
        return error(_CHECK, f"{found.discovery_url} {found.problem}", _ADVICE)
    if found.keys is None or found.keys.status != _OK:
        return error(
            _CHECK,
            f"the keys of the provider cannot be read: {_unanswered(found.keys_url or '', found.keys)}",
            "so no one can sign in: check the provider",
        )
    if found.problem_of_keys is not None:
        return error(
            _CHECK,
            f"{found.keys_url} {found.problem_of_keys}",
            "let the provider sign ID tokens with one of these algorithms",
        )
    return ok(
        _CHECK,
        f"{found.issuer} answers as it should; "
        f"its redirect URI for this server must be {(public_url or '').rstrip('/')}/v1/session/oidc/return",
    )


def _unanswered(url: str, answer: Answer | None) -> str:
    if answer is None or answer.error is not None:
        return f"no answer from {url}: {answer.error if answer else 'it was not asked'}"
    return f"{url} answered {answer.status}"
