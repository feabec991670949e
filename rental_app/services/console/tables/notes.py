"""What operators have noted about people."""

from typing import Any

from sqlalchemy import func, join
from sqlalchemy.orm import aliased
from sqlmodel import col

from rental_app.models import PersonNote, User
from rental_app.services.console.table import Column, Filter, Table

_Writer: Any = aliased(User)

TABLE = Table(
    name="notes",
    title="Notes",
    one="note",
    under="who",
    key=col(PersonNote.id),
    source=join(PersonNote, User, col(PersonNote.user_id) == col(User.id)).outerjoin(
        _Writer, col(PersonNote.who_id) == _Writer.id
    ),
    columns=(
        Column("text", "Note", col(PersonNote.text)),
        Column("who", "By", func.coalesce(_Writer.name, "at the machine")),
        Column("person", "About", col(User.name), sortable=True),
        Column("at", "Written", col(PersonNote.at), "moment", sortable=True),
        Column("email", "E-mail", col(User.email), listed=False),
    ),
    sort="-at",
    search=(col(PersonNote.text), col(User.name), col(User.email)),
    filters=(Filter("person", "Person", owners=(col(PersonNote.user_id),)),),
)
