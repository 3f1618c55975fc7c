"""The kinds of credentials in the OpenAPI document, and which of them give a right."""

from typing import Any

from mergecast.access.rights import Right

_ADMIN = "AdminTokenBearerAuth"
_APPLICATION = "ApplicationKeyBearerAuth"
_SERVICE = "ServiceTokenBearerAuth"
_PLATFORM = "CodeHostingTokenBearerAuth"

SCHEMES: dict[str, Any] = {
    _ADMIN: {"type": "http", "scheme": "bearer", "description": "The operator's token: allows everything."},
    _APPLICATION: {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "mck_<id>_<secret>",
        "description": "A key for one owner, made by the operator: reads, and with the scopes `ingest` and "
        "`admin` also sends events and sets products.",
    },
    _SERVICE: {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": "A token from an issuer that the operator trusts, such as the OIDC token of a GitHub "
        "Actions job: reads the repositories in its claim `repository` or `repository_owner`.",
    },
    _PLATFORM: {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "ghp_, github_pat_, gho_, ghu_ or ghs_",
        "description": "A token of the code-hosting platform: reads what it can see there, and with "
        "permission to push also sends events.",
    },
}

_KINDS = {
    Right.PUBLIC: (),
    Right.LIST: tuple(SCHEMES),
    Right.READ: tuple(SCHEMES),
    Right.INGEST: (_ADMIN, _APPLICATION, _PLATFORM),
    Right.PRODUCTS: (_ADMIN, _APPLICATION),
    Right.OPERATE: (_ADMIN,),
}


def security(right: Right) -> list[dict[str, list[str]]]:
    """One of these schemes is enough."""
    return [{name: []} for name in _KINDS[right]]
