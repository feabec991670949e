"""Name, mobile number and address of a customer, who changes them; vendors ask for it."""

from sqlmodel import Session

from rental_app.domain.acts import Act, changes
from rental_app.domain.errors import ForbiddenError
from rental_app.models import User
from rental_app.schemas.people import Details
from rental_app.services import audit, throttle
from rental_app.services.accounts import second_step
from rental_app.services.accounts.actor import Actor
from rental_app.services.catalogue import settled_place

SAVED = "Your details are saved"
LOCKED = "Name, email and mobile number of a vendor are changed by us: please ask"


def change(session: Session, actor: Actor, form: Details) -> None:
    """Save a customer's name, mobile number and address.

    Raises ForbiddenError (`locked` for vendors; for another number `confirm_email_first` and `give_second_step`), and
    InvalidInputError or NotFoundError (pincode).
    """
    throttle.count("change", actor)
    require_unlocked(actor)
    place = settled_place(form.pincode, form.typed_place)
    user = session.get_one(User, actor.id)
    if form.phone_number != user.phone_number:
        second_step.require_settled(session, actor)
    earlier = user.model_dump(mode="json")
    user.name, user.phone_number, user.address = form.name, form.phone_number, form.address
    user.landmark, user.zip_code, user.city = form.landmark, form.pincode, form.city
    user.state, user.county = place
    before, after = changes(earlier, user.model_dump(mode="json"))
    audit.record(session, actor, Act.PROFILE_CHANGED, ("user", actor.id), before=before, after=after)


def require_unlocked(actor: Actor) -> None:
    """Raise ForbiddenError (`locked`) for vendors: what an account is known by here, they ask us to change."""
    if actor.is_vendor:
        raise ForbiddenError(LOCKED, code="locked")
