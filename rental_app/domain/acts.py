"""What people do that leaves a trace in the audit trail, and how much of a person's data such a trace may show."""

import re
from collections.abc import Mapping
from datetime import timedelta
from enum import StrEnum

# Failed logins to one account from one network are one entry in this time.
FAILURES_TOGETHER = timedelta(minutes=15)
# Fields by which a person can be found, reached or paid: shown by their ends only.
PERSONAL = frozenset(
    {
        *("name", "email", "phone_number", "booking_contact_no", "address", "landmark", "zip_code", "city"),
        *("booking_whatsapp_no", "verified_phone", "google_maps_link", "gst_name", "upi_id", "bank_account_no"),
        # What was searched for may be a number or a name.
        "q",
        *("gst_number", "url", "owner_name_as_per_rc", "engine_number", "chassis_number"),
    }
)
SHOWN_DIGITS = 4
# Nothing else with an @ in it has a host: links and postal addresses may have one, too.
_EMAIL = re.compile(r"[^@\s/]+@[^@\s/,]+")


class Act(StrEnum):
    """What was done; rows have the values, so they stay as they are."""

    ACCOUNT_CREATED = "account.created"
    LOGGED_IN = "login.done"
    LOGIN_FAILED = "login.failed"
    DEVICE_LOGGED_OUT = "logout.device"
    PASSWORD_RESET = "password.reset"  # noqa: S105 - what was done
    PASSWORD_CHANGED = "password.changed"  # noqa: S105 - what was done
    PASSWORD_CONFIRMED = "password.confirmed"  # noqa: S105 - what was done
    PHONE_VERIFIED = "phone.verified"
    PHONE_TAKEN_OVER = "phone.taken_over"
    SECOND_STEP_BEGUN = "second_step.begun"
    SECOND_STEP_ON = "second_step.on"
    SECOND_STEP_OFF = "second_step.off"
    RECOVERY_CODES_RENEWED = "recovery_codes.renewed"
    RECOVERY_CODES_KEPT = "recovery_codes.kept"
    PASSKEY_BEGUN = "passkey.begun"
    PASSKEY_ADDED = "passkey.added"
    PASSKEY_REMOVED = "passkey.removed"
    PASSKEY_REFUSED = "passkey.refused"
    OPERATOR_MADE = "operator.made"
    OPERATOR_UNMADE = "operator.unmade"
    EMAIL_VERIFIED = "email.verified"
    EMAIL_CHANGE_ASKED = "email.change_asked"
    EMAIL_CHANGED = "email.changed"
    EMAIL_CHANGE_UNDONE = "email.change_undone"
    EMAIL_GIVEN_UP = "email.given_up"
    ADDITIONS_TAKEN_OFF = "account.additions_taken_off"
    CHANGE_ASKED = "change.asked"
    CHANGE_WITHDRAWN = "change.withdrawn"
    CHANGE_DECIDED = "change.decided"
    LOGGED_OUT = "logout.here"
    LOGGED_OUT_EVERYWHERE = "logout.everywhere"
    ERASURE_ASKED = "erasure.asked"
    ERASURE_TAKEN_BACK = "erasure.taken_back"
    ACCOUNT_ERASED = "account.erased"
    DATA_EXPORTED = "data.exported"
    PROFILE_CHANGED = "profile.changed"
    LISTING_ADDED = "listing.added"
    LISTING_CHANGED = "listing.changed"
    LISTING_SWITCHED = "listing.switched"
    LISTING_RETIRED = "listing.retired"
    LISTING_BROUGHT_BACK = "listing.brought_back"
    PAPER_RENEWED = "paper.renewed"
    MAINTENANCE_NOTED = "maintenance.noted"
    MAINTENANCE_CHANGED = "maintenance.changed"
    MAINTENANCE_REMOVED = "maintenance.removed"
    PRICES_CHANGED = "prices.changed"
    RULE_ADDED = "price_rule.added"
    RULE_CHANGED = "price_rule.changed"
    RULE_REMOVED = "price_rule.removed"
    BLOCK_ADDED = "block.added"
    BLOCK_REMOVED = "block.removed"
    BUFFER_CHANGED = "buffer.changed"
    CONFIRM_AT_ONCE_CHANGED = "confirm_at_once.changed"
    CALENDAR_SHARED = "calendar.shared"
    CALENDAR_UNSHARED = "calendar.unshared"
    IMPORT_ADDED = "calendar.import_added"
    IMPORT_REMOVED = "calendar.import_removed"
    # Of versions that added people without asking them.
    MEMBER_ADDED = "member.added"
    MEMBER_INVITED = "member.invited"
    INVITATION_CANCELLED = "member.invitation_cancelled"
    MEMBER_JOINED = "member.joined"
    MEMBER_CHANGED = "member.changed"
    MEMBER_REMOVED = "member.removed"
    MEMBER_LEFT = "member.left"
    GUEST_LINK_SENT = "guest_link.sent"
    GUEST_BOOKING_JOINED = "guest_booking.joined"
    TRIP_CODE_SENT = "trip_code.sent"
    TRIP_CODE_USED = "trip_code.used"
    REVIEW_JUDGED = "review.judged"
    PERSON_BLOCKED = "person.blocked"
    PERSON_UNBLOCKED = "person.unblocked"
    PERSON_CHANGED = "person.changed"
    PERSON_NOTED = "person.noted"
    RECOVERY_BEGUN = "recovery.begun"
    RECOVERY_STOPPED = "recovery.stopped"
    RECOVERY_DONE = "recovery.done"
    RESET_LINK_SENT = "person.reset_link_sent"
    BOOKING_CANCELLED = "booking.cancelled"
    BOOKING_NOTED_LATE = "booking.noted_late"
    OBJECTION_JUDGED = "objection.judged"
    MESSAGE_SENT_AGAIN = "message.sent_again"
    COMMISSION_PAID = "commission.paid"
    READ_ONLY_ON = "read_only.on"
    READ_ONLY_OFF = "read_only.off"
    CATALOGUE_ADDED = "catalogue.added"
    CATALOGUE_CHANGED = "catalogue.changed"
    WORDS_CHANGED = "words.changed"
    LISTING_APPROVED = "listing.approved"
    LISTING_REFUSED = "listing.refused"
    LISTING_TAKEN_DOWN = "listing.taken_down"
    LISTING_FEATURED = "listing.featured"
    LIMITS_LIFTED = "account.limits_lifted"
    EXPORTED = "operator.exported"
    PAPER_SEEN = "operator.paper_seen"
    IDENTITY_SENT = "identity.sent"
    IDENTITY_WITHDRAWN = "identity.withdrawn"
    IDENTITY_SEEN = "identity.seen"
    IDENTITY_ACCEPTED = "identity.accepted"
    IDENTITY_REFUSED = "identity.refused"
    SEEN_AS_THEY = "operator.seen_as_they"


def masked(values: Mapping[str, object]) -> dict[str, object]:
    """Values of fields as the trail may show them: `r...@example.com`, `...9012`, `R...`; others as they are."""
    return {name: _masked(value) if name in PERSONAL and value else value for name, value in values.items()}


def _masked(value: object) -> str:
    text = str(value)
    if _EMAIL.fullmatch(text):
        name, _, host = text.partition("@")
        return f"{name[:1]}...@{host}"
    if text[-SHOWN_DIGITS:].isdecimal():
        return f"...{text[-SHOWN_DIGITS:]}"
    return f"{text[:1]}..."


def changes(before: Mapping[str, object], after: Mapping[str, object]) -> tuple[dict[str, object], dict[str, object]]:
    """Of two states of the same thing, the fields that differ: as they were, and as they are."""
    names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    return {name: before[name] for name in names if name in before}, {
        name: after[name] for name in names if name in after
    }
