"""The audit trail: who did what, when and from where."""

from sqlalchemy import String, cast, func, join
from sqlmodel import col

from rental_app.models import AuditEntry, User
from rental_app.services.console.table import Column, Filter, Option, Table

_WHO = func.coalesce(col(User.name), "")
_ON = col(AuditEntry.subject) + " " + cast(col(AuditEntry.subject_id), String)

TABLE = Table(
    name="audit",
    title="Audit",
    one="entry of the trail",
    under="who",
    key=col(AuditEntry.id),
    source=join(AuditEntry, User, col(AuditEntry.user_id) == col(User.id), isouter=True),
    columns=(
        Column("act", "Act", col(AuditEntry.act), sortable=True),
        Column("who", "By", _WHO),
        Column("role", "Role", col(AuditEntry.role)),
        Column("on", "On", _ON),
        Column("about", "About", col(AuditEntry.about)),
        Column("at", "When", col(AuditEntry.at), "moment", sortable=True),
        Column("before", "Before", col(AuditEntry.before), listed=False),
        Column("after", "After", col(AuditEntry.after), listed=False),
        Column("address", "Address", col(AuditEntry.address), listed=False),
        Column("request", "Request", col(AuditEntry.request_id), listed=False),
    ),
    sort="-at",
    search=(col(AuditEntry.act), col(AuditEntry.about), col(User.name), col(User.email), _ON),
    filters=(
        Filter(
            "by",
            "By",
            (
                Option("operators", "Operators", col(AuditEntry.role) == "Operator"),
                Option("vendors", "Vendors", col(AuditEntry.role) == "Vendor"),
                Option("customers", "Customers", col(AuditEntry.role) == "Customer"),
            ),
        ),
        Filter(
            "person",
            "Person",
            owners=(col(AuditEntry.user_id),),
        ),
    ),
)
