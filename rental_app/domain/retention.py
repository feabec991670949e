"""What is kept, why, who sees it, and when it ends: the one table of it.

`/privacy` is drawn from it (content/legal.py), the sweep obeys it (services/retention.py), erasure empties what ends
with an account (services/accounts/traces.py), and a test compares it with the columns of every table.

A new column joins the purpose that it serves in `TABLES`. What is kept for a new purpose gets a row in `HOLDINGS`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import NamedTuple

from rental_app.domain.identity import EXPIRED_FOR, REFUSED_FOR, UNUSED_FOR

DAY = timedelta(days=1)
# An account is erased this long after its owner asked, unless a login takes it back.
ERASED_AFTER = 7 * DAY
# Money that has been open for longer keeps no account from being erased.
BALANCES_COUNT_FOR = 90 * DAY
# A copy of one's data is made this often at most.
EXPORTED_EVERY = timedelta(hours=1)
# Guests have no account: what is known of them goes this long after their trip.
GUESTS_ERASED_AFTER = 180 * DAY
# The longest that whoever runs the shop should keep a backup; `make backup` keeps fewer (docs/operations.md).
BACKUPS_LAST_DAYS = 35
# E-mails and texts that are files, where no server for them is set.
FILED_MESSAGES_LAST = 30 * DAY
# What is left of whoever was erased. Nobody can have an address below the host (RFC 2606).
FORMER_CUSTOMER, FORMER_VENDOR = "Former customer", "Former vendor"
ERASED_HOST = "erased.invalid"


class End(StrEnum):
    """When something ends that has no period of its own."""

    ACCOUNT = "with the account of whom it is about"
    VEHICLE = "with the account of the vehicle's vendor"
    BOOKS = "stays for the books, without names"
    SHOP = "stays, as it is about nobody"
    UPGRADE = "with the next upgrade"


@dataclass(frozen=True, slots=True)
class Period:
    """Rows are deleted `lasts` after the instant in the column `since`.

    What is `capped` goes only by an operator's word if it is far more than usual; what is of no use to anybody any more
    need not be. Where deleting a row takes more than that, its service does it (`by_service`).
    """

    since: str
    lasts: timedelta
    capped: bool = True
    by_service: bool = False


class TableRetention(NamedTuple):
    """When the rows of a table end, and the columns that serve each purpose (`HOLDINGS`), separated by spaces.

    Without a period a column ends as what it is kept for does (`Holding.end`).
    """

    purposes: Mapping[str, str]
    period: Period | None = None


class Holding(NamedTuple):
    """A thing that is kept: what and why in the words of `/privacy`, who sees it besides us, and when it ends.

    `until` says that in words, where "as long as the account" is not enough; names of tables in braces are their
    periods. What is about nobody has no words.
    """

    end: End
    what: str = ""
    why: str = ""
    seen_by: str = ""
    until: str = ""


NOBODY = "nobody"
HOLDINGS: dict[str, Holding] = {
    "name": Holding(
        End.ACCOUNT,
        "Name",
        "so that both sides know who they are meeting",
        "the vendor you send a request to; for vendors, everybody",
    ),
    "phone": Holding(
        End.ACCOUNT,
        "Mobile number, when you confirmed it and last used it to log in",
        "to arrange the handover, and to text you codes",
        "the vendor, once your booking is confirmed",
    ),
    "login": Holding(
        End.ACCOUNT,
        "Email, when you confirmed it, and password",
        "to log in, and to tell you of your bookings; of the password only a bcrypt hash is kept",
        NOBODY,
    ),
    "address": Holding(
        End.ACCOUNT,
        "Address",
        "a rental needs one; its state decides which tax an invoice shows",
        "the vendor, of the state, on an invoice with GST, and of all of it on one of ₹50,000 or more; for vendors,"
        " everybody, as the place of pickup",
    ),
    "account": Holding(
        End.ACCOUNT,
        "That there is an account: since when, of which kind, whether it is blocked or waits to be erased, which"
        " notice about your data you were shown, and when you last fetched a copy of it",
        "to keep it, and to show that you were told",
        NOBODY,
        "When an account is erased, its number, and the days on which it began and ended, stay for the bookings that"
        " refer to it.",
    ),
    "bookings": Holding(
        End.BOOKS,
        "Bookings: vehicle, dates, price, status, extras, the address to bring the vehicle to, and which version of"
        " the terms you accepted when",
        "to carry them out and account for them",
        "the vendor of the vehicle",
        "Bookings and their accounts stay for the books when an account is erased, with dates and amounts, under"
        " “{former}”. The address to bring the vehicle to goes.",
    ),
    "trips": Holding(
        End.BOOKS,
        "Trips: what was charged, paid and given back, odometer, fuel, photographs of handover and return, objections",
        "to settle the account, and so that you can look it up later",
        "the other side of the booking",
        "Photographs of trips, and what you wrote about them, are deleted when your account, or the vendor's, is"
        " erased.",
    ),
    "invoices": Holding(
        End.BOOKS,
        "Receipts, agreements, and for vendors with a GST number tax invoices and statements, as they were issued",
        "to prove what was agreed and paid, and because tax law wants it",
        "the other side of the booking",
        "Tax invoices, and the credit and debit notes about them, are kept for eight years, with the names on them:"
        " until then nobody can change or delete them, not even us. Receipts and agreements lose the names when the"
        " account is erased.",
    ),
    "commission": Holding(
        End.BOOKS,
        "Of vendors, the rate of our commission, and what they paid of it when, with the bank's reference",
        "to account for it",
        NOBODY,
        "Payments of commission stay for the books.",
    ),
    "identity": Holding(
        End.ACCOUNT,
        "Documents you send us: a government ID, driving licence, proof of work and of residence, as pictures without"
        " what was written into the files; of numbers the last four characters alone, the name on it, of a licence the"
        " classes and the last day, and what was decided",
        "so that a vendor knows who takes the vehicle, and that they may drive it, without keeping a copy",
        "the vendor of a booking: that they were checked, and from the confirmation until a day after the trip"
        " pictures with a mark of who looks; you see each look",
        "A document that was refused is deleted {identity_refused} after that, one that has expired {identity_expired}"
        " after its last day, and all of them when you have neither sent one nor had a trip for {identity_unused}. You"
        " can delete each yourself at once.",
    ),
    "favourites": Holding(
        End.ACCOUNT, "Favourites: which vehicles, and since when", "to show them to you again", NOBODY
    ),
    "reviews": Holding(
        End.ACCOUNT,
        "Reviews: stars and words on a returned trip, answers, reports",
        "so that others know what to expect",
        "everybody, under your first name and an initial, once both sides have written or {review_days} days are over;"
        " what vendors say of you, only you and the vendors you send a request to",
        "The words of reviews by you and about you are deleted with your account, with the answers to them. The stars"
        " stay, under “{former}”.",
    ),
    "requests": Holding(
        End.ACCOUNT,
        "What a vendor asks to have changed of the account, why, and what was decided",
        "to decide it, and to tell",
        NOBODY,
    ),
    "sessions": Holding(
        End.ACCOUNT,
        "Login sessions: when begun, used last and ended, which browser on which system, and when the password was"
        " last given",
        "so that logging out really ends them, and you see where you are logged in",
        NOBODY,
        "A login session is deleted when it ends, after 7 days at the latest if you do not log out before; one you"
        " ended stays, marked as ended, until then.",
    ),
    "devices": Holding(
        End.ACCOUNT,
        "A mark of each device you logged in on, from which its key cannot be read",
        "so that you are told of logins from others",
        NOBODY,
        "The mark of a device is deleted when you have not logged in there for {known_device}.",
    ),
    "proofs": Holding(
        End.ACCOUNT,
        "Links and codes we send you to prove that an address or a number is yours: what for, where to, when sent,"
        " when used, and a mark of the device or network that asked, from which neither can be read",
        "so that each works once",
        "nobody; the company that carries our text messages gets your number and the text",
        "What we keep of a link or a code is deleted {proof} after it has expired. The link or code itself is kept"
        " only in your inbox.",
    ),
    "messages": Holding(
        End.ACCOUNT,
        "Emails and texts we send you: which, where to, when, and whether they arrived; of most not the text, which is"
        " written when they are sent",
        "so that none is lost, and none is sent twice",
        "the companies that carry them",
        "A message is deleted {outbox} after it was written, when it was sent or given up.",
    ),
    "second step": Holding(
        End.ACCOUNT,
        "The second step of your login, if you turned it on: since when, which code was used last, and marks of your"
        " recovery codes, from which they cannot be read once you have said that you kept them, or after a week",
        "so that your password alone opens nothing",
        NOBODY,
    ),
    "passkeys": Holding(
        End.ACCOUNT,
        "Your passkeys, if you added any: what you call them, their public keys, how often each has signed, when you"
        " added and last used it",
        "so that your device logs you in; your finger or face never leaves it",
        NOBODY,
    ),
    "notes": Holding(
        End.ACCOUNT,
        "What our people note about an account when its owner, or somebody about them, has called or written; that"
        " they looked at its pages as its owner sees them stands in the audit trail",
        "to help you the next time",
        NOBODY,
    ),
    "trail": Holding(
        End.BOOKS,
        "The audit trail: logins, and changes of accounts, listings, prices and members, with who made them, when and"
        " from which address; what can be recognised of a person stands in it shortened, as in `r...@example.com`",
        "so that it can be found out who did what",
        NOBODY,
        "Entries of the audit trail are deleted after {audit_entry}; until then nobody can change or delete them, not"
        " even us. When an account is erased, those by it and about it keep what was done and when, and nothing else.",
    ),
    "network": Holding(
        End.ACCOUNT,
        "A mark of the network you logged in from last, from which the network cannot be read",
        "so that strangers who guess passwords do not lock you out",
        NOBODY,
    ),
    "answers": Holding(
        End.ACCOUNT,
        "The answers to calls that a program may repeat",
        "so that a repeated call books and pays once",
        NOBODY,
        "The answer to a call that may be repeated is deleted after {remembered_answer}.",
    ),
    "guests": Holding(
        End.ACCOUNT,
        "If a vendor books for you at the counter: your name, mobile number, and email if you gave one",
        "to carry out the booking, and to send you the link to it",
        "the vendor",
        "If a vendor books for you at the counter, your name and mobile number, and your email if you gave one, are"
        " kept with that booking; the vendor sees them. They are erased {guests} after the trip, from receipt and"
        " agreement too; a tax invoice keeps your name. A link that we send you by text and email shows the booking,"
        " with the photos of the vehicle, to whoever has it, until 30 days after the trip, or until the vendor sends"
        " you a new one. Changing anything takes a code that we text to your number, of which the page shows the ends;"
        " when such codes were asked for and used is in the audit trail.",
    ),
    # Vendors' own; the paragraphs of `/privacy` about vendors say what of it is seen by whom.
    "business": Holding(End.ACCOUNT),
    "payment": Holding(End.ACCOUNT),
    "picture": Holding(End.ACCOUNT),
    "members": Holding(End.ACCOUNT),
    "calendars": Holding(End.VEHICLE),
    "vehicles": Holding(End.VEHICLE),
    "documents": Holding(
        End.VEHICLE,
        until="A vendor's documents are deleted when the vendor replaces or removes them; one that a renewed document"
        " took the place of is kept for the vendor with the vehicle.",
    ),
    "uploads": Holding(End.VEHICLE, until="Files of a form that was never sent are deleted after {unclaimed_file}."),
    "drafts": Holding(
        End.ACCOUNT,
        until="A half-filled form of a new vehicle stays with the vendor's account, and its files with it, so that the"
        " vendor can go on at another device. It is deleted when the vehicle is listed, when the vendor deletes it,"
        " and {listing_draft} after the last change. The same goes for the rows of a spreadsheet that a vendor sends"
        " us; the spreadsheet itself is not kept.",
    ),
    "shop": Holding(End.SHOP),
    "before": Holding(End.UPGRADE),
}

TABLES: dict[str, TableRetention] = {
    "user": TableRetention(
        {
            "name": "name",
            "phone": "phone_number verified_phone phone_used_at",
            "login": "email password_hash email_verified_at email_changed_at password_changed_at",
            "address": "address landmark zip_code city state county",
            "account": "id role status is_deleted is_guest created_at wallet_paise approved_at erase_asked_at"
            " erased_at exported_at notice_version noticed_at",
            "network": "last_login_from",
            "business": "booking_contact_no booking_whatsapp_no no_of_staff no_of_years location_id delivery_supported"
            " open_time close_time closing_days buffer_hours website google_maps_link notes stars_total reviews",
            "payment": "bank_name bank_account_no bank_ifsc gst_name gst_number gst_rate_bps upi_id",
            "commission": "commission_bps commission_settle",
            "picture": "image image_bytes trip_bytes",
        }
    ),
    "login_session": TableRetention(
        {
            "sessions": "jti user_id created_at expires_at revoked_at device last_seen_at by_code stepped_at proved_at"
            " passkey_id"
        },
        Period("expires_at", timedelta(), capped=False),
    ),
    "second_step": TableRetention(
        {"second step": "user_id nonce created_at confirmed_at last_used codes_nonce codes_made_at"}
    ),
    "recovery_code": TableRetention({"second step": "user_id digest used_at"}),
    "passkey": TableRetention(
        {"passkeys": "id user_id name credential_id public_key sign_count created_at last_used_at"}
    ),
    "known_device": TableRetention({"devices": "user_id digest seen_at"}, Period("seen_at", 400 * DAY)),
    # Of these each state ends by its own time (services/identity/retention.py).
    "identity_paper": TableRetention(
        {"identity": "id user_id kind document number_ends name classes valid_until state reason sent_at decided_at"}
    ),
    "identity_paper_file": TableRetention({"identity": "id paper_id key content_type size stored_bytes"}),
    "proof": TableRetention(
        {"proofs": "id purpose user_id nonce digest about asked_by payload created_at expires_at tries used_at"},
        Period("expires_at", 7 * DAY),
    ),
    "member": TableRetention({"members": "user_id vendor_id added_at role"}),
    "change_request": TableRetention(
        {"requests": "id user_id field value why created_at decision decided_at decided_by reason"}
    ),
    "favourite": TableRetention({"favourites": "user_id vehicle_id added_at"}),
    "person_note": TableRetention({"notes": "id user_id text who_id at"}),
    "audit_entry": TableRetention(
        {"trail": "id at act user_id role subject subject_id about before after address request_id"},
        # The database refuses to delete younger ones.
        Period("at", 3 * 365 * DAY),
    ),
    "remembered_answer": TableRetention(
        {"answers": "user_id key digest body created_at"}, Period("created_at", 7 * DAY, capped=False)
    ),
    "outbox": TableRetention(
        {
            "messages": "id key kind channel to user_id booking_id vehicle_id note created_at due_at joined_to"
            " proof_id tries sent_at error"
        },
        # Longer than any reminder could still be written, whose key says that it was.
        Period("created_at", 180 * DAY, by_service=True),
    ),
    "booking": TableRetention(
        {
            "bookings": "id reference vehicle_id customer_id pickup_at return_at held_from held_until status stage"
            " price_paise deposit_paise kms_included lines full_day_paise extras address offer booked created_at"
            " answer_by decided_at cancelled_by cancel_reason terms_version terms_accepted_at policies source"
            " follows_id confirmed_at_once",
            "commission": "commission_bps",
            "guests": "guest_email",
        }
    ),
    "proposal": TableRetention({"bookings": "id booking_id kind terms state created_at answer_by ended_at who_id"}),
    "booking_event": TableRetention({"trips": "id booking_id what at side who_id note entry_id about_id happened_at"}),
    "event_photo": TableRetention({"trips": "id event_id key content_type"}),
    "ledger_entry": TableRetention(
        {
            "trips": "id booking_id kind paise method at who_id note reverses photo_id request_key detail vehicle_id"
            " paid_at"
        }
    ),
    "trip_reading": TableRetention(
        {
            "trips": "id booking_id kind at who_id odometer fuel_eighths helmets speedings papers_seen papers_checked"
            " reason noted_at"
        }
    ),
    "trip_draft": TableRetention({"trips": "booking_id kind noted"}),
    "trip_photo": TableRetention({"trips": "id reading_id group_name key content_type"}),
    "issued_paper": TableRetention({"invoices": "id vendor_id kind about gst_number year number made_at snapshot"}),
    "commission_payment": TableRetention({"commission": "id vendor_id month paise reference who_id at paid_at"}),
    "review": TableRetention(
        {
            "reviews": "id booking_id side vehicle_id vendor_id customer_id stars text written_at edited_at show_by"
            " shown_at answer answered_at reported_at reported_by report_note judged_at is_hidden"
        }
    ),
    "vehicle": TableRetention(
        {
            "vehicles": "id vendor_id model_id location_id address landmark city state zip_code google_maps_link year"
            " color odometer_reading last_serviced_date insurance_expiry_date pollution_expiry_date speed_limit_kmph"
            " late_penalty_paise distance_penalty_paise deposit_paise drop_off_pick_extra_payment drop_off_paise"
            " pick_up_paise terms image is_active is_approved retired_at refusal decided_at is_featured created_at"
            " confirms_at_once stars_total reviews",
            "documents": "rc_number engine_number chassis_number owner_name_as_per_rc",
        }
    ),
    "vehicle_file": TableRetention(
        {"documents": "id vehicle_id group_name key content_type size stored_bytes created_at replaced_at"}
    ),
    "vehicle_price": TableRetention({"vehicles": "id vehicle_id price_name price_paise kms_limit status"}),
    "price_rule": TableRetention({"vehicles": "id vendor_id vehicle_id weekday weekdays first_day last_day percent"}),
    "maintenance_entry": TableRetention(
        {"vehicles": "id vehicle_id kind done_on odometer_km cost_paise note next_on next_km created_at"}
    ),
    "confirm_at_once": TableRetention({"business": "vendor_id is_on verified_phone hours_ahead most_open"}),
    "vehicle_block": TableRetention(
        {"calendars": "id vehicle_id begins_at ends_at reason note import_id proposal_id created_at"}
    ),
    "ical_feed": TableRetention({"calendars": "id vendor_id vehicle_id digest created_at made_by"}),
    "ical_import": TableRetention({"calendars": "id vehicle_id url due_at fetched_at error clashes unread taken"}),
    "listing_draft": TableRetention(
        {"drafts": "id vendor_id title typed edition created_at saved_at"},
        Period("saved_at", 90 * DAY, by_service=True),
    ),
    "unclaimed_file": TableRetention(
        {"uploads": "id vendor_id group_name key content_type size stored_bytes created_at draft_of draft_id"},
        Period("created_at", DAY, by_service=True),
    ),
    "location": TableRetention({"shop": "id name slug latitude longitude is_retired"}),
    "bank": TableRetention({"shop": "id name"}),
    "asset_type": TableRetention({"shop": "id name is_retired"}),
    "manufacturer": TableRetention({"shop": "id asset_type_id name is_retired"}),
    "asset_model": TableRetention(
        {
            "shop": "id manufacturer_id name body_type engine_type transmission_type seating_capacity vehicle_cc"
            " top_speed fuel_tank_capacity mileage shape is_retired"
        }
    ),
    "price_plan": TableRetention({"shop": "id model_id price_name recommended_paise max_paise"}),
    "offer": TableRetention(
        {
            "shop": "id code title terms starts_on ends_on minimum_days percent cap_paise off_paise uses uses_each"
            " is_retired"
        }
    ),
    # Its words and numbers, with which operator put them in force.
    "content_version": TableRetention({"shop": "id key version value name read_as note who_id at"}),
    "edition": TableRetention({"shop": "id name read_only_since read_only_message"}),
    # Of versions before, which may still run beside this one during an upgrade.
    "former_member": TableRetention({"before": "user_id vendor_id left_at"}),
    "receipt_number": TableRetention({"before": "vendor_id year number booking_id"}),
    "vehicle_draft": TableRetention(
        {"before": "vendor_id typed saved_at"}, Period("saved_at", 90 * DAY, by_service=True)
    ),
}


def period(table: str) -> Period:
    """The period of a table that has one."""
    own = TABLES[table].period
    if own is None:
        raise KeyError(table)
    return own


def in_words(time: timedelta) -> str:
    """A period as a text says it: 'a day', 'a week', '90 days', '3 years'."""
    short = {DAY: "a day", 365 * DAY: "a year", 7 * DAY: "a week", 3 * 365 * DAY: "three years"}
    return short.get(time, f"{time.days} days")


def in_full(text: str) -> str:
    """A text of `HOLDINGS` with what it names in braces: periods by their tables, and other figures."""
    periods = {name: in_words(table.period.lasts) for name, table in TABLES.items() if table.period}
    figures = {"guests": in_words(GUESTS_ERASED_AFTER), "former": FORMER_CUSTOMER}
    figures |= {
        "identity_refused": in_words(REFUSED_FOR),
        "identity_expired": in_words(EXPIRED_FOR),
        "identity_unused": in_words(UNUSED_FOR),
    }
    return text.format(**periods, **figures)
