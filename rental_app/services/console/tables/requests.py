"""What vendors ask to have changed of their accounts."""

from sqlalchemy import and_, case, join
from sqlmodel import col

from rental_app.models import AccountChange, User
from rental_app.schemas.operating import RequestDecision
from rental_app.services.console.deciding import WHY, by
from rental_app.services.console.table import Action, Column, Filter, Option, Table
from rental_app.services.operating import people

OPEN = "Waits for you"
_WORDS = {"": OPEN, "granted": "Granted", "refused": "Refused", "withdrawn": "Withdrawn"}
_CALLED = {"name": "Name", "email": "E-mail", "phone": "Mobile number", "bank": "Bank account"}
_FIELD = case(_CALLED, value=col(AccountChange.field), else_=col(AccountChange.field))
_STATE = case(_WORDS, value=col(AccountChange.decision), else_=col(AccountChange.decision))
_IS_BANK = col(AccountChange.field) == "bank"
# A whole account number is shown to whoever decides about it, and no longer.
_BANK_TO_DECIDE = and_(_IS_BANK, col(AccountChange.decision) == "")

TABLE = Table(
    name="requests",
    title="Change requests",
    one="change request",
    under="vendor",
    subject="change_request",
    versioned=True,
    key=col(AccountChange.id),
    source=join(AccountChange, User, col(AccountChange.user_id) == col(User.id)),
    columns=(
        Column("field", "Asks for another", _FIELD),
        Column("vendor", "Vendor", col(User.name), sortable=True),
        Column("value", "Wanted", case((_IS_BANK, "Another bank account"), else_=col(AccountChange.value))),
        Column("why", "Why", col(AccountChange.why)),
        Column("asked", "Asked", col(AccountChange.created_at), "moment", sortable=True),
        Column(
            "state",
            "State",
            _STATE,
            "state",
            tones={OPEN: "waits", "Granted": "good", "Refused": "bad", "Withdrawn": "plain"},
        ),
        Column(
            "bank", "Bank account wanted", case((_BANK_TO_DECIDE, col(AccountChange.value)), else_=""), listed=False
        ),
        Column("reason", "Told to the vendor", col(AccountChange.reason), listed=False),
        Column("decided", "Decided", col(AccountChange.decided_at), "moment", listed=False),
        Column("email", "E-mail", col(User.email), listed=False),
        Column("phone", "Mobile", col(User.phone_number), listed=False),
    ),
    sort="-asked",
    search=(col(User.name), col(User.email), col(User.phone_number)),
    filters=(
        Filter(
            "state",
            "State",
            tuple(
                Option(value or "open", word, col(AccountChange.decision) == value) for value, word in _WORDS.items()
            ),
        ),
        Filter(
            "field",
            "Field",
            tuple(Option(value, word, col(AccountChange.field) == value) for value, word in _CALLED.items()),
        ),
        Filter("person", "Person", owners=(col(AccountChange.user_id),)),
    ),
    state="state",
    actions=(
        Action(
            "grant", "Grant", by(people.decide_request, RequestDecision, decision="grant"), frozenset({OPEN}), key="a"
        ),
        Action(
            "refuse",
            "Refuse",
            by(people.decide_request, RequestDecision, decision="refuse"),
            frozenset({OPEN}),
            WHY,
            danger=True,
            key="r",
        ),
    ),
)
