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
        "Somebody has asked for a new password for your account. The button below works once, for {lasts}. If"
        " it was not you, do nothing: your password stays as it is.",
        "reset-password",
        "Set a new password",
    ),
    PASSWORD_CHANGED: AccountWords(
        "Your password was changed",
        "The password of your account was changed just now, and every other device has been logged out. If it was not"
        " you, set a new one at once.",
        "reset-password",
        "This was not me",
    ),
    VERIFY_EMAIL: AccountWords(
        "Confirm your email",
        "Please confirm that this address is yours: press the button below, in the browser in which you have signed up,"
        " or with your password. It works once, for {lasts}. If you have not signed up here, tell us: the account of"
        " whoever did loses your address.",
        "verify-email",
        "Confirm my email",
        ("decline-email", "I did not sign up"),
    ),
    CONFIRM_EMAIL: AccountWords(
        "Confirm your new email",
        "You asked to use this address for your account. Press the button below, where you are logged in or with your"
        " password, and it changes. It works once, for {lasts}. If you have not asked for it, do nothing.",
        "confirm-email",
        "Use this address",
    ),
    CHANGING_EMAIL: AccountWords(
        "Your email is being changed",
        "Somebody who knows your password has asked to use {note} for your account, instead of this address. If it was"
        " not you, press the button below, now or within {lasts}: this address is yours again, and everybody is logged"
        " out.",
        "undo-email",
        "This was not me",
    ),
    RECOVERY_BEGUN: AccountWords(
        "Your account gets another {note}",
        "Somebody has told us that they are the owner of your account and can be reached at its old {note} no longer."
        " We have checked who they are, and change it in {lasts}. If it was not you, press the button below before:"
        " your account stays as it is.",
        "keep-account",
        "This was not me",
    ),
    RECOVERY_DONE: AccountWords(
        "Your account has another {note}",
        "As we have told you, your account has another {note} now, and everybody is logged out. Set a new password, at"
        " the email that the account has. If this was not you, please call us at once.",
        "reset-password",
        "Set a new password",
    ),
    RECOVERY_STOPPED: AccountWords(
        "Your account stays as it is",
        "Your account does not get another {note}: it was stopped. If you have lost what you had, please call us.",
        "account",
        "See my account",
    ),
    EMAIL_TAKEN: AccountWords(
        "You have an account already",
        "Somebody, hopefully you, has tried to use this address for an account. It has one already: log in with it. If"
        " you have forgotten your password, set a new one.",
        "reset-password",
        "Set a new password",
    ),
    CHANGE_ASKED: AccountWords(
        "You have asked for a change",
        "Somebody who knows your password has asked us to change the {note} of your account. If it was not you, set a"
        " new password at once: that takes the request back, and logs every device out.",
        "reset-password",
        "This was not me",
    ),
    CHANGE_GRANTED: AccountWords(
        "Your account is changed",
        "As you have asked, we have changed your {note}. If you have not asked for it, please write to us at once.",
        "account",
        "See my account",
    ),
    ACCOUNT_CHANGED: AccountWords(
        "Your account is changed",
        "We have changed this of your account: {note}. If you have not asked for it, please write to us at once.",
        "account",
        "See my account",
    ),
    ACCOUNT_BLOCKED: AccountWords(
        "Your account is blocked",
        "We have blocked your account: {note}. You are logged out everywhere; your requests are declined, and your"
        " vehicles are not shown. Trips that are under way go on: as a vendor you can log in to take them back and to"
        " settle them. Bookings that are confirmed wait for us, and their customers know. If you think that this is"
        " wrong, write to us.",
        "vendor/manage-bookings",
        "See my bookings",
    ),
    EMPLOYER_BLOCKED: AccountWords(
        "The account you work for is blocked",
        "We have blocked the account of {note}, for whom you answer requests and hand vehicles over. Nothing can be"
        " done for them until it is open again; your own account stays as it is.",
        "account",
        "See my account",
    ),
    EMPLOYER_UNBLOCKED: AccountWords(
        "The account you work for is open again",
        "We have unblocked the account of {note}: you answer requests and hand vehicles over as before.",
        "vendor/manage-bookings",
        "See the bookings",
    ),
    ACCOUNT_UNBLOCKED: AccountWords(
        "Your account is open again",
        "We have unblocked your account: log in as before. Your vehicles are shown again. {note}",
        "account",
        "See my account",
    ),
    REVIEW_REMOVED: AccountWords(
        "We have removed a review of yours",
        "A review that you wrote is not shown any more: {note}. If you think that this is wrong, write to us.",
        "account",
        "See my account",
    ),
    REPORT_HEARD: AccountWords(
        "The review is removed",
        "You have reported a review. We have looked at it, and nobody sees it any more: {note}. Thank you.",
        "account",
        "See my account",
    ),
    REPORT_REFUSED: AccountWords(
        "The review stays",
        "You have reported a review. We have looked at it, and it stays. {note}",
        "account",
        "See my account",
    ),
    COMMISSION_PAID: AccountWords(
        "Commission noted",
        "We have noted this of the commission you owe: {note}.",
        "vendor/earnings",
        "See my earnings",
    ),
    CHANGE_REFUSED: AccountWords(
        "Your account stays as it is", "We have not changed your {note}.", "account", "See my account"
    ),
    PHONE_CONFIRMED: AccountWords(
        "Your mobile number is confirmed",
        "The mobile number {note} is confirmed for your account, which a code sent there opens from now on. If it was"
        " not you, press the button below, now or within {lasts}: it is taken off again, and everybody is logged out.",
        "not-me",
        "This was not me",
    ),
    PHONE_TAKEN: AccountWords(
        "Your mobile number is somebody else's now",
        "Somebody has proved to have the mobile number {note}, by a code sent there. You can no longer log in with"
        " codes sent to it. If it is still yours, confirm it again under Account.",
        "account",
        "See my account",
    ),
    SECOND_STEP_ON: AccountWords(
        "Your login takes a second step now",
        "From now on, logging in to your account takes a code of your authenticator app besides the password. Keep your"
        " recovery codes: they are the way in without the app. If it was not you, press the button below, now or within"
        " {lasts}: the app is taken off again, and everybody is logged out.",
        "not-me",
        "This was not me",
    ),
    SECOND_STEP_OFF: AccountWords(
        "Your login takes one step again",
        "The second step of logging in to your account was turned off just now: the password alone is enough. If it was"
        " not you, set a new password at once.",
        "reset-password",
        "This was not me",
    ),
    PASSKEY_ADDED: AccountWords(
        "A passkey was added to your account",
        "The passkey {note} was added to your account just now: it logs you in without the password. If it was not you,"
        " press the button below, now or within {lasts}: it is removed again, and everybody is logged out.",
        "not-me",
        "This was not me",
    ),
    PASSKEY_REMOVED: AccountWords(
        "A passkey was removed from your account",
        "The passkey {note} was removed from your account just now and logs nobody in any more; what it had opened is"
        " logged out. If it was not you, set"
        " a new password at once.",
        "reset-password",
        "This was not me",
    ),
    PASSKEY_COPIED: AccountWords(
        "A login with your passkey was refused",
        "Somebody tried to log in with a copy of your passkey {note}: it has signed fewer times than we know of. Remove"
        " it from your account, and add a new one.",
        "account",
        "See my account",
    ),
    RECOVERY_CODE_USED: AccountWords(
        "A recovery code was used",
        "One of the recovery codes of your account was used just now in place of your authenticator app. {note} are"
        " left. If it was not you, set a new password at once.",
        "reset-password",
        "This was not me",
    ),
    RECOVERY_CODES_RENEWED: AccountWords(
        "Your recovery codes are new",
        "New recovery codes were made for your account just now, and the earlier ones are void: throw them away. If it"
        " was not you, press the button below, now or within {lasts}: these are void too, and everybody is logged out.",
        "not-me",
        "This was not me",
    ),
    NEW_DEVICE: AccountWords(
        "A new device is logged in",
        "Your account was logged in to from a device that we do not know: {note}. If it was not you, set a new password"
        " at once, which logs every device out.",
        "reset-password",
        "This was not me",
    ),
}
WORDS: dict[tuple[str, str], Words] = {
    (EventKind.REQUESTED, CUSTOMER): Words(
        "Requested: {vehicle}",
        "Your request is on its way. {other} answers by {answer_by}; until then you owe nothing.",
    ),
    (EventKind.REQUESTED, VENDOR): Words(
        "New request: {vehicle}", "{other} would like to rent your vehicle. Please answer by {answer_by}."
    ),
    (EventKind.CONFIRMED, CUSTOMER): Words(
        "Confirmed: {vehicle}",
        "{other} has confirmed your booking. Have your original documents with you at the pickup.",
    ),
    (EventKind.DECLINED, CUSTOMER): Words(
        "Declined: {vehicle}", "{other} cannot give you this vehicle for these dates{why}. You owe nothing."
    ),
    (EventKind.LAPSED, CUSTOMER): Words(
        "Not answered: {vehicle}", "{other} did not answer in time, so your request has lapsed. You owe nothing."
    ),
    (EventKind.LAPSED, VENDOR): Words(
        "Lapsed: {vehicle}", "The request of {other} was not answered in time and has lapsed. The dates are free again."
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
        "{other} cannot give you this vehicle{why}. You owe nothing, and all that you have paid is owed back to you."
        " Vehicles like it that are free for your dates are on your booking's page.",
    ),
    (EventKind.REBOOKED, VENDOR): Words(
        "Booked in its place: {vehicle}",
        "{other}, whose booking you had to cancel, has taken this vehicle of yours instead. It is confirmed. {note}.",
    ),
    (EventKind.CHANGED, CUSTOMER): Words(
        "Changed: {vehicle}", "Your request is now for other dates: {note}. {other} answers by {answer_by}."
    ),
    (EventKind.CHANGED, VENDOR): Words(
        "Changed request: {vehicle}", "{other} asks for other dates now: {note}. Please answer by {answer_by}."
    ),
    (EventKind.EXTENDED, CUSTOMER): Words("Extended: {vehicle}", "Your return has been moved to {return_at}."),
    (EventKind.EXTENDED, VENDOR): Words("Extended: {vehicle}", "The return of {other} has been moved to {return_at}."),
    (EventKind.MOVED, CUSTOMER): Words(
        "Another vehicle: {vehicle}",
        "{other} has moved your booking to another vehicle: {note}. Your dates stay, and you pay no more than before.",
    ),
    (EventKind.PROPOSED, CUSTOMER): Words(
        "Your answer is wanted: {vehicle}",
        "{other} proposes a change: {note}. Nothing changes unless you agree on your booking's page.",
    ),
    (EventKind.AGREED, VENDOR): Words("Agreed: {vehicle}", "{other} agrees to what you have proposed."),
    (EventKind.PROPOSAL_REFUSED, VENDOR): Words(
        "Not agreed: {vehicle}", "{other} does not agree to what you have proposed: the booking stays as it was."
    ),
    (EventKind.PROPOSAL_LAPSED, VENDOR): Words(
        "Not answered: {vehicle}", "{other} has not answered what you have proposed: the booking stays as it was."
    ),
    (EventKind.OPERATOR_CANCELLED, CUSTOMER): Words(
        "Cancelled by us: {vehicle}",
        "We have cancelled your booking with {other}{why}. The account below says what is kept and what is owed back to"
        " you.",
    ),
    (EventKind.OPERATOR_CANCELLED, VENDOR): Words(
        "Cancelled by us: {vehicle}",
        "We have cancelled the booking of {other}{why}. The dates are free again; the account below says what is kept"
        " and what you owe back.",
    ),
    (EventKind.JUDGED, CUSTOMER): Words("Your objection: {vehicle}", "We have looked at your objection. {note}"),
    (EventKind.JUDGED, VENDOR): Words(
        "Objection decided: {vehicle}", "We have looked at the objection of {other}. {note}"
    ),
    (EventKind.VENDOR_BLOCKED, CUSTOMER): Words(
        "About your booking: {vehicle}",
        "We have blocked the account of {other}. If you have the vehicle, bring it back as agreed. If your pickup is"
        " still to come, wait for our message: we see to your booking now.",
    ),
    (EventKind.VENDOR_UNBLOCKED, CUSTOMER): Words(
        "Your booking stands: {vehicle}", "{other} rents out vehicles again: your booking stands as it was."
    ),
    ("before_pickup", CUSTOMER): Words(
        "Pickup soon: {vehicle}", "Your pickup is on {pickup}. Bring your original documents and what is due."
    ),
    ("before_pickup", VENDOR): Words("Pickup soon: {vehicle}", "{other} picks your vehicle up on {pickup}."),
    ("before_pickup.delivered", CUSTOMER): Words(
        "Delivery soon: {vehicle}",
        "{other} brings your vehicle to you on {pickup}. Have your original documents and what is due at hand.",
    ),
    ("before_pickup.delivered", VENDOR): Words(
        "Delivery soon: {vehicle}", "Please bring your vehicle to {other} on {pickup}."
    ),
    ("before_return", CUSTOMER): Words(
        "Return soon: {vehicle}",
        "Your return is on {return_at}. You can extend until {extend_by}; later, late hours count.",
    ),
    ("before_return.too_late", CUSTOMER): Words(
        "Return soon: {vehicle}",
        "Your return is on {return_at}. It is too late to extend the booking online: if you need more time, call"
        " {other}. Late hours are charged.",
    ),
    (EventKind.NO_SHOW, CUSTOMER): Words(
        "Not picked up: {vehicle}",
        "{other} has noted that you did not come for the vehicle. Your booking's page says what is kept; you can object"
        " to that there within {object_hours} hours.",
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
    (EventKind.SETTLED, CUSTOMER): Words(
        "Settled: {vehicle}", "Nobody owes anybody anything. Thank you for riding with us."
    ),
    (EventKind.SETTLED, VENDOR): Words("Settled: {vehicle}", "The trip of {other} is settled."),
    (EventKind.OBJECTED, VENDOR): Words("Objection: {vehicle}", "{other} does not agree: {note}"),
    (EventKind.OBJECTION_ANSWERED, CUSTOMER): Words(
        "Your objection is answered: {vehicle}", "{other} has answered what you objected to: {note}"
    ),
    (GUEST_LINK, CUSTOMER): Words(
        "Your booking: {vehicle}",
        "{other} sends you the link to your booking again. The one before does not work any more.",
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
        "{other} has added you to the people who answer requests, hand over and receive vehicles for them. If you do"
        " not want that, press Stop beside your name there: they cannot add you again.",
    ),
    (LISTING_APPROVED, VENDOR): Words(
        "Listed: {vehicle}", "We have looked at your vehicle: customers see it now, and can book it."
    ),
    (LISTING_REFUSED, VENDOR): Words(
        "Not listed yet: {vehicle}",
        "We cannot list your vehicle as it is: {note}. Mend that under Manage Vehicles and save"
        " it: we look at it again.",
    ),
    (LISTING_TAKEN_DOWN, VENDOR): Words(
        "Taken down: {vehicle}",
        "We have taken your vehicle down: {note}. Nobody can book it for now; bookings that you have confirmed stand."
        " Mend that under Manage Vehicles and save it: we look at it again.",
    ),
    ("papers_expiring", VENDOR): Words(
        "Documents expiring: {vehicle}", "{note}. Enter the new date and upload the new document under Manage Vehicles."
    ),
}
