"""Who a handler works for."""

from starlette.requests import Request

from mergecast.access.rights import Admission

ADMISSION = "mergecast.admission"


def admission_of(request: Request) -> Admission:
    """Whom the guard let in; every request that is not to a public path has gone through it."""
    admission: Admission = request.scope[ADMISSION]
    return admission
