"""The texts sent to mobile numbers. Indian carriers carry only what is registered with them, word by word: register
each of these under its name, which the gateway is told with every text.

`{product}`, `{host}` and `{url}` are ours; `{code}` and `{token}` are the secret of the proof that a text carries; the
rest is given by whoever sends it.
"""

VERIFY_PHONE, LOGIN_CODE, CHANGE_ASKED_TEXT = "verify_phone", "login_code", "change_asked"
GUEST_TRIP, ACCOUNT_CHANGED_TEXT, RECOVERY_TEXT = "guest_trip", "account_changed", "recovery_begun"
TRIP_YES, TRIP_NO, TRIP_OBJECT, TRIP_CANCEL = "trip_yes", "trip_no", "trip_object", "trip_cancel"
# What a customer is asked to agree to, by the kind of the proposal.
PROPOSED = {"extension": "a later return", "move": "another vehicle", "discount": "a higher charge"}
TEXTS = {
    VERIFY_PHONE: "{code} is your {product} code to confirm this mobile number. It works for 10 minutes. If you did"
    " not ask for it, ignore this text.",
    # Browsers offer to fill in the code of a last line like this on our own pages alone.
    LOGIN_CODE: "{code} is your {product} code to log in. It works for 10 minutes. Do not share it with anyone, not"
    " even us.\n\n@{host} #{code}",
    CHANGE_ASKED_TEXT: "You asked {product} to change your {note}. If this was not you, set a new password at once:"
    " {url}/reset-password",
    ACCOUNT_CHANGED_TEXT: "{product} has changed the {note} of your account. If you did not ask for this, call us at"
    " once: {url}",
    RECOVERY_TEXT: "Someone told us they have lost access to the {product} account of this mobile number. Its {note}"
    " changes in 72 hours. If this was not you, stop it: {url}/keep-account?token={token}",
    GUEST_TRIP: "Your {product} booking {reference}, with its receipt: {url}/trip/{token} Anyone with this link can"
    " read it.",
    TRIP_YES: "{code} agrees to {what} for your {product} booking {reference}, {amount} total. Share it only if you"
    " agree. It works for 10 minutes.",
    TRIP_NO: "{code} refuses {what} for your {product} booking {reference}. It works for 10 minutes. Do not share it.",
    TRIP_OBJECT: "{code} is your code to object on your {product} booking {reference}. It works for 10 minutes. Do not"
    " share it.",
    TRIP_CANCEL: "{code} cancels your {product} booking {reference}: {amount} is kept. It works for 10 minutes. Do not"
    " share it.",
}
