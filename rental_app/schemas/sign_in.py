"""Shapes of signing in: passwords, links and codes, second steps, passkeys, and where an account is logged in."""

import re
from typing import Annotated, Any, Literal

import orjson
from pydantic import AfterValidator, Field

from rental_app.domain.characters import on_a_keyboard
from rental_app.domain.errors import InvalidInputError
from rental_app.schemas.people import PhoneNumber, as_signed_up
from rental_app.schemas.wire import CLEAN, VISIBLE, Answer, Id, IndianTime, Refusal, Text, Wire, at_most


def token_in(text: str) -> str:
    """The token of a link as people paste it: with the white space of a mail program, or the whole link."""
    bare = re.sub(r"\s", "", text)
    named = re.search(r"[?&]token=([\w-]+)", bare, re.ASCII)
    return named[1] if named else bare


# What a login is asked with: any text, of which all that matters is whether an account has it.
LoginEmail = Annotated[str, at_most(320, 1), CLEAN, AfterValidator(as_signed_up)]
NewPassword = Annotated[str, Field(min_length=1, max_length=1000)]
Password = Annotated[NewPassword, Field(description="Password")]
Device = Annotated[
    Annotated[str, Field(max_length=200)] | None,
    Field(description="A random text that a device keeps, so that its next login is not told as a new device's"),
]
LinkToken = Annotated[
    str,
    at_most(2000, 1),
    AfterValidator(token_in),
    Field(description="The token of the link, or the whole link; white space in it does not matter"),
]


class ForgottenPassword(Wire):
    """The e-mail of an account whose password is forgotten."""

    email: LoginEmail = Field(description="E-mail address")


class LinkUse(Wire):
    """What proves that an address is read."""

    token: LinkToken


class OwnLinkUse(LinkUse):
    """The same, with the account's password where its owner is not logged in to it."""

    password: NewPassword | None = Field(default=None, description="Password")


class PasswordReset(Wire):
    """A new password, and what proves that its account's e-mail is read."""

    token: LinkToken
    password: NewPassword = Field(description="The new password")


class PasswordChange(Wire):
    """The present password, and the new one."""

    current: NewPassword = Field(description="The present password")
    password: NewPassword = Field(description="The new password")


class Credentials(Wire):
    """A login. The email may be any text: all that matters is whether an account has it, as sign-up would write it."""

    email: LoginEmail = Field(description="E-mail address")
    password: Password
    # A key that the device keeps, so that its owner is not told of it as of a new one.
    device: Device = None


def six_digits(text: str) -> str:
    """The digits of a code, as people copy it: 123 456; raises ValueError."""
    digits = re.sub(r"[\s-]", "", on_a_keyboard(text))
    if not re.fullmatch(r"[0-9]{6}", digits):
        raise ValueError("Enter the 6 digits of the code")
    return digits


SixDigits = Annotated[Text, AfterValidator(six_digits)]


class Phone(Wire):
    """A mobile number that a code is to be sent to."""

    phone: PhoneNumber


class LoginCodeWish(Phone):
    """A mobile number that a code to log in with is to be sent to, and who asks."""

    device: Annotated[str, Field(max_length=200)] | None = Field(
        default=None,
        description="The device's random text: the code is its own then, and a known device has texts of its own",
    )


class PhoneCode(Phone):
    """A mobile number, and the code sent to it."""

    code: SixDigits = Field(description="The six digits that were sent to the number")


class CodeLogin(PhoneCode):
    """A login by a code."""

    device: Device = None


class OwnPassword(Wire):
    """The password of somebody who is logged in."""

    password: Password


class StepCode(Wire):
    """A code of an authenticator app."""

    code: Annotated[str, at_most(100, 1), CLEAN] = Field(
        description="The six digits that the app shows, or a recovery code"
    )


class StepOff(StepCode):
    """What turns the second step off, or makes new recovery codes."""

    password: Password


class StepAnswer(StepCode):
    """The second step of a login."""

    challenge: LinkToken = Field(description="What the login was refused with")
    device: Device = None


class LoginRefusal(Refusal):
    """A login that was refused; one that a second step has to follow brings what that is given with."""

    challenge: str | None = Field(default=None, description="Only with `second_step`: for the call that gives it")


class StepSetup(Wire):
    """What an authenticator app needs to know."""

    secret: str = Field(description="The key to type into an authenticator app")
    uri: str = Field(description="The same as an `otpauth://` address, to be shown as a QR code")


class StepSetupAnswer(Answer, StepSetup):
    """The key for an app, which counts once a code is confirmed."""


class RecoveryCodesAnswer(Answer):
    """Recovery codes that their owner has not yet kept; none once they are, and after a week."""

    recovery_codes: list[str] = Field(
        alias="recoveryCodes", description="Each stands in for the app once, for when it is lost"
    )


