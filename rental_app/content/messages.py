"""The texts of e-mails: for each occasion and side a subject and an opening paragraph.

`{vehicle}`, `{reference}`, `{pickup}`, `{return_at}`, `{answer_by}`, `{extend_by}`, `{deposit_from}`, `{deposit_to}`,
`{other}` (the other side's name), `{note}`, `{why}` (the note in brackets, if there is one) and the names of figures
are filled in. A kind with a suffix has the words for bookings in a special case (see `services/mail/messages.py`).
"""

from typing import NamedTuple

from rental_app.content.staff import ROLES
from rental_app.domain.booking_events import EventKind
from rental_app.domain.staff import MemberRole


class Words(NamedTuple):
    """A message: its subject, and its first paragraph."""

    subject: str
    lead: str


CUSTOMER, VENDOR = "customer", "vendor"
GUEST_LINK, DAY_DIGEST = "guest_link", "day_digest"
INVITED = {MemberRole.COUNTER: "invited_counter", MemberRole.MANAGER: "invited_manager"}
MEMBER_JOINED = "member_joined"
LISTING_APPROVED, LISTING_REFUSED, LISTING_TAKEN_DOWN = "listing_approved", "listing_refused", "listing_taken_down"
VERIFY_EMAIL, CONFIRM_EMAIL = "verify_email", "confirm_email"
CHANGE_ASKED, CHANGE_GRANTED, CHANGE_REFUSED = "change_asked", "change_granted", "change_refused"
PHONE_CONFIRMED, PHONE_TAKEN = "phone_confirmed", "phone_taken"
SECOND_STEP_ON, SECOND_STEP_OFF, RECOVERY_CODE_USED = "second_step_on", "second_step_off", "recovery_code_used"
RECOVERY_CODES_RENEWED = "recovery_codes_renewed"
PASSKEY_ADDED, PASSKEY_REMOVED, PASSKEY_COPIED = "passkey_added", "passkey_removed", "passkey_copied"
REVIEW_REMOVED, REPORT_HEARD, REPORT_REFUSED = "review_removed", "report_heard", "report_refused"
COMMISSION_PAID = "commission_paid"
ACCOUNT_BLOCKED, ACCOUNT_UNBLOCKED, ACCOUNT_CHANGED = "account_blocked", "account_unblocked", "account_changed"
EMPLOYER_BLOCKED, EMPLOYER_UNBLOCKED = "employer_blocked", "employer_unblocked"
ERASURE_ASKED, ERASURE_TAKEN_BACK = "erasure_asked", "erasure_taken_back"
CHANGING_EMAIL, EMAIL_TAKEN = "changing_email", "email_taken"
RECOVERY_BEGUN, RECOVERY_DONE, RECOVERY_STOPPED = "recovery_begun", "recovery_done", "recovery_stopped"
DOCUMENT_ACCEPTED, DOCUMENT_REFUSED = "document_accepted", "document_refused"
DOCUMENT_EXPIRING, DOCUMENT_EXPIRED = "document_expiring", "document_expired"
RESET_PASSWORD, PASSWORD_CHANGED, NEW_DEVICE = "reset_password", "password_changed", "new_device"


class AccountWords(NamedTuple):
    """A message about an account: subject, first paragraph, the page it leads to, and what is done there.

    `otherwise` is another page for its link, and what is done there.
    """

    subject: str
    lead: str
    page: str
    action: str
    otherwise: tuple[str, str] = ("", "")


def _invited(role: MemberRole) -> AccountWords:
    return AccountWords(
        "{note} invites you to work with them",
        f"{{note}} invites you to work in their rental business: you could {ROLES[role].may}. The button below works"
        " once, within {lasts}, where you are logged in with this address; if you have no account yet, sign up with it"
        " first. Nothing happens unless you accept. If you do not know them, you can ignore this email.",
        "join",
        "See the invitation",
    )


