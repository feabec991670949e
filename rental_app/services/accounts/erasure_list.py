"""The list of erased accounts outside the database, from which a restored backup learns whom it has to erase again.

It is in the file store, beside the files, and so in every backup: an object for each account, named by its number and
the instant at which it was made, without anything else about it. A number alone would not do: after a backup is
restored, numbers are given again.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from rental_app.services.files import storage

FOLDER = "erasures"
MICROSECONDS = 1_000_000


class ErasedAccount(NamedTuple):
    """An account by its number, and when it was made (UTC)."""

    user_id: int
    made_at: datetime


def note(account: ErasedAccount, erased_at: datetime) -> None:
    """Note that an account is erased; noting it again changes nothing. Raises UnavailableError."""
    storage.put(_name(account), f"{erased_at.date()}".encode())


def noted() -> set[ErasedAccount]:
    """The accounts on the list; raises one of `storage.STORE_FAILURES`."""
    return set(_read(storage.names(FOLDER)))


def _name(account: ErasedAccount) -> str:
    return f"{FOLDER}/{account.user_id}-{round(account.made_at.timestamp() * MICROSECONDS)}"


def _read(names: Iterator[str]) -> Iterator[ErasedAccount]:
    for name in names:
        number, _, made = name.rpartition("/")[2].partition("-")
        if number.isdecimal() and made.isdecimal():
            seconds, rest = divmod(int(made), MICROSECONDS)
            yield ErasedAccount(int(number), datetime.fromtimestamp(seconds, UTC).replace(microsecond=rest))
