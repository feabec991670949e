"""A TypeScript client whose types are generated from the OpenAPI document logs in and books on the running app."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.support.app import ROOT, App, environment
from tests.support.rest_helpers import window
from tests.support.shop import PASSWORD, Shop

pytestmark = [pytest.mark.e2e, pytest.mark.long]
TOOLS = ROOT / "javascript" / "contract"
MODULES = TOOLS / "node_modules"
# Every path, body and answer is typed by the document alone: a wrong name in either of them is an error of tsc.
CLIENT = """
import type { paths } from "./api.js";

declare const process: { env: Record<string, string> };
type Posts = { [Path in keyof paths]: paths[Path] extends { post: object } ? Path : never }[keyof paths];
type Json<Holder> = Holder extends { content: { "application/json": infer Body } } ? Body : never;
type Sent<Path extends Posts> = Json<NonNullable<paths[Path]["post"] extends { requestBody?: infer B } ? B : never>>;
type Answered<Path extends Posts> = paths[Path]["post"] extends { responses: { 200: infer R } } ? Json<R> : never;

async function post<Path extends Posts>(path: Path, body: Sent<Path>, token = ""): Promise<Answered<Path>> {
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  const response = await fetch(process.env.SHOP + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Answered<Path>;
}

const { token } = await post("/api/user/login", { email: process.env.EMAIL, password: process.env.PASSWORD });
const wanted: Sent<"/api/bookings/create"> = JSON.parse(process.env.WANTED);
const { booking } = await post("/api/bookings/create", { ...wanted, extras: [] }, token);
const pickup: string = booking.pickupDate;
const vehicle: number = booking.car.id;
// @ts-expect-error The answer's types are known: no number is a text.
const wrong: string = booking.id;
console.log(JSON.stringify({ reference: booking.reference, pickup, vehicle, status: booking.status, wrong }));
"""
STRICT = ["--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom"]


def run(folder: Path, *command: str, **variables: str) -> str:
    """What a command prints that must succeed."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment() | variables,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def program(app: App, tmp_path: Path) -> Path:
    """The client, checked against types that are generated from the running app's document."""
    if not MODULES.is_dir():
        run(ROOT, "make", "javascript/contract/node_modules/.package-lock.json")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "client.ts").write_text(CLIENT)
    run(tmp_path, "node", str(MODULES / ".bin" / "openapi-typescript"), f"{app.url}/api/openapi.json", "-o", "api.d.ts")
    run(tmp_path, "node", str(MODULES / ".bin" / "tsc"), *STRICT, "client.ts")
    return tmp_path / "client.js"


def test_a_generated_typescript_client_logs_in_and_books(app: App, program: Path, shop: Shop) -> None:
    wanted = {"car": shop.vehicle.id} | window(days=20)
    login = {"EMAIL": shop.customer.email, "PASSWORD": PASSWORD}
    printed = run(program.parent, "node", program.name, SHOP=app.url, WANTED=json.dumps(wanted), **login)
    booked = json.loads(printed)
    assert (booked["vehicle"], booked["pickup"]) == (shop.vehicle.id, wanted["pickupDate"])
    assert booked["reference"]
    assert booked["status"] == "pending"
