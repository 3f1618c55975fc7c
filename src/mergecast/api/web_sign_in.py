"""Signing in on another service's page: redirect there and back; a cookie ties both together."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hmac import compare_digest
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.address import limit_key
from mergecast.access.errors import Forbidden, Refusal, TooManyRequests
from mergecast.access.guard import Guard
from mergecast.access.rights import AccessRequest, Credential, Right
from mergecast.access.web_sign_in import SIGN_IN_LENGTH, NoAccess, SignInAttempt, WebSignIn
from mergecast.api.cookies import cookie_value, set_cookie, signing_in
from mergecast.api.fair_shares import FairShare
from mergecast.api.openapi.operation import Operation
from mergecast.api.problems import HttpError
from mergecast.api.routing import GITHUB_PATH, GITHUB_RETURN_PATH, OIDC_PATH, OIDC_RETURN_PATH, Route
from mergecast.api.services import Services
from mergecast.api.session import begin_session
from mergecast.errors import Unavailable
from mergecast.queues.model.instant import SECOND

_WAIT_SECONDS = 10.0
# What the dashboard reads from the fragment of its URL.
_FAILED = {"access_denied": "denied"}


@dataclass(frozen=True, slots=True)
class _Way:
    """One of the services that the operator can let people sign in with."""

    service: str
    path: str
    return_path: str
    cookie: str
    fragment: str  # names the way in the dashboard's URL if signing in failed
    settings: str  # that turn it on
    of: Callable[[Guard], WebSignIn | None]


_GITHUB = _Way(
    "GitHub",
    GITHUB_PATH,
    GITHUB_RETURN_PATH,
    "mergecast_github",
    "",
    "MERGECAST_GITHUB_CLIENT_ID and MERGECAST_GITHUB_CLIENT_SECRET",
    lambda guard: guard.github,
)
_OIDC = _Way(
    "OpenID Connect",
    OIDC_PATH,
    OIDC_RETURN_PATH,
    "mergecast_oidc",
    "&with=oidc",
    "MERGECAST_OIDC_ISSUER",
    lambda guard: guard.oidc,
)


class WebSignInHandlers:
    def __init__(self, services: Services, way: _Way) -> None:
        self._services, self._way = services, way
        # Anyone may send invented codes. They must not take the calls from those who sign in.
        self._exchanges = FairShare(4, 1, most_waiting=8, what=f"sign-ins with {way.service}")

    @property
    def _service(self) -> WebSignIn:
        service = self._way.of(self._services.guard)
        if service is None:
            message = f"the operator has not set {self._way.settings}"
            raise HttpError(404, f"signing in with {self._way.service} is turned off: {message}")
        return service

    @property
    def _return_to(self) -> str:
        return f"{self._services.public_url}{self._way.return_path}"

    async def start(self, _: Request, __: Mapping[str, str]) -> Response:
        """Send the browser there. The cookie is lax, because the callback comes from another site."""
        service = self._service
        attempt = service.attempts.begin(self._services.now())
        try:
            address = await service.address(attempt, self._return_to)
        except Unavailable:
            return self._back("unavailable")
        cookie = self._cookie(".".join(attempt), SIGN_IN_LENGTH // SECOND)
        return Response(None, 302, {"Location": address, "Set-Cookie": cookie})

    async def finish(self, request: Request, __: Mapping[str, str]) -> Response:
        """Exchange the code for a credential, and begin a session with it."""
        service, query = self._service, dict(parse_qsl(request.scope["query_string"].decode("latin-1")))
        kept = cookie_value(self._services, request.scope["headers"], self._way.cookie) or b"."
        state, _, verifier = kept.decode("latin-1").partition(".")
        attempt = SignInAttempt(state, verifier)
        is_own = compare_digest(state.encode(), query.get("state", "").encode())
        has_begun = is_own and service.attempts.has_begun(attempt, self._services.now())
        if not has_begun or not query.get("code"):
            return self._back(_FAILED.get(query.get("error", ""), "failed"))
        asked = signing_in(self._services, request, f"GET {self._way.return_path}")
        try:
            credential = await self._exchange(query["code"], attempt, asked)
            signed_in = await begin_session(self._services, credential, asked)
        except Refusal as refusal:
            self._services.guard.refuse(asked, refusal)
            return self._back("no-access" if isinstance(refusal, NoAccess) else "failed")
        except (Forbidden, TooManyRequests):
            return self._back("failed")
        except Unavailable:
            return self._back("unavailable")
        response = self._back(None)
        response.headers.append("Set-Cookie", signed_in.cookie)
        return response

    async def _exchange(self, code: str, attempt: SignInAttempt, asked: AccessRequest) -> Credential:
        """The user's credential; an address whose codes were refused too often is not asked about again."""
        async with self._exchanges.turn(limit_key(asked.address), seconds=_WAIT_SECONDS):
            self._services.guard.spare_platform(asked)
            return await self._service.credential(code, attempt, self._return_to)

    def _back(self, failure: str | None) -> Response:
        """Redirect to the dashboard; the fragment of the URL says why signing in failed."""
        fragment = f"#sign-in={failure}{self._way.fragment}" if failure else ""
        location = f"{self._services.prefix}/{fragment}"
        return Response(None, 303, {"Location": location, "Set-Cookie": self._cookie("", 0)})

    def _cookie(self, value: str, seconds: int) -> str:
        return set_cookie(self._services, self._way.cookie, value, seconds=seconds, same_site="Lax")


def web_sign_in_routes(services: Services) -> list[Route]:
    return [route for way in (_GITHUB, _OIDC) for route in _routes(services, way)]


def _routes(services: Services, way: _Way) -> list[Route]:
    handlers, tag = WebSignInHandlers(services, way), "Session"
    start = Operation(
        tag,
        f"Sign in with {way.service}",
        {},
        status=302,
        success=f"Redirect to {way.service if way is _GITHUB else 'the provider'}",
        refusals=(404,),
    )
    finish = Operation(
        tag,
        f"The callback of signing in with {way.service}",
        {},
        status=303,
        success="Redirect to the dashboard",
        refusals=(404,),
    )
    return [
        Route("GET", way.path, Right.PUBLIC, handlers.start, start),
        Route("GET", way.return_path, Right.PUBLIC, handlers.finish, finish),
    ]
