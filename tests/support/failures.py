"""What fails on purpose."""

from rental_app.domain.errors import UnavailableError


def away(*_: object) -> None:
    raise UnavailableError("The service is busy")
