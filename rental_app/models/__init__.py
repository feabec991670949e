"""The tables. Importing this package fills `SQLModel.metadata`, which the migrations work from."""

from sqlmodel import SQLModel

# Set before any table is defined: unnamed constraints are lost when SQLite tables are rebuilt.
SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}

from rental_app.models.booking import Booking, Snapshot, snapshot, snapshots  # noqa: E402
from rental_app.models.calendar import Block, IcalFeed, IcalImport  # noqa: E402
from rental_app.models.catalogue import AssetModel, AssetType, Bank, Location, Manufacturer, PricePlan  # noqa: E402
from rental_app.models.housekeeping import AuditEntry, Edition, RememberedAnswer  # noqa: E402
from rental_app.models.issued_paper import (  # noqa: E402
    EarnedSnapshot,
    IssuedLine,
    IssuedPaper,
    ReceiptSnapshot,
    StatementSnapshot,
)
from rental_app.models.note import PersonNote  # noqa: E402
from rental_app.models.prices import CommissionPayment, Offer, PriceRule  # noqa: E402
from rental_app.models.review import Review  # noqa: E402
from rental_app.models.trip import (  # noqa: E402
    BookingEvent,
    DiscountTerms,
    EventPhoto,
    ExtensionTerms,
    LedgerEntry,
    MoveTerms,
    Outbox,
    Proposal,
    ProposalTerms,
    ReceiptNumber,
    TripDraft,
    TripPhoto,
    TripReading,
    opening_entries,
    return_terms,
)
from rental_app.models.user import (  # noqa: E402
    AccountChange,
    Favourite,
    FormerMember,
    KnownDevice,
    LoginSession,
    Member,
    Passkey,
    Proof,
    RecoveryCode,
    SecondStep,
    User,
)
from rental_app.models.vehicle import (  # noqa: E402
    TITLE,
    Columns,
    Listing,
    ListingInFull,
    OwnListing,
    Vehicle,
    listing,
    listings,
    offers,
    titled,
)
from rental_app.models.vehicle_parts import UnclaimedFile, VehicleDraft, VehicleFile, VehiclePrice  # noqa: E402

__all__ = [
    "TITLE",
    "AccountChange",
    "AssetModel",
    "AssetType",
    "AuditEntry",
    "Bank",
    "Block",
    "Booking",
    "BookingEvent",
    "Columns",
    "CommissionPayment",
    "DiscountTerms",
    "EarnedSnapshot",
    "Edition",
    "EventPhoto",
    "ExtensionTerms",
    "Favourite",
    "FormerMember",
    "IcalFeed",
    "IcalImport",
    "IssuedLine",
    "IssuedPaper",
    "KnownDevice",
    "LedgerEntry",
    "Listing",
    "ListingInFull",
    "Location",
    "LoginSession",
    "Manufacturer",
    "Member",
    "MoveTerms",
    "Offer",
    "Outbox",
    "OwnListing",
    "Passkey",
    "PersonNote",
    "PricePlan",
    "PriceRule",
    "Proof",
    "Proposal",
    "ProposalTerms",
    "ReceiptNumber",
    "ReceiptSnapshot",
    "RecoveryCode",
    "RememberedAnswer",
    "Review",
    "SecondStep",
    "Snapshot",
    "StatementSnapshot",
    "TripDraft",
    "TripPhoto",
    "TripReading",
    "UnclaimedFile",
    "User",
    "Vehicle",
    "VehicleDraft",
    "VehicleFile",
    "VehiclePrice",
    "listing",
    "listings",
    "offers",
    "opening_entries",
    "return_terms",
    "snapshot",
    "snapshots",
    "titled",
]
