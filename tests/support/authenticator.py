"""An authenticator in software: makes passkeys and signs with them, as browsers pass it on in JSON."""

import hashlib
import json
import secrets
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from webauthn.helpers import bytes_to_base64url as written

from rental_app.infrastructure.db import write
from rental_app.infrastructure.settings import settings
from rental_app.models import User
from rental_app.schemas.sign_in import NewPasskey
from rental_app.services.accounts import passkeys
from rental_app.services.accounts.actor import Actor
from tests.support.shop import actor

PRESENT, VERIFIED, HAS_KEY = 0x01, 0x04, 0x40


class Authenticator:
    """A device with one passkey. `count` is how often it says that it signed, `flags` what it says of its holder."""

    def __init__(self, origin: str, count: int = 0) -> None:
        """Make one that is used on pages of an origin."""
        self.origin, self.count, self.flags = origin, count, PRESENT | VERIFIED
        self.id, self._key = secrets.token_bytes(16), ec.generate_private_key(ec.SECP256R1())

    def make(self, options: dict[str, Any]) -> dict[str, Any]:
        """Make a passkey by options of the site."""
        about = b"\0" * 16 + len(self.id).to_bytes(2) + self.id + cbor2.dumps(self._public())
        data = self._data(options["rp"]["id"], HAS_KEY) + about
        statement = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        seen = self._seen("webauthn.create", options["challenge"])
        return self._answer({"clientDataJSON": written(seen), "attestationObject": written(statement)})

    def sign(self, options: dict[str, Any]) -> dict[str, Any]:
        """Sign by options of the site."""
        self.count += bool(self.count)
        data, seen = self._data(options["rpId"]), self._seen("webauthn.get", options["challenge"])
        signature = self._key.sign(data + hashlib.sha256(seen).digest(), ec.ECDSA(SHA256()))
        signed = {"clientDataJSON": seen, "authenticatorData": data, "signature": signature}
        return self._answer({name: written(value) for name, value in signed.items()})

    def _public(self) -> dict[int, Any]:
        """Return the public key as COSE writes it: an EC2 key for ES256 on P-256."""
        point = self._key.public_key().public_numbers()
        return {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32), -3: point.y.to_bytes(32)}

    def _data(self, host: str, more: int = 0) -> bytes:
        return hashlib.sha256(host.encode()).digest() + bytes([self.flags | more]) + self.count.to_bytes(4)

    def _seen(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _answer(self, response: dict[str, str]) -> dict[str, Any]:
        return {"id": written(self.id), "rawId": written(self.id), "type": "public-key", "response": response}


def device(count: int = 0) -> Authenticator:
    return Authenticator(settings().origin, count)


def wish(made: dict[str, Any], name: str = "My phone") -> NewPasskey:
    return NewPasskey.model_validate({"name": name, "credential": made})


def with_passkey(user: User, who: Actor | None = None, *, count: int = 0) -> Authenticator:
    made, who = device(count), who or actor(user)
    write(passkeys.add, who, wish(made.make(write(passkeys.begin, who))))
    return made
