"""Vendor the list of Indian banks: `python -m rental_app.seed.fetch_banks` writes banks.json again.

The list is `banknames.json` of the npm package `ifsc` (Razorpay, MIT licence): IFSC prefix to bank name.
"""

import hashlib
import subprocess
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

PACKAGE = "ifsc@2.0.50"
MEMBER = "package/src/banknames.json"
SHA256 = "f844429eaf76dc279cb1935cae255747248cee891ca0b5f59a126b812abcc0aa"
TARGET = Path(__file__).with_name("banks.json")


def fetch(folder: Path) -> bytes:
    """The bank list from the npm package; raises ValueError when it is not the one we know."""
    command = ["npm", "pack", PACKAGE, "--silent", "--pack-destination", str(folder)]
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - nothing in it comes from outside
    with tarfile.open(next(folder.glob("*.tgz"))) as archive:
        member = archive.extractfile(MEMBER)
        content = member.read() if member else b""
    if (checksum := hashlib.sha256(content).hexdigest()) != SHA256:
        raise ValueError(f"{MEMBER} of {PACKAGE} has checksum {checksum}, expected {SHA256}")
    return content


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        TARGET.write_bytes(fetch(Path(folder)))