class SessionView(Wire):
    """A device that is logged in."""

    id: str = Field(description="What names it, for logging it out")
    current: bool = Field(description="Whether it is the one that asks")
    created_at: IndianTime = Field(alias="createdAt", description="When it logged in")
    last_seen: IndianTime = Field(alias="lastSeen", description="When it was last used, to the hour")
    device: str = Field(description="What it is, such as Chrome on Android")


class SessionsAnswer(Answer):
    """Where an account is logged in, this device first."""

    sessions: list[SessionView] = Field(description="The devices that are logged in")


class TokenAnswer(Answer):
    """A fresh token."""

    token: str = Field(description="The token, to be sent as `Authorization: Bearer`")


MAX_NAME = 60
# Why a browser has nothing to send, by what web/react/passkeys.js calls it.
NO_PASSKEY = {
    "cancelled": "No passkey was used: your device has none for this site, or you did not let it. Nothing has changed.",
    "known": "This device has a passkey for this account already",
    "": "What passkeys need did not arrive: please try again",
    "cannot": "This browser cannot use a passkey here: try another browser, or another way",
}
# An authenticator's statement about itself holds certificates; a credential's id has 1023 bytes at most.
MAX_STATEMENT, MAX_CREDENTIAL_ID = 20_000, 1364
_BASE64URL = re.compile("[A-Za-z0-9_-]+")


def _written(text: str) -> str:
    if not _BASE64URL.fullmatch(text):
        raise ValueError("Use base64url: letters, digits, - and _")
    return text


Base64Url = Annotated[str, at_most(MAX_STATEMENT, 1), AfterValidator(_written)]
CredentialId = Annotated[str, at_most(MAX_CREDENTIAL_ID, 1), AfterValidator(_written)]


class _Credential(Wire):
    id: CredentialId = Field(description="The passkey's own id, in base64url")
    raw_id: CredentialId = Field(alias="rawId", description="The same")
    type: Literal["public-key"] = Field(description="Always public-key")


class Attestation(Wire):
    """What an authenticator says about a passkey it has made."""

    client_data: Base64Url = Field(alias="clientDataJSON", description="What the browser has seen, in base64url")
    attestation_object: Base64Url = Field(alias="attestationObject", description="The new key, in base64url")


class MadeCredential(_Credential):
    """A passkey that a browser has made: what `navigator.credentials.create()` gives, by its `toJSON()`."""

    response: Attestation = Field(description="What the authenticator says")


class Assertion(Wire):
    """What an authenticator has signed."""

    client_data: Base64Url = Field(alias="clientDataJSON", description="What the browser has seen, in base64url")
    authenticator_data: Base64Url = Field(alias="authenticatorData", description="What was signed, in base64url")
    signature: Base64Url = Field(description="The signature, in base64url")


class SignedCredential(_Credential):
    """What a passkey has signed: what `navigator.credentials.get()` gives, by its `toJSON()`."""

    response: Assertion = Field(description="What the authenticator says")


class PasskeyName(Wire):
    """What somebody calls a passkey."""

    name: Annotated[str, at_most(MAX_NAME, 1), CLEAN, VISIBLE] = Field(description="What its owner calls it")


class NewPasskey(PasskeyName):
    """A passkey to be added to an account."""

    credential: MadeCredential = Field(description="What the browser has made by the options")


class PasskeyLogin(Wire):
    """A login with a passkey."""

    credential: SignedCredential = Field(description="What the browser has signed by the options")
    device: Device = None


def passkey_form(answer: str) -> dict[str, Any]:
    """A form with what a browser answered, as JSON; raises InvalidInputError (`no_passkey`) if that is no passkey."""
    try:
        credential = orjson.loads(answer)
    except ValueError:
        credential = {"refused": ""}
    if isinstance(credential, dict) and "refused" in credential:
        message = NO_PASSKEY.get(str(credential["refused"]), NO_PASSKEY["cannot"])
        raise InvalidInputError(message, code="no_passkey", fields={"credential": message})
    return {"credential": credential}


class PasskeyView(Wire):
    """A passkey of an account."""

    id: Id = Field(description="Its id")
    name: str = Field(description="What its owner calls it")
    created_at: IndianTime = Field(alias="createdAt", description="When it was added")
    last_used: IndianTime | None = Field(alias="lastUsed", description="When it was last logged in with; null if never")


class PasskeysAnswer(Answer):
    """The passkeys of an account."""

    passkeys: list[PasskeyView] = Field(description="In the order they were added")


class PasskeyAnswer(Answer):
    """A passkey that was added."""

    passkey: PasskeyView = Field(description="What was added")


class PasskeyOptionsAnswer(Answer):
    """What a browser needs to know to make a passkey, or to sign with one."""

    options: dict[str, Any] = Field(
        description="For `PublicKeyCredential.parseCreationOptionsFromJSON` or `.parseRequestOptionsFromJSON`"
    )
