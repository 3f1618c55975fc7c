"""Signing in with GitHub: redirect to its page and back; a cookie ties the callback to the browser."""

from collections.abc import Mapping
from hmac import compare_digest
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.address import limit_key
from mergecast.access.credential import credential_of
from mergecast.access.errors import Forbidden, Refusal, TooManyRequests
from mergecast.access.github_app import SIGN_IN_LENGTH, GitHubApp, SignInAttempt
from mergecast.access.rights import AccessRequest, Right
from mergecast.api.cookies import cookie_value, set_cookie, signing_in
from mergecast.api.fair_shares import FairShare
from mergecast.api.openapi.operation import Operation
from mergecast.api.problems import HttpError
from mergecast.api.routing import GITHUB_PATH, GITHUB_RETURN_PATH, Route
from mergecast.api.services import Services
from mergecast.api.session import begin_session
from mergecast.errors import Unavailable
from mergecast.queues.model.instant import SECOND

_COOKIE = "mergecast_github"
_WAIT_SECONDS = 10.0
# What the dashboard reads from the fragment of its URL.
_FAILED = {"access_denied": "denied"}


class GitHubSignIn:
    def __init__(self, services: Services) -> None:
        self._services = services
        # Anyone may send invented codes. They must not take the calls to GitHub from those who sign in.
        self._exchanges = FairShare(4, 1, most_waiting=8, what="sign-ins with GitHub")

    @property
    def _app(self) -> GitHubApp:
        app = self._services.guard.github
        if app is None:
            message = "the operator has not set MERGECAST_GITHUB_CLIENT_ID and MERGECAST_GITHUB_CLIENT_SECRET"
            raise HttpError(404, f"signing in with GitHub is turned off: {message}")
        return app

    @property
    def _return_to(self) -> str:
        return f"{self._services.public_url}{GITHUB_RETURN_PATH}"

    async def start(self, _: Request, __: Mapping[str, str]) -> Response:
        """Send the browser to GitHub. The cookie is lax, because the callback comes from another site."""
        attempt = self._app.begin(self._services.now())
        address = self._app.address(attempt, self._return_to)
        seconds = SIGN_IN_LENGTH // SECOND
        cookie = set_cookie(self._services, _COOKIE, ".".join(attempt), seconds=seconds, same_site="Lax")
        return Response(None, 302, {"Location": address, "Set-Cookie": cookie})

    async def finish(self, request: Request, __: Mapping[str, str]) -> Response:
        """Exchange GitHub's code for a token, and begin a session with it."""
        app, query = self._app, dict(parse_qsl(request.scope["query_string"].decode("latin-1")))
        kept = cookie_value(self._services, request.scope["headers"], _COOKIE) or b"."
        state, _, verifier = kept.decode("latin-1").partition(".")
        attempt = SignInAttempt(state, verifier)
        is_own = compare_digest(state.encode(), query.get("state", "").encode())
        if not is_own or not query.get("code") or not app.has_begun(attempt, self._services.now()):
            return self._back(_FAILED.get(query.get("error", ""), "failed"))
        asked = signing_in(self._services, request, f"GET {GITHUB_RETURN_PATH}")
        try:
            token = await self._exchange(query["code"], attempt, asked)
            signed_in = await begin_session(self._services, credential_of(token), asked)
        except Refusal as refusal:
            self._services.guard.refuse(asked, refusal)
            return self._back("failed")
        except (Forbidden, TooManyRequests):
            return self._back("failed")
        except Unavailable:
            return self._back("unavailable")
        response = self._back(None)
        response.headers.append("Set-Cookie", signed_in.cookie)
        return response

    async def _exchange(self, code: str, attempt: SignInAttempt, asked: AccessRequest) -> bytes:
        """The user's token; an address whose codes GitHub has refused too often is not asked about again."""
        async with self._exchanges.turn(limit_key(asked.address), seconds=_WAIT_SECONDS):
            self._services.guard.spare_platform(asked)
            return await self._app.token(code, attempt.verifier, self._return_to)

    def _back(self, failure: str | None) -> Response:
        """Redirect to the dashboard; the fragment of the URL says why signing in failed."""
        fragment = f"#sign-in={failure}" if failure else ""
        gone = set_cookie(self._services, _COOKIE, "", seconds=0, same_site="Lax")
        location = f"{self._services.prefix}/{fragment}"
        return Response(None, 303, {"Location": location, "Set-Cookie": gone})


def github_routes(services: Services) -> list[Route]:
    handlers, tag = GitHubSignIn(services), "Session"
    start = Operation(
        tag, "Sign in with GitHub", {}, status=302, success="Redirect to GitHub", refusals=(404,)
    )
    finish = Operation(
        tag,
        "The callback of signing in with GitHub",
        {},
        status=303,
        success="Redirect to the dashboard",
        refusals=(404,),
    )
    return [
        Route("GET", GITHUB_PATH, Right.PUBLIC, handlers.start, start),
        Route("GET", GITHUB_RETURN_PATH, Right.PUBLIC, handlers.finish, finish),
    ]
