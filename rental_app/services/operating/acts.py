"""What operators decide, declared once: the REST calls and the buttons of the console are made from these."""

from collections.abc import Callable
from dataclasses import dataclass

from pydantic import BaseModel

from rental_app.schemas.catalogue import LocationEntry, ManufacturerEntry, ModelEntry, OfferEntry, TypeEntry
from rental_app.schemas.identity import IdentityDecision
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
    UndoRequest,
)
from rental_app.services.operating import bookings, catalogue, listings, messages, papers, people, reviews


@dataclass(frozen=True, slots=True)
class OperatorAct:
    """A service that decides about the row with an id, with a body of a `shape` if it takes one, and its REST call.

    A `repeatable` one sets something, however often it is called.
    """

    name: str
    path: str
    service: Callable[..., str]
    shape: type[BaseModel] | None
    repeatable: bool = False


DECIDE_LISTING = OperatorAct("decide_listing", "/listings/{id}/decision", listings.decide, ListingDecision)
FEATURE_LISTING = OperatorAct(
    "feature_listing", "/listings/{id}/featured", listings.feature, FeatureRequest, repeatable=True
)
BLOCK_PERSON = OperatorAct("block_person", "/people/{id}/block", people.block, Blocking)
UNBLOCK_PERSON = OperatorAct("unblock_person", "/people/{id}/unblock", people.unblock, Blocking)
SEND_RESET_LINK = OperatorAct("send_reset_link", "/people/{id}/reset-link", people.send_reset_link, None)
CHANGE_PERSON = OperatorAct("change_person", "/people/{id}", people.change, LockedFields, repeatable=True)
BEGIN_RECOVERY = OperatorAct("begin_recovery", "/people/{id}/recovery", people.begin_recovery, RecoveryRequest)
END_RECOVERY = OperatorAct("end_recovery", "/people/{id}/recovery/stop", people.end_recovery, StopRequest)
ADD_NOTE = OperatorAct("add_note", "/people/{id}/notes", people.add_note, NoteRequest)
DECIDE_REQUEST = OperatorAct("decide_request", "/requests/{id}/decision", people.decide_request, RequestDecision)
DECIDE_OBJECTION = OperatorAct("decide_objection", "/objections/{id}/decision", bookings.judge, ObjectionDecision)
DECIDE_REVIEW = OperatorAct("decide_review", "/reviews/{id}/decision", reviews.decide, ReviewDecision)
DECIDE_PAPER = OperatorAct("decide_paper", "/papers/{id}/decision", papers.decide, IdentityDecision)
RESEND_MESSAGE = OperatorAct("resend_message", "/messages/{id}/resend", messages.resend, None)


UNDO_OFFER = OperatorAct("undo_offer", "/offers/{id}/undo", catalogue.undo_offer, UndoRequest)


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
