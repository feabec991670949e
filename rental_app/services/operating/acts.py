"""What operators decide, declared once: the calls over REST and the buttons of the console are made of these."""

from collections.abc import Callable
from dataclasses import dataclass

from pydantic import BaseModel

from rental_app.schemas.operating import (
    Blocking,
    FeatureRequest,
    ListingDecision,
    LockedFields,
    NoteRequest,
    ObjectionDecision,
    RecoveryRequest,
    RequestDecision,
    ReviewDecision,
    StopRequest,
)
from rental_app.schemas.operating_catalogue import LocationEntry, ManufacturerEntry, ModelEntry, OfferEntry, TypeEntry
from rental_app.services.operating import bookings, catalogue, listings, messages, people, reviews


@dataclass(frozen=True, slots=True)
class OperatorAct:
    """A service that decides about the row of an id, with a body of a `shape` if it has one, and its call.

    `about` is what the document of calls says of it. A `repeatable` one sets something, however often it is called.
    """

    name: str
    path: str
    service: Callable[..., str]
    shape: type[BaseModel] | None
    about: str
    repeatable: bool = False


DECIDE_LISTING = OperatorAct(
    "decide_listing",
    "/listings/{id}/decision",
    listings.decide,
    ListingDecision,
    "List a vehicle that waits, refuse it, or take down one that is listed; its vendor is told, mends it and sends it\n"
    "again by saving it.",
)
FEATURE_LISTING = OperatorAct(
    "feature_listing",
    "/listings/{id}/featured",
    listings.feature,
    FeatureRequest,
    "Show a vehicle among the first of the home page, or no longer.",
    repeatable=True,
)
BLOCK_PERSON = OperatorAct(
    "block_person",
    "/people/{id}/block",
    people.block,
    Blocking,
    "Block an account: it is logged out, its requests and those for its vehicles are declined, its vehicles hide.\n\n"
    "A vendor still receives vehicles that are out and settles their trips, and nothing else; confirmed bookings wait"
    " for\nan operator. Operators are not blocked here (409 `is_operator`).",
)
UNBLOCK_PERSON = OperatorAct(
    "unblock_person",
    "/people/{id}/unblock",
    people.unblock,
    Blocking,
    "Unblock an account: its owner logs in as before, its vehicles show again.",
)
SEND_RESET_LINK = OperatorAct(
    "send_reset_link",
    "/people/{id}/reset-link",
    people.send_reset_link,
    None,
    "Send somebody a link for a new password; not to an address that changed within 7 days (409 `address_changed`).",
)
CHANGE_PERSON = OperatorAct(
    "change_person",
    "/people/{id}",
    people.change,
    LockedFields,
    "Change what is locked in an account; told to the e-mail and the mobile number that there were before.",
    repeatable=True,
)
BEGIN_RECOVERY = OperatorAct(
    "begin_recovery",
    "/people/{id}/recovery",
    people.begin_recovery,
    RecoveryRequest,
    "Begin to give another e-mail, mobile number or both to somebody who has lost what they had.\n\n"
    "Told at the old and the new addresses, with a link that stops it; 72 hours later it takes effect and everybody"
    " is\nlogged out. One at a time (409 `recovery_open`).",
)
END_RECOVERY = OperatorAct(
    "end_recovery",
    "/people/{id}/recovery/stop",
    people.end_recovery,
    StopRequest,
    "Stop another e-mail or mobile number that waits for an account (409 `no_recovery` if none does).",
)
ADD_NOTE = OperatorAct(
    "add_note",
    "/people/{id}/notes",
    people.add_note,
    NoteRequest,
    "Note something about an account, for operators alone; notes are never changed (`GET /api/operator/notes`).",
)
DECIDE_REQUEST = OperatorAct(
    "decide_request",
    "/requests/{id}/decision",
    people.decide_request,
    RequestDecision,
    "Grant or refuse what a vendor asks to have changed; they are told, at their old address and phone too.",
)
DECIDE_OBJECTION = OperatorAct(
    "decide_objection",
    "/objections/{id}/decision",
    bookings.judge,
    ObjectionDecision,
    "Decide about an objection, by the id of its event: take the line back, write it again lower, or leave it.\n\n"
    "One about a handover has no line (409 `no_line` for `partly`): it is noted who was right. A line that an operator"
    "\nwrote or reversed is reversed by an operator only (409 `decided_by_operator` for the vendor).",
)
DECIDE_REVIEW = OperatorAct(
    "decide_review",
    "/reviews/{id}/decision",
    reviews.decide,
    ReviewDecision,
    "Remove a review, keep it, or show a removed one again; its writer and whoever reported it are told.",
)
RESEND_MESSAGE = OperatorAct(
    "resend_message",
    "/messages/{id}/resend",
    messages.resend,
    None,
    "Send a message again that was given up or did not arrive; one that still waits is refused (409).",
)


@dataclass(frozen=True, slots=True)
class CatalogueAct:
    """A service that adds an entry to a list of the catalogue (id 0) or changes one, and its two calls.

    `about` is what they add or change; of an entry just added there is more to say.
    """

    name: str
    path: str
    service: Callable[..., int]
    shape: type[BaseModel]
    about: str
    added: str = ""


TYPES = CatalogueAct("type", "/types", catalogue.put_type, TypeEntry, "a type of vehicle")
MANUFACTURERS = CatalogueAct(
    "manufacturer",
    "/manufacturers",
    catalogue.put_manufacturer,
    ManufacturerEntry,
    "a maker of vehicles of one type",
)
MODELS = CatalogueAct(
    "model", "/models", catalogue.put_model, ModelEntry, "a model with its facts and recommended prices"
)
LOCATIONS = CatalogueAct(
    "location",
    "/locations",
    catalogue.put_location,
    LocationEntry,
    "a locality",
    "; the address of its page is made from its first name, and stays",
)
OFFERS = CatalogueAct("offer", "/offers", catalogue.put_offer, OfferEntry, "an offer")
CATALOGUE = (TYPES, MANUFACTURERS, MODELS, LOCATIONS, OFFERS)
