"""Refusals: requests the product turns down, with a message for people, a stable code and the true HTTP status."""

from collections.abc import Mapping


class RentalError(Exception):
    """A request refused for a reason its sender can understand."""

    status = 400
    code = "bad_request"

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        fields: Mapping[str, str] | None = None,
        retry_after: int | None = None,
        details: Mapping[str, object] | None = None,
    ) -> None:
        """`fields` maps field names to what is wrong with each; `retry_after` is in seconds.

        `details` are wire shapes of the current state, keyed by their names in the response.
        """
        super().__init__(message)
        self.message = message
        self.code = code or self.code
        self.fields = dict(fields or {})
        self.retry_after = retry_after
        self.details = dict(details or {})


class InvalidInputError(RentalError):
    """Something sent breaks a rule; `fields` names it."""

    status = 422
    code = "invalid_input"


class NotAuthenticatedError(RentalError):
    """No token, or one that is not valid any more."""

    status = 401
    code = "not_authenticated"


class ForbiddenError(RentalError):
    """The sender is authenticated but may not do this."""

    status = 403
    code = "forbidden"


class NotFoundError(RentalError):
    """There is nothing there, or nothing the sender may know about."""

    status = 404
    code = "not_found"


class ConflictError(RentalError):
    """The request was valid, but things have changed in the meantime."""

    status = 409
    code = "conflict"


class TooLargeError(RentalError):
    """A body or file past its limit."""

    status = 413
    code = "too_large"


class UnsupportedTypeError(RentalError):
    """A file or body that is not of an accepted type."""

    status = 415
    code = "unsupported_type"


class TooManyRequestsError(RentalError):
    """A rate limit was reached; `retry_after` says when to come back."""

    status = 429
    code = "too_many_requests"


class UnavailableError(RentalError):
    """A part the product depends on is unavailable for the moment."""

    status = 503
    code = "unavailable"


class ReadOnlyError(UnavailableError):
    """The shop is read-only for now; the message is what operators tell people."""

    code = "read_only"


class OutcomeUnknownError(UnavailableError):
    """The connection was lost while a transaction was being committed, so it may have been."""


class NoAnswerError(Exception):
    """The database server accepts a statement or a connection but does not answer."""
