"""Shapes of the calendars that vendors give to other programs."""

from rental_app.schemas.wire import Answer, Id, IndianTime, Wire


class FeedRequest(Wire):
    """The calendar of one vehicle, or without one of all its vendor has."""

    vehicle: Id | None = None


class FeedAnswer(Answer):
    """Where the calendar is from now on; the address is told this once."""

    url: str


class FeedView(Wire):
    """A calendar that can be read, since when."""

    vehicle: int | None
    since: IndianTime


class FeedsAnswer(Answer):
    """A vendor's calendars."""

    feeds: list[FeedView]
