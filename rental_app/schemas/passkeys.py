"""Shapes of passkeys, as browsers write what their authenticators say (`PublicKeyCredential.toJSON()`)."""

import re
from typing import Annotated, Any, Literal

import orjson
from pydantic import AfterValidator, Field

from rental_app.domain.errors import InvalidInputError
from rental_app.schemas.sign_in import Device
from rental_app.schemas.wire import CLEAN, VISIBLE, Answer, Id, IndianTime, Wire, at_most

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
