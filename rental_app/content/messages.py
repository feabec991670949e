"""The texts of e-mails: for each occasion and side a subject and an opening paragraph.

`{vehicle}`, `{reference}`, `{pickup}`, `{return_at}`, `{answer_by}`, `{extend_by}`, `{deposit_from}`, `{deposit_to}`,
`{other}` (the other side's name), `{note}`, `{why}` (the note in brackets, if there is one) and the names of figures
are filled in. A kind with a suffix has the words for bookings in a special case (see `services/mail/messages.py`).
"""

from typing import NamedTuple

from rental_app.domain.booking_events import EventKind


class Words(NamedTuple):
    """A message: its subject, and its first paragraph."""

    subject: str
    lead: str


CUSTOMER, VENDOR, MEMBER = "customer", "vendor", "member"
ADDED_LETTER, GUEST_LINK = "member_added", "guest_link"
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
CHANGING_EMAIL, EMAIL_TAKEN = "changing_email", "email_taken"
RECOVERY_BEGUN, RECOVERY_DONE, RECOVERY_STOPPED = "recovery_begun", "recovery_done", "recovery_stopped"
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


# About the account itself, to its owner. `{lasts}` is how long a link works, `{note}` what happened.
ACCOUNT_WORDS = {
    RESET_PASSWORD: AccountWords(
        "Set a new password",
        "Somebody asked for a new password for your account. The button below works once, for {lasts}. If this was"
        " not you, do nothing: your password stays as it is.",
        "reset-password",
        "Set a new password",
    ),
    PASSWORD_CHANGED: AccountWords(
        "Your password was changed",
        "The password of your account was changed just now, and every other device has been logged out. If this was"
        " not you, set a new one at once.",
        "reset-password",
        "This was not me",
    ),
    VERIFY_EMAIL: AccountWords(
        "Confirm your email",
        "Please confirm that this address is yours: press the button below in the browser in which you signed up, or"
        " enter your password there. It works once, for {lasts}. If you did not sign up here, tell us: we take your"
        " address off the account of whoever did.",
        "verify-email",
        "Confirm my email",
        ("decline-email", "I did not sign up"),
    ),
    CONFIRM_EMAIL: AccountWords(
        "Confirm your new email",
        "You asked to use this address for your account. To change it, press the button below where you are logged"
        " in, or enter your password there. It works once, for {lasts}. If you did not ask for this, do nothing.",
        "confirm-email",
        "Use this address",
    ),
    CHANGING_EMAIL: AccountWords(
        "Your email is being changed",
        "Somebody who knows your password asked to use {note} for your account instead of this address. If this was"
        " not you, press the button below within {lasts}: your account keeps this address, and everybody is logged"
        " out.",
        "undo-email",
        "This was not me",
    ),
    RECOVERY_BEGUN: AccountWords(
        "We are about to change your {note}",
        "Somebody told us that this account is theirs and that they can no longer use its {note}. We have checked who"
        " they are, and will change it in {lasts}. If this was not you, press the button below before then: your"
        " account stays as it is.",
        "keep-account",
        "This was not me",
    ),
    RECOVERY_DONE: AccountWords(
        "We have changed your {note}",
        "As announced, we have changed the {note} of your account and logged everybody out. Please set a new"
        " password; the link goes to the email of the account. If this was not you, please call us at once.",
        "reset-password",
        "Set a new password",
    ),
    RECOVERY_STOPPED: AccountWords(
        "Your account stays as it is",
        "The change of your {note} was stopped, and nothing has changed. If you can no longer use it, please call us.",
        "account",
        "See my account",
    ),
    EMAIL_TAKEN: AccountWords(
        "You already have an account",
        "Somebody, hopefully you, tried to use this address for another account. You already have one: log in with"
        " it. If you have forgotten your password, set a new one.",
        "reset-password",
        "Set a new password",
    ),
    CHANGE_ASKED: AccountWords(
        "You asked for a change",
        "Somebody who knows your password asked us to change the {note} of your account. If this was not you, set a"
        " new password at once: that withdraws the request and logs every device out.",
        "reset-password",
        "This was not me",
    ),
    CHANGE_GRANTED: AccountWords(
        "Your account has changed",
        "As you asked, we have changed your {note}. If you did not ask for this, please write to us at once.",
        "account",
        "See my account",
    ),
    ACCOUNT_CHANGED: AccountWords(
        "Your account has changed",
        "We have changed your account: {note}. If you did not ask for this, please write to us at once.",
        "account",
        "See my account",
    ),
    ACCOUNT_BLOCKED: AccountWords(
        "Your account is blocked",
        "We have blocked your account: {note}. You are logged out everywhere, your open requests are declined, and"
        " your vehicles are no longer shown. Trips under way go on: as a vendor you can log in to receive the"
        " vehicles and to settle. We are looking at your confirmed bookings, and the customers know. If you think"
        " this is wrong, please write to us.",
        "vendor/manage-bookings",
        "See my bookings",
    ),
    EMPLOYER_BLOCKED: AccountWords(
        "The account you work for is blocked",
        "We have blocked the account of {note}, for whom you answer requests and hand over vehicles. You cannot do"
        " anything for them until it is open again. Your own account stays as it is.",
        "account",
        "See my account",
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
        "A review that you wrote is no longer shown: {note}. If you think this is wrong, please write to us.",
        "account",
        "See my account",
    ),
    REPORT_HEARD: AccountWords(
        "The review is removed",
        "You reported a review. We have looked at it and removed it: {note}. Thank you.",
        "account",
        "See my account",
    ),
    REPORT_REFUSED: AccountWords(
        "The review stays",
        "You reported a review. We have looked at it, and it stays. {note}",
        "account",
        "See my account",
    ),
    COMMISSION_PAID: AccountWords(
        "Commission payment recorded",
        "We have recorded your payment of commission: {note}.",
        "vendor/earnings",
        "See my earnings",
    ),
    CHANGE_REFUSED: AccountWords(
        "Your account stays as it is", "We have not changed your {note}.", "account", "See my account"
    ),
    PHONE_CONFIRMED: AccountWords(
        "Your mobile number is confirmed",
        "The mobile number {note} is confirmed for your account: from now on, a code sent there logs you in. If this"
        " was not you, press the button below within {lasts}: the number is taken off again, and everybody is logged"
        " out.",
        "not-me",
        "This was not me",
    ),
    PHONE_TAKEN: AccountWords(
        "Your mobile number is on another account now",
        "Somebody has entered a code sent to the mobile number {note}, so it belongs to their account now. You can no"
        " longer log in with codes sent to it. If the number is still yours, confirm it again under Account.",
        "account",
        "See my account",
    ),
    SECOND_STEP_ON: AccountWords(
        "Your sign-in now needs a second step",
        "From now on, logging in takes a code from your authenticator app as well as your password. Keep your"
        " recovery codes: they are your way in without the app. If this was not you, press the button below within"
        " {lasts}: the app is taken off again, and everybody is logged out.",
        "not-me",
        "This was not me",
    ),
    SECOND_STEP_OFF: AccountWords(
        "Your sign-in no longer needs a second step",
        "The second step was turned off just now: your password alone is enough to log in. If this was not you, set a"
        " new password at once.",
        "reset-password",
        "This was not me",
    ),
    PASSKEY_ADDED: AccountWords(
        "A passkey was added to your account",
        "The passkey {note} was added to your account just now: it logs you in without your password. If this was not"
        " you, press the button below within {lasts}: it is removed again, and everybody is logged out.",
        "not-me",
        "This was not me",
    ),
    PASSKEY_REMOVED: AccountWords(
        "A passkey was removed from your account",
        "The passkey {note} was removed from your account just now: it no longer logs anybody in, and the devices it"
        " had logged in are logged out. If this was not you, set a new password at once.",
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
        "One of your recovery codes was used just now in place of your authenticator app. You have {note} left. If"
        " this was not you, set a new password at once.",
        "reset-password",
        "This was not me",
    ),
    RECOVERY_CODES_RENEWED: AccountWords(
        "You have new recovery codes",
        "New recovery codes were made for your account just now, and the earlier ones no longer work: throw them"
        " away. If this was not you, press the button below within {lasts}: the new ones stop working too, and"
        " everybody is logged out.",
        "not-me",
        "This was not me",
    ),
    NEW_DEVICE: AccountWords(
        "Login from a new device",
        "Somebody logged in to your account from a device that we do not know: {note}. If this was not you, set a new"
        " password at once, which logs every device out.",
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
        "Your booking is cancelled. The account below says what is kept and what is still to be settled.",
    ),
    (EventKind.CANCELLED, VENDOR): Words(
        "Cancelled: {vehicle}",
        "{other} has cancelled. The dates are free again; the account below says what is kept and what is still to be"
        " settled.",
    ),
    (f"{EventKind.CANCELLED}.even", CUSTOMER): Words(
        "Cancelled: {vehicle}", "Your booking is cancelled. Nothing is due on either side."
    ),
    (f"{EventKind.CANCELLED}.even", VENDOR): Words(
        "Cancelled: {vehicle}", "{other} has cancelled. The dates are free again, and nothing is due on either side."
    ),
    (EventKind.VENDOR_CANCELLED, CUSTOMER): Words(
        "Cancelled by the vendor: {vehicle}",
        "{other} cannot give you this vehicle{why}. You owe nothing, and get back all that you have paid. Your"
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
    (EventKind.EXTENDED, VENDOR): Words(
        "Extended: {vehicle}", "{other} will return your vehicle on {return_at} instead."
    ),
    (EventKind.MOVED, CUSTOMER): Words(
        "Another vehicle: {vehicle}",
        "{other} has moved your booking to another vehicle: {note}. Your dates stay the same, and you pay no more"
        " than before.",
    ),
    (EventKind.PROPOSED, CUSTOMER): Words(
        "Please answer: {vehicle}",
        "{other} proposes a change: {note}. Nothing changes unless you agree on your booking's page.",
    ),
    (EventKind.AGREED, VENDOR): Words("Agreed: {vehicle}", "{other} agrees to what you proposed."),
    (EventKind.PROPOSAL_REFUSED, VENDOR): Words(
        "Not agreed: {vehicle}", "{other} does not agree to what you proposed: the booking stays as it was."
    ),
    (EventKind.PROPOSAL_LAPSED, VENDOR): Words(
        "Not answered: {vehicle}", "{other} has not answered your proposal: the booking stays as it was."
    ),
    (EventKind.OPERATOR_CANCELLED, CUSTOMER): Words(
        "Cancelled by us: {vehicle}",
        "We have cancelled your booking with {other}{why}. The account below says what is kept and what you get back.",
    ),
    (EventKind.OPERATOR_CANCELLED, VENDOR): Words(
        "Cancelled by us: {vehicle}",
        "We have cancelled the booking of {other}{why}. The dates are free again; the account below says what is kept"
        " and what you have to pay back.",
    ),
    (EventKind.JUDGED, CUSTOMER): Words("Your objection: {vehicle}", "We have looked at your objection. {note}"),
    (EventKind.JUDGED, VENDOR): Words(
        "Objection decided: {vehicle}", "We have looked at the objection of {other}. {note}"
    ),
    (EventKind.VENDOR_BLOCKED, CUSTOMER): Words(
        "About your booking: {vehicle}",
        "We have blocked the account of {other}. If you have the vehicle, return it as agreed. If your pickup is"
        " still to come, please wait for our message: we are taking care of your booking.",
    ),
    (EventKind.VENDOR_UNBLOCKED, CUSTOMER): Words(
        "Your booking stands: {vehicle}", "{other} is renting out vehicles again: your booking stands as it was."
    ),
    ("before_pickup", CUSTOMER): Words(
        "Pickup soon: {vehicle}", "Your pickup is on {pickup}. Bring your original documents and what is due."
    ),
    ("before_pickup", VENDOR): Words("Pickup soon: {vehicle}", "{other} picks your vehicle up on {pickup}."),
    ("before_pickup.delivered", CUSTOMER): Words(
        "Delivery soon: {vehicle}",
        "{other} brings your vehicle to you on {pickup}. Have your original documents and what is due ready.",
    ),
    ("before_pickup.delivered", VENDOR): Words(
        "Delivery soon: {vehicle}", "Please bring your vehicle to {other} on {pickup}."
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
        "{other} has noted that you did not pick up the vehicle. Your booking's page says what is kept; you can"
        " object there within {object_hours} hours.",
    ),
    (EventKind.REVERSED, CUSTOMER): Words(
        "Account corrected: {vehicle}",
        "{other} has corrected your booking's account. Reversed: {note}. If you owe more because of it, you can"
        " object on your booking's page within {object_hours} hours.",
    ),
    (EventKind.CHARGED, CUSTOMER): Words(
        "Charged after the return: {vehicle}",
        "{other} has charged your trip: {note}. You can see it on your booking's page, and object to it there within"
        " {object_hours} hours.",
    ),
    (EventKind.RETURNED, CUSTOMER): Words(
        "Returned: {vehicle}",
        "{other} has your vehicle back. What is left of the deposit is returned on {deposit_from} to {deposit_to}.",
    ),
    (EventKind.RETURNED, VENDOR): Words(
        "Returned: {vehicle}", "Please return what is left of the deposit on {deposit_from} to {deposit_to}."
    ),
    (f"{EventKind.RETURNED}.owing", CUSTOMER): Words(
        "Returned: {vehicle}", "{other} has your vehicle back. The account below says what is still due."
    ),
    (f"{EventKind.RETURNED}.owing", VENDOR): Words(
        "Returned: {vehicle}", "Your vehicle is back. The account below says what is still due."
    ),
    (f"{EventKind.RETURNED}.even", CUSTOMER): Words(
        "Returned: {vehicle}", "{other} has your vehicle back. Nothing more is due on either side."
    ),
    (f"{EventKind.RETURNED}.even", VENDOR): Words(
        "Returned: {vehicle}", "Your vehicle is back. Nothing more is due on either side."
    ),
    (EventKind.SETTLED, CUSTOMER): Words("Settled: {vehicle}", "Everything is settled. Thank you for riding with us."),
    (EventKind.SETTLED, VENDOR): Words("Settled: {vehicle}", "The trip of {other} is settled."),
    (EventKind.OBJECTED, VENDOR): Words("Objection: {vehicle}", "{other} does not agree: {note}"),
    (EventKind.OBJECTION_ANSWERED, CUSTOMER): Words(
        "Your objection is answered: {vehicle}", "{other} has answered what you objected to: {note}"
    ),
    (GUEST_LINK, CUSTOMER): Words(
        "Your booking: {vehicle}",
        "Here is a new link to your booking with {other}. The one before no longer works.",
    ),
    ("review_wanted", CUSTOMER): Words(
        "How was it? {vehicle}",
        "Tell others how your trip with {other} was. Your stars and words are shown when {other} has written too, after"
        " {review_days} days at the latest.",
    ),
    ("review_wanted", VENDOR): Words(
        "How was it? {vehicle}",
        "Tell other vendors how the trip of {other} was. Your stars and words are shown when {other} has written too,"
        " after {review_days} days at the latest.",
    ),
    ("reviewed", CUSTOMER): Words(
        "{other} has reviewed you: {vehicle}", "You can read the review on your booking's page."
    ),
    ("reviewed", VENDOR): Words(
        "{other} has reviewed your vehicle: {vehicle}", "Read it, and answer once if you like: everybody sees both."
    ),
    ("review_answered", CUSTOMER): Words(
        "{other} has answered your review: {vehicle}", "You can read the answer on your booking's page."
    ),
    (ADDED_LETTER, MEMBER): Words(
        "You now help {other}",
        "{other} has added you to the people who answer requests and hand over and receive vehicles for them. If you"
        " do not want that, press Stop beside your name there: they cannot add you again.",
    ),
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