# About the account itself, to its owner. `{lasts}` is how long a link works, `{note}` what happened.
ACCOUNT_WORDS = {
    RESET_PASSWORD: AccountWords(
        "Set a new password",
        "Someone asked to reset the password of your account. The button below works once, within {lasts}. If this was"
        " not you, you can ignore this email: your password stays as it is.",
        "reset-password",
        "Set a new password",
    ),
    PASSWORD_CHANGED: AccountWords(
        "Your password was changed",
        "Your password has just been changed, and every other device has been logged out. If this was not you, set a"
        " new one straight away.",
        "reset-password",
        "This was not me",
    ),
    DOCUMENT_ACCEPTED: AccountWords(
        "Your {note} is checked",
        "We have checked your {note}: vendors see that, and need not look at it again when they hand a vehicle over."
        " Please take the originals along all the same.",
        "account",
        "See my documents",
    ),
    DOCUMENT_REFUSED: AccountWords(
        "Please send a document again",
        "We could not accept your {note}. You can send it again under Account, or show the original when you pick the"
        " vehicle up. We erase what you sent within 7 days.",
        "account",
        "Send it again",
    ),
    DOCUMENT_EXPIRING: AccountWords(
        "A document runs out soon",
        "You have sent us a document that is valid until: {note}. Once you have the new one, send it under Account.",
        "account",
        "See my documents",
    ),
    DOCUMENT_EXPIRED: AccountWords(
        "A document has run out",
        "A document that you have sent us is no longer valid: {note}. We erase it in 30 days; send the new one under"
        " Account, or take it along when you pick a vehicle up.",
        "account",
        "Send the new one",
    ),
    VERIFY_EMAIL: AccountWords(
        "Confirm your email",
        "Please confirm that this address is yours: press the button below in the browser you signed up with. In any"
        " other, you will be asked for your password. The button works once, within {lasts}. If you did not sign up"
        " here, tell us, and we will take your address off that account.",
        "verify-email",
        "Confirm my email",
        ("decline-email", "I did not sign up"),
    ),
    CONFIRM_EMAIL: AccountWords(
        "Confirm your new email",
        "You asked to use this address for your account. To confirm it, press the button below where you are logged"
        " in. Anywhere else, you will be asked for your password. The button works once, within {lasts}. If you did"
        " not ask for this, you can ignore this email.",
        "confirm-email",
        "Use this address",
    ),
    CHANGING_EMAIL: AccountWords(
        "Your email is being changed",
        "Someone who knows your password asked to use {note} for your account instead of this address. If this was not"
        " you, press the button below within {lasts}: your account keeps this address, and everyone is logged out.",
        "undo-email",
        "This was not me",
    ),
    RECOVERY_BEGUN: AccountWords(
        "We are about to change your {note}",
        "Someone told us that this account is theirs and that they can no longer use its {note}. We have checked who"
        " they are, and will change it in {lasts}. If this was not you, press the button below before then, and your"
        " account stays as it is.",
        "keep-account",
        "This was not me",
    ),
    RECOVERY_DONE: AccountWords(
        "We have changed your {note}",
        "As we told you we would, we have changed your {note} and logged everyone out. Please set a new password: we"
        " send the link to your account's email. If you did not ask for this, please call us straight away.",
        "reset-password",
        "Set a new password",
    ),
    RECOVERY_STOPPED: AccountWords(
        "Your account stays as it is",
        "We have stopped the change to your {note}: nothing has changed. If you can no longer use your {note}, please"
        " call us.",
        "account",
        "See my account",
    ),
    EMAIL_TAKEN: AccountWords(
        "You already have an account",
        "Someone, hopefully you, tried to open another account with this address. You already have one, so just log"
        " in. If you have forgotten your password, set a new one.",
        "reset-password",
        "Set a new password",
    ),
    CHANGE_ASKED: AccountWords(
        "You asked for a change",
        "Someone who knows your password asked us to change your {note}. If this was not you, set a new password"
        " straight away: that withdraws the request and logs out every device.",
        "reset-password",
        "This was not me",
    ),
    CHANGE_GRANTED: AccountWords(
        "Your account has changed",
        "As you asked, we have changed your {note}. If you did not ask for this, please write to us straight away.",
        "account",
        "See my account",
    ),
    ACCOUNT_CHANGED: AccountWords(
        "Your account has changed",
        "We have changed your account: {note}. If you did not ask for this, please write to us straight away.",
        "account",
        "See my account",
    ),
    ACCOUNT_BLOCKED: AccountWords(
        "Your account is blocked",
        "We have blocked your account: {note}. You have been logged out everywhere, your open requests have been"
        " declined, and your vehicles are no longer shown. Trips under way continue: as a vendor you can still log in"
        " to take vehicles back and settle up. We are looking after your confirmed bookings and have told the"
        " customers. If you think this is a mistake, please write to us.",
        "vendor/manage-bookings",
        "See my bookings",
    ),
    EMPLOYER_BLOCKED: AccountWords(
        "The account you work for is blocked",
        "We have blocked the account of {note}, for whom you answer requests and hand over vehicles. You cannot act"
        " for them until it is open again. Your own account is not affected.",
        "account",
        "See my account",
    ),
    ERASURE_ASKED: AccountWords(
        "Your account will be erased on {note}",
        "You asked us to erase your account. You are logged out everywhere, and on {note} we erase what we keep about"
        " you; tax invoices and the amounts of your bookings stay, as the law demands. If you change your mind, or did"
        " not ask for this, log in before that day: that alone keeps the account. We will not write to you again.",
        "account",
        "Log in and keep my account",
    ),
    ERASURE_TAKEN_BACK: AccountWords(
        "Your account stays",
        "Someone has logged in to your account, so it will not be erased. If that was not you, set a new password"
        " straight away; if you still want it erased, ask for it again under Account.",
        "reset-password",
        "Set a new password",
    ),
    EMPLOYER_UNBLOCKED: AccountWords(
        "The account you work for is open again",
        "We have unblocked the account of {note}: you can answer requests and hand over vehicles as before.",
        "vendor/manage-bookings",
        "See the bookings",
    ),
    ACCOUNT_UNBLOCKED: AccountWords(
        "Your account is open again",
        "We have unblocked your account: you can log in as before. Your vehicles are shown again. {note}",
        "account",
        "See my account",
    ),
    REVIEW_REMOVED: AccountWords(
        "We have removed one of your reviews",
        "A review you wrote is no longer shown: {note}. If you think this is a mistake, please write to us.",
        "account",
        "See my account",
    ),
    REPORT_HEARD: AccountWords(
        "We have removed the review",
        "Thank you for reporting a review. We have looked at it and removed it: {note}.",
        "account",
        "See my account",
    ),
    REPORT_REFUSED: AccountWords(
        "The review stays",
        "Thank you for reporting a review. We have looked at it, and it stays. {note}",
        "account",
        "See my account",
    ),
    COMMISSION_PAID: AccountWords(
        "Commission payment recorded",
        "We have recorded your commission payment: {note}.",
        "vendor/earnings",
        "See my earnings",
    ),
    CHANGE_REFUSED: AccountWords(
        "Your account stays as it is", "We have not changed your {note}.", "account", "See my account"
    ),
    PHONE_CONFIRMED: AccountWords(
        "Your mobile number is confirmed",
        "The mobile number {note} is confirmed for your account: from now on you can log in with a code sent to it. If"
        " this was not you, press the button below within {lasts}: we take the number off again and log everyone out.",
        "not-me",
        "This was not me",
    ),
    PHONE_TAKEN: AccountWords(
        "Your mobile number is now on another account",
        "Someone has entered a code sent to the mobile number {note}, so it now belongs to their account. You can no"
        " longer log in with codes sent to it. If the number is still yours, confirm it again under Account.",
        "account",
        "See my account",
    ),
    SECOND_STEP_ON: AccountWords(
        "Your sign-in now needs a second step",
        "From now on you log in with your password and a code from your authenticator app. Keep your recovery codes:"
        " they let you in without the app. If this was not you, press the button below within {lasts}: we take the app"
        " off again and log everyone out.",
        "not-me",
        "This was not me",
    ),
    SECOND_STEP_OFF: AccountWords(
        "Your sign-in no longer needs a second step",
        "The second step has just been turned off: your password alone is enough to log in. If this was not you, set a"
        " new password straight away.",
        "reset-password",
        "This was not me",
    ),
    PASSKEY_ADDED: AccountWords(
        "A passkey was added to your account",
        "The passkey {note} has just been added to your account: it logs you in without your password. If this was not"
        " you, press the button below within {lasts}: we remove it again and log everyone out.",
        "not-me",
        "This was not me",
    ),
    PASSKEY_REMOVED: AccountWords(
        "A passkey was removed from your account",
        "The passkey {note} has just been removed from your account: it no longer logs anyone in, and devices logged"
        " in with it have been logged out. If this was not you, set a new password straight away.",
        "reset-password",
        "This was not me",
    ),
    PASSKEY_COPIED: AccountWords(
        "A login with your passkey was refused",
        "Somebody tried to log in with what looks like a copy of your passkey {note}. Remove it from your account,"
        " and add a new one.",
        "account",
        "See my account",
    ),
    RECOVERY_CODE_USED: AccountWords(
        "A recovery code was used",
        "One of your recovery codes has just been used in place of your authenticator app. You have {note} left. If"
        " this was not you, set a new password straight away.",
        "reset-password",
        "This was not me",
    ),
    RECOVERY_CODES_RENEWED: AccountWords(
        "You have new recovery codes",
        "New recovery codes have just been made for your account. The earlier ones no longer work: throw them away. If"
        " this was not you, press the button below within {lasts}: the new ones stop working too, and everyone is"
        " logged out.",
        "not-me",
        "This was not me",
    ),
    **{kind: _invited(role) for role, kind in INVITED.items()},
    MEMBER_JOINED: AccountWords(
        "{note} has accepted your invitation",
        "{note} works for you from now on. Under Profile you see what each of your people may do, change it, and remove"
        " who no longer works for you.",
        "vendor/profile",
        "See your people",
    ),
    NEW_DEVICE: AccountWords(
        "Login from a new device",
        "Someone logged in to your account from a device we do not know: {note}. If this was not you, set a new"
        " password straight away: that logs out every device.",
        "reset-password",
        "This was not me",
    ),
}
WORDS: dict[tuple[str, str], Words] = {
    (EventKind.REQUESTED, CUSTOMER): Words(
        "Requested: {vehicle}",
        "Your request is on its way. {other} has until {answer_by} to answer; until then you owe nothing.",
    ),
    (EventKind.REQUESTED, VENDOR): Words(
        "New request: {vehicle}", "{other} would like to rent your vehicle. Please answer by {answer_by}."
    ),
    (EventKind.CONFIRMED, CUSTOMER): Words(
        "Confirmed: {vehicle}",
        "{other} has confirmed your booking. Please bring your original documents to the pickup.",
    ),
    (EventKind.BOOKED, VENDOR): Words(
        "New booking: {vehicle}",
        "{other} has booked your vehicle. You let such bookings be confirmed at once, so there is nothing to answer.",
    ),
    # Booked at the counter for who already had the vehicle.
    (f"{EventKind.CONFIRMED}.begun", CUSTOMER): Words(
        "Noted: {vehicle}",
        "{other} has noted that you rented this vehicle from {pickup} to {return_at}{why}. If that is not right, please"
        " tell them, or us.",
    ),
    (EventKind.DECLINED, CUSTOMER): Words(
        "Declined: {vehicle}", "{other} cannot give you this vehicle for these dates{why}. You owe nothing."
    ),
    (EventKind.LAPSED, CUSTOMER): Words(
        "Not answered: {vehicle}", "{other} did not answer in time, so your request has lapsed. You owe nothing."
    ),
    (EventKind.LAPSED, VENDOR): Words(
        "Lapsed: {vehicle}",
        "The request from {other} was not answered in time and has lapsed. The dates are free again.",
    ),
    (EventKind.CANCELLED, CUSTOMER): Words(
        "Cancelled: {vehicle}",
        "Your booking is cancelled. The account below shows what is kept and what is still to be settled.",
    ),
    (EventKind.CANCELLED, VENDOR): Words(
        "Cancelled: {vehicle}",
        "{other} has cancelled. The dates are free again; the account below shows what is kept and what is still to be"
        " settled.",
    ),
    (f"{EventKind.CANCELLED}.even", CUSTOMER): Words(
        "Cancelled: {vehicle}", "Your booking is cancelled. Nobody owes anything."
    ),
    (f"{EventKind.CANCELLED}.even", VENDOR): Words(
        "Cancelled: {vehicle}", "{other} has cancelled. The dates are free again, and nobody owes anything."
    ),
    (EventKind.VENDOR_CANCELLED, CUSTOMER): Words(
        "Cancelled by the vendor: {vehicle}",
        "{other} cannot give you this vehicle{why}. You owe nothing, and get back everything you have paid. Your"
        " booking's page shows similar vehicles that are free for your dates.",
    ),
    (EventKind.REBOOKED, VENDOR): Words(
        "Booked in its place: {vehicle}",
        "{other}, whose booking you had to cancel, has booked this vehicle of yours instead. The booking is"
        " confirmed. {note}.",
    ),
    (EventKind.CHANGED, CUSTOMER): Words(
        "Changed: {vehicle}", "Your request is now for other dates: {note}. {other} has until {answer_by} to answer."
    ),
    (EventKind.CHANGED, VENDOR): Words(
        "Changed request: {vehicle}", "{other} has changed the dates: {note}. Please answer by {answer_by}."
    ),
    (EventKind.EXTENDED, CUSTOMER): Words("Extended: {vehicle}", "Your return has been moved to {return_at}."),
    (EventKind.EXTENDED, VENDOR): Words("Extended: {vehicle}", "{other} will now return your vehicle on {return_at}."),
    (EventKind.MOVED, CUSTOMER): Words(
        "Another vehicle: {vehicle}",
        "{other} has moved your booking to another vehicle: {note}. Your dates stay the same, and you pay no more"
        " than before.",
    ),
    (EventKind.PROPOSED, CUSTOMER): Words(
        "Please answer: {vehicle}",
        "{other} proposes a change: {note}. Nothing changes unless you agree on your booking's page.",
    ),
    (EventKind.AGREED, VENDOR): Words("Agreed: {vehicle}", "{other} has agreed to your proposal."),
    (EventKind.PROPOSAL_REFUSED, VENDOR): Words(
        "Not agreed: {vehicle}", "{other} has not agreed to your proposal: the booking stays as it was."
    ),
    (EventKind.PROPOSAL_LAPSED, VENDOR): Words(
        "Not answered: {vehicle}", "{other} has not answered your proposal: the booking stays as it was."
    ),
    (EventKind.OPERATOR_CANCELLED, CUSTOMER): Words(
        "Cancelled by us: {vehicle}",
        "We have cancelled your booking with {other}{why}. The account below shows what is kept and what you get back.",
    ),
    (EventKind.OPERATOR_CANCELLED, VENDOR): Words(
        "Cancelled by us: {vehicle}",
        "We have cancelled {other}'s booking{why}. The dates are free again; the account below shows what is kept and"
        " what you have to pay back.",
    ),
    (EventKind.JUDGED, CUSTOMER): Words("Your objection: {vehicle}", "We have looked at your objection. {note}"),
    (EventKind.JUDGED, VENDOR): Words("Objection decided: {vehicle}", "We have looked at {other}'s objection. {note}"),
    (EventKind.VENDOR_BLOCKED, CUSTOMER): Words(
        "About your booking: {vehicle}",
        "We have blocked the account of {other}. If you have the vehicle, return it as agreed. If your pickup is"
        " still to come, please wait for our message: we are taking care of your booking.",
    ),
    (EventKind.VENDOR_UNBLOCKED, CUSTOMER): Words(
        "Your booking stands: {vehicle}", "{other} is renting out vehicles again: your booking stands as it was."
    ),
    ("before_pickup", CUSTOMER): Words(
        "Pickup soon: {vehicle}", "Your pickup is on {pickup}. Please bring your original documents and the amount due."
    ),
    ("before_pickup.delivered", CUSTOMER): Words(
        "Delivery soon: {vehicle}",
        "{other} will bring your vehicle to you on {pickup}. Please have your original documents and the amount due"
        " ready.",
    ),
    ("before_return", CUSTOMER): Words(
        "Return soon: {vehicle}",
        "Your return is on {return_at}. You can extend until {extend_by}; after that, late hours are charged.",
    ),
    ("before_return.too_late", CUSTOMER): Words(
        "Return soon: {vehicle}",
        "Your return is on {return_at}. It is too late to extend the booking online: if you need more time, call"
        " {other}. Late hours are charged.",
    ),
    (EventKind.NO_SHOW, CUSTOMER): Words(
        "Not picked up: {vehicle}",
        "{other} has noted that you did not pick up the vehicle. Your booking's page shows what is kept, and you can"
        " object there within {object_hours} hours.",
    ),
    (EventKind.REVERSED, CUSTOMER): Words(
        "Account corrected: {vehicle}",
        "{other} has corrected your booking's account. Reversed: {note}. If that means you owe more, you can object on"
        " your booking's page within {object_hours} hours.",
    ),
    (EventKind.CHARGED, CUSTOMER): Words(
        "Charged after the return: {vehicle}",
        "{other} has added a charge to your trip: {note}. You can see it on your booking's page, and object to it"
        " there within {object_hours} hours.",
    ),
    (EventKind.RETURNED, CUSTOMER): Words(
        "Returned: {vehicle}",
        "{other} has your vehicle back. You will get back what is left of the deposit on {deposit_from} to"
        " {deposit_to}.",
    ),
    (EventKind.RETURNED, VENDOR): Words(
        "Returned: {vehicle}", "Please return what is left of the deposit on {deposit_from} to {deposit_to}."
    ),
    (f"{EventKind.RETURNED}.owing", CUSTOMER): Words(
        "Returned: {vehicle}", "{other} has your vehicle back. The account below shows what is still due."
    ),
    (f"{EventKind.RETURNED}.owing", VENDOR): Words(
        "Returned: {vehicle}", "Your vehicle is back. The account below shows what is still due."
    ),
    (f"{EventKind.RETURNED}.even", CUSTOMER): Words(
        "Returned: {vehicle}", "{other} has your vehicle back. Nobody owes anything more."
    ),
    (f"{EventKind.RETURNED}.even", VENDOR): Words(
        "Returned: {vehicle}", "Your vehicle is back. Nobody owes anything more."
    ),
    (EventKind.SETTLED, CUSTOMER): Words("Settled: {vehicle}", "Everything is settled. Thank you for riding with us."),
    (EventKind.SETTLED, VENDOR): Words("Settled: {vehicle}", "{other}'s trip is settled."),
    (EventKind.OBJECTED, VENDOR): Words("Objection: {vehicle}", "{other} does not agree: {note}"),
    (EventKind.OBJECTION_ANSWERED, CUSTOMER): Words(
        "Your objection is answered: {vehicle}", "{other} has answered your objection: {note}"
    ),
    (GUEST_LINK, CUSTOMER): Words(
        "Your booking: {vehicle}",
        "Here is a new link to your booking with {other}. The old one no longer works.",
    ),
    ("review_wanted", CUSTOMER): Words(
        "How was it? {vehicle}",
        "Tell others how your trip with {other} was. Your review is shown once {other} has written one too, or after"
        " {review_days} days.",
    ),
    ("review_wanted", VENDOR): Words(
        "How was it? {vehicle}",
        "Tell other vendors how {other}'s trip was. Your review is shown once {other} has written one too, or after"
        " {review_days} days.",
    ),
    ("reviewed", CUSTOMER): Words(
        "{other} has reviewed you: {vehicle}", "You can read the review on your booking's page."
    ),
    ("reviewed", VENDOR): Words(
        "{other} has reviewed your vehicle: {vehicle}", "Read it, and answer once if you like: everyone sees both."
    ),
    ("review_answered", CUSTOMER): Words(
        "{other} has answered your review: {vehicle}", "You can read the answer on your booking's page."
    ),
    (DAY_DIGEST, VENDOR): Words("Today: {note}", "What the next 24 hours bring, as it stands now."),
    (LISTING_APPROVED, VENDOR): Words(
        "Listed: {vehicle}", "We have checked your vehicle: customers can see and book it now."
    ),
    (LISTING_REFUSED, VENDOR): Words(
        "Not listed yet: {vehicle}",
        "We cannot list your vehicle as it is: {note}. Fix this under Manage Vehicles and save: we will look at it"
        " again.",
    ),
    (LISTING_TAKEN_DOWN, VENDOR): Words(
        "Taken down: {vehicle}",
        "We have taken your vehicle down: {note}. Nobody can book it for now; your confirmed bookings stand. Fix this"
        " under Manage Vehicles and save: we will look at it again.",
    ),
    ("papers_expiring", VENDOR): Words(
        "Documents expiring: {vehicle}", "{note}. Enter the new date and upload the new document under Manage Vehicles."
    ),
}
